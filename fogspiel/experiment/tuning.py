"""Tuning: values for words of an experiment, chosen by runs that are paired, so that all candidates meet the same
deals.

Every candidate is a setting of the experiment, and its runs are stored as any others: a tuning that stopped goes on,
and one with more candidates or runs takes over what is there.
"""

import itertools
import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import FogspielError, SpecError
from fogspiel.experiment.analysis import consistent
from fogspiel.experiment.between import Between, Range
from fogspiel.experiment.design import Cell, Experiment, Scale, require_values
from fogspiel.experiment.faults import leave_out_failed, lost_by
from fogspiel.experiment.hands import Hands, hired
from fogspiel.experiment.intervals import DISTANCES
from fogspiel.experiment.proposals import Proposals
from fogspiel.experiment.racing import BLOCKS, Candidate, still_in
from fogspiel.experiment.results import Results
from fogspiel.experiment.run import LOOK_SECONDS, Outcome, Progress, fitting, run, table_of
from fogspiel.experiment.shop import resolved
from fogspiel.experiment.store import Store
from fogspiel.experiment.tables import Table, tabulate
from fogspiel.experiment.tasks import MatchTask
from fogspiel.game.load import load

METHODS = ("grid", "halving", "racing", "optuna")
BATCHES = 4
"""Optuna proposes its candidates in so many batches, each knowing of those before."""


@dataclass(frozen=True, kw_only=True)
class Tuning(Experiment):
    """Choose values for the words `parameters` of the experiment `of`, each from a list or `Between` two values.

    Methods: `grid` gives every combination all runs of the scale (Lisý 2014, table 4.6; Whitehouse 2014, ch. 8).
    `halving` begins with few runs and `candidates` settings, and again and again keeps the better half for twice the
    runs (Karnin, Koren and Somekh 2013). `racing` drops a candidate as soon as it is significantly worse than the best
    on the same deals (Maron and Moore 1994), by a test that allows for all looks and candidates. `optuna` has Optuna
    propose candidates, batch by batch, and halves each batch.

    The best has the highest mean of the measure of `of`, or with `minimise` the lowest (it is always so of NashConv and
    exploitability), over rows that have the values of `where`. With `over="game"` the best is who ranks best in the
    mean over games.
    """

    of: Experiment
    parameters: Mapping[str, Range]
    method: str = "halving"
    candidates: int = 16
    minimise: bool = False
    over: str = ""
    scales: Mapping[str, Scale] = field(default_factory=dict)
    plan: Mapping[Candidate, int] = field(default_factory=dict)

    kind = "tuning"

    def __post_init__(self) -> None:
        given.choice("method", self.method, METHODS)
        given.whole("candidates", self.candidates, 1)
        given.flag("minimise", self.minimise)
        if not isinstance(self.of, Experiment) or self.of.kind == self.kind:
            raise SpecError(f"of must be Matches, Curves or Measurements, not {given.shown(self.of)}")
        if not isinstance(self.parameters, Mapping):
            told = given.shown(self.parameters)
            raise SpecError(f"parameters must be a dictionary such as {{'n': [1, 2]}}, not {told}")
        if not self.parameters:
            raise SpecError(
                "a tuning needs parameters: words of the experiment, each with a list of values or Between(low, high)"
            )
        for name, values in self.parameters.items():
            if not isinstance(values, Between | list | tuple | range):
                raise SpecError(f"the values of {name} must be a list or Between(low, high), not {given.shown(values)}")
            if not isinstance(values, Between):
                require_values(f"the tuning's {name}", values)
        self.of.require_words("the tuning", self.parameters)
        object.__setattr__(self, "scales", self.scales or self.of.scales)
        object.__setattr__(self, "measure", self.of.measure)
        object.__setattr__(self, "minimise", self.minimise or self.measure in DISTANCES)
        object.__setattr__(self, "seed", self.of.seed)
        object.__setattr__(self, "where", self.where or self.of.where)
        object.__setattr__(self, "bounds", self.bounds or self.of.bounds)
        object.__setattr__(self, "sized_by", self.of.sized_by)
        super().__post_init__()

    def require_words(self, who: str, given: Iterable[str]) -> None:
        self.of.require_words(who, given)

    @property
    def names(self) -> list[str]:
        return list(self.parameters)

    def settled(self, scale: str) -> "Tuning":
        return self if self.plan else replace(self, plan=_planned(self, scale))

    def cells(self, scale: str, folder: str = "") -> list[Cell]:
        """The settings of all candidates of the plan, each with its own number of runs."""
        found, size = [], self.scale(scale)
        for candidate, runs in self.plan.items():
            values = dict(zip(self.names, candidate, strict=True))
            words = size.words | values
            scaled = {scale: Scale(runs, deals=size.deals, budgets=size.budgets, **words)}
            cells = replace(self.of, scales=scaled, by=self.names).cells(scale, folder)
            found += [replace(cell, columns=cell.columns | values) for cell in cells]
        for cell in found:
            self._require_a_side(cell, folder)
        return found

    def _require_a_side(self, cell: Cell, folder: str) -> None:
        """Where all seats of a game count, candidates cannot be told apart: what one wins another loses."""
        if self.where or not isinstance(cell.task, MatchTask) or cell.columns["subject"] is not None:
            return
        about = load(resolved(cell.task.game, folder)).about
        if about.players > 1 and (about.zero_sum or self.measure in ("points", "percent")):
            raise SpecError(
                "all seats count, and together they always get the same: tell whose result the tuning is about, as "
                "in where={'agent': 'tuned'}"
            )

    def table_by(self, scale: str, folder: str = "") -> tuple[str, ...]:
        return tuple(self.names)


def tune(
    tuning: Tuning,
    name: str,
    store: str | Path,
    *,
    scale: str = "small",
    workers: int = 1,
    cluster: str | None = None,
    hands: Hands | None = None,
    budget: float | None = None,
    until: float | None = None,
    sharply: bool = False,
    again: bool = False,
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
    folder: str = "",
) -> Outcome:
    """Run a tuning; takes what `run` takes. Where a budget or Ctrl-C ends it, the best so far is told. With a budget,
    `scale` is the largest. Where another process is at the same tuning, this one waits until it has ended."""
    workers, budget = given.threads(workers, "workers"), given.maybe(given.seconds, "budget", budget, above=True)
    until = given.maybe(given.seconds, "until" if budget is None else "budget", until if budget is None else budget)
    ends = None if until is None else time.monotonic() + until
    with ExitStack() as stack:
        hands = hands or stack.enter_context(hired(workers, cluster, notice))
        file = stack.enter_context(Store(store, create=True))
        if budget is not None and ends is not None:
            scale = fitting(tuning, name, file, scale, ends, hands, folder, progress)
        where = {"hands": hands, "folder": folder, "sharply": sharply or budget is not None}
        search = _Search(tuning, name, store, scale, ends, progress, notice, where)
        if stopped := search.wait_for_turn(file):
            return search.found_by_others(file, stopped)
        if again:
            leave_out_failed(file, name, scale)
        {"grid": search.grid, "halving": search.halve_all, "racing": search.race, "optuna": search.ask_optuna}[
            tuning.method
        ]()
        return search.outcome()


def carry_out(experiment: Experiment, name: str, store: str | Path, **how: Any) -> Outcome:
    """Run an experiment of any kind."""
    return (tune if isinstance(experiment, Tuning) else run)(experiment, name, store, **how)  # type: ignore[arg-type]


class _Search:
    """A tuning under way."""

    def __init__(
        self,
        tuning: Tuning,
        name: str,
        store: str | Path,
        scale: str,
        ends: float | None,
        progress: Progress | None,
        notice: Callable[[str], None] | None,
        where: dict[str, Any],
    ):
        self.tuning, self.name, self.store, self.scale = tuning, name, store, scale
        self.progress, self.notice, self.where = progress, notice, where
        self.ends = ends
        self.most = tuning.scale(scale).runs
        self.plan: dict[Candidate, int] = {}
        self.played, self.seconds = 0, 0.0
        self.last: Outcome | None = None
        self.bounds: tuple[float, float] | None = None

    def wait_for_turn(self, file: Store) -> str:
        """What is played next depends on all before, so two at once would be at odds. Returns what ended the waiting,
        if not the other process."""
        told = False
        try:
            while not file.take_turn(f"{self.name} {self.scale}"):
                if self.ends is not None and time.monotonic() > self.ends:
                    return "budget"
                if self.notice is not None and not told:
                    self.notice(f"{self.name}: another process is at this tuning; this one waits for it")
                told = True
                time.sleep(LOOK_SECONDS)
        except KeyboardInterrupt:
            return "interrupted"
        return ""

    def found_by_others(self, file: Store, stopped: str) -> Outcome:
        """What the process whose turn it is has stored so far."""
        tuning, name, scale = self.tuning, self.name, self.scale
        asked = file.asked(name, scale)
        self.plan = {tuple(columns[n] for n in tuning.names): runs for columns, runs in asked}
        table = table_of(tuning, file, name, scale) if asked else Table(tuple(tuning.names), tuning.measure, ())
        counts, errors, lost = file.counts(name, scale), file.errors(name, scale), lost_by(file, name, scale)
        self.last = Outcome(
            name, scale, tuning.about, table, stopped, 0, 0.0, counts, tuning.criterion, errors=errors, lost=lost
        )
        return self.outcome()

    def grid(self) -> None:
        self._play(_every(self.tuning), self.most)

    def halve_all(self) -> None:
        self._halve(_drawn(self.tuning))

    def race(self) -> None:
        """After each block of runs, drop who is significantly worse than the best on the same deals."""
        left = _drawn(self.tuning)
        drawn = len(left)
        for block in range(1, BLOCKS + 1):
            if not self._play(left, -(-self.most * block // BLOCKS)):
                return
            tuning, rows, best = self.tuning, self._rows(), self._ranked(left)[0]
            left = still_in(
                rows,
                left,
                best,
                tuning.names,
                tuning.measure,
                minimise=tuning.minimise,
                over=tuning.over,
                bounds=self.bounds,
            )
            if self.notice is not None:
                self.notice(f"{self.name}: {len(left)} of {drawn} candidates are left")
            if len(left) == 1:
                return

    def ask_optuna(self) -> None:
        tuning = self.tuning
        proposals = Proposals(tuning.parameters, tuning.seed, lowest=tuning.minimise or bool(tuning.over))
        for _ in range(BATCHES):
            found = self._optimised(proposals.candidates)
            batch = proposals.ask(-(-tuning.candidates // BATCHES), found, self.plan)
            through = self._halve(batch)
            if not through:
                return
            proposals.through.update(through)

    def _halve(self, left: list[Candidate]) -> list[Candidate]:
        """Keep the better half for twice the runs, until one has all; returns who is left, nobody if there was no
        time."""
        rounds = max(1, math.ceil(math.log2(max(len(left), 2))))
        for turn in range(rounds + 1):
            if not self._play(left, max(1, -(-self.most // 2 ** (rounds - turn)))):
                return []
            if turn < rounds:
                left = self._ranked(left)[: max(1, -(-len(left) // 2))]
        return left

    def _play(self, candidates: Sequence[Candidate], runs: int) -> bool:
        """See to it that these candidates have so many runs; False if there was no time."""
        self.plan |= {c: max(runs, self.plan.get(c, 0)) for c in candidates}
        left = None if self.ends is None else max(self.ends - time.monotonic(), 0.0)
        self.last = run(
            replace(self.tuning, plan=dict(self.plan)),
            self.name,
            self.store,
            scale=self.scale,
            until=left,
            progress=self.progress,
            notice=self.notice if not self.played else None,
            **self.where,
        )
        self.played, self.seconds = self.played + self.last.played, self.seconds + self.last.seconds
        if self.last.errors and not self.last.counts["done"]:
            failed, why = self.last.counts["failed"], self.last.errors[0][0]
            raise FogspielError(f"{self.name}: all {failed:,} runs failed, so nothing can be tuned: {why}")
        return self.last.stopped == "done"

    def _rows(self) -> list[dict[str, Any]]:
        with Results(self.store) as results:
            view = results.view(self.name, self.scale)
            rows, self.bounds = view.rows, view.bounds(view.measure)
        return rows

    def _optimised(self, candidates: Collection[Candidate]) -> dict[Candidate, float]:
        """What the best has the most of, or with `over` or `minimise` the least: the mean of the measure, or the mean
        rank. Nothing of a candidate whose runs all failed."""
        if not candidates:
            return {}
        tuning, rows = self.tuning, self._rows()
        if tuning.over:
            found = dict(_by_rank(tuning, rows))
        else:
            found = {row.key: row.value for row in tabulate(rows, tuning.names, tuning.measure)}
        return {candidate: found[candidate] for candidate in candidates if candidate in found}

    def _ranked(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The best first, and those whose runs all failed last."""
        if self.tuning.over:
            order = [candidate for candidate, _ in _by_rank(self.tuning, self._rows())]
            return sorted(candidates, key=lambda c: order.index(c) if c in order else len(order))
        found, sign = self._optimised(candidates), 1 if self.tuning.minimise else -1
        return sorted(candidates, key=lambda c: sign * found[c] if c in found else math.inf)

    def outcome(self) -> Outcome:
        assert self.last is not None
        there = [c for c in self.plan if any(row.key == c for row in self.last.table)]
        most = max((self.plan[c] for c in there), default=0)
        ranked = self._ranked([c for c in there if self.plan[c] == most]) if there else []
        best = dict(zip(self.tuning.names, ranked[0], strict=True)) if ranked else None
        return replace(self.last, played=self.played, seconds=self.seconds, best=best)


def _by_rank(tuning: Tuning, rows: Iterable[dict[str, Any]]) -> list[tuple[Candidate, float]]:
    """Candidates with their mean ranks over the values of `over`, the best first."""
    signed = [row | {"score": (-1 if tuning.minimise else 1) * row[tuning.measure]} for row in rows]
    return consistent(tabulate(signed, [tuning.over, *tuning.names], "score"), tuning.over)


def _every(tuning: Tuning) -> list[Candidate]:
    for name, values in tuning.parameters.items():
        if isinstance(values, Between) and (not values.whole or values.log or values.high - values.low > 10_000):
            raise SpecError(f"a grid needs a list of values for {name}")
    every = [range(int(v.low), int(v.high) + 1) if isinstance(v, Between) else v for v in tuning.parameters.values()]
    return list(itertools.product(*every))


def _drawn(tuning: Tuning) -> list[Candidate]:
    """The candidates: every combination if they are no more than asked for, else some at random."""
    try:
        every = _every(tuning)
        if len(every) <= tuning.candidates:
            return every
    except SpecError:
        every = []
    rng = np.random.default_rng(tuning.seed)
    if every:
        return [every[i] for i in sorted(rng.choice(len(every), tuning.candidates, replace=False))]
    found: dict[Candidate, None] = {}
    for _ in range(100 * tuning.candidates):
        one = tuple(
            r.at(rng.random()) if isinstance(r, Between) else r[int(rng.integers(len(r)))]
            for r in tuning.parameters.values()
        )
        found[one] = None
        if len(found) == tuning.candidates:
            break
    return list(found)


def _planned(tuning: Tuning, scale: str) -> dict[Candidate, int]:
    """How many runs candidates will have about, whoever turns out to be good."""
    drawn, most = _every(tuning) if tuning.method == "grid" else _drawn(tuning), tuning.scale(scale).runs
    if tuning.method in ("grid", "racing"):
        return dict.fromkeys(drawn, most)
    size = len(drawn) if tuning.method == "halving" else -(-tuning.candidates // BATCHES)
    return {c: max(1, -(-most // 2 ** (place % size).bit_length())) for place, c in enumerate(drawn)}
