"""UCB1-Tuned (Auer et al. 2002): in place of UCB1's constant, the root of a move's variance, as far as it is known
(Whitehouse 2014, sec. 7.2)."""

import math

from fogspiel.engine.linking import linked
from fogspiel.search.bandits import ucb
from fogspiel.search.bandits.ucb import open_slot

__all__ = ["BOUNDS", "PARAMETERS", "SLOT", "choose", "learn", "open_slot"]

SLOT = (("missed", "i8"), ("squares", "f8"))
"""As UCB1's; and the sum of squared rewards."""
BOUNDS = True
PARAMETERS = (ucb.TIE,)


def learn(search, d, reward, utility):
    search.slots[search.path[d].slot].squares += reward * reward


def upper_bounds(search, visits, n):
    for i in range(n):
        s = search.slots[search.slot[i]]
        search.prob[i] = math.inf
        if s.tries > 0:
            mean = s.total / s.tries
            width = math.log(visits - s.missed) / s.tries
            variance = max(s.squares / s.tries - mean * mean, 0.0) + math.sqrt(2.0 * width)
            search.prob[i] = mean + math.sqrt(width * min(0.25, variance))


choose = linked(ucb.choose, {ucb.upper_bounds: upper_bounds})
