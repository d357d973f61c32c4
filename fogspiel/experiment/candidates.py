"""The candidates of a tuning: the values that its parameters may take, who of all is drawn, who is proposed by Optuna,
who drops out of a race, and who is the best of what is stored."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.experiment.analysis import consistent
from fogspiel.experiment.differences import compare
from fogspiel.experiment.extras import needs
from fogspiel.experiment.results import View
from fogspiel.experiment.tables import Table, column_of, once, tabulate

BLOCKS = 8
"""A race looks at its candidates so many times."""
WRONGLY = 0.05
"""How likely it is at most that who is best in truth is dropped, at whichever look and for whichever other."""

Candidate = tuple[Any, ...]


@dataclass(frozen=True)
class Range:
    """Values from `low` to `high`: whole numbers if both are, else reals; with `log`, evenly by their logarithms."""

    low: float
    high: float
    log: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            given.number(name, getattr(self, name))
        if not self.low < self.high or (self.log and self.low <= 0):
            raise SpecError(f"values between {self.low} and {self.high} need the smaller first{', above 0' * self.log}")

    @property
    def whole(self) -> bool:
        return isinstance(self.low, int) and isinstance(self.high, int)

    def at(self, x: float) -> float:
        """The value at a share of the way."""
        low, high = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        value = math.exp(low + x * (high - low)) if self.log else low + x * (high - low)
        return round(value) if self.whole else float(f"{value:.6g}")


Values = Range | Sequence[Any]


def every_combination(parameters: Mapping[str, Values]) -> list[Candidate]:
    for name, values in parameters.items():
        if isinstance(values, Range) and (not values.whole or values.log or values.high - values.low > 10_000):
            raise SpecError(f"a grid needs a list of values for {name}")
    every = [range(int(v.low), int(v.high) + 1) if isinstance(v, Range) else v for v in parameters.values()]
    return list(itertools.product(*every))


def drawn(parameters: Mapping[str, Values], most: int, seed: int) -> list[Candidate]:
    """Every combination if they are no more than asked for, else some at random."""
    try:
        every = every_combination(parameters)
        if len(every) <= most:
            return every
    except SpecError:
        every = []
    rng = np.random.default_rng(seed)
    if every:
        return [every[i] for i in sorted(rng.choice(len(every), most, replace=False))]
    found: dict[Candidate, None] = {}
    for _ in range(100 * most):
        one = tuple(
            v.at(rng.random()) if isinstance(v, Range) else v[int(rng.integers(len(v)))] for v in parameters.values()
        )
        found[one] = None
        if len(found) == most:
            break
    return list(found)


class Proposals:
    """What was proposed, and which candidates came `through` to the end; the others are told as pruned. What is found
    of a candidate, such as its rank among all, changes with those that come after it: so each batch is asked for with
    all that are known judged anew."""

    def __init__(self, parameters: Mapping[str, Values], seed: int, *, lowest: bool):
        """`lowest` tells that what is found is to be low."""
        self.optuna = needs("optuna", "tune with Optuna")
        self.optuna.logging.set_verbosity(self.optuna.logging.WARNING)
        self.sampler = self.optuna.samplers.TPESampler(seed=seed)
        self.parameters, self.direction = parameters, "minimize" if lowest else "maximize"
        self.trials: list[tuple[Any, Candidate]] = []
        self.through: set[Candidate] = set()

    @property
    def candidates(self) -> list[Candidate]:
        return list(dict.fromkeys(candidate for _, candidate in self.trials))

    def ask(self, size: int, found: Mapping[Candidate, float], runs: Mapping[Candidate, int]) -> list[Candidate]:
        """The next candidates, so many at most, by what was found of those before, each in so many runs; nothing of
        those whose runs all failed."""
        study = self.optuna.create_study(direction=self.direction, sampler=self.sampler)
        for trial, candidate in self.trials:
            study.add_trial(self._told(trial, candidate in self.through, found.get(candidate), runs[candidate]))
        batch = []
        for _ in range(size):
            trial = study.ask()
            batch.append((trial, tuple(_suggest(trial, name, values) for name, values in self.parameters.items())))
        self.trials += batch
        return list(dict.fromkeys(candidate for _, candidate in batch))

    def _told(self, trial: Any, through: bool, found: float | None, runs: int) -> Any:
        state, told = self.optuna.trial.TrialState, through and found is not None
        return self.optuna.trial.create_trial(
            params=trial.params,
            distributions=trial.distributions,
            state=state.COMPLETE if told else state.PRUNED,
            value=found if told else None,
            intermediate_values={} if found is None else {runs: found},
        )


def _suggest(trial: Any, name: str, values: Values) -> Any:
    if not isinstance(values, Range):
        return trial.suggest_categorical(name, list(values))
    if values.whole:
        return trial.suggest_int(name, int(values.low), int(values.high), log=values.log)
    return float(f"{trial.suggest_float(name, values.low, values.high, log=values.log):.6g}")


def still_in(
    rows: Iterable[Mapping[str, Any]],
    left: Sequence[Candidate],
    best: Candidate,
    names: Sequence[str],
    measure: str,
    *,
    minimise: bool = False,
    over: str = "",
    bounds: tuple[float, float] | None = None,
) -> list[Candidate]:
    """Who of those that are `left` goes on, told by the columns `names`: all but those that are significantly worse
    than the `best` on the deals that both played. What may go wrong in all (`WRONGLY`) is shared evenly over the looks
    and at each over the others (Bonferroni), since any of them may come out best by chance. With `over` those are out
    that are so for each value of that column, which no rank makes up for. So are those all of whose runs failed."""
    runs: dict[Candidate, list[Mapping[str, Any]]] = {}
    for row in once(list(rows), names):
        runs.setdefault(tuple(row[name] for name in names), []).append(row)
    level = WRONGLY / (BLOCKS * max(1, len(left) - 1))

    def is_below(candidate: Candidate, group: Sequence[Mapping[str, Any]]) -> bool:
        there = {row["candidate"] for row in group}
        if len(there) < 2:
            return candidate not in there
        (found,) = compare(group, "candidate", measure, bounds=bounds)
        ahead = found.estimate.value if found.first == best else -found.estimate.value
        return (-ahead if minimise else ahead) > 0 and found.p / 2 < level

    def is_worse(candidate: Candidate) -> bool:
        groups: dict[Any, list[dict[str, Any]]] = {}
        for one in (candidate, best):
            for row in runs.get(one, []):
                groups.setdefault(column_of(row, over) if over else None, []).append(dict(row) | {"candidate": one})
        return all(is_below(candidate, group) for group in groups.values())

    return [one for one in left if one == best or not is_worse(one)]


@dataclass(frozen=True)
class Best:
    """The `values` that were chosen; those that are `tied` with them, and those that these runs cannot `tell` from
    them."""

    values: dict[str, Any]
    tied: list[dict[str, Any]]
    untold: list[dict[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        return {"best": self.values, "tied": self.tied, "untold": self.untold}

    def __str__(self) -> str:
        told = f"best: {_written(self.values)}"
        tied = f"; tied with {_listed(self.tied)}" if self.tied else ""
        untold = f"; these runs cannot tell it from {_listed(self.untold)}" if self.untold else ""
        return told + tied + untold


def best_of(view: View, table: Table) -> Best | None:
    """By the tuning's own table, of the candidates that have most runs; None of what is no tuning, or where a file of
    before does not say what is better."""
    facts = view.declared.facts
    if facts.get("kind") != "tuning" or "minimise" not in facts or table.by != view.by or table.measure != view.measure:
        return None
    asked = {tuple(one.columns[n] for n in table.by): one.runs for one in view.settings}
    most = max((asked.get(row.key, 0) for row in table), default=0)
    last = [row for row in table if asked.get(row.key, 0) == most]
    if not last:
        return None
    sign = -1 if facts["minimise"] else 1
    tied: list[Candidate]
    untold: list[Candidate]
    if over := facts.get("over"):
        there = {row.key for row in last}
        every = by_rank(view.rows, table.by, over, table.measure, minimise=sign < 0)
        ranks = [one for one in every if one[0] in there]
        best, untold = ranks[0][0], []
        tied = [key for key, rank in ranks[1:] if math.isclose(rank, ranks[0][1])]
    else:
        first = max(last, key=lambda row: sign * row.value)
        best, others = first.key, [row for row in last if row is not first]
        tied = [row.key for row in others if math.isclose(row.value, first.value)]
        better = [row.key for row in others if (row.below(first) if sign > 0 else row.above(first))]
        untold = [row.key for row in others if row.key not in (*tied, *better)]
    named = [[dict(zip(table.by, key, strict=True)) for key in keys] for keys in ([best], tied, untold)]
    return Best(named[0][0], named[1], named[2])


def by_rank(
    rows: Iterable[dict[str, Any]], names: Sequence[str], over: str, measure: str, *, minimise: bool
) -> list[tuple[Candidate, float]]:
    """Candidates with their mean ranks over the values of a column, the best first."""
    signed = [row | {"score": (-1 if minimise else 1) * row[measure]} for row in rows]
    return consistent(tabulate(signed, [over, *names], "score"), over)


def _written(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _listed(several: list[dict[str, Any]], most: int = 6) -> str:
    more = f" and {len(several) - most:,} more" if len(several) > most else ""
    told = [_written(one) for one in several[:most]]
    return (" or " if len(several[0]) == 1 else "; or ").join(told) + more
