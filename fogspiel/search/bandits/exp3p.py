"""Exp3.P (Auer et al. 2002; Bubeck and Cesa-Bianchi 2012): Exp3 whose regret is small with high probability.

Estimates get a bonus, with which they are upper bounds of the rewards but with probability `failure`. With the
parameters below regret after `horizon` trials is at most 5.15 sqrt(horizon n log(n / failure)) (Lisý 2014, Theorem
2.2.8).
"""

import math

from fogspiel.game.spec import Number, Whole
from fogspiel.search.bandits.exp3 import SLOT, exponential_weights, learn
from fogspiel.search.bandits.mixed import PURE, draw

__all__ = ["PARAMETERS", "SLOT", "choose", "learn"]

PARAMETERS = (
    Whole("horizon", 1000, 1, 10**12, "trials that Exp3.P's parameters are made for"),
    Number("failure", 0.05, 1e-9, 1, "probability with which Exp3.P's bound may fail"),
    PURE,
)


def choose(search, here, n):
    if n == 1:
        return draw(search, n, 0.0)
    horizon = search.bandit.horizon
    gamma = exploration(horizon, n)
    exponential_weights(search, n, gamma, rate(horizon, n))
    # every move is told that it may be better than it looked; that does not wait for the reward
    for i in range(n):
        search.slots[search.slot[i]].score += bonus(horizon, search.bandit.failure, n) / search.prob[i]
    return draw(search, n, gamma)


def exploration(horizon, n):
    return min(1.0, 1.05 * math.sqrt(n * math.log(n) / horizon))


def rate(horizon, n):
    return 0.95 * math.sqrt(math.log(n) / (n * horizon))


def bonus(horizon, failure, n):
    return math.sqrt(math.log(n / failure) / (n * horizon))
