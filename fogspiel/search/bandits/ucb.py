"""UCB1 for arms that are not always there: subset-armed UCB1 (Auer et al. 2002; Whitehouse 2014, sec. 5.2.1).

A move's bound is mean + exploration sqrt(log(chances) / tries), where its chances are how often it could have been
played. Where all moves are always there, that is UCB1. Untried moves come first.
"""

import math

import numpy as np

from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Number
from fogspiel.search.hooks import bound, highest_bound
from fogspiel.search.kinds import TIES

TIE = PartOf("ties", "random", TIES, "which of equal bounds is taken")
PARAMETERS = (Number("exploration", 0.7, 0, 1e6, "UCB's constant, for rewards scaled to [0, 1]"), TIE)
SLOT = (("missed", "i8"),)
"""Visits of the node that do not count for a move, since it was not there."""
BOUNDS = True

FEW = 4096
ROOTS_OF_LOGARITHMS = np.array([0.0, *np.sqrt(np.log(np.arange(1, FEW)))])
INVERSE_ROOTS = np.array([0.0, *1 / np.sqrt(np.arange(1, FEW))])
"""Of counts below FEW, computed once: a search needs them for every move of every node on its way."""


def choose(search, here, n):
    miss(search, here, n)
    if n == 1:
        return 0
    upper_bounds(search, here.visits, n)
    bound(search, here, n)
    return highest_bound(search, n)


def learn(search, d, reward, utility):
    """Tries and total are all that it needs."""


def upper_bounds(search, visits, n):
    few = visits < FEW
    before, width = -1, 0.0
    for i in range(n):
        s = search.slots[search.slot[i]]
        chances = visits - s.missed
        share = INVERSE_ROOTS[np.uint64(s.tries)] if few else 1.0 / math.sqrt(max(s.tries, 1))
        if chances != before:  # moves that are always there have the same
            width = ROOTS_OF_LOGARITHMS[np.uint64(chances)] if few else math.sqrt(math.log(max(chances, 1)))
            before = chances
        most = (s.total * share + search.bandit.exploration * width) * share
        search.prob[i] = most if s.tries > 0 else math.inf


def open_slot(search, here, slot):
    """Visits before a move was first there do not count for it."""
    slot.missed = here.visits


def miss(search, here, n):
    """Count a visit in which only the moves search.slot[0:n] of a node are there: the others missed it."""
    if n < here.used:
        for k in range(here.first, here.first + here.used):
            search.slots[k].missed += 1
        for i in range(n):
            search.slots[search.slot[i]].missed -= 1
