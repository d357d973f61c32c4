"""UCB1 that takes bounds near the highest for ties, and draws one of them.

Two UCB1 players who choose at once fall into step: their bounds are hardly ever quite equal, so that random ties do not
part them, and the pairs of moves that they never play together remain unknown (Lisý 2014, sec. 3.1.1).
"""

import math

from fogspiel.game.spec import Number
from fogspiel.game.table import pick
from fogspiel.search.bandits.ucb import PARAMETERS as UCB
from fogspiel.search.bandits.ucb import SLOT, learn, miss, open_slot, upper_bounds
from fogspiel.search.hooks import bound

__all__ = ["PARAMETERS", "SLOT", "choose", "learn", "open_slot"]

PARAMETERS = (UCB[0], Number("near", 0.005, 0, 1, "how far below the highest bound one still is a tie with it"))


def choose(search, here, n):
    miss(search, here, n)
    if n == 1:
        return 0
    upper_bounds(search, here.visits, n)
    bound(search, here, n)
    return near_highest(search, n)


def near_highest(search, n):
    """The position of one of the bounds in search.prob[0:n] that are near the highest, each as likely."""
    bounds = search.prob
    most = -math.inf
    for i in range(n):
        most = max(most, bounds[i])
    least = most - search.bandit.near
    ties = 0
    for i in range(n):
        ties += bounds[i] >= least
    skip = pick(search.rng, ties)
    for i in range(n):
        if bounds[i] >= least:
            if skip == 0:
                return i
            skip -= 1
    return 0
