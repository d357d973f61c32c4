"""By how much results differ: every two values of a column, paired by deal where they share deals."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel.errors import SpecError
from fogspiel.evaluate.samples import UNBOUNDED, Sample, sample_of, student
from fogspiel.evaluate.statistics import Estimate, student_share
from fogspiel.experiment.intervals import KNOWN
from fogspiel.experiment.joint import moments
from fogspiel.experiment.tables import column_of, measure_of, once, sampled

LEAST = 1e-12
"""No difference is less likely than so: what is seen is never so sure."""


@dataclass(frozen=True)
class Difference:
    """By how much `first` is above `second`. Where they were `paired` by deal it is the mean over the deals that both
    played, `deals` of them; else the difference of their means, and `deals` are those of both. `p` is that of Student's
    test that there is no difference, `holm` the same allowing for all the pairs that were compared (Holm 1979)."""

    first: Any
    second: Any
    estimate: Estimate
    deals: int
    p: float
    holm: float
    paired: bool = True

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
    exact: bool = False,
) -> list[Difference]:
    """Every two values of a column. Those that played the same deals are paired: the mean over these deals, by their
    weights, of the difference of their means in a deal. Where every deal was played, what varies is how each was. Those
    that share no deals, such as measurements, each with a seed of its own, are compared as independent (Welch 1947).
    `bounds` are those of the measure, where they are known; where they are not and all deals agree, or there is but
    one, nothing can be told, unless what is measured is `exact`.
    """
    known = list(once(rows, [column]))
    if alike(known, [column], measure):
        raise SpecError(
            f"all seats of every game count, and together they get the same whatever {column} is: choose rows, such "
            "as --where seat=0"
        )
    samples = {key: sample for (key,), sample in sampled(known, [column], measure).items()}
    if len(samples) < 2:
        raise SpecError(f"{column} has {len(samples)} value{'s' * (len(samples) != 1)}; it takes two to compare them")
    low, high = bounds or KNOWN.get(measure) or UNBOUNDED
    found = []
    for first, second in itertools.combinations(samples, 2):
        a, b = samples[first], samples[second]
        paired = not {*a.deal_names}.isdisjoint(b.deal_names)
        if exact:
            apart = a.mean - b.mean
            told = Estimate(apart, apart, apart), 0.0 if apart else 1.0, len({*a.deal_names, *b.deal_names})
        elif (a.whole and b.whole) or not paired:
            told = _apart(a, b, (low, high))
        else:
            told = _paired(a, b, (low - high, high - low))
        found.append((first, second, *told, paired))
    correct = holm([f[3] for f in found])
    return [Difference(a, b, e, n, p, h, paired) for (a, b, e, p, n, paired), h in zip(found, correct, strict=True)]


def _paired(a: Sample, b: Sample, bounds: tuple[float, float]) -> tuple[Estimate, float, int]:
    """The mean over the deals of both of the difference there, how likely so large a one would be if there were none,
    and of how many."""
    first, second = _by_deal(a), _by_deal(b)
    both = [deal for deal in first if deal in second]
    apart = sample_of([(first[d][0] - second[d][0], d, first[d][1], (d, 0)) for d in both])
    if apart.spread is None and bounds == UNBOUNDED:
        return Estimate(apart.mean, *UNBOUNDED), 1.0, len(both)
    above = apart.superiority(bounds)
    return apart.interval(bounds), min(1.0, 2 * min(above, 1 - above)), len(both)


def _apart(a: Sample, b: Sample, bounds: tuple[float, float]) -> tuple[Estimate, float, int]:
    """The difference of two means that were found apart, with Welch's test; where all deals were played, of runs that
    may be of one game. Where the spread of one of them tells nothing, by the intervals of both (Zou and Donner
    2008)."""
    number, found = len({*a.deal_names, *b.deal_names}), moments([(1.0, a), (-1.0, b)])
    known = a.spread is not None and b.spread is not None
    if known and found.variance > 0:
        return *student(found.value, found.variance, found.freedom), number
    if a.whole or b.whole:  # nothing tells how they might have been played otherwise
        return Estimate(found.value, bounds[0] - bounds[1], bounds[1] - bounds[0]), 1.0, number

    def ends(confidence: float) -> tuple[float, float]:
        first, second = (sample.interval(bounds, confidence) for sample in (a, b))
        below = math.hypot(first.value - first.low, second.high - second.value)
        return found.value - below, found.value + math.hypot(first.high - first.value, second.value - second.low)

    least, most = math.log(LEAST), 0.0  # p is where the interval of 1 - p ends at 0
    while most - least > 1e-6:
        middle = (least + most) / 2
        low, high = ends(1 - math.exp(middle))
        least, most = (middle, most) if low <= 0 <= high else (least, middle)
    return Estimate(found.value, *ends(0.95)), math.exp(most), number


def _by_deal(sample: Sample) -> dict[Any, tuple[float, float]]:
    """The mean in each deal, and the deal's weight."""
    means = np.bincount(sample.deals, sample.values) / np.bincount(sample.deals)
    weights = np.empty(len(means))
    weights[sample.deals] = sample.weights
    return dict(zip(sample.deal_names, zip(means.tolist(), weights.tolist(), strict=True), strict=True))


def alike(rows: Iterable[Mapping[str, Any]], by: Sequence[str], measure: str) -> bool:
    """Whether the table of a measure by these columns tells nothing, as several seats of every game count in each row
    of it, and they get the same together in all."""
    games: dict[tuple[Any, ...], list[float]] = {}
    for row in once(rows, by):
        if "points" not in row or "cell" not in row:
            return False
        if (value := measure_of(row, measure)) is not None:
            game = *(column_of(row, name) for name in by), row["cell"], row["run"]
            games.setdefault(game, []).append(value)
    means = [math.fsum(values) / len(values) for values in games.values() if len(values) > 1]
    return len(means) == len(games) > 1 and max(means) - min(means) < 1e-9


def holm(p: Sequence[float]) -> list[float]:
    """Probabilities of errors allowing for so many tests: step down from the smallest."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    found, most = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        most = found[i] = max(most, min(1.0, (len(p) - rank) * p[i]))
    return found


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
    return 2 * student_share(-abs(apart) / math.sqrt(a + b), max(1, int(freedom)))


def _standard_error(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0


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
