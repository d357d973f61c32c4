"""Backgammon, the race of fifteen checkers each around a board of 24 points, as two dice tell.

Each player counts the points from its own home: checkers go from 24 down to 1, where the other's go up, and are borne
off from the home board, points 1 to 6. A checker moves by the number of a die to a point that the other does not hold
with two checkers or more; a single one there is hit and goes to the bar, from where it must enter before its owner
moves anything else. Once all checkers of a player are home they may be borne off, by the exact number, or from the
highest point that is held by a number beyond it. Doubles are played four times. As much of a roll must be played as can
be: both dice if there is a way to, and of two dice that exclude each other the higher one. Who has borne off all
checkers first wins.

To begin both roll a die. The higher one starts, with both numbers; equal dice are rolled again. Each move of a checker
is a move of the game, in the mover's own numbers, such as 13/7, bar/20* (which hits) or 6/off (Whitehouse 2014, sec.
4.2.10); "no move" gives up dice that cannot be played. There is no doubling cube. A win counts 1, or by the rule book
(scoring=gammon) 2 if the loser has borne off no checker, and (scoring=backgammon) 3 if besides it has one on the bar or
in the winner's home. With setup=hyper each has three checkers, on 24, 23 and 22 (Hypergammon).

An episode (Whitehouse 2014, sec. 8.3.2) is a roll with its moves. In OpenSpiel's game two moves of checkers are one
action, the two orders of the dice are two outcomes, and the game ends after 500 turns.
"""

import math

import numpy as np

from fogspiel.game import CHANCE, CONTINUES, OVER, About, Choice, Picture, mix
from fogspiel.games.toolkit.bits import lowest_bit
from fogspiel.games.toolkit.dice import all_rolls, chance_of, draw_die
from fogspiel.games.toolkit.draw import WHITE, stone

NO_MOVE = 0
OFF, BAR = 0, 25
HOME = 6
NOBODY = -1
STANDARD, HYPER = 0, 1
WIN, GAMMON, BACKGAMMON = 0, 1, 2
ROLLS = tuple(all_rolls(2, 6))
ODDS = tuple(chance_of(roll, 6) for roll in ROLLS)
MAX_MOVES = 32
CELL, PILE = 36, 180
COLOURS = (WHITE, "#b91c1c")
PARAMETERS = (
    Choice("scoring", "win", ("win", "gammon", "backgammon"), "the most that counts: 1, 2 or 3 points"),
    Choice("setup", "standard", ("standard", "hyper"), "fifteen checkers, or the three of Hypergammon"),
)
State = np.dtype(
    [
        ("scoring", "i1"),
        ("setup", "i1"),
        ("checkers", "i1", (2, 26)),
        ("held", "i4", 2),
        ("blocked", "i4", 2),
        ("turn", "i1"),
        ("high", "i1"),
        ("low", "i1"),
        ("left", "i1"),
        ("winner", "i1"),
    ],
    align=True,
)
"""checkers[player, point] counts in the player's own numbers, OFF and BAR included. Sets of points have a bit for each:
held[player] are those with checkers of the player, blocked[player] those where the other has two or more, so that the
player cannot go there, both in the player's numbers. high and low are the dice to be played, 0 if played; low is 0 for
doubles. left counts the moves still to make, 0 before a roll; turn is NOBODY before the first."""


def about(scoring, setup):
    # A player knows the position, not the moves that led to it: play can return to one.
    most = {"win": 1, "gammon": 2, "backgammon": 3}[scoring]
    return About(utility=(-most, most), perfect_recall=False)


def start(s):
    s.turn = NOBODY
    s.winner = NOBODY
    for player in range(2):
        if s.setup == HYPER:
            for point in range(22, 25):
                put(s, player, point)
        else:
            for point, checkers in ((24, 2), (13, 5), (8, 3), (6, 5)):
                for _ in range(checkers):
                    put(s, player, point)


def put(s, player, point):
    """A checker comes to a point, to the bar or off the board."""
    s.checkers[player, point] += 1
    if point != OFF:
        s.held[player] |= 1 << point
    if s.checkers[player, point] == 2 and OFF < point < BAR:
        s.blocked[1 - player] |= 1 << (25 - point)


def take(s, player, point):
    """A checker leaves a point or the bar."""
    s.checkers[player, point] -= 1
    if s.checkers[player, point] == 0:
        s.held[player] &= ~(1 << point)
    elif s.checkers[player, point] == 1 and point < BAR:
        s.blocked[1 - player] &= ~(1 << (25 - point))


def actor(s):
    if s.winner != NOBODY:
        return OVER
    return CHANCE if s.left == 0 else s.turn


def chance(s, out, prob):
    """Two dice as digits: at the start the first player's die and the second's, later in rising order."""
    n = 0
    if s.turn == NOBODY:
        for mine in range(1, 7):
            for yours in range(1, 7):
                if mine != yours:
                    out[n] = 10 * mine + yours
                    prob[n] = 1 / 30
                    n += 1
        return n
    for i in range(len(ROLLS)):
        out[i] = ROLLS[i]
        prob[i] = ODDS[i]
    return len(ROLLS)


def moves(s, out):
    """NO_MOVE, or eight times the point that a checker leaves, plus the die."""
    held, blocked = s.held[s.turn], s.blocked[s.turn]
    high = movable(held, blocked, s.high)
    low = 0
    if s.low > 0:
        low = movable(held, blocked, s.low)
        first_high = leaving(s, high, s.high, low, s.low)
        first_low = leaving(s, low, s.low, high, s.high)
        if first_high | first_low:
            high, low = first_high, first_low
        elif high:
            low = 0
    n = write_moves(out, 0, high, s.high)
    n = write_moves(out, n, low, s.low)
    if n == 0:
        out[0] = NO_MOVE
        n = 1
    return n


def movable(held, blocked, die):
    """The points from which a player who holds these can move a checker by a die."""
    if held >> BAR:
        return 0 if blocked >> (BAR - die) & 1 else 1 << BAR
    points = held & ~(blocked << die) & (-2 << die)
    if held >> (HOME + 1) == 0:
        points |= held & 1 << die
        if held and held >> die + 1 == 0:
            highest = die
            while not held >> highest & 1:
                highest -= 1
            points |= 1 << highest
    return points


def leaving(s, points, die, others, other):
    """Those of the points from which a move by one die leaves a move by the other, whose own points are `others`."""
    if others & others - 1:
        return points  # of two checkers that can move by the other die one is left; nobody's points open or close
    found = 0
    rest = points
    while rest:
        point = lowest_bit(rest)
        rest &= rest - 1
        if others & ~(1 << point) or movable(held_after(s, point, die), s.blocked[s.turn], other):
            found |= 1 << point
    return found


def held_after(s, point, die):
    """The points that the player holds after a move."""
    held = s.held[s.turn]
    if s.checkers[s.turn, point] == 1:
        held &= ~(1 << point)
    return held | 1 << point - die if point > die else held


def write_moves(out, n, points, die):
    while points:
        out[n] = 8 * lowest_bit(points) + die
        points &= points - 1
        n += 1
    return n


def play(s, move):
    if s.left == 0:
        roll(s, move // 10, move % 10)
    elif move == NO_MOVE:
        end_turn(s)
    else:
        move_checker(s, move // 8, move % 8)


def roll(s, one, other):
    if s.turn == NOBODY:
        s.turn = 0 if one > other else 1
    s.high = max(one, other)
    s.low = min(one, other) if one != other else 0
    s.left = 2 if one != other else 4


def move_checker(s, point, die):
    player = s.turn
    target = max(point - die, OFF)
    take(s, player, point)
    if target != OFF and s.checkers[1 - player, 25 - target] == 1:
        take(s, 1 - player, 25 - target)
        put(s, 1 - player, BAR)
    put(s, player, target)
    if s.held[player] == 0:
        s.winner = player
    s.left -= 1
    if s.low > 0:
        s.high = s.low if die == s.high else s.high
        s.low = 0
    if s.left == 0:
        end_turn(s)


def end_turn(s):
    s.turn = 1 - s.turn
    s.high = 0
    s.low = 0
    s.left = 0


def payoff(s, out):
    out[s.winner] = points_won(s)
    out[1 - s.winner] = -out[s.winner]


def points_won(s):
    loser = 1 - s.winner
    if s.checkers[loser, OFF] > 0 or s.scoring == WIN:
        return 1
    far = s.held[loser] >> 19  # the winner's home and the bar
    return 3 if far and s.scoring == BACKGAMMON else 2


def episode(s):
    return 0 if s.left == 0 else CONTINUES


def infoset(s, player):
    key = mix(mix(0, 8 * s.high + s.low), 16 * s.left + 4 * s.turn + s.winner)
    for i in range(2):
        for part in range(2):
            word = 0
            for point in range(13 * part, 13 * part + 13):
                word = 16 * word + s.checkers[i, point]
            key = mix(key, word)
    return key


def resample(s, player, rng):
    """Nothing is hidden."""


def evaluate(s, out):
    """Who is ahead in the race: the pips left to each player, of which a turn takes about eight."""
    ahead = pips(s, 1) - pips(s, 0)
    if s.turn != NOBODY:
        ahead += 4 if s.turn == 0 else -4
    out[0] = math.tanh(ahead / 40)
    out[1] = -out[0]


def pips(s, player):
    """How many points the player's checkers still have to go."""
    total = 0
    for point in range(1, 26):
        total += point * s.checkers[player, point]
    return total


def move_name(s, move):
    if s.turn == NOBODY:
        return f"X rolled {move // 10}, O rolled {move % 10}"
    if s.left == 0:
        return f"rolled {move // 10} and {move % 10}"
    if move == NO_MOVE:
        return "no move"
    point, die = divmod(move, 8)
    source = "bar" if point == BAR else str(point)
    if point <= die:
        beyond = s.low and point < s.low  # either die takes this checker off
        return f"{source}/off by {die}" if beyond else f"{source}/off"
    hits = s.checkers[1 - s.turn, 25 - point + die] == 1
    return f"{source}/{point - die}{'*' if hits else ''}"


def show(s, player):
    """The board in the player's own numbers; those of the first player for everyone."""
    me = player or 0
    lines = [_numbers(range(13, 25))]
    lines += [_row(s, me, range(13, 25), depth) for depth in range(5)]
    lines.append("|" + " " * 18 + "|BAR|" + " " * 18 + "|")
    lines += [_row(s, me, range(12, 0, -1), depth) for depth in reversed(range(5))]
    lines.append(_numbers(range(12, 0, -1)))
    for i in (me, 1 - me):
        lines.append(f"{'XO'[i]}: bar {s.checkers[i, BAR]}, off {s.checkers[i, OFF]}, {pips(s, i)} pips to go")
    return "\n".join([*lines, _turn(s, "XO")])


def _numbers(points):
    names = [f"{point:^3}" for point in points]
    return "+" + "".join(names[:6]) + "+---+" + "".join(names[6:]) + "+"


def _row(s, me, points, depth):
    """One line of a half of the board; the fifth of a pile tells how many there are, if more."""
    marks = []
    for point in points:
        mine, yours = s.checkers[me, point], s.checkers[1 - me, 25 - point]
        mark = "XO"[me] if mine else "XO"[1 - me]
        many = max(mine, yours)
        marks.append(f"{many:^3}" if depth == 4 and many > 5 else f" {mark if many > depth else ' '} ")
    return "|" + "".join(marks[:6]) + "|   |" + "".join(marks[6:]) + "|"


def _dice(s):
    """The dice still to be played."""
    return [s.high, s.low] if s.low else [s.high] * s.left


def _turn(s, names):
    if s.winner != NOBODY:
        return f"{names[s.winner]} wins {points_won(s)}"
    if s.turn == NOBODY:
        return "both roll a die"
    return f"{names[s.turn]} has {' '.join(map(str, _dice(s)))} to play" if s.left else f"{names[s.turn]} is to roll"


def svg(s, player):
    """The board in the player's own numbers, its home at the bottom right."""
    me = player or 0
    width, height, point = 14 * CELL + 20, 2 * PILE + 2 * CELL, 4.4 * CELL
    picture = Picture(width, height + 40, paper="#5b3a1e")
    picture.rect(10, 20, 13 * CELL, height, fill="#e9dcc3")
    picture.rect(10 + 6 * CELL, 20, CELL, height, fill="#5b3a1e")
    for number in range(1, 25):
        x, top = _column(number), number > 12
        base, tip = (20, 20 + point) if top else (20 + height, 20 + height - point)
        picture.polygon(
            [(x - CELL / 2, base), (x + CELL / 2, base), (x, tip)], fill=("#b5651d", "#8c9a5b")[number % 2], line="none"
        )
        picture.text(x, 10 if top else height + 30, str(number), 11, colour=WHITE)
        _pile(picture, s.checkers[me, number], COLOURS[me], x, top, height)
        _pile(picture, s.checkers[1 - me, 25 - number], COLOURS[1 - me], x, top, height)
    for i in range(2):
        top = i != me
        _pile(picture, s.checkers[i, BAR], COLOURS[i], 10 + 6.5 * CELL, not top, height)
        _pile(picture, s.checkers[i, OFF], COLOURS[i], 10 + 13.5 * CELL, top, height)
    for i, die in enumerate(_dice(s) if s.left else []):
        draw_die(picture, 10 + (7.5 + 1.1 * i) * CELL, 20 + height / 2 - 14, die, fill=COLOURS[s.turn])
    picture.text(10 + 3 * CELL, 20 + height / 2, _turn(s, ("white", "red")), 14)
    return str(picture)


def _column(number):
    """How far right a point is drawn: 13 to 24 along the top, 12 to 1 along the bottom, the bar in the middle."""
    place = number - 13 if number > 12 else 12 - number
    return 10 + (place + (place > 5) + 0.5) * CELL


def _pile(picture, checkers, colour, x, top, height):
    """Checkers on a point; the fifth tells how many there are, if more."""
    for i in range(min(checkers, 5)):
        mark = str(checkers) if i == 4 and checkers > 5 else ""
        y = (i + 0.5) * CELL
        stone(picture, x, 20 + (y if top else height - y), 0.46 * CELL, colour, mark)
