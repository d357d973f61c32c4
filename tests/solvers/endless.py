"""Who dares: in turn, players stop the game and lose a point, or go on. Nothing else ends it."""

import numpy as np

from fogspiel.game import OVER, mix

State = np.dtype([("turns", "i8"), ("stopped", "i1")], align=True)


def start(s):
    s.stopped = -1


def actor(s):
    return OVER if s.stopped >= 0 else s.turns % 2


def moves(s, out):
    out[0], out[1] = 0, 1
    return 2


def play(s, move):
    if move == 0:
        s.stopped = s.turns % 2
    s.turns += 1


def payoff(s, out):
    out[0] = 2 * s.stopped - 1
    out[1] = -out[0]


def infoset(s, player):
    return mix(mix(player, s.turns), s.stopped)
