"""Pig, the dice game of pressing your luck, with one die or two.

In a turn a player rolls as often as it likes, adding to a turn total, and stops to add the turn total to its score. One
die: a 1 loses the turn total and ends the turn. Two dice (Pig Out; Lanctot 2013, sec. 3.2.1): one 1 does the same, and
two 1s lose the whole score as well. The first player whose score reaches the target wins; points on the table do not
count until the player stops, which is its only move once they are enough. One die, target 100: Neller and Presser 2004,
the first player wins with probability 0.5306 in optimal play.

A limit of turns makes it a game of points: after so many turns of each player the higher score wins. Alone (players=1;
Lanctot 2013, ch. 7) a player is paid its score. Lanctot 2013 gives neither the turns nor the most points of that game.

Points beyond the target are not counted, so there are finitely many positions. Without a limit of turns play can return
to a position.
"""

import numpy as np

from fogspiel.game import CHANCE, OVER, About, Choice, Picture, Whole, mix
from fogspiel.games.toolkit.draw import SEATS

ROLL, STOP = 0, 1
LOSE_TURN, LOSE_ALL = 0, 1
POINTS, PAIRS, ORDERED = 0, 1, 2
LUCK = (12, 13, 14, 15, 16, 23, 24, 25, 34, 26, 35, 36, 45, 46, 56)
"""The rolls of two different dice, the unluckiest first."""
A_TURN = 8
"""About the points that a turn brings: 8.14 with one die if the player stops at 20, 8.10 with two at 19."""
PARAMETERS = (
    Whole("dice", 2, 1, 2, "dice in a roll"),
    Whole("target", 100, 10, 1000, "the score that wins"),
    Whole("players", 2, 1, 2, "players; alone one plays for points"),
    Whole("turns", 0, 0, 1000, "turns of each player; 0: no limit"),
    Choice(
        "rolls",
        "points",
        ("points", "pairs", "ordered"),
        "what chance tells of two dice: points, dice, or first and second",
    ),
)
State = np.dtype(
    [
        ("dice", "i1"),
        ("target", "i2"),
        ("players", "i1"),
        ("turns", "i2"),
        ("rolls", "i1"),
        ("score", "i2", 2),
        ("total", "i2"),
        ("player", "i1"),
        ("rolling", "i1"),
        ("left", "i2"),
    ],
    align=True,
)
"""left counts the turns that are left to the player to move, its present one included, if there is a limit."""


def about(dice, target, players, turns, rolls):
    # A player knows the position, not the moves that led to it: a key for every history would leave no finite game.
    if players == 2:
        return About(utility=(-1, 1), perfect_recall=False)
    if turns == 0:
        raise ValueError("alone, one plays for points in a number of turns: give turns as well")
    return About(players=1, utility=(0, target), zero_sum=False, perfect_recall=False)


def start(s):
    s.score[0] = 0
    s.score[1] = 0
    s.total = 0
    s.player = 0
    s.rolling = 0
    s.left = s.turns


def actor(s):
    if s.score[0] == s.target or s.score[1] == s.target or (s.turns > 0 and s.left == 0):
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
    """What a roll does: LOSE_TURN, LOSE_ALL, or the points it brings. Otherwise its dice, two digits; as a pair in
    rising order."""
    if s.dice == 1:
        for i in range(6):
            out[i] = 1 + i if i > 0 else LOSE_TURN
            prob[i] = 1 / 6
        return 6
    if s.rolls != POINTS:
        n = 0
        for one in range(1, 7):
            for other in range(1 if s.rolls == ORDERED else one, 7):
                out[n] = 10 * one + other
                prob[n] = 1 / 36 if one == other or s.rolls == ORDERED else 2 / 36
                n += 1
        return n
    out[0] = LOSE_TURN
    prob[0] = 10 / 36
    out[1] = LOSE_ALL
    prob[1] = 1 / 36
    for points in range(4, 13):
        out[points - 2] = points
        prob[points - 2] = min(points - 3, 13 - points) / 36
    return 11


def brought(s, outcome):
    """What an outcome of chance does: LOSE_TURN, LOSE_ALL, or points."""
    if s.dice == 1 or s.rolls == POINTS:
        return outcome
    if outcome < 20 or outcome % 10 == 1:
        return LOSE_ALL if outcome == 11 else LOSE_TURN
    return outcome // 10 + outcome % 10


def play(s, move):
    if not s.rolling:
        if move == ROLL:
            s.rolling = 1
        else:
            s.score[s.player] += s.total
            end_turn(s)
        return
    points = brought(s, move)
    if points > LOSE_ALL:
        s.total = min(s.total + points, s.target - s.score[s.player])
        s.rolling = 0
        return
    if points == LOSE_ALL:
        s.score[s.player] = 0
    end_turn(s)


def end_turn(s):
    s.total = 0
    s.rolling = 0
    s.player += 1
    if s.player == s.players:
        s.player = 0
        if s.turns > 0:
            s.left -= 1


def payoff(s, out):
    if s.players == 1:
        out[0] = s.score[0]
    else:
        out[0] = (s.score[0] > s.score[1]) - (s.score[0] < s.score[1])
        out[1] = -out[0]


def infoset(s, player):
    return mix(mix(mix(mix(mix(0, s.score[0]), s.score[1]), s.total), 2 * s.player + s.rolling), s.left)


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """The difference in points as a share of the target; alone, the points so far and some for each turn to come.

    Points on the table count in full, or, where the dice are about to be rolled, times the chance of no 1.
    """
    table = s.total * (1 - chance_of_one(s)) if s.rolling else s.total
    if s.players == 1:
        out[0] = min(s.target, s.score[0] + table + A_TURN * max(0, s.left - 1))
    else:
        ahead = s.score[0] - s.score[1] + (table if s.player == 0 else -table)
        out[0] = ahead / s.target
        out[1] = -out[0]


def chance_of_one(s):
    return 1 / 6 if s.dice == 1 else 11 / 36


def guide(s, out, prob):
    """The default policy of Lanctot 2013, sec. 7.4: roll with probability 0.8."""
    n = moves(s, out)
    prob[0] = 1.0
    if n == 2:
        prob[0] = 0.8
        prob[1] = 0.2
    return n


def covariate(s, move):
    """Whether the roll shows a 1, less the probability of that (Lanctot 2013, sec. 7.1)."""
    return (1.0 if brought(s, move) <= LOSE_ALL else 0.0) - chance_of_one(s)


def mirror(s, move):
    """The lucky outcome for an unlucky one and vice versa, as likely (Lanctot 2013, sec. 7.3).

    The table of pairs of dice printed there cannot be read; this one pairs 11 with 66, 12 with 56, and so on. Of points
    alone, which have few outcomes as likely as each other, a single 1 has itself as partner.
    """
    if s.dice == 1:
        return 6 - move if move == LOSE_TURN or move == 6 else 7 - move
    if s.rolls != POINTS:
        if move % 11 == 0:
            return 77 - move
        i = 0
        while LUCK[i] != move and LUCK[i] != turned(move):
            i += 1
        partner = LUCK[len(LUCK) - 1 - i]
        return partner if move == LUCK[i] else turned(partner)
    if move == LOSE_ALL or move == 12:
        return 13 - move
    return 16 - move if move > 4 else move


def turned(dice):
    """The same dice, the other one first."""
    return 10 * (dice % 10) + dice // 10


def move_name(s, move):
    if not s.rolling:
        return "roll" if move == ROLL else "stop"
    if s.dice == 2 and s.rolls != POINTS:
        return f"rolled {move // 10} and {move % 10}"
    if move == LOSE_TURN:
        return "a 1"
    return "double 1" if move == LOSE_ALL else f"rolled {move}"


def show(s, player):
    rolling = ", rolling" if s.rolling else ""
    left = f"   turns left {s.left}" if s.turns else ""
    if s.players == 1:
        return f"score {s.score[0]}   {s.total} on the table{rolling}{left}"
    return f"score {s.score[0]} : {s.score[1]}   player {s.player} has {s.total} on the table{rolling}{left}"


def svg(s, player):
    picture = Picture(440, 30 + 40 * s.players)
    for i in range(s.players):
        y, mine = 20 + 40 * i, s.total if i == s.player else 0
        picture.text(14, y + 12, f"player {i}", colour=SEATS[i], anchor="start", bold=True)
        picture.rect(90, y, 280, 24, fill="#f3f4f6", line="#9ca3af")
        kept = min(1.0, s.score[i] / s.target)
        picture.rect(90, y, 280 * kept, 24, fill=SEATS[i])
        picture.rect(90 + 280 * kept, y, 280 * min(1 - kept, mine / s.target), 24, fill="#fcd34d")
        picture.text(378, y + 12, f"{s.score[i]}" + (f" + {mine}" if mine else ""), anchor="start")
    return str(picture)
