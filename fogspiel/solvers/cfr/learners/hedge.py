"""Hedge (Freund and Schapire 1997; Lanctot 2013, sec. 4.7): exponential weights."""

import math

from fogspiel.solvers.cfr.learners.regret_matching import accumulate, width


def hedge(step, rate, learned, i, first, count, value, expected):
    """Weights are shifted by the largest regret, so that nothing overflows.

    Without a rate of its own it takes one that follows the ranges of values met so far, so that scale does not matter.
    """
    regret, spread = learned.regret, learned.spread
    most = accumulate(step, first, count, value, expected, regret)
    range_ = width(first, count, value)
    spread[i] += range_ * range_  # `** 2` would be fused with the sum, or not, by who was first compiled with it
    eta = rate
    if eta == 0.0 and spread[i] > 0.0:
        eta = math.sqrt(8.0 * math.log(count) / spread[i])
    exponential(first, count, eta, most, regret, learned.strategy)


def exponential(first, count, eta, most, regret, strategy):
    """Each action in proportion to exp(eta times its regret)."""
    total = 0.0
    for a in range(first, first + count):
        strategy[a] = math.exp(eta * (regret[a] - most))
        total += strategy[a]
    for a in range(first, first + count):
        strategy[a] /= total
