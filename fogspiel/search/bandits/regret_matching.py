"""Regret matching (Hart and Mas-Colell 2000), for a player who sees only what its own move brought (Lisý 2014, sec.
3.1.1: DRM)."""

from fogspiel.game.spec import Number
from fogspiel.search.bandits.mixed import PURE, draw

PARAMETERS = (Number("gamma", 0.1, 0, 1, "exploration of Exp3 and regret matching"), PURE)
SLOT = (("score", "f8"), ("strategy", "f8"), ("there", "i8"))
"""The regret of not having played a move; the sum of the strategies played; and the last simulation in which the move
could be played."""


def choose(search, here, n):
    for i in range(n):
        search.slots[search.slot[i]].there = search.counts.done + 1
    matched_regrets(search, n, search.bandit.gamma)
    return draw(search, n, search.bandit.gamma)


def learn(search, d, reward, utility):
    """The drawn move's regret grows by utility / p - utility, the others' by - utility (the printed update omits the
    second term); a move that could not be played is not regretted."""
    step = search.path[d]
    here = search.nodes[step.node]
    for b in range(here.first, here.first + here.used):
        if search.slots[b].there == search.counts.done + 1:
            search.slots[b].score -= utility
    search.slots[step.slot].score += utility / step.prob


def matched_regrets(search, n, gamma):
    """Probabilities in search.prob[0:n], with exploration gamma; uniform if no regret is positive. The printed formula
    lacks the factor 1 - gamma (Lisý 2014, sec. 3.1.1)."""
    prob = search.prob
    sum_ = 0.0
    for i in range(n):
        prob[i] = max(search.slots[search.slot[i]].score, 0.0)
        sum_ += prob[i]
    for i in range(n):
        prob[i] = (1.0 - gamma) * prob[i] / sum_ + gamma / n if sum_ > 0.0 else 1.0 / n
