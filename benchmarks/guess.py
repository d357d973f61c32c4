"""Guess the coin: chance throws it in secret, each player names a side in secret, and who is right beats who is wrong.

Of two players who name different sides the coin alone decides, in whatever seats they sit: both games of a deal come to
the same.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, PUBLIC, About, mix, pick

State = np.dtype([("coin", "i1"), ("choice", "i1", 2), ("step", "i1")], align=True)


def about():
    return About(players=2, utility=(-1, 1))


def start(s):
    s.coin, s.choice[0], s.choice[1], s.step = -1, -1, -1, 0


def actor(s):
    return (CHANCE, 0, 1, OVER)[s.step]


def moves(s, out):
    out[0], out[1] = 0, 1
    return 2


def play(s, move):
    if s.step == 0:
        s.coin = move
    else:
        s.choice[s.step - 1] = move
    s.step += 1


def payoff(s, out):
    first = 1 if s.choice[0] == s.coin else 0
    second = 1 if s.choice[1] == s.coin else 0
    out[0], out[1] = first - second, second - first


def infoset(s, player):
    own = -1 if player == PUBLIC else s.choice[player]
    return mix(mix(0, s.step), own)


def resample(s, player, rng):
    if s.step > 0:
        s.coin = pick(rng, 2)
    if s.step > 2 - player:
        s.choice[1 - player] = pick(rng, 2)
