"""Oshi-Zumo, the pushing sumo: bids of coins that move a wrestler.

The wrestler stands in the middle of a row of 2 * size + 1 cells. Each round both players bid coins at the same time
(player 1 after player 0, without seeing the bid): at least the minimum, or all they have left if that is less. Both
bids are paid and shown. The higher one pushes the wrestler a cell away from the bidder; equal bids leave it where it
is. The game ends when the wrestler is off the row or nobody has coins; the player in whose half the wrestler then is
loses, the middle is a draw. Buro 2003; Lisý 2014, ch. 4. The game is symmetric: its value is 0.
"""

import math

import numpy as np

from fogspiel.game import OVER, About, Picture, Whole, mix, pick
from fogspiel.games.toolkit.at_once import seen_at_once
from fogspiel.games.toolkit.draw import BLACK, SEATS, WOOD, stone

MOST = 200
PARAMETERS = (
    Whole("coins", 10, 1, MOST, "coins of each player (N)"),
    Whole("size", 3, 1, 100, "cells on each side of the middle (K)"),
    Whole("minimum", 1, 1, MOST, "the lowest bid of a player who can afford it (M)"),
)
# wrestler counts cells from the middle towards player 1; bid is player 0's while player 1 has still to bid, otherwise
# -1.
State = np.dtype(
    [
        ("coins", "i2"),
        ("size", "i1"),
        ("minimum", "i2"),
        ("purse", "i2", 2),
        ("wrestler", "i1"),
        ("bid", "i2"),
        ("history", "u8"),
    ],
    align=True,
)


def about(coins, size, minimum):
    if minimum > coins:
        raise ValueError(f"the minimum bid ({minimum}) is more than the coins of a player ({coins})")
    return About(utility=(-1, 1), simultaneous=True)


def start(s):
    s.purse[0] = s.coins
    s.purse[1] = s.coins
    s.wrestler = 0
    s.bid = -1
    s.history = 0


def actor(s):
    if s.wrestler > s.size or s.wrestler < -s.size or s.purse[0] + s.purse[1] == 0:
        return OVER
    return 0 if s.bid < 0 else 1


def moves(s, out):
    purse = s.purse[actor(s)]
    lowest = min(s.minimum, purse)
    for i in range(purse - lowest + 1):
        out[i] = lowest + i
    return purse - lowest + 1


def play(s, move):
    if s.bid < 0:
        s.bid = move
        return
    s.purse[0] -= s.bid
    s.purse[1] -= move
    s.wrestler += (s.bid > move) - (s.bid < move)
    s.history = mix(mix(s.history, s.bid), move)
    s.bid = -1


def payoff(s, out):
    out[0] = (s.wrestler > 0) - (s.wrestler < 0)
    out[1] = -out[0]


def evaluate(s, out):
    """Coins and ground, with a bonus for being behind in neither (Lisý 2014, ch. 4)."""
    coins = s.purse[0] - s.purse[1]
    ahead = 0
    if coins >= 0 and s.wrestler >= 0:
        ahead = 1 if coins > 0 or s.wrestler > 0 else 0
    elif coins <= 0 and s.wrestler <= 0:
        ahead = -1
    out[0] = math.tanh(ahead / 2 + (coins / s.minimum + s.wrestler) / 3)
    out[1] = -out[0]


def infoset(s, player):
    pending = 0
    if s.bid >= 0:
        pending = 2 + s.bid if player == 0 else 1
    return mix(s.history, pending)


def sees(s, player, move):
    return seen_at_once(s.bid, player, move)


def resample(s, player, rng):
    if player == 1 and s.bid >= 0:
        lowest = min(s.minimum, s.purse[0])
        s.bid = lowest + pick(rng, s.purse[0] - lowest + 1)


def move_name(s, move):
    return f"bid {move}"


def show(s, player):
    row = ["."] * (2 * s.size + 3)
    row[0] = row[-1] = "#"
    row[s.size + 1 + s.wrestler] = "W"
    pending = "" if s.bid < 0 else f"   player 0 has bid {s.bid if player in (None, 0) else '?'}"
    return f"{s.purse[0]} {''.join(row)} {s.purse[1]}{pending}"


def svg(s, player):
    cells = 2 * s.size + 3
    picture = Picture(140 + 32 * cells, 84)
    for i in range(cells):
        edge = i in (0, cells - 1)
        picture.rect(70 + 32 * i, 20, 32, 32, fill="#d6d3d1" if edge else WOOD, line="#6b4f2a")
    stone(picture, 70 + 32 * (s.size + 1.5 + s.wrestler), 36, 13, BLACK)
    for i in range(2):
        x = 35 if i == 0 else 105 + 32 * cells
        picture.text(x, 30, str(s.purse[i]), 18, colour=SEATS[i], bold=True)
        picture.text(x, 50, "coins", 11, colour=SEATS[i])
    if s.bid >= 0:
        picture.text(picture.width / 2, 70, f"player 0 has bid {s.bid if player in (None, 0) else '?'}", 12)
    return str(picture)
