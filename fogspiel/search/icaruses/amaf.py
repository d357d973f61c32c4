"""AMAF, all moves as first (Whitehouse 2014, sec. 8.2, Specification 2): what a move brought on average that was made
at a node or, by the same player, at any time later."""

import math

import numpy as np

from fogspiel.game.spec import Number
from fogspiel.search.bandits.ucb import FEW, INVERSE_ROOTS, ROOTS_OF_LOGARITHMS
from fogspiel.search.enhancements.tally import begin_tally, tally_move, times_made

ACTS = "tree"
FADES = False
WITH = ("line", "tally")
PARAMETERS = (Number("exploration", 0.7, 0, 1e6, "the constant of AMAF's UCB1"),)
SLOT = (("amaf_total", "f8"), ("amaf_tries", "i8"), ("offered", "i8"))
"""R and Theta: for each node and move its reward and visits; and the last simulation in which it could be made here."""
ABOUT = ("forest: a node and a move", "reward, visits", "UCB1")


def memory(game, room):
    """search.selecting: whether a step was taken at a selection node."""
    return {"selecting": np.zeros(room.levels + 1, np.int64)}


def offered(game, search, s, here, n):
    """A node is a selection node if every move was tried."""
    selecting = 1
    for i in range(n):
        slot = search.slots[search.slot[i]]
        slot.offered = search.counts.done + 1
        if slot.tries == 0:
            selecting = 0
    search.selecting[search.walk.depth] = selecting


def bound(search, here, n):
    """alpha: the bounds of AMAF instead of the tree's, where every move was tried."""
    width = search.amaf.exploration * spread(search, n)
    for i in range(n):
        if search.prob[i] < math.inf:
            search.prob[i] = upper(search.slots[search.slot[i]], width)


def spread(search, n):
    """The root of the logarithm of AMAF's visits, those of all moves that are there."""
    trials = 0
    for i in range(n):
        trials += search.slots[search.slot[i]].amaf_tries
    return ROOTS_OF_LOGARITHMS[np.uint64(trials)] if trials < FEW else math.sqrt(math.log(trials))


def upper(slot, width):
    tries = slot.amaf_tries
    if tries == 0:
        return math.inf
    share = INVERSE_ROOTS[np.uint64(tries)] if tries < FEW else 1.0 / math.sqrt(tries)
    return (slot.amaf_total * share + width) * share


def capture(game, search, s):
    """xi: at every selection node the moves that were made there or later, and could have been made there; as often as
    they were made."""
    begin_tally(search)
    for i in range(search.line.length - 1, -1, -1):
        row = search.moved[i]
        if row.who >= 0:
            tally_move(search, row.who, row.move)
        if row.step >= 0 and search.selecting[row.step] != 0:
            credit(search, search.path[row.step], row.move, search.rewards[row.who])


def credit(search, step, move, reward):
    here = search.nodes[step.node]
    for k in range(here.first, here.first + here.used):
        slot = search.slots[k]
        if slot.offered == search.counts.done + 1:
            times = times_made(search, here.owner, slot.move)
            # where a node's moves are told apart by what the searcher sees, the one made goes by another name
            update(slot, times + (k == step.slot and slot.move != move), reward)


def update(slot, times, reward):
    """omega."""
    slot.amaf_tries += times
    slot.amaf_total += times * reward
