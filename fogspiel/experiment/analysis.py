"""What results tell when they are compared: paired by deal, by analysis of variance, inside categories of deals, and as
ratings."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel.errors import SpecError
from fogspiel.evaluate.ratings import pairwise, ratings
from fogspiel.evaluate.statistics import (
    Comparison,
    Estimate,
    incomplete_beta,
    mean_interval,
    mean_superiority,
    student_share,
)
from fogspiel.experiment.tables import KNOWN, UNBOUNDED, Row, Table, column_of, measure_of, once, tabulate


@dataclass(frozen=True)
class Difference:
    """By how much `first` is above `second`, in the mean over deals that both played. `p` is that of Student's test
    that there is no difference, `holm` the same allowing for all the pairs that were compared (Holm 1979)."""

    first: Any
    second: Any
    estimate: Estimate
    deals: int
    p: float
    holm: float

    @property
    def significant(self) -> bool:
        return self.holm < 0.05

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"estimate": self.estimate.as_dict(), "significant": self.significant}


def compare(
    rows: Iterable[Mapping[str, Any]],
    column: str,
    measure: str,
    *,
    bounds: tuple[float, float] | None = None,
) -> list[Difference]:
    """Every two values of a column, paired by deal: the mean over the deals of the difference of their means in a
    deal. `bounds` are those of the measure, where they are known; where they are not and all deals agree, the interval has no width,
    and where there is but one deal, nothing can be told."""
    known = list(once(rows, [column]))
    if alike(known, [column], measure):
        raise SpecError(
            f"all seats of every game count, and together they get the same whatever {column} is: choose rows, such as --where seat=0"
        )
    means = _by_deal(known, column, measure)
    if len(means) < 2:
        raise SpecError(f"{column} has {len(means)} value{'s' * (len(means) != 1)}; it takes two to compare them")
    low, high = bounds or KNOWN.get(measure) or UNBOUNDED
    found = []
    for first, second in itertools.combinations(means, 2):
        both = [d for d in means[first] if d in means[second]]
        if not both:
            raise SpecError(f"{first} and {second} have no deal in common, so they cannot be compared by {column}")
        apart = [means[first][d] - means[second][d] for d in both]
        found.append((first, second, *_mean_of(apart, (low - high, high - low)), len(both)))
    correct = holm([f[3] for f in found])
    return [Difference(a, b, e, n, p, holm=h) for (a, b, e, p, n), h in zip(found, correct, strict=True)]


def alike(rows: Iterable[Mapping[str, Any]], by: Sequence[str], measure: str) -> bool:
    """Whether the table of a measure by these columns tells nothing, as several seats of every game count in each row of it, and they get
    the same together in all."""
    games: dict[tuple[Any, ...], list[float]] = {}
    for row in once(rows, by):
        if "points" not in row or "cell" not in row:
            return False
        game = *(column_of(row, name) for name in by), row["cell"], row["run"]
        games.setdefault(game, []).append(float(measure_of(row, measure)))
    means = [math.fsum(values) / len(values) for values in games.values() if len(values) > 1]
    return len(means) == len(games) > 1 and max(means) - min(means) < 1e-9


def _mean_of(apart: list[float], bounds: tuple[float, float]) -> tuple[Estimate, float]:
    """The mean of differences, one a deal, and how likely so large a one would be if there were none."""
    deals, mean = range(len(apart)), math.fsum(apart) / len(apart)
    if bounds == UNBOUNDED and len(apart) == 1:
        return Estimate(mean, *UNBOUNDED), 1.0
    if bounds == UNBOUNDED and max(apart) - min(apart) <= 2e-9 * max(1.0, abs(mean)):
        return Estimate(mean, mean, mean), 1.0 if mean == 0 else 0.0
    against = [-x if mean > 0 else x for x in apart]
    return mean_interval(apart, deals, bounds), min(1.0, 2 * mean_superiority(against, deals, bounds))


def _by_deal(rows: Iterable[Mapping[str, Any]], column: str, measure: str) -> dict[Any, dict[Any, float]]:
    """For each value of a column the mean of a measure in each deal."""
    sums: dict[Any, dict[Any, list[float]]] = {}
    for row in rows:
        deal = row["deal"], row.get("game") if "points" in row and column != "game" else None
        sums.setdefault(column_of(row, column), {}).setdefault(deal, []).append(float(measure_of(row, measure)))
    return {name: {d: math.fsum(v) / len(v) for d, v in deals.items()} for name, deals in sums.items()}


def _standard_error(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def holm(p: Sequence[float]) -> list[float]:
    """Probabilities of errors allowing for so many tests: step down from the smallest."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    found, most = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        most = found[i] = max(most, min(1.0, (len(p) - rank) * p[i]))
    return found


@dataclass(frozen=True)
class Effect:
    """A line of an analysis of variance: a factor or an interaction of two, its sum of squares and degrees of freedom,
    and how likely so large a ratio `f` would be without it."""

    name: str
    squares: float
    freedom: int
    f: float | None = None
    p: float | None = None

    def as_dict(self) -> dict[str, Any]:
        return vars(self)


def anova(rows: Iterable[Mapping[str, Any]], factors: Sequence[str], measure: str) -> list[Effect]:
    """The analysis of variance of a measure by some columns and every two of them together. Games are blocked by deal: what a deal is
    worth to everyone is no luck, and games of one setting and deal count together. Sums of squares are of type II (each effect given all
    others that do not contain it), so that settings may have different numbers of runs. The last line is the residual.

    Raises SpecError where a run would count more than once (both seats of a game, points of one curve), as these are not independent.
    """
    units: dict[tuple[Any, ...], list[float]] = {}
    for number, row in enumerate(_independent(rows, factors)):
        block = (row.get("game"), row["deal"]) if "points" in row else number
        units.setdefault((block, *(column_of(row, f) for f in factors)), []).append(float(measure_of(row, measure)))
    if not units:
        raise SpecError("there are no runs to analyse")
    y = np.array([math.fsum(values) / len(values) for values in units.values()])
    names: dict[Any, int] = {}
    place = np.array([names.setdefault(key[0], len(names)) for key in units])
    if len(names) == len(units):  # no deal was played in two settings, so there is nothing to pair
        names, place = {None: 0}, np.zeros_like(place)
    count = np.bincount(place)

    def inside(columns: np.ndarray) -> np.ndarray:
        """What columns have above their means over the block."""
        means = [np.bincount(place, one, minlength=len(count)) / count for one in columns.T]
        return columns - np.array(means).T[place] if means else columns

    coded: dict[tuple[int, ...], np.ndarray] = {
        (i,): _coded([key[i + 1] for key in units]) for i in range(len(factors))
    }
    pairs = list(itertools.combinations(range(len(factors)), 2))
    terms = [*coded, *pairs]
    coded |= {(i, j): _products(coded[i,], coded[j,]) for i, j in pairs}
    coded = {term: inside(columns) for term, columns in coded.items()}
    for i, factor in enumerate(factors):
        if coded[i,].size and np.abs(coded[i,]).max() < 1e-9:
            raise SpecError(
                f"no deal was played with two values of {factor}, so luck and {factor} cannot be told apart"
            )
    largest = float(np.abs(y).max())
    y = inside(y[:, None])[:, 0]
    nothing = 1e-18 * largest**2 * len(units)

    def fit(which: Iterable[tuple[int, ...]]) -> tuple[float, int]:
        """What the model leaves, and its rank."""
        model = np.hstack([np.zeros((len(y), 1)), *(coded[t] for t in which)])
        answer, _, rank, _ = np.linalg.lstsq(model, y, rcond=None)
        return float(((y - model @ answer) ** 2).sum()), int(rank)

    squares, rank = fit(terms)
    squares = squares if squares > nothing else 0.0
    freedom = len(y) - len(count) - rank
    found = []
    for term in terms:
        others = [t for t in terms if not set(term) <= set(t)]
        without, with_it = fit(others), fit([*others, term])
        ss, df = without[0] - with_it[0], with_it[1] - without[1]
        ss = ss if ss > nothing else 0.0
        f = p = None
        if df > 0 and freedom > 0 and squares > 0:
            f = (ss / df) / (squares / freedom)
            p = incomplete_beta(freedom / (freedom + df * f), freedom / 2, df / 2)
        found.append(Effect(" x ".join(factors[i] for i in term), ss, df, f, p))
    return [*found, Effect("residual", squares, freedom)]


def _independent(rows: Iterable[Mapping[str, Any]], factors: Sequence[str]) -> list[Mapping[str, Any]]:
    """The rows, if each is of a run of its own."""
    known, seen = list(once(rows, factors)), set()
    for row in known:
        if "cell" not in row:
            continue
        if (run := (row["cell"], row["run"])) in seen:
            one = "seat=0" if "points" in row else f"budget={row['budget']}" if "budget" in row else "place=0"
            raise SpecError(
                f"every run counts more than once, and so they are not independent: choose rows, such as --where {one}"
            )
        seen.add(run)
    return known


def _coded(values: list[Any]) -> np.ndarray:
    """A column for each value but one, summing to zero over the values."""
    names = list(dict.fromkeys(values))
    table = np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)]) if len(names) > 1 else np.zeros((1, 0))
    return table[[names.index(v) for v in values]]


def _products(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a[:, :, None] * b[:, None, :]).reshape(len(a), -1)


BETTER, EVEN, WORSE = "> 0", "= 0", "< 0"


def categories(
    rows: Iterable[Mapping[str, Any]],
    column: str,
    first: str,
    second: str,
    measure: str,
    *,
    thresholds: Sequence[float] = (),
    split: bool = True,
) -> Table:
    """Deals by how much better `first` does there than `second`, and every value of the column inside each category
    (Whitehouse 2014, sec. 5.2.4).

    With `thresholds`, categories are differences below 0, of 0, above 0, and above each threshold; without, deals where
    the difference is significantly above or below 0 at 95 %, and the rest. With `split`, deals are sorted by the first
    half of their games and compared by the second, so that luck in the one does not count in the other.
    """
    known = list(once(rows, [column]))
    half: dict[tuple[Any, int], int] = {}
    sorting: list[Mapping[str, Any]] = []
    judging: list[Mapping[str, Any]] = []
    for row in known:
        seen = half[column_of(row, column), row["deal"]] = half.get((column_of(row, column), row["deal"]), -1) + 1
        if not split or seen % 2 == 0:
            sorting.append(row)
        if not split or seen % 2 == 1:
            judging.append(row)
    values: dict[str, dict[int, list[float]]] = {}
    for row in sorting:
        values.setdefault(str(row[column]), {}).setdefault(row["deal"], []).append(float(measure_of(row, measure)))
    for name in (first, second):
        if name not in values:
            raise SpecError(f"no {column} is {name!r}; there are {', '.join(values)}")
    placed: dict[int, list[str]] = {
        deal: _categories(mine, values[second][deal], thresholds)
        for deal, mine in values[first].items()
        if deal in values[second]
    }
    inside = [dict(row) | {"category": c} for row in judging for c in placed.get(row["deal"], ())]
    if not inside:
        raise SpecError(f"{first} and {second} have no deals in common with games enough to sort them by")
    return tabulate(inside, ["category", column], measure)


def _categories(first: list[float], second: list[float], thresholds: Sequence[float]) -> list[str]:
    apart = math.fsum(first) / len(first) - math.fsum(second) / len(second)
    if thresholds:
        sign = BETTER if apart > 0 else WORSE if apart < 0 else EVEN
        return [sign, *(f"> {t:g}" for t in thresholds if apart > t > 0)]
    if difference_p(first, second) >= 0.05:
        return [EVEN]
    return [BETTER if apart > 0 else WORSE]


def difference_p(first: Sequence[float], second: Sequence[float]) -> float:
    """How likely so large a difference would be if there were none: Fisher's exact test where all values are one of
    two, else Welch's."""
    kinds = sorted({*first, *second})
    if len(kinds) <= 2:
        return _fisher(sum(x == kinds[-1] for x in first), len(first), sum(x == kinds[-1] for x in second), len(second))
    a, b = _standard_error(first) ** 2, _standard_error(second) ** 2
    if a + b == 0:
        return 1.0
    freedom = (a + b) ** 2 / (a * a / max(len(first) - 1, 1) + b * b / max(len(second) - 1, 1))
    apart = math.fsum(first) / len(first) - math.fsum(second) / len(second)
    return 2 * student_share(-abs(apart) / math.sqrt(a + b), max(1, round(freedom)))


def _fisher(wins: int, games: int, others: int, other_games: int) -> float:
    """Two-sided: all tables with the same margins that are no likelier than this one."""
    total = wins + others

    def chance(k: int) -> float:
        return math.exp(
            _log_choose(games, k) + _log_choose(other_games, total - k) - _log_choose(games + other_games, total)
        )

    here = chance(wins)
    every = (chance(k) for k in range(max(0, total - other_games), min(games, total) + 1))
    return min(1.0, math.fsum(p for p in every if p <= here * (1 + 1e-9)))


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def rated(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, Estimate]]:
    """Elo ratings of all agents from all games between them, whatever the games (Bradley and Terry 1952; choix). The
    best comes first. `rows` must be those of all seats."""
    games: dict[tuple[int, int], list[Mapping[str, Any]]] = {}
    for row in once(rows):
        games.setdefault((row["cell"], row["run"]), []).append(row)
    names = list(dict.fromkeys(row["agent"] for group in games.values() for row in group))
    if len(names) < 2:
        raise SpecError("ratings need two agents or more that met")
    met = []
    for number, group in enumerate(games.values()):
        seats = [row for row in group if sum(row["agent"] == other["agent"] for other in group) == 1]
        if len(seats) > 1:
            met.append(
                Comparison(
                    number, tuple(names.index(row["agent"]) for row in seats), tuple(row["seat"] for row in seats),
                    tuple(row["utility"] for row in seats),
                )
            )  # fmt: skip
    return sorted(zip(names, ratings(pairwise(met, len(names))), strict=True), key=lambda one: -one[1].value)


def nemeses(table: Table, *, second: bool = False) -> list[tuple[Any, Any, Row]]:
    """For each value of a cross table's first column, the value of the second against which it does worst, the best
    first: the best of the worst stands for exploitability where that cannot be computed (Lisý 2014, ch. 5). With
    `second`, for each value of the second column, whose interests are opposed to the first's."""
    if len(table.by) != 2:
        raise SpecError(f"nemeses are told from a table by two columns, not by {', '.join(table.by)}")
    worst: dict[Any, Row] = {}
    own, sign = (1, -1) if second else (0, 1)
    for row in table:
        name = row.key[own]
        if name not in worst or sign * row.value < sign * worst[name].value:
            worst[name] = row
    return sorted(((name, row.key[1 - own], row) for name, row in worst.items()), key=lambda one: -sign * one[2].value)


def representative(table: Table) -> Row:
    """The row nearest to the mean of all: of sets of deals, the one to play on (Whitehouse 2014, fig. 5.1)."""
    mean = math.fsum(row.value for row in table) / len(table)
    return min(table, key=lambda row: abs(row.value - mean))


def consistent(table: Table, over: str) -> list[tuple[tuple[Any, ...], float]]:
    """The values of a table's other columns by how good they are for all values of `over`, the best first: by their
    mean rank there, a rank of 0 being the best, and of equal ranks by the mean (Whitehouse 2014, ch. 8: one value
    for all games)."""
    place = table.by.index(over) if over in table.by else -1
    if place < 0:
        raise SpecError(f"the table is by {', '.join(table.by)}, not by {over}")
    ranks: dict[tuple[Any, ...], list[float]] = {}
    means: dict[tuple[Any, ...], list[float]] = {}
    for group in table.values(over):
        rows = [row for row in table if row.key[place] == group]
        for row in rows:
            rest = row.key[:place] + row.key[place + 1 :]
            above = sum(other.value > row.value for other in rows)
            level = sum(other.value == row.value for other in rows) - 1
            ranks.setdefault(rest, []).append(above + level / 2)
            means.setdefault(rest, []).append(row.value)
    mean_rank = {rest: math.fsum(found) / len(found) for rest, found in ranks.items()}
    return sorted(mean_rank.items(), key=lambda one: (one[1], -math.fsum(means[one[0]])))
