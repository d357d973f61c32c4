"""Smooth UCT (Heinrich and Silver 2015): UCB1, or else a move drawn from the average strategy, by which the node was
played so far.

With probability eta_k = max(eta_least, eta / (1 + decay sqrt(visits))) the move is UCB1's. So an opponent is met as it
is on average and not as it is now, as in fictitious play, and what is found approaches an equilibrium where that of
UCB1 goes round in circles.
"""

import math

from fogspiel.game.spec import Number
from fogspiel.game.table import sample, uniform
from fogspiel.search.bandits import ucb
from fogspiel.search.bandits.ucb import SLOT, learn, miss, open_slot, upper_bounds
from fogspiel.search.hooks import highest_bound

__all__ = ["PARAMETERS", "SLOT", "choose", "learn", "open_slot"]

PARAMETERS = (
    *ucb.PARAMETERS,
    Number(
        "eta",
        0.9,
        0,
        1,
        "how often a node of Smooth UCT takes UCB1's move at first, and not one of its average strategy",
    ),
    Number("eta_least", 0.1, 0, 1, "the same at least, however many visits"),
    Number("decay", 0.001, 0, 1e6, "how fast it falls with the root of the visits"),
)


def choose(search, here, n):
    miss(search, here, n)
    if n == 1:
        return 0
    tries = 0
    for i in range(n):
        tries += search.slots[search.slot[i]].tries
    if tries == 0 or uniform(search.rng) < share(search.bandit, here.visits):
        upper_bounds(search, here.visits, n)
        return highest_bound(search, n)
    for i in range(n):
        search.prob[i] = search.slots[search.slot[i]].tries / tries
    return sample(search.prob, 0, n, search.rng)


def share(own, visits):
    """eta_k at a node with so many visits."""
    return max(own.eta_least, own.eta / (1.0 + own.decay * math.sqrt(visits)))
