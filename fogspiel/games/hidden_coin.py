"""The hidden coin: a guess that looks sure to whoever peeks.

A coin is tossed and hidden. The one player takes a sure reward, or calls heads or tails: 1 if that is right, otherwise
0. Whitehouse 2014, sec. 5.1. Calling is worth 1/2, so taking 0.9 is best; a search that averages over worlds in which
it sees the coin (PIMC) believes that calling is worth 1.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, UNSEEN, About, Number, mix, pick

TAKE, GUESS = 0, 1
HEADS, TAILS = 0, 1
TOSS, CHOOSE, CALL, TOOK, CALLED = 0, 1, 2, 3, 4
PARAMETERS = (Number("sure", 0.9, 0.0, 1.0, "the sure reward"),)
State = np.dtype([("sure", "f8"), ("stage", "i1"), ("coin", "i1"), ("call", "i1")], align=True)


def about(sure):
    return About(players=1, utility=(0, 1), zero_sum=False)


def start(s):
    s.stage = TOSS
    s.coin = -1
    s.call = -1


def actor(s):
    if s.stage == TOSS:
        return CHANCE
    return OVER if s.stage >= TOOK else 0


def moves(s, out):
    for i in range(2):
        out[i] = i
    return 2


def play(s, move):
    if s.stage == TOSS:
        s.coin = move
        s.stage = CHOOSE
    elif s.stage == CHOOSE:
        s.stage = TOOK if move == TAKE else CALL
    else:
        s.call = move
        s.stage = CALLED


def payoff(s, out):
    if s.stage == TOOK:
        out[0] = s.sure
    else:
        out[0] = 1 if s.call == s.coin else 0


def infoset(s, player):
    return mix(mix(0, s.stage), s.call)


def sees(s, player, move):
    """Only that the coin was tossed."""
    return mix(1, 0) if s.stage == TOSS else UNSEEN


def resample(s, player, rng):
    if s.stage != TOSS:
        s.coin = pick(rng, 2)


def move_name(s, move):
    if s.stage == CHOOSE:
        return "take the sure reward" if move == TAKE else "guess"
    return "heads" if move == HEADS else "tails"


def features(s):
    return {"coin": ("heads", "tails")[s.coin]} if s.coin >= 0 else {}


def show(s, player):
    called = "called heads" if s.call == HEADS else "called tails"
    story = ("to be tossed", "tossed", "to be called", "not called", called)
    return f"coin {'?' if player is not None or s.coin < 0 else 'HT'[s.coin]}, {story[s.stage]}"
