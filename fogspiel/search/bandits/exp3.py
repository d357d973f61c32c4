"""Exp3 (Auer et al. 2002; Lisý 2014, sec. 3.1.1): exponential weights on estimated rewards."""

import math

from fogspiel.game.spec import Number
from fogspiel.search.bandits.mixed import PURE, draw

PARAMETERS = (Number("gamma", 0.1, 0, 1, "exploration of Exp3 and regret matching"), PURE)
SLOT = (("score", "f8"), ("strategy", "f8"))
"""The estimated sum of a move's rewards, had it always been tried; and the sum of the strategies played."""


def choose(search, here, n):
    gamma = search.bandit.gamma
    exponential_weights(search, n, gamma, gamma / n)
    return draw(search, n, gamma)


def learn(search, d, reward, utility):
    """The reward is divided by the whole probability of the move, exploration included."""
    step = search.path[d]
    search.slots[step.slot].score += reward / step.prob


def exponential_weights(search, n, gamma, eta):
    """Probabilities in search.prob[0:n], with learning rate eta; shifted by the best score so that nothing
    overflows."""
    prob = search.prob
    most = search.slots[search.slot[0]].score
    for i in range(n):
        most = max(most, search.slots[search.slot[i]].score)
    sum_ = 0.0
    for i in range(n):
        prob[i] = math.exp(eta * (search.slots[search.slot[i]].score - most))
        sum_ += prob[i]
    for i in range(n):
        prob[i] = (1.0 - gamma) * prob[i] / sum_ + gamma / n
