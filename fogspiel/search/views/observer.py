"""A node is what the player to move has seen happen since the root, whatever it held there: MO-ISMCTS as printed, with one tree a player
(Whitehouse 2014, sec. 6.3.1, Algorithms 4 and 5).

What a player sees of another's move, or of chance's, is the class of moves that it could not tell from it: those after which it would know the
same. A class is called by the first of its moves. Who moves at the same time is seen when the stage ends.
"""

import numpy as np

from fogspiel.engine.primitives import address_of
from fogspiel.game.table import CHANCE, PLAYERS, actor, chances, copy_state, infoset, mix, moves, play

RECORD = (("length", "i8"),)
"""Moves of the stage so far."""


def memory(game, room):
    size = game.dtype.itemsize + 64
    return {
        "trail": np.zeros(game.players + 1, np.uint64), "stage_moves": np.zeros(game.players + 1, np.int64), "before": np.zeros(size, np.int8),
        "other": np.zeros(size, np.int8), "others": game.buffer(), "other_odds": np.zeros(len(game.buffer())),
    }  # fmt: skip


def begin_view(game, search, s):
    for p in range(game[PLAYERS] + 1):
        search.trail[p] = 0


def stage_begins(game, search, s):
    copy_state(game, address_of(search.before), s)
    search.seen.length = 0


def told(search, who, move):
    search.stage_moves[search.seen.length] = move
    search.seen.length += 1


def key_of(game, search, s, who):
    """Chance has a tree of its own, in which everything is seen."""
    return mix(search.trail[who if who != CHANCE else game[PLAYERS]], who)


def stage_ends(game, search, s):
    for p in range(game[PLAYERS]):
        known = infoset(game, s, p)
        for j in range(search.seen.length):
            search.trail[p] = mix(search.trail[p], as_seen(game, search, p, j, known))
    for j in range(search.seen.length):
        search.trail[game[PLAYERS]] = mix(search.trail[game[PLAYERS]], search.stage_moves[j])


def as_seen(game, search, player, j, known):
    """What a player who knows `known` after the stage calls its j-th move."""
    s = address_of(search.other)
    replay(game, search, s, j)
    who = actor(game, s)
    if who == player:
        return search.stage_moves[j]
    n = chances(game, s, search.others, 0, search.other_odds, 0) if who == CHANCE else moves(game, s, search.others, 0)
    for i in range(n):
        replay(game, search, s, j)
        play(game, s, search.others[i])
        for k in range(j + 1, search.seen.length):
            play(game, s, search.stage_moves[k])
        if infoset(game, s, player) == known:
            return search.others[i]
    return search.stage_moves[j]


def replay(game, search, s, count):
    """Make s the state after so many moves of the stage."""
    copy_state(game, s, address_of(search.before))
    for k in range(count):
        play(game, s, search.stage_moves[k])
