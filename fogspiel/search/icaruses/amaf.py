"""AMAF, all moves as first (Whitehouse 2014, sec. 8.2, Specification 2): what a move brought on average that was made at a node or, by the
same player, at any time later."""

import math

import numpy as np

from fogspiel.game.spec import Number
from fogspiel.game.table import mix
from fogspiel.search.bandits.ucb import FEW, INVERSE_ROOTS, ROOTS_OF_LOGARITHMS

ACTS = "tree"
FADES = False
WITH = ("line",)
PARAMETERS = (Number("exploration", 0.7, 0, 1e6, "the constant of AMAF's UCB1"),)
SLOT = (("amaf_total", "f8"), ("amaf_tries", "i8"), ("offered", "i8"))
"""R and Theta: for each node and move its reward and visits; and the last simulation in which it could be made here."""
ABOUT = ("forest: a node and a move", "reward, visits", "UCB1")

ROOM = 1 << 15
Played = np.dtype([("key", "u8"), ("simulation", "i8"), ("times", "i8")], align=True)


def memory(game, room):
    """search.played: how often a player made a move from some place in the simulation to its end; search.selecting: whether a step was
    taken at a selection node."""
    return {"played": np.zeros(ROOM, Played), "selecting": np.zeros(room.levels + 1, np.int64)}


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
    """xi: at every selection node the moves that were made there or later, and could have been made there; as often as they were made."""
    for i in range(search.line.length - 1, -1, -1):
        row = search.moved[i]
        if row.who >= 0:
            times_played(search, row.who, row.move, 1)
        if row.step >= 0 and search.selecting[row.step] != 0:
            credit(search, search.path[row.step], row.move, search.rewards[row.who])


def credit(search, step, move, reward):
    here = search.nodes[step.node]
    for k in range(here.first, here.first + here.used):
        slot = search.slots[k]
        if slot.offered == search.counts.done + 1:
            times = times_played(search, here.owner, slot.move, 0)
            # where a node's moves are told apart by what the searcher sees, the one made goes by another name
            update(slot, times + (k == step.slot and slot.move != move), reward)


def update(slot, times, reward):
    """omega."""
    slot.amaf_tries += times
    slot.amaf_total += times * reward


def times_played(search, who, move, more):
    """How often a player has made a move, in that part of the simulation that was gone through, and `more`."""
    key, now = mix(move, who), search.counts.done + 1
    at = int(key) & (ROOM - 1)
    while search.played[at].simulation == now and search.played[at].key != key:
        at = (at + 1) & (ROOM - 1)
    place = search.played[at]
    if place.simulation != now:
        if more == 0:
            return 0
        place.simulation = now
        place.key = key
        place.times = 0
    place.times += more
    return place.times


def forget(search):
    search.played["simulation"] = 0
