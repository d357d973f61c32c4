"""A playout policy of one's own, for every game: last good replies, with forgetting (Drake 2009; Baier and Drake 2010).

A move that answered another in a game that was won is tried again when that other is made again, and forgotten when the
game is lost. It needs to know what was played in every simulation, so it asks for a trace.

fogspiel match tic_tac_toe "mcts(playout=examples/my_playout.py)" mcts
fogspiel match tic_tac_toe "mcts(playout=examples/my_playout.py(eagerness=0.5))" mcts
"""

import numpy as np

from fogspiel.game import Number, mix, pick, uniform

PARAMETERS = (Number("eagerness", 0.8, 0, 1, "how often a good reply is played, where one is known"),)
TRACE = True

ROOM = 1 << 12
NONE = -(1 << 63)


def memory(game, room):
    """Arrays of our own: search.replies."""
    return {"replies": np.full(ROOM, NONE)}


def forget(search):
    """The tree is thrown away, and what was learned with it."""
    search.replies[:] = NONE


def policy(game, search, s, n):
    """One of the n legal moves, search.moves[0:n], of the player to move, search.facts.who."""
    length = search.trace.length
    if 0 < length < search.trace.room and uniform(search.rng) < search.playout.eagerness:
        reply = search.replies[place(search.facts.who, search.traced[length - 1].move)]
        for i in range(n):
            if search.moves[i] == reply:
                return i
    return pick(search.rng, n)


def capture(game, search, s):
    """A simulation is over: every move in it answered the one before."""
    for i in range(1, search.trace.length):
        who, move = search.traced[i].who, search.traced[i].move
        if who >= 0:
            at = place(who, search.traced[i - 1].move)
            if search.pay[who] > search.low[who] + search.span[who] / 2:
                search.replies[at] = move
            elif search.replies[at] == move:
                search.replies[at] = NONE


def place(who, move):
    """Where the reply of a player to a move is kept. Two moves may share a place."""
    return mix(who, move) % ROOM
