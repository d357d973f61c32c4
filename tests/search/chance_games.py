"""Games in which what variates do is known without a computer. The player chooses a move, then everything is chance.

dice: five dice are rolled; the payoff is their sum, plus 1 after move 1 (the example of Lanctot 2013, sec. 7.3).
later: the same after a forced move.
prizes: 100, 200 or 80 with probabilities 1/4, 1/4 and 1/2; 100 and 200 are opposites. unmatched: 100 and 80 are, though
not as likely. veiled: a coin that the player does not see tells whether there are moves 0 and 1 or moves 2 to 9; the
payoff is the move and a die.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Choice, mix

DICE, PRIZES, UNMATCHED, VEILED, LATER = range(5)
PARAMETERS = (Choice("what", "dice", ("dice", "prizes", "unmatched", "veiled", "later"), "the game"),)
State = np.dtype(
    [("what", "i1"), ("wait", "i1"), ("coin", "i1"), ("chosen", "i1"), ("rolls", "i1"), ("sum", "i2")], align=True
)


def about(what):
    return About(players=1, utility=(0, 200 if what in ("prizes", "unmatched") else 40), zero_sum=False)


def start(s):
    s.coin = -1 if s.what == VEILED else 0
    s.chosen = -1
    s.wait = s.what == LATER
    if s.what == LATER:
        s.what = DICE
    s.rolls = 5 if s.what == DICE else 1


def actor(s):
    if s.rolls == 0:
        return OVER
    return CHANCE if s.coin < 0 or s.chosen >= 0 else 0


def chance(s, out, prob):
    if s.coin < 0:
        n = 2
    elif s.what == DICE or s.what == VEILED:
        n = 6
    else:
        for i in range(3):
            out[i] = (100, 200, 80)[i]
            prob[i] = (0.25, 0.25, 0.5)[i]
        return 3
    for i in range(n):
        out[i] = i
        prob[i] = 1 / n
    return n


def moves(s, out):
    few = 2 * (1 - s.coin)
    n = 1 if s.wait else 2 if few > 0 else 8
    for i in range(n):
        out[i] = i if few > 0 else 2 + i
    return n


def play(s, move):
    if s.coin < 0:
        s.coin = move
    elif s.wait:
        s.wait = 0
    elif s.chosen < 0:
        s.chosen = move
        s.sum = 0 if s.what == PRIZES or s.what == UNMATCHED else move
    else:
        s.sum += move + (s.what == DICE or s.what == VEILED)
        s.rolls -= 1


def payoff(s, out):
    out[0] = s.sum


def infoset(s, player):
    return mix(mix(mix(0, s.chosen), s.rolls + 8 * s.wait), s.sum)


def covariate(s, move):
    """All that chance does, so that nothing is left to it."""
    if s.coin < 0 or s.what == PRIZES or s.what == UNMATCHED:
        return 0.0
    return move - 2.5


def mirror(s, move):
    if s.what == PRIZES and move != 80:
        return 300 - move
    if s.what == UNMATCHED and move != 200:
        return 180 - move
    return 5 - move if s.what == DICE else move
