"""Progressive bias (Chaslot et al. 2008; Whitehouse 2014, sec. 8.2): what is known of a move beforehand is added to its
bound, H / (n + 1) after n tries. H is the probability that the game's rule `guide` gives it."""

import numpy as np

from fogspiel.game.needs import rule
from fogspiel.game.spec import Number
from fogspiel.game.table import guide

ACTS = "tree"
FADES = True
ADDS = True
NEEDS = (rule("guide"),)
PARAMETERS = (Number("weight", 1, 0, 1e6, "of what is known beforehand"),)
SLOT = (("guided", "i8"), ("liking", "f8"))
"""R and Theta: for each node and move, whether the rule was asked, and what it said (theta_init). Nothing is
captured."""
ABOUT = ("forest: a node and a move", "what is known beforehand", "UCB1 with a bonus")


def memory(game, room):
    return {"advised": game.buffer(), "advice": np.zeros(len(game.buffer()))}


def offered(game, search, s, here, n):
    """theta_init: ask the rule for moves that are new."""
    for i in range(n):
        if search.slots[search.slot[i]].guided == 0:
            ask(game, search, s, n)
            return


def ask(game, search, s, n):
    count = guide(game, s, search.advised, 0, search.advice, 0)
    for i in range(n):
        slot = search.slots[search.slot[i]]
        if slot.guided == 0:
            slot.guided = 1
            for k in range(count):
                if search.advised[k] == slot.move:
                    slot.liking = search.advice[k]


def bound(search, here, n):
    """alpha."""
    for i in range(n):
        slot = search.slots[search.slot[i]]
        search.prob[i] += search.bias.weight * slot.liking / (slot.tries + 1.0)
