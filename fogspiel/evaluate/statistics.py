"""Numbers with intervals, the distributions behind these, and Elo. How intervals are found is told in `samples.py`,
what agents did in `standings.py`."""

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

ELO = 400 / math.log(10)
"""Elo points of one unit of log odds."""


@dataclass(frozen=True)
class Estimate:
    """A value and the interval that it is believed to be in."""

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float | None]:
        """Ready for JSON, which has no infinity: an end that is not finite is null."""
        return {name: value if math.isfinite(value) else None for name, value in vars(self).items()}


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22, Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - incomplete_beta(1.0 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    tiny = 1e-300
    fraction, c, d = 1.0, 1.0, 0.0
    for i in range(100_000):
        m = i // 2
        if i == 0:
            step = 1.0
        elif i % 2:
            step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / ((1.0 + step * d) or tiny)
        c = (1.0 + step / c) or tiny
        fraction *= c * d
        if abs(c * d - 1.0) < 1e-15 and i > 1:
            break
    return front * (fraction - 1.0) / a


def beta_quantile(p: float, a: float, b: float) -> float:
    """Where the cumulative beta distribution reaches `p`, by bisection."""
    low, high = 0.0, 1.0
    while True:
        x = (low + high) / 2
        if x in (low, high):
            return x
        low, high = (x, high) if incomplete_beta(x, a, b) < p else (low, x)


@lru_cache(maxsize=4096)
def student_quantile(p: float, freedom: int) -> float:
    """Where the cumulative t distribution with so many degrees of freedom reaches `p` (at least 1/2)."""
    x = beta_quantile(2 * (1 - p), freedom / 2, 0.5)
    return math.sqrt(freedom * (1 / x - 1))


def student_share(x: float, freedom: int) -> float:
    """How much of the t distribution with so many degrees of freedom lies below `x`."""
    tail = incomplete_beta(freedom / (freedom + x * x), freedom / 2, 0.5) / 2
    return tail if x < 0 else 1 - tail


def normal_quantile(p: float) -> float:
    return NormalDist().inv_cdf(p)


def elo(score: float) -> float:
    """The Elo difference at which so many points a game are expected."""
    return math.copysign(math.inf, score - 0.5) if score in (0, 1) else ELO * math.log(score / (1 - score))


def expected_score(difference: float) -> float:
    """Points a game expected of a player who is so many Elo points stronger."""
    return 1 / (1 + math.exp(-difference / ELO))


def percentage(p: float) -> str:
    """A probability estimated from games as a percentage; no games make anything certain, so it is never 0% or 100%."""
    if p > 0.9999:
        return ">99.99%"
    return "<0.01%" if p < 0.0001 else f"{p:.2%}"
