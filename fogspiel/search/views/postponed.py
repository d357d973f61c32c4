"""A node is what the player to move knows, up to a depth; from there on, the state itself: EPIMC, perfect information
Monte Carlo with postponed reasoning (Arjonilla, Saffidine and Cazenave 2024).

Perfect information Monte Carlo takes everything to be seen after the first move, and so has plans that differ between
states which the player cannot tell apart: strategy fusion. Here `depth` moves of the players are made by who cannot
see; the states after them are searched with everything seen, each by itself. With depth=1 it is perfect information
Monte Carlo in one tree, and with a depth that no game has, search on information sets.
"""

import numpy as np

from fogspiel.game.spec import Whole
from fogspiel.game.table import CHANCE, copy_state, mix, position, state_at
from fogspiel.search.views.infoset import key_unseen as known_key

PARAMETERS = (Whole("depth", 3, 1, 10**6, "moves that are made by what players know, before all is taken to be seen"),)
RECORD = (("made", "i8"), ("open", "i8"), ("position", "u8"))
"""Moves of players since the root; whether all is seen in this stage, and the key of the state that it began in."""


def memory(game, room):
    """search.began: the state in which the stage began, and zeros after it."""
    return {"began": np.zeros(game.dtype.itemsize + 64, np.int8)}


def begin_view(game, search, s):
    search.seen.made = 0


def stage_begins(game, search, s):
    search.seen.open = search.seen.made >= search.seen.depth
    if search.seen.open != 0:
        copy_state(game, state_at(game, search.began, 0), s)
        search.seen.position = position(game, state_at(game, search.began, 0))


def key_of(game, search, s, who):
    return mix(search.seen.position, who) if search.seen.open != 0 else known_key(game, search, s, who)


def told(search, who, move):
    search.seen.made += who != CHANCE
