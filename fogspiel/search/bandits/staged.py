"""Exp3 where several players choose at once, UCB1 elsewhere (Whitehouse 2014, sec. 3.2.4 and 6.2).

Exp3's exploration is min(1, sqrt(K log(K) / ((e - 1) n))) (eq. 3.3) for K moves and n trials: as many as `trials` says,
or those that the node has had so far. Whether others choose at the same time as the first player of a stage is known
after the first visit of its node, in which all moves are as likely anyway.
"""

import math

from fogspiel.game.spec import Whole
from fogspiel.game.table import sample
from fogspiel.search.bandits import ucb
from fogspiel.search.bandits.exp3 import exponential_weights
from fogspiel.search.bandits.ucb import miss, open_slot, upper_bounds
from fogspiel.search.hooks import highest_bound

__all__ = ["NODE", "PARAMETERS", "SLOT", "choose", "learn", "open_slot"]

PARAMETERS = (
    *ucb.PARAMETERS,
    Whole("trials", 0, 0, 10**12, "trials that Exp3's exploration is made for; 0: those so far"),
)
SLOT = (*ucb.SLOT, ("score", "f8"))
"""As UCB1's; and Exp3's estimated sum of rewards."""
NODE = (("joint", "i8"),)
"""Whether others choose at the same time."""


def choose(search, here, n):
    miss(search, here, n)
    if n == 1:
        search.prob[0] = 1.0
        return 0
    if here.joint == 0 and here.visits > 0:
        upper_bounds(search, here.visits, n)
        return highest_bound(search, n)
    gamma = exploration(search.bandit.trials if search.bandit.trials > 0 else max(here.visits, 1), n)
    exponential_weights(search, n, gamma, gamma / n)
    return sample(search.prob, 0, n, search.rng)


def exploration(trials, n):
    return min(1.0, math.sqrt(n * math.log(n) / ((math.e - 1.0) * trials)))


def learn(search, d, reward, utility):
    step = search.path[d]
    here = search.nodes[step.node]
    if step.pending != 0 or (d + 1 < search.walk.depth and search.path[d + 1].pending != 0):
        search.slots[step.slot].score += reward / (step.prob if here.joint != 0 or here.visits == 1 else 1.0)
        here.joint = 1
