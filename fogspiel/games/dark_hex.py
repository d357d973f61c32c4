"""Dark Hex, also called phantom or Kriegspiel Hex: Hex in which neither player sees the other's stones.

In turn the players try a cell. If it is empty, the player's stone is put there and the turn ends. If the other holds
it, the player is told so and tries another (as OpenSpiel's classical dark Hex); with retry=no the turn is lost instead
(abrupt dark Hex). The other learns nothing of tries. Who first links its two edges wins: player 0 (X) top and bottom,
player 1 (O) left and right.

A player knows its own tries and what came of them, in order, and, at the end, everything. OpenSpiel's information
states also tell the number of all tries.
"""

import numpy as np

from fogspiel.game import OVER, About, Choice, Whole
from fogspiel.games.toolkit.boards import pay_winner, square_name
from fogspiel.games.toolkit.draw import SEATS
from fogspiel.games.toolkit.hexes import clear_cells, hex_picture, hex_text, link, link_again, spots
from fogspiel.games.toolkit.phantom import (
    failures,
    known,
    phantom_key,
    redraw_stones,
    redraw_tries,
    seen_of_try,
    try_square,
    untried,
)

MOST = 11
NOBODY = -1
MAX_MOVES = MOST * MOST
PARAMETERS = (
    Whole("size", 3, 1, MOST, "cells on a side of the board"),
    Choice("retry", "yes", ("no", "yes"), "whether a player whose try failed tries again"),
)
State = np.dtype(
    [
        ("size", "i1"),
        ("retry", "i1"),
        ("board", "i1", MOST * MOST),
        ("chain", "u1", (2, spots(MOST))),
        ("turns", "u1"),
        ("when", "u1", (2, MOST * MOST)),
        ("stones", "i1"),
        ("winner", "i1"),
        ("tries", "u8", 2),
    ],
    align=True,
)
"""Cells are numbered by rows from the top left. chain is as in toolkit/hexes.py, the rest as in toolkit/phantom.py."""


def about(size, retry):
    return About(utility=(-1, 1))


def start(s):
    s.winner = NOBODY
    clear_cells(s, MOST)


def actor(s):
    return OVER if s.winner != NOBODY else s.turns % 2


def moves(s, out):
    return untried(s, s.size * s.size, s.turns % 2, out)


def play(s, move):
    player = s.turns % 2
    if try_square(s, player, move) and link(s, s.size, player, move):
        s.winner = player


def payoff(s, out):
    pay_winner(s.winner, out)


def infoset(s, player):
    return phantom_key(s, player, s.winner != NOBODY)


def sees(s, player, move):
    turns = s.turns
    play(s, move)
    return seen_of_try(s, player, turns, move, s.winner != NOBODY)


def resample(s, player, rng):
    """A history that the player cannot tell from the true one, as likely as if the other tried cells at random."""
    if s.winner != NOBODY:
        return
    cells = s.size * s.size
    while not redraw_stones(s, cells, player, rng) or link_again(s, s.size, 1 - player):
        pass
    redraw_tries(s, cells, player, rng)


def move_name(s, move):
    return square_name(move // s.size, move % s.size)


def seen_by(s, player):
    """Whose stone is on each cell, as far as the player knows."""
    everything = player is None or s.winner != NOBODY
    return [s.board[cell] if everything else known(s, player, cell) for cell in range(s.size * s.size)]


def features(s):
    return {move_name(s, cell): ("X", "O", "empty")[s.board[cell]] for cell in range(s.size * s.size)}


def show(s, player):
    board = hex_text(s.size, ["XO."[holder] for holder in seen_by(s, player)])
    return f"{board}\nX links top and bottom, O left and right; {caption(s, player)}"


def caption(s, player):
    """Whose turn it is, and where the player failed in which of its turns."""
    if s.winner != NOBODY:
        return f"{'XO'[s.winner]} wins"
    failed = "" if player is None else failures(s, s.size * s.size, player, move_name)
    return f"turn {s.turns + 1}: {'XO'[s.turns % 2]} tries{failed}"


def svg(s, player):
    return hex_picture(s.size, seen_by(s, player), SEATS)
