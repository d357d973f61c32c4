"""Proofs: values that are certain, and what needs no more search. The loop asks the four functions below, which
`Proofs` fills; without it nothing is proven."""

import math

import numpy as np

from fogspiel.engine.part import by_name
from fogspiel.game.needs import LOOKS_THE_SAME, PERFECT_INFORMATION, refusal
from fogspiel.game.table import CHANCE, PLAYERS, state_key, words_of
from fogspiel.search.status import HIDDEN


def open_node(game, search, s, here):
    """A node is new."""


def certain(game, search, s, here):
    """Whether what a node is worth is certain; it is then in search.pay."""
    return False


def undecided(search, who, n):
    """Leave out of search.slot[0:n] what needs no more search; returns how many stay."""
    return n


def settles(search):
    """Whether the end of a game in the tree makes a value certain."""
    return False


STUBS = by_name(open_node, certain, undecided, settles)


class Proofs:
    """Proven values (MCTS-Solver, Winands et al. 2008), for any number of players and any utilities.

    The end of a game proves the move that led to it. A node is proven when one of its moves is proven to give the
    player to move the most there is, or when all its moves are proven, and is worth what the best of them is worth to
    that player (max^n); chance's node when all outcomes are, and is worth their mean. Proven nodes are searched no
    more, and what a walk brings back from them is their value. That holds where a node is one state, so its `print`
    tells states apart."""

    SEEN = (PERFECT_INFORMATION,)
    """What it needs of a game whose own states are the nodes. That of a determinization is one in which all is seen,
    whatever the game hides."""
    SLOT = (("proof", "f8", "players"),)
    """What a move is certainly worth to each player; not a number where nothing is proven."""
    NODE = (("settled", "i8"), ("print", "u8"))
    """The slot that proves the node's value, or -1; and a hash of its state."""

    def open_node(game, search, s, here):
        here.settled = -1
        here.print = state_key(words_of(game), s)

    def open_slot(search, here, slot):
        slot.proof[0] = math.nan

    def certain(game, search, s, here):
        if here.owner != CHANCE and here.print != state_key(words_of(game), s):
            search.walk.status = HIDDEN
            return True
        if here.settled >= 0:
            search.walk.certain = 1
            tell(game, search, here)
        return search.walk.certain != 0

    def settles(search):
        return True

    def undecided(search, who, n):
        """Moves need no more search that are proven to be worth the least there is, or no more than another that is
        proven. If none would stay, all do."""
        slot, slots, low = search.slot, search.slots, search.low[who]
        best = low
        for i in range(n):
            if not unproven(slots[slot[i]]):
                best = max(best, slots[slot[i]].proof[who])
        stay = 0
        taken = False
        for i in range(n):
            k = slot[i]
            open_ = unproven(slots[k])
            if open_ or (not taken and best > low and slots[k].proof[who] == best):
                taken = taken or not open_
                slot[stay] = k
                stay += 1
        return stay if stay > 0 else n

    def learned(game, search, d, reward):
        """Where what came back is certain, write it down at the step's slot. If that proves the node, its worth is what
        goes on."""
        step = search.path[d]
        if search.walk.certain != 0:
            search.walk.certain = step.slot >= 0 and proves(game, search, search.nodes[step.node], step.slot)

    def misfit(names):
        if "progressive" in names:
            return "a search that widens its nodes does not look at all moves, so it can prove nothing"
        if not names & {"stored", "balanced"}:
            return "a search that proves values has to keep chance's nodes"
        return ""

    def complaint(game, status):
        if status == HIDDEN:
            return refusal(game.spec, "proven=yes", PERFECT_INFORMATION, LOOKS_THE_SAME, "proven=no")
        return None

    def proven(search, memory, slot, player):
        """What a slot is certainly worth to a player; None where that is not known."""
        worth = memory.slots.proof[slot].reshape(-1)
        return None if np.isnan(worth[0]) else float(worth[player])


def unproven(slot):
    return slot.proof[0] != slot.proof[0]


def proves(game, search, here, chosen):
    slots, who = search.slots, here.owner
    for p in range(game[PLAYERS]):
        slots[chosen].proof[p] = search.pay[p]
    all_ = True
    best = chosen
    for k in range(here.first, here.first + here.used):
        if unproven(slots[k]):
            all_ = False
        elif who != CHANCE and slots[k].proof[who] > slots[best].proof[who]:
            best = k
    if not all_ and (who == CHANCE or slots[best].proof[who] < search.low[who] + search.span[who]):
        return False
    here.settled = best
    tell(game, search, here)
    return True


def tell(game, search, here):
    """Write to search.pay what a proven node is worth."""
    for p in range(game[PLAYERS]):
        if here.owner != CHANCE:
            search.pay[p] = search.slots[here.settled].proof[p]
        else:
            search.pay[p] = 0.0
            for k in range(here.first, here.first + here.used):
                search.pay[p] += search.slots[k].odds * search.slots[k].proof[p]
