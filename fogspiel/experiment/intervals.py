"""The intervals of means, and the bounds of what is measured."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from fogspiel.errors import SpecError
from fogspiel.evaluate.samples import UNBOUNDED, Sample, score_end, unseen
from fogspiel.evaluate.statistics import Estimate, normal_quantile, student_quantile

INTERVALS = ("auto", "bootstrap", "none")
SHARE = (0.0, 1.0)
FROM_ZERO = (0.0, math.inf)
DISTANCES = ("nash_conv", "exploitability")
"""Measures of how far from an equilibrium a strategy is."""
KNOWN = {"points": SHARE, "wins": SHARE, "percent": (0.0, 100.0), "seconds": FROM_ZERO}
KNOWN |= dict.fromkeys(DISTANCES, FROM_ZERO)
"""The bounds of what is measured, by the names of measures."""
ROUNDING = 1e-9
"""By so much what is never negative may come out below 0."""
ALIKE = 1e-7
"""By so much what is told from numbers that were rounded may be off."""
NORMAL = 1e6
"""From so many degrees of freedom on Student's distribution is the normal one, to the digits that count."""
RESAMPLES = 2000
"""How often the bootstrap draws deals anew."""


def known_bounds(measure: str, values: Iterable[float]) -> tuple[float, float] | None:
    """The bounds of a measure by its name. One of which a value is below 0 is something else, such as a difference of
    NashConvs."""
    known = KNOWN.get(measure)
    return None if known == FROM_ZERO and min(values, default=0.0) < -ROUNDING else known


def require_inside(measure: str, values: Iterable[float], bounds: tuple[float, float] | None) -> None:
    """Raise SpecError for the first value that lies outside the bounds, by more than rounding."""
    if bounds is None:
        return
    low, high = (end + side * ROUNDING * max(abs(end), 1.0) for end, side in zip(bounds, (-1, 1), strict=True))
    for value in values:
        if not low <= value <= high:
            raise SpecError(f"{measure} = {value:g} lies outside bounds ({bounds[0]:g}, {bounds[1]:g})")


def bounds_of(facts: Mapping[str, Any], measure: str) -> tuple[float, float] | None:
    """Of a measure, by what a store knows of an experiment."""
    known = facts.get("bounds") if measure == facts["measure"] else None
    if known is None and measure == "utility":
        known = facts.get("utility")
    if (
        known is None and measure == "won" and "matches" in (facts.get("kind"), facts.get("of"))
    ):  # what a function returns may be a percentage
        known = SHARE
    if known is None:
        return None
    low, high = known
    return -math.inf if low is None else low, math.inf if high is None else high


def interval_of(facts: Mapping[str, Any]) -> str:
    """The usual interval of an experiment, by what a store knows of it."""
    deterministic = facts.get("deterministic", not facts.get("luck", True))  # as older stores say it
    return "none" if deterministic else "auto"


def estimated(sample: Sample, limits: tuple[float, float], interval: str, confidence: float = 0.95) -> Estimate:
    """A mean with its interval: over deals that are a sample of all, or where all were played, over how each was
    played. Where their spread tells nothing, as of a single deal or of values that are all alike, the interval is what
    the `limits` of values leave open."""
    if interval == "none":
        return Estimate(sample.mean, sample.mean, sample.mean)
    if sample.whole and interval == "bootstrap":
        raise SpecError("every deal was played, so that there are none to draw anew; choose auto")
    if interval == "bootstrap" and sample.spread is not None:
        return _bootstrapped(sample, confidence)
    return sample.interval(limits, confidence)


def _bootstrapped(sample: Sample, confidence: float) -> Estimate:
    """The percentile interval of the mean over deals drawn anew, always the same for the same values."""
    n = len(sample.deal_names)
    total = np.bincount(sample.deals, sample.coefficients * sample.values)
    share = np.bincount(sample.deals, sample.coefficients)
    rng, means = np.random.default_rng(len(sample.values)), np.empty(RESAMPLES)
    for i in range(RESAMPLES):
        drawn = rng.integers(n, size=n)
        means[i] = total[drawn].sum() / share[drawn].sum()
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(sample.mean, float(low), float(high))


def at_once(
    found: Estimate, deals: int, freedom: float, claims: int, limits: tuple[float, float] = UNBOUNDED
) -> Estimate:
    """An interval of 95 % that is made as wide as it takes for so many of them to hold at once with 95 % (Bonferroni),
    by the number of deals that it is of, its degrees of freedom, and the limits of values, where these are known.

    Between limits it is a score interval, and each of its ends goes out as that of one does. Without them one with the
    mean in its middle is taken for Student's; of any other, such as what values that are all alike leave open or a sum
    of intervals, the ends go out by what is the most for all of these."""
    below, above = found.value - found.low, found.high - found.value
    if below == above == 0 or claims == 1:
        return found
    freedom += ALIKE
    if freedom < 1:
        return Estimate(found.value, -math.inf, math.inf)
    tail = 0.025 / claims
    if freedom < NORMAL:
        times = student_quantile(1 - tail, int(freedom)) / student_quantile(0.975, int(freedom))
    else:
        times = normal_quantile(1 - tail) / normal_quantile(0.975)
    low, high = limits
    if math.isfinite(high - low) and low <= found.low <= found.high <= high:
        ends = [_further(found.value, end, times, limits) for end in (found.low, found.high)]
        if 0.5**deals > tail:
            least, most = unseen(found.value, deals, tail, limits)
            ends = [min(ends[0], least), max(ends[1], most)]
        return Estimate(found.value, *ends)
    if not math.isclose(below, above, rel_tol=ALIKE):
        times = max(times, math.log(tail) / math.log(0.025))
    return Estimate(found.value, found.value - times * below, found.value + times * above)


def _further(mean: float, end: float, times: float, limits: tuple[float, float]) -> float:
    """The end of a score interval, by so many times the quantile."""
    low, high = limits
    if end in (mean, low, high):
        return end
    squares = (times * (end - mean)) ** 2 / ((end - low) * (high - end))
    return score_end(mean, low if end < mean else high, squares, limits)
