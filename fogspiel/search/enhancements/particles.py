"""The states in which simulations came to the searcher's next decision, for who wants to start from them there: the
particles of POMCP (Silver and Veness 2010). Of more than there is room for, each is as likely to stay."""

import numpy as np

from fogspiel.game.table import copy_state, infoset, packed_at, pick

ROOM = 1 << 13
Particle = np.dtype([("move", "i8"), ("key", "u8")], align=True)
"""The searcher's move that led there, and what it then knew."""
RECORD = (("count", "i8"), ("room", "i8"))


def memory(game, room):
    return {
        "reached": np.zeros(ROOM, Particle),
        "reached_states": np.zeros(ROOM * game.dtype.itemsize + 64, np.int8),
        "room": ROOM,
    }


def offered(game, search, s, here, n):
    if search.walk.depth != 1:
        return
    own = search.particles
    i = own.count if own.count < own.room else pick(search.rng, own.count + 1)
    own.count += 1
    if i < own.room:
        search.reached[i].move = search.slots[search.path[0].slot].move
        search.reached[i].key = infoset(game, s, here.owner)
        copy_state(game, packed_at(game, search.reached_states, i), s)


def forget(search):
    search.particles.count = 0


def after(search, size, move, key):
    """The states, one in a row, that the searcher may be in after a move of its own at the root, when it knows
    `key`."""
    count = min(int(search.particles.count), int(search.particles.room))
    rows = search.array("reached")[:count]
    states = search.array("reached_states")[: count * size].reshape(count, size)
    return states[(rows["move"] == move) & (rows["key"] == np.uint64(key))].view(np.uint8)
