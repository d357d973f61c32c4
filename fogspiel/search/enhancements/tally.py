"""How often each player made each move, in the part of a simulation that was gone through. For AMAF
(`search/icaruses/amaf.py`)."""

import numpy as np

from fogspiel.engine.index import FREE, find
from fogspiel.game.table import mix
from fogspiel.search.enhancements.line import ROOM

Made = np.dtype([("key", "u8"), ("times", "i8"), ("place", "i8")], align=True)
"""A player and a move, in one; how often it was made; and its place in the index, which is freed for the next
simulation."""
RECORD = (("used", "i8"),)
MASK = 2 * ROOM - 1


def memory(game, room):
    """There is room for all moves of a line."""
    return {"tallied": np.zeros(ROOM, Made), "tally_index": np.zeros(MASK + 1, np.int32)}


def begin_tally(search):
    """Nothing was gone through yet."""
    for i in range(search.tally.used):
        search.tally_index[search.tallied[i].place] = FREE
    search.tally.used = 0


def tally_move(search, who, move):
    """A player made a move."""
    key, index, tallied, own = mix(move, who), search.tally_index, search.tallied, search.tally
    at = find(key, index, MASK, is_made, key, tallied)
    if index[at] == FREE:
        row = tallied[own.used]
        row.key, row.times, row.place = key, 0, at
        own.used += 1
        index[at] = own.used
    tallied[index[at] - 1].times += 1


def times_made(search, who, move):
    key, index, tallied = mix(move, who), search.tally_index, search.tallied
    entry = index[find(key, index, MASK, is_made, key, tallied)]
    return tallied[entry - 1].times if entry != FREE else 0


def is_made(entry, key, tallied):
    return tallied[entry - 1].key == key
