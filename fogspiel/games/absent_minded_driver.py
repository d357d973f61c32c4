"""The absent-minded driver: two crossings that look the same to one who forgets.

The driver passes two crossings and cannot tell them apart. Turning at the first pays 0, at the second 4; going straight
on at both pays 1. Piccione and Rubinstein 1997; Lanctot 2013, Fig. 5.1a. The best plan turns with probability 1/3,
worth 4/3; no plan without chance is worth more than 1. One information set holds a history and its continuation, so
there is neither perfect recall nor a state to be drawn from what the driver knows.
"""

import numpy as np

from fogspiel.game import OVER, About, mix

STRAIGHT, TURN = 0, 1
PARAMETERS = ()
State = np.dtype([("passed", "i1"), ("turned", "i1")], align=True)


def about():
    return About(players=1, utility=(0, 4), zero_sum=False, perfect_recall=False)


def start(s):
    s.passed = 0
    s.turned = 0


def actor(s):
    return OVER if s.turned or s.passed == 2 else 0


def moves(s, out):
    out[0] = STRAIGHT
    out[1] = TURN
    return 2


def play(s, move):
    if move == TURN:
        s.turned = 1
    else:
        s.passed += 1


def payoff(s, out):
    if s.turned:
        out[0] = 4 if s.passed == 1 else 0
    else:
        out[0] = 1


def infoset(s, player):
    if actor(s) != OVER:
        return mix(0, 0)
    return mix(mix(0, 1), 2 * s.passed + s.turned)


def move_name(s, move):
    return "turn" if move == TURN else "straight on"


def show(s, player):
    if player is not None and actor(s) != OVER:
        return "at a crossing"
    return f"passed {s.passed} of 2 crossings{', then turned' if s.turned else ''}"
