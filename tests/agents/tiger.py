"""The tiger problem (Kaelbling, Littman and Cassandra 1998), ended by the first door that is opened, or after some
steps.

A tiger is behind one of two doors. To listen costs 1 and tells the right door with probability 0.85; to open the
tiger's door costs 100, the other pays 10.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Whole, mix

LISTEN, LEFT, RIGHT = range(3)
PARAMETERS = (Whole("steps", 3, 1, 10, "steps"),)
State = np.dtype(
    [
        ("steps", "i1"),
        ("tiger", "i1"),
        ("made", "i1"),
        ("listening", "i1"),
        ("opened", "i1"),
        ("heard", "u8"),
        ("paid", "i8"),
    ],
    align=True,
)


def about(steps):
    return About(players=1, utility=(-100 - steps, 10), zero_sum=False)


def start(s):
    s.tiger, s.made, s.listening, s.opened, s.heard, s.paid = -1, 0, 0, 0, 0, 0


def actor(s):
    if s.tiger < 0 or s.listening:
        return CHANCE
    return OVER if s.opened or s.made == s.steps else 0


def moves(s, out):
    n = 2 if s.tiger < 0 or s.listening else 3
    for i in range(n):
        out[i] = i
    return n


def chance(s, out, prob):
    for door in range(2):
        out[door] = door
        prob[door] = 0.5 if s.tiger < 0 else 0.85 if door == s.tiger else 0.15
    return 2


def play(s, move):
    if s.tiger < 0:
        s.tiger = move
    elif s.listening:
        s.listening = 0
        s.heard = mix(s.heard, move)
    else:
        s.made += 1
        s.listening = move == LISTEN
        s.opened = move != LISTEN
        s.paid += -1 if move == LISTEN else -100 if move - LEFT == s.tiger else 10


def payoff(s, out):
    out[0] = s.paid


def infoset(s, player):
    return mix(mix(mix(mix(s.heard, s.made), s.listening), s.opened), s.tiger >= 0)
