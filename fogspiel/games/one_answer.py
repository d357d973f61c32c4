"""One move and one answer: a player whose information sets all come after the same moves of its own, namely none.

Player 0 makes one of four moves, player 1 sees which and answers left or right. Left is right after the first half of
the moves, right after the others; player 1 gets 1 for that and otherwise loses 1. This is a game as in Lanctot 2013,
Fig. 4.1, where only its shape counts (what the drawing pays is not known): the bound on regret in Theorem 3 grows with
the sum, over a player's sequences of moves, of the square root of the number of information sets that come after it.
For player 1 that is sqrt(4), the least that it can be with four information sets; for most players it is nearer to the
number of sets.
"""

import numpy as np

from fogspiel.game import OVER, About, Whole, mix

NONE = -1
LEFT, RIGHT = 0, 1
PARAMETERS = (Whole("choices", 4, 1, 200, "how many moves player 0 has"),)
State = np.dtype([("choices", "i2"), ("move", "i2"), ("answer", "i1")], align=True)


def about(choices):
    return About(utility=(-1, 1))


def start(s):
    s.move = NONE
    s.answer = NONE


def actor(s):
    if s.move == NONE:
        return 0
    return 1 if s.answer == NONE else OVER


def moves(s, out):
    n = s.choices if s.move == NONE else 2
    for i in range(n):
        out[i] = i
    return n


def play(s, move):
    if s.move == NONE:
        s.move = move
    else:
        s.answer = move


def payoff(s, out):
    fitting = LEFT if 2 * s.move < s.choices else RIGHT
    out[1] = 1 if s.answer == fitting else -1
    out[0] = -out[1]


def infoset(s, player):
    return mix(mix(0, s.move), s.answer)


def sees(s, player, move):
    return mix(0, move)


def resample(s, player, rng):
    """Nothing is hidden."""


def move_name(s, move):
    return f"move {move + 1}" if s.move == NONE else ("left", "right")[move]


def show(s, player):
    if s.move == NONE:
        return f"player 0 makes one of {s.choices} moves"
    answer = "" if s.answer == NONE else f", answered {('left', 'right')[s.answer]}"
    return f"move {s.move + 1}{answer}"
