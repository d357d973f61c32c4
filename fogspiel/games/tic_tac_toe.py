"""Tic-tac-toe: noughts and crosses on a board of three by three.

In turn the players put a stone on an empty square, numbered 0..8 by rows. Three of one's own in a row, column or
diagonal win; a full board is a draw. Everything is seen by both, and with best play the game is a draw.
"""

import numpy as np

from fogspiel.game import OVER, About, mix
from fogspiel.games.toolkit.boards import pay_winner, starts_of_lines
from fogspiel.games.toolkit.draw import marked_board

NOBODY = -1
State = np.dtype([("stones", "i4", 2), ("turns", "i4"), ("winner", "i4"), ("history", "i8")], align=True)
"""A player's stones are the bits of their squares; history has the squares as digits, from 1, the first one first."""


def about():
    return About(utility=(-1, 1))


def start(s):
    s.winner = NOBODY


def actor(s):
    return OVER if s.winner != NOBODY or s.turns == 9 else s.turns & 1


def moves(s, out):
    empty = ~(s.stones[0] | s.stones[1])
    n = 0
    for square in range(9):
        out[n] = square
        n += empty >> square & 1
    return n


def play(s, move):
    player = s.turns & 1
    s.stones[player] |= 1 << move
    if has_three(s.stones[player]):
        s.winner = player
    s.turns += 1
    s.history = 10 * s.history + move + 1


def has_three(stones):
    """Whether there are three in a row, a column or a diagonal. In octal a digit is a row of the board."""
    straight = starts_of_lines(stones, 1, 3) & 0o111 | starts_of_lines(stones, 3, 3) & 0o007
    return (straight | starts_of_lines(stones, 4, 3) & 0o001 | starts_of_lines(stones, 2, 3) & 0o004) != 0


def payoff(s, out):
    pay_winner(s.winner, out)


def evaluate(s, out):
    """Lines that are open to player 0 less those open to player 1, as a share of the eight there are."""
    ahead = 0
    for i in range(3):
        ahead += open_to(s, 3 * i, 1) + open_to(s, i, 3)
    ahead += open_to(s, 0, 4) + open_to(s, 2, 2)
    out[0] = ahead / 8
    out[1] = -out[0]


def open_to(s, square, step):
    """1 if only player 0 can still own this line, -1 if only player 1 can, otherwise 0."""
    line = (1 | 1 << step | 1 << 2 * step) << square
    return int(s.stones[1] & line == 0) - int(s.stones[0] & line == 0)


def infoset(s, player):
    """The order of the moves counts: a player remembers how the board came about."""
    return mix(0, s.history)


def resample(s, player, rng):
    """Nothing is hidden."""


def move_name(s, move):
    return "abc"[move % 3] + str(move // 3 + 1)


def show(s, player):
    marks = [".XO"[(s.stones[0] >> square & 1) + 2 * (s.stones[1] >> square & 1)] for square in range(9)]
    return "\n".join("".join(marks[row : row + 3]) for row in (0, 3, 6))


def svg(s, player):
    return str(marked_board(show(s, player).splitlines()))
