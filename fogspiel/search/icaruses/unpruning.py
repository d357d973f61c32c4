"""Progressive unpruning (Chaslot et al. 2008; Whitehouse 2014, sec. 8.2): a node has its most promising moves at first,
by the game's rule `guide`, and one more after A, A B, A B^2, ... visits."""

import math

from fogspiel.game.spec import Number, Whole
from fogspiel.search.icaruses.bias import ACTS, ADDS, FADES, NEEDS, SLOT, memory, offered

PARAMETERS = (
    Whole("first", 5, 1, 10**6, "moves that a node begins with"),
    Number("wait", 50, 1, 1e9, "A: visits before there is one more"),
    Number("factor", 1.3, 1.001, 1e6, "B: how much longer the wait is for each after that"),
)
ABOUT = ("forest: a node and a move", "what is known beforehand", "UCB1 over the best of them")


def misfit(names):
    return "bias and unpruning use the rule guide in two ways: choose one of them" if "bias" in names else ""


def bound(search, here, n):
    """alpha: the moves that are still pruned come last."""
    few = unpruned(search.unpruning, here.visits)
    if few < n:
        for i in range(n):
            better = 0
            liking = search.slots[search.slot[i]].liking
            for j in range(n):
                other = search.slots[search.slot[j]].liking
                better += other > liking or (other == liking and j < i)
            if better >= few:
                search.prob[i] = -math.inf


def unpruned(own, visits):
    """How many moves a node with so many visits has."""
    if visits < own.wait:
        return own.first
    return own.first + 1 + int(math.log(visits / own.wait) / math.log(own.factor))
