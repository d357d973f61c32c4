"""The tree of Lanctot 2013, fig. 2.4: Max moves, Min replies, and after some replies Max moves again.

After Max's first move Min can end the game with 5 or go to node (a), where Max finds 8; after the second, node (b), Min
can end it with 4. Each of the other nodes has two more moves, which alpha-beta does not look at.
"""

import numpy as np

from fogspiel.game import OVER, About, mix

MAX, MIN = 0, 1
PARAMETERS = ()
State = np.dtype([("made", "i1"), ("first", "i1"), ("reply", "i1"), ("last", "i1")], align=True)


def about():
    return About(utility=(-10, 10))


def start(s):
    s.made = s.first = s.reply = s.last = 0


def actor(s):
    if s.made == 3 or (s.made == 2 and s.reply == 0):
        return OVER
    return MIN if s.made == 1 else MAX


def moves(s, out):
    for i in range(2 if s.made < 2 else 3):
        out[i] = i
    return 2 if s.made < 2 else 3


def play(s, move):
    if s.made == 0:
        s.first = move
    elif s.made == 1:
        s.reply = move
    else:
        s.last = move
    s.made += 1


def payoff(s, out):
    if s.reply == 0:
        out[0] = 5 if s.first == 0 else 4
    else:
        out[0] = 8 - 3 * s.last
    out[1] = -out[0]


def infoset(s, player):
    return mix(mix(mix(s.made, s.first), s.reply), s.last)


def resample(s, player, rng):
    """Everything is seen."""


def move_name(s, move):
    return str(move + 1)
