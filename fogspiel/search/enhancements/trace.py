"""A record of every simulation, for parts that want to know its moves: who made each, and what that player knew.

search.traced[0:search.trace.length] are the moves, in the tree and in the playout; `playing` tells which. A game longer
than there is room for is remembered up to there.
"""

import numpy as np

from fogspiel.game.table import infoset

MOVE = (("move", "i8"), ("who", "i8"))
"""What every record of moves has: a move, and who made it."""
Traced = np.dtype([*MOVE, ("knew", "u8"), ("playing", "i8")], align=True)
RECORD = (("length", "i8"), ("room", "i8"))

ROOM = 1 << 16


def memory(game, room):
    return {"traced": np.zeros(ROOM, Traced), "room": ROOM}


def begin(game, search):
    search.trace.length = 0


def trace(game, search, s, who, move):
    if search.trace.length < search.trace.room:
        row = written(search.trace, search.traced, who, move)
        row.knew = infoset(game, s, who) if who >= 0 else 0
        row.playing = search.walk.playing


def written(own, rows, who, move):
    """The next row of a record in which there is room, with a move."""
    row = rows[own.length]
    row.move, row.who = move, who
    own.length += 1
    return row
