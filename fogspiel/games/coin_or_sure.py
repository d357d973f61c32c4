"""A coin or a sure reward: chance below a decision.

The one player takes 0.6, or has a fair coin tossed that pays 1 or 0. Taking is best. Outcome sampling that forgets the
probability of the coin in the weight of a sample, as it is printed in Lisý 2014, prefers the coin.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, mix

L, R = 0, 1
PARAMETERS = ()
State = np.dtype([("choice", "i1"), ("coin", "i1")], align=True)


def about():
    return About(players=1, utility=(0, 1), zero_sum=False)


def start(s):
    s.choice = -1
    s.coin = -1


def actor(s):
    if s.choice < 0:
        return 0
    return CHANCE if s.choice == R and s.coin < 0 else OVER


def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2


def play(s, move):
    if s.choice < 0:
        s.choice = move
    else:
        s.coin = move


def payoff(s, out):
    out[0] = 0.6 if s.choice == L else s.coin


def infoset(s, player):
    return mix(mix(0, s.choice), s.coin)


def sees(s, player, move):
    return mix(0, move)


def resample(s, player, rng):
    """Nothing is hidden."""


def move_name(s, move):
    if s.choice < 0:
        return "take 0.6" if move == L else "toss the coin"
    return f"the coin pays {move}"


def show(s, player):
    if s.choice < 0:
        return "nothing chosen"
    return "took 0.6" if s.choice == L else f"coin {'in the air' if s.coin < 0 else f'paid {s.coin}'}"
