"""Randomized weighted majority (Littlestone and Warmuth 1994; Lanctot 2013, sec. 2.2.2): an action that has lost L in
all has the weight (1 - eta)^L."""

import math

from fogspiel.solvers.cfr.learners.hedge import exponential
from fogspiel.solvers.cfr.learners.regret_matching import accumulate, width


def weighted_majority(step, rate, learned, i, first, count, value, expected):
    """Losses are counted in units of the largest range of values met at the information set (`spread`), so that each is
    from 0 to 1.

    Losses and regrets differ by a number that is the same for all actions, so (1 - eta)^L is exp(ln(1 - eta) L),
    shifted. Without a rate of its own, eta is min(sqrt(ln(actions) / t), 1/2): what the thesis prints, with the
    iterations so far in place of all.
    """
    regret, spread = learned.regret, learned.spread
    most = accumulate(step, first, count, value, expected, regret)
    spread[i] = max(spread[i], width(first, count, value))
    eta = rate
    if eta == 0.0:
        eta = min(math.sqrt(math.log(count) / step.t), 0.5)
    scale = -math.log(1.0 - eta) / spread[i] if spread[i] > 0.0 else 0.0
    exponential(first, count, scale, most, regret, learned.strategy)
