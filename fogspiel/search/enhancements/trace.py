"""A record of every simulation, for parts that want to know its moves: who made each, and what that player knew.

search.traced[0:search.trace.length] are the moves, in the tree and in the playout; `playing` tells which. A game longer than there is room
for is remembered up to there.
"""

import numpy as np

from fogspiel.game.table import infoset

Moved = np.dtype([("move", "i8"), ("who", "i8"), ("knew", "u8"), ("playing", "i8")], align=True)
RECORD = (("length", "i8"), ("room", "i8"))

ROOM = 1 << 16


def memory(game, room):
    return {"traced": np.zeros(ROOM, Moved), "room": ROOM}


def begin(game, search):
    search.trace.length = 0


def trace(game, search, s, who, move):
    if search.trace.length < search.trace.room:
        row = search.traced[search.trace.length]
        row.move = move
        row.who = who
        row.knew = infoset(game, s, who) if who >= 0 else 0
        row.playing = search.walk.playing
        search.trace.length += 1
