"""Bounds near the highest are taken for ties, and one of them is drawn.

Two UCB1 players who choose at once fall into step: their bounds are hardly ever quite equal, so that random ties do not
part them, and the pairs of moves that they never play together remain unknown (Lisý 2014, sec. 3.1.1).
"""

import math

from fogspiel.game.spec import Number
from fogspiel.game.table import pick

PARAMETERS = (Number("within", 0.005, 0, 1, "how far below the highest bound one still is a tie with it"),)


def highest_bound(search, n):
    bounds = search.prob
    most = -math.inf
    for i in range(n):
        most = max(most, bounds[i])
    least = most - search.ties.within
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
