"""A node is all that the player to move has seen since the root, so that nothing is a transposition."""

import numpy as np

from fogspiel.game.table import CHANCE, PLAYERS, infoset, mix


def memory(game, room):
    return {"trail": np.zeros(game.players, np.uint64)}


def begin_view(game, search, s):
    for p in range(game[PLAYERS]):
        search.trail[p] = 0


def key_of(game, search, s, who):
    if who != CHANCE:
        return mix(mix(search.trail[who], infoset(game, s, who)), who)
    key = mix(0, CHANCE)
    for p in range(game[PLAYERS]):
        key = mix(mix(key, infoset(game, s, p)), search.trail[p])
    return key


def stage_ends(game, search, s):
    for p in range(game[PLAYERS]):
        search.trail[p] = mix(search.trail[p], infoset(game, s, p))
