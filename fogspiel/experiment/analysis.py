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
    student_share,
)
from fogspiel.experiment.tables import Row, Table, column_of, tabulate


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


def compare(rows: Iterable[Mapping[str, Any]], column: str, measure: str) -> list[Difference]:
    """Every two values of a column, paired by deal: the mean over the deals of the difference of their means in a
    deal."""
    means = _by_deal(rows, column, measure)
    if len(means) < 2:
        raise SpecError(f"{column} has {len(means)} value{'s' * (len(means) != 1)}; it takes two to compare them")
    found = []
    for first, second in itertools.combinations(means, 2):
        both = [d for d in means[first] if d in means[second]]
        if not both:
            raise SpecError(f"{first} and {second} have no deal in common, so they cannot be compared by {column}")
        apart = [means[first][d] - means[second][d] for d in both]
        wide = max(map(abs, apart)) or 1.0
        estimate, error = mean_interval(apart, both, (-wide, wide)), _standard_error(apart)
        alike = 1.0 if estimate.value == 0 else 0.0
        p = alike if not error else 2 * student_share(-abs(estimate.value) / error, len(both) - 1)
        found.append((first, second, estimate, len(both), p))
    return [Difference(*f, holm=h) for f, h in zip(found, holm([f[4] for f in found]), strict=True)]


def _by_deal(rows: Iterable[Mapping[str, Any]], column: str, measure: str) -> dict[Any, dict[int, float]]:
    """For each value of a column the mean of a measure in each deal."""
    sums: dict[Any, dict[int, list[float]]] = {}
    for row in rows:
        sums.setdefault(column_of(row, column), {}).setdefault(row["deal"], []).append(float(column_of(row, measure)))
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
    """The analysis of variance of a measure by some columns and every two of them together, runs taken as independent.
    Sums of squares are of type II (each effect given all others that do not contain it), so that settings may have
    different numbers of runs. The last line is the residual."""
    cells: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        cells.setdefault(tuple(column_of(row, f) for f in factors), []).append(float(column_of(row, measure)))
    if not cells:
        raise SpecError("there are no runs to analyse")
    count = np.array([len(values) for values in cells.values()], float)
    mean = np.array([math.fsum(values) / len(values) for values in cells.values()])
    within = math.fsum((x - m) ** 2 for values, m in zip(cells.values(), mean, strict=True) for x in values)
    terms = [(i,) for i in range(len(factors))] + list(itertools.combinations(range(len(factors)), 2))
    coded: dict[tuple[int, ...], np.ndarray] = {(i,): _coded([key[i] for key in cells]) for i in range(len(factors))}
    coded |= {(i, j): _products(coded[i,], coded[j,]) for i, j in itertools.combinations(range(len(factors)), 2)}

    def fit(which: Iterable[tuple[int, ...]]) -> tuple[float, int]:
        """What is left of the cells' means, and the rank of the model."""
        root = np.sqrt(count)
        model = np.hstack([np.ones((len(cells), 1)), *(coded[t] for t in which)]) * root[:, None]
        answer, _, rank, _ = np.linalg.lstsq(model, mean * root, rcond=None)
        return float(((mean * root - model @ answer) ** 2).sum()), int(rank)

    rest, rank = fit(terms)
    squares, freedom = rest + within, int(count.sum()) - rank
    found = []
    for term in terms:
        others = [t for t in terms if not set(term) <= set(t)]
        without, with_it = fit(others), fit([*others, term])
        ss, df = without[0] - with_it[0], with_it[1] - without[1]
        f = p = None
        if df > 0 and freedom > 0 and squares > 0:
            f = (ss / df) / (squares / freedom)
            p = incomplete_beta(freedom / (freedom + df * f), freedom / 2, df / 2)
        found.append(Effect(" x ".join(factors[i] for i in term), max(ss, 0.0), df, f, p))
    return [*found, Effect("residual", squares, freedom)]


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
    known = list(rows)
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
        values.setdefault(str(row[column]), {}).setdefault(row["deal"], []).append(float(column_of(row, measure)))
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
    for row in rows:
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
