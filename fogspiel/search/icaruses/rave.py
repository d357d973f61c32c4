"""RAVE, rapid action value estimation (Gelly and Silver 2007; Whitehouse 2014, eq. 8.2 and 8.3): AMAF's bounds at
first, and the tree's own ever more, lambda AMAF + (1 - lambda) baseline."""

import math

from fogspiel.game.spec import Number
from fogspiel.search.icaruses import amaf
from fogspiel.search.icaruses.amaf import ACTS, SLOT, WITH, capture, memory, offered, spread, upper

FADES = True
PARAMETERS = (Number("k", 250, 1e-3, 1e9, "visits of a node after which both count alike"), *amaf.PARAMETERS)
ABOUT = ("forest: a node and a move", "reward, visits", "UCB1, mixed with the tree's")


def bound(search, here, n):
    """alpha. Expansion is left to the tree: what was never tried has an infinite bound there."""
    weight = share(search.rave.k, here.visits)
    width = search.rave.exploration * spread(search, n)
    for i in range(n):
        if search.prob[i] < math.inf:
            of_amaf = upper(search.slots[search.slot[i]], width)
            search.prob[i] = weight * of_amaf + (1.0 - weight) * search.prob[i]


def share(k, visits):
    """lambda: 1 at first, 1/2 after k visits, and 0 in the end."""
    return math.sqrt(k / (3.0 * visits + k))
