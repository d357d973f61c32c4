"""The one statistics of matches, experiments and ratings: how far a mean may be off, by the deals that were drawn, or
where all of them were played, by how each was played.

A deal, with all its games, is one independent observation: games of one deal have their chance in common. Where values
lie between known limits, as wins, points and the payoffs of a game do, the interval is the score interval (Wilson 1927)
with the variance over deals in place of the binomial one, as Korn and Graubard (1998) have it, and Student's
distribution in place of the normal: all those values belong to it that a test, whose variance is smaller towards the
limits, does not reject. It ends within the limits, and is as good for shares near 0 and 1 as for those near 1/2.
Without limits it is Student's. All intervals are of 95 % unless said otherwise.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fogspiel.evaluate.statistics import Estimate, student_quantile, student_share

Limits = tuple[float, float]
"""Between which all values lie, whatever was seen; an end that is not known is infinite."""
UNBOUNDED = (-math.inf, math.inf)
CERTAIN = 1e-6
"""Probabilities of deals that sum to one but for this are those of all deals."""


@dataclass(frozen=True)
class Sample:
    """The results behind a mean, one entry of each array for each: `values`; `deals`, what they have their chance from,
    which is the same for results that are not independent; `weights` of these deals; `runs`, and the settings that
    these are of (`cells`). The last are places in `deal_names` and `run_names`. Of deals that were all played (`whole`)
    weights are probabilities, and the mean is theirs; else deals are a sample of all."""

    values: np.ndarray
    deals: np.ndarray
    weights: np.ndarray
    runs: np.ndarray
    cells: np.ndarray
    deal_names: list[Any]
    run_names: list[Any]
    whole: bool = False

    @cached_property
    def mean(self) -> float:
        """The mean of all values, or where deals are weighted, of the deals' means."""
        if not self.weighted:
            return math.fsum(self.values) / len(self.values)
        return math.fsum(self.coefficients * self.values)

    @cached_property
    def weighted(self) -> bool:
        return self.whole or bool((self.weights != self.weights[0]).any())

    @cached_property
    def coefficients(self) -> np.ndarray:
        """By how much each value counts in the mean."""
        if not self.weighted:
            return np.full(len(self.values), 1 / len(self.values))
        count, share = np.bincount(self.deals), np.empty(len(self.deal_names))
        share[self.deals] = self.weights
        return (share / share.sum() / count)[self.deals]

    @cached_property
    def spread(self) -> "Spread | None":
        """None where it tells nothing: of a single deal, or where all are alike; of all deals where each was played
        once, or always alike."""
        return _of_plays(self) if self.whole else _of_deals(self)

    def interval(self, limits: Limits, confidence: float = 0.95) -> Estimate:
        """The mean with its interval. A value beyond the `limits` of values widens them."""
        return interval(self.mean, self.spread, self.independent, self._widened(limits), confidence)

    def superiority(self, limits: Limits, level: float = 0.0) -> float:
        """How likely it is that the true mean is above `level`: above 97.5 % just where the interval is."""
        return superiority(self.mean, self.spread, self.independent, self._widened(limits), level)

    @property
    def independent(self) -> int:
        """How many deals tell what others of their kind are like. Of deals with weights those are as many as of equal
        weight would tell as much, and of all deals none."""
        if not self.weighted:
            return len(self.deal_names)
        return 0 if self.whole or self.spread is None else _whole(self.spread.freedom + 1)

    def _widened(self, limits: Limits) -> Limits:
        return min(limits[0], float(self.values.min())), max(limits[1], float(self.values.max()))


@dataclass(frozen=True)
class Spread:
    """How far independent things moved a mean, by their names: the variance of the mean is the sum of the squares.
    `freedom` is that of Student's distribution."""

    apart: Mapping[Any, float]
    freedom: float

    @cached_property
    def variance(self) -> float:
        return math.fsum(x * x for x in self.apart.values())


def sample(values: Sequence[float], deals: Sequence[Any]) -> Sample:
    """Of values, each with its deal."""
    return sample_of((value, deal, 1.0, (None, i)) for i, (value, deal) in enumerate(zip(values, deals, strict=True)))


def sample_of(rows: Iterable[tuple[float, Any, float, tuple[Any, Any]]], whole: bool = False) -> Sample:
    """Of values, each with its deal, the deal's weight, and its cell and run."""
    values, deals, weights, runs = zip(*rows, strict=True)
    dealt, played, cells = _numbered(deals), _numbered(runs), _numbered([cell for cell, _ in runs])
    return Sample(
        np.array(values, float), dealt[0], np.array(weights, float), played[0], cells[0], dealt[1], played[1], whole
    )


def _numbered(names: Iterable[Any]) -> tuple[np.ndarray, list[Any]]:
    known: dict[Any, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names]), list(known)


def _of_deals(sample: Sample) -> Spread | None:
    """Deals are drawn; the mean is a ratio of sums over them, with the usual linearised variance. Of deals with weights
    few may count for nearly all: the variance is that of deals that vary alike, and the degrees of freedom are those of
    so many of equal weight as would leave the mean as uncertain (Kish 1965)."""
    n = len(sample.deal_names)
    apart: np.ndarray = np.bincount(sample.deals, sample.coefficients * (sample.values - sample.mean))
    share, freedom = np.bincount(sample.deals, sample.coefficients), n - 1.0
    if n < 2 or share.max() > 1 - CERTAIN or _is_nothing(apart, sample):
        return None
    if sample.weighted:
        alike = float((share**2).sum())
        freedom = 1 / alike - 1
        apart *= math.sqrt(alike / float((share**2 * (1 - 2 * share + alike)).sum()))
    else:
        apart *= math.sqrt(n / (n - 1))
    return Spread(dict(zip(sample.deal_names, apart.tolist(), strict=True)), freedom)


def _of_plays(sample: Sample) -> Spread | None:
    """All deals are there, so that what varies is how each was played: the spread of runs of one deal in one setting.
    What was played once counts as uncertain as the rest."""
    part = np.bincount(sample.runs, sample.coefficients * sample.values)
    square = np.bincount(sample.runs, sample.coefficients) ** 2
    of_run = np.empty(len(part), int)
    of_run[sample.runs] = sample.cells * len(sample.deal_names) + sample.deals
    stratum, _ = _numbered(of_run.tolist())
    count = np.bincount(stratum)
    apart = part - (np.bincount(stratum, part) / count)[stratum]
    again = (count > 1)[stratum]
    if not again.any() or _is_nothing(apart, sample):
        return None
    apart[again] *= np.sqrt(count / np.maximum(count - 1, 1))[stratum][again]
    apart *= math.sqrt(square.sum() / square[again].sum())
    variances = np.bincount(stratum, apart**2)
    freedom = variances.sum() ** 2 / (variances**2 / np.maximum(count - 1, 1)).sum()  # Welch and Satterthwaite
    return Spread(dict(zip(sample.run_names, apart.tolist(), strict=True)), float(freedom))


def _is_nothing(apart: np.ndarray, sample: Sample) -> bool:
    """Whether all are alike, but for rounding."""
    return float((apart**2).sum()) <= 1e-18 * max(1.0, sample.mean**2) * float(sample.coefficients.max()) ** 2


def interval(
    mean: float, spread: Spread | None, deals: int, limits: Limits, confidence: float = 0.95, told: bool = True
) -> Estimate:
    """The interval of a mean over so many deals by its spread.

    Where there is none, as all deals agree, the interval leaves room for a share of other results within `limits` that
    would with 2.5 % probability not have been seen yet. It leaves no less where the spread is not `told` by what it is
    asked of, nor where deals are so few that all of them might be of the likelier half by chance (fewer than six, by
    the sign test). Where no deals tell of others, that is all within `limits`."""
    tail, (low, high) = (1 - confidence) / 2, limits
    least, most = unseen(mean, deals, tail, limits)
    if spread is None:
        return Estimate(mean, least, most)
    found = student(mean, spread.variance, spread.freedom, confidence)[0]
    if not math.isfinite(high - low):
        return Estimate(mean, max(found.low, low), min(found.high, high))
    times = (found.high - mean) ** 2 / ((mean - low) * (high - mean) + spread.variance)
    below, above = (score_end(mean, end, times, limits) for end in limits)
    if (deals and 0.5**deals > tail) or not told:
        below, above = min(below, least), max(above, most)
    return Estimate(mean, below, above)


def unseen(mean: float, deals: int, tail: float, limits: Limits) -> tuple[float, float]:
    """Where the mean would be with a share of values at either of the limits that is with the probability `tail` not
    seen in so many deals."""
    share = 1 - tail ** (1 / deals) if deals else 1.0
    low, high = (mean + share * (end - mean) if end != mean else mean for end in limits)
    return low, high


def superiority(mean: float, spread: Spread | None, deals: int, limits: Limits, level: float) -> float:
    """How likely it is that the true mean is above `level`: one less the tail at which the end of the interval would be
    there."""
    low, high = limits
    if mean == level:
        return 0.5
    if not low < level < high:
        return float(mean > level)
    end = low if mean > level else high
    missed = min(((level - end) / (mean - end)) ** deals, 0.5) if math.isfinite(end) else 0.5
    if spread is None:
        wrong = missed
    else:
        variance, few = spread.variance, 0.0
        if math.isfinite(high - low):
            variance *= (level - low) * (high - level) / ((mean - low) * (high - mean) + variance)
            few = min(missed, 0.5**deals) if deals else 0.0
        wrong = max(few, student_share(-abs(mean - level) / math.sqrt(variance), _whole(spread.freedom)))
    return 1 - wrong if mean > level else wrong


def score_end(mean: float, towards: float, times: float, limits: Limits) -> float:
    """Where, towards one of the limits, (x - mean)^2 is `times` (x - low) (high - x)."""
    low, high = limits
    width = high - low
    at = (mean - low) / width
    half = math.sqrt(times * at * (1 - at) + times * times / 4)
    end = low + width * (at + times / 2 + (half if towards == high else -half)) / (1 + times)
    return min(max(end, mean), high) if towards == high else max(min(end, mean), low)


def student(mean: float, variance: float, freedom: float, confidence: float = 0.95) -> tuple[Estimate, float]:
    """Student's interval of a mean, and how likely one so far from 0 would be if it were 0."""
    error, whole = math.sqrt(variance), _whole(freedom)
    half = error * student_quantile((1 + confidence) / 2, whole)
    return Estimate(mean, mean - half, mean + half), 2 * student_share(-abs(mean) / error, whole)


def _whole(freedom: float) -> int:
    return max(1, int(freedom + 1e-9))
