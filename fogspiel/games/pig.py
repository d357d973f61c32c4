"""Pig, the dice game of pressing your luck, with one die or two.

In a turn a player rolls as often as it likes, adding to a turn total, and stops to add the turn total to its score. One
die: a 1 loses the turn total and ends the turn. Two dice (Pig Out; Lanctot 2013, ch. 6): one 1 does the same, and two
1s lose the whole score as well. The first player whose score reaches the target wins; points on the table do not count
until the player stops, which is its only move once they are enough. One die, target 100: Neller and Presser 2004, the
first player wins with probability 0.5306 in optimal play.

Points beyond the target are not counted, so there are finitely many positions. Play can return to a position.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Whole, mix

ROLL, STOP = 0, 1
LOSE_TURN, LOSE_ALL = 0, 1
PARAMETERS = (
    Whole("dice", 2, 1, 2, "dice in a roll"),
    Whole("target", 100, 10, 1000, "the score that wins"),
)
State = np.dtype([("dice", "i1"), ("target", "i2"), ("score", "i2", 2), ("total", "i2"), ("player", "i1"),
                  ("rolling", "i1")], align=True)  # fmt: skip


def about(dice, target):
    # A player knows the position, not the moves that led to it: a key for every history would leave no finite game.
    return About(utility=(-1, 1), perfect_recall=False)


def start(s):
    s.score[0] = 0
    s.score[1] = 0
    s.total = 0
    s.player = 0
    s.rolling = 0


def actor(s):
    if s.score[0] == s.target or s.score[1] == s.target:
        return OVER
    return CHANCE if s.rolling else s.player


def moves(s, out):
    if s.score[s.player] + s.total == s.target:
        out[0] = STOP
        return 1
    out[0] = ROLL
    out[1] = STOP
    return 2


def chance(s, out, prob):
    """What a roll does: LOSE_TURN, LOSE_ALL, or the points it brings."""
    out[0] = LOSE_TURN
    if s.dice == 1:
        prob[0] = 1 / 6
        for i in range(1, 6):
            out[i] = 1 + i
            prob[i] = 1 / 6
        return 6
    prob[0] = 10 / 36
    out[1] = LOSE_ALL
    prob[1] = 1 / 36
    for points in range(4, 13):
        out[points - 2] = points
        prob[points - 2] = min(points - 3, 13 - points) / 36
    return 11


def play(s, move):
    if not s.rolling and move == ROLL:
        s.rolling = 1
        return
    if s.rolling and move > LOSE_ALL:
        s.total = min(s.total + move, s.target - s.score[s.player])
        s.rolling = 0
        return
    if not s.rolling:
        s.score[s.player] += s.total
    elif move == LOSE_ALL:
        s.score[s.player] = 0
    s.total = 0
    s.rolling = 0
    s.player = 1 - s.player


def payoff(s, out):
    out[0] = 1 if s.score[0] == s.target else -1
    out[1] = -out[0]


def infoset(s, player):
    return mix(mix(mix(mix(0, s.score[0]), s.score[1]), s.total), 2 * s.player + s.rolling)


def resample(s, player, rng):
    """Nothing is hidden."""


def move_name(s, move):
    if not s.rolling:
        return "roll" if move == ROLL else "stop"
    if move == LOSE_TURN:
        return "a 1"
    return "double 1" if move == LOSE_ALL else f"rolled {move}"


def show(s, player):
    rolling = ", rolling" if s.rolling else ""
    return f"score {s.score[0]} : {s.score[1]}   player {s.player} has {s.total} on the table{rolling}"
