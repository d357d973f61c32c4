"""The intervals of means, and the bounds of what is measured."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from fogspiel.errors import SpecError
from fogspiel.evaluate.statistics import Estimate, mean_interval, normal_quantile, share_interval, student_quantile
from fogspiel.experiment.samples import Sample, student

INTERVALS = ("auto", "clopper-pearson", "student", "bootstrap", "none")
SHARE, UNBOUNDED = (0.0, 1.0), (-math.inf, math.inf)
FROM_ZERO = (0.0, math.inf)
KNOWN = {"points": SHARE, "wins": SHARE, "percent": (0.0, 100.0), "exploitability": FROM_ZERO, "seconds": FROM_ZERO}
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
    """The bounds of a measure by its name. One of which a value is below 0 is something else, such as a difference of exploitabilities."""
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
    """A mean with its interval: over deals that are a sample of all, or where all were played, over how each was played. Where their
    spread tells nothing, as of a single deal or of values that are all alike, the interval is what the `limits` of values leave open."""
    mean = sample.mean
    if interval == "none":
        return Estimate(mean, mean, mean)
    bounded = math.isfinite(limits[0]) and math.isfinite(limits[1])
    two = bounded and set(sample.values.tolist()) <= set(limits)
    if interval == "clopper-pearson" and (not two or sample.weighted):
        raise SpecError(
            "Clopper and Pearson's interval is of wins, where nothing is drawn and deals are not weighted; choose student or bootstrap"
        )
    if sample.whole and interval == "bootstrap":
        raise SpecError("every deal was played, so that there are none to draw anew; choose student")
    if interval == "bootstrap" and sample.spread is not None:
        return _bootstrapped(sample, confidence)
    if sample.weighted:
        return _weighted(sample, limits, confidence)
    values, deals = sample.values.tolist(), sample.deals.tolist()
    usual = mean_interval(values, deals, limits, confidence)
    again = interval == "auto" and len(sample.deal_names) < len(deals)
    if interval in ("student", "bootstrap") or not two or again or limits[0] == limits[1]:
        return usual
    won = values.count(limits[1])
    low, high = (limits[0] + (limits[1] - limits[0]) * x for x in share_interval(won, len(values), confidence))
    return Estimate(usual.value, low, high)


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


def _weighted(sample: Sample, limits: tuple[float, float], confidence: float) -> Estimate:
    """Student's interval, by the spread of a weighted mean."""
    mean, spread = sample.mean, sample.spread
    if spread is None:
        return Estimate(mean, min(mean, limits[0]), max(mean, limits[1]))
    variance = math.fsum(x * x for x in spread.apart.values())
    found = student(mean, variance, spread.freedom, confidence)[0]
    return Estimate(mean, min(mean, max(found.low, limits[0])), max(mean, min(found.high, limits[1])))


def at_once(found: Estimate, games: int, freedom: float, claims: int) -> Estimate:
    """An interval of 95 % that is made as wide as it takes for so many of them to hold at once with 95 % (Bonferroni), by the number of independent
    games or deals that it is of and its degrees of freedom.

    One of Clopper and Pearson is made anew from its wins, which its ends tell. One with the mean in its middle is taken for Student's. Of any other,
    such as what values that are all alike leave open or a sum of intervals, the ends go out by what is the most for all of these."""
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
    if not math.isclose(below, above, rel_tol=ALIKE):
        if (won := _wins(found, games)) is not None:
            (low, high), (lower, higher) = share_interval(won, games), share_interval(won, games, 1 - 2 * tail)
            worth, share = (found.high - found.low) / (high - low), won / games
            return Estimate(found.value, found.value - worth * (share - lower), found.value + worth * (higher - share))
        times = max(times, math.log(tail) / math.log(0.025))
    return Estimate(found.value, found.value - times * below, found.value + times * above)


def _wins(found: Estimate, games: int) -> int | None:
    """Of how many wins in so many games this is Clopper and Pearson's interval, whatever a win is worth; None if it is not."""
    width = found.high - found.low
    if games < 1 or not math.isfinite(width):
        return None

    def below(won: int) -> float:
        """How much of the interval is below the mean: the more is won, the more."""
        low, high = share_interval(won, games)
        return (won / games - low) / (high - low)

    wanted = (found.value - found.low) / width
    least, most = 0, games
    while least < most:
        middle = (least + most) // 2
        least, most = (middle + 1, most) if below(middle) < wanted - ALIKE else (least, middle)
    return least if abs(below(least) - wanted) <= ALIKE else None
