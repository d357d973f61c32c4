"""Hex: two players link opposite edges of a rhombus of hexagons with their stones.

In turn the players put a stone on an empty cell. Who first has a chain of neighbouring stones from one of its edges to
the other wins: player 0 (X) from top to bottom, player 1 (O) from left to right. There is no draw, and whoever begins
can win: the other, with a winning answer to everything, could have it stolen (Nash, told by Gardner 1957). With
swap=yes the second player may answer the first stone by taking it over, mirrored to its own side of the board, so that
a strong opening is of no use.
"""

import numpy as np

from fogspiel.game import OVER, About, Choice, Whole, mix
from fogspiel.games.toolkit.boards import EMPTY, pay_winner, square_name
from fogspiel.games.toolkit.draw import SEATS
from fogspiel.games.toolkit.hexes import clear_cells, hex_picture, hex_text, link, spots, unlink

MOST = 13
NOBODY = -1
MAX_MOVES = MOST * MOST + 1
PARAMETERS = (
    Whole("size", 11, 1, MOST, "cells on a side of the board"),
    Choice("swap", "no", ("no", "yes"), "whether the second player may take over the first stone"),
)
State = np.dtype(
    [
        ("size", "i1"),
        ("swap", "i1"),
        ("board", "i1", MOST * MOST),
        ("chain", "u1", (2, spots(MOST))),
        ("turns", "i2"),
        ("winner", "i1"),
        ("stones", "u8"),
    ],
    align=True,
)
"""Cells are numbered by rows from the top left; the move size * size swaps. chain is as in toolkit/hexes.py, stones a
hash of where the stones are."""


def about(size, swap):
    # A player knows the position, not the moves that led to it: many ways lead to the same one.
    return About(utility=(-1, 1), perfect_recall=False)


def start(s):
    s.winner = NOBODY
    clear_cells(s, MOST)


def actor(s):
    return OVER if s.winner != NOBODY else s.turns % 2


def moves(s, out):
    cells = s.size * s.size
    n = 0
    for cell in range(cells):
        out[n] = cell
        n += s.board[cell] == EMPTY
    if s.swap and s.turns == 1:
        out[n] = cells
        n += 1
    return n


def play(s, move):
    player = s.turns % 2
    cell = move
    if move == s.size * s.size:
        cell = take_over(s)
    s.board[cell] = player
    if link(s, s.size, player, cell):
        s.winner = player
    s.turns += 1
    s.stones ^= mix(player, cell)


def take_over(s):
    """Take the only stone off the board; returns the cell that is to the second player what its cell was to the
    first."""
    cell = 0
    while s.board[cell] == EMPTY:
        cell += 1
    s.board[cell] = EMPTY
    s.stones = 0
    unlink(s, s.size, 0)
    return cell % s.size * s.size + cell // s.size


def payoff(s, out):
    pay_winner(s.winner, out)


def infoset(s, player):
    return mix(s.stones, s.turns)


def resample(s, player, rng):
    """Nothing is hidden."""


def move_name(s, move):
    return "swap" if move == s.size * s.size else square_name(move // s.size, move % s.size)


def show(s, player):
    board = hex_text(s.size, ["XO."[s.board[cell]] for cell in range(s.size * s.size)])
    turn = f"{'XO'[s.turns % 2]} is to move" if s.winner == NOBODY else f"{'XO'[s.winner]} wins"
    return f"{board}\nX links top and bottom, O left and right; {turn}"


def svg(s, player):
    return hex_picture(s.size, [s.board[cell] for cell in range(s.size * s.size)], SEATS)
