"""A matrix game: two players each choose a move at the same time, and a table gives the payoffs.

`game` names a classic; `payoffs` gives a table instead, such as payoffs=[[0,1],[-1,0]]: one row for each move of player
0, one column for each move of player 1, and in it what player 0 gets. Player 1 gets the opposite, or what `payoffs2`
says. The prisoner's dilemma has the payoffs of Lanctot 2013, ch. 2; tie_break is the game on which search that breaks
ties in a fixed order goes astray (Lisý 2014); the others are as in OpenSpiel.
"""

import ast
import warnings
from typing import NamedTuple

import numpy as np

from fogspiel.game import OVER, PUBLIC, About, Choice, Picture, Text, mix, pick, real_at, whole_at
from fogspiel.games.toolkit.at_once import seen_at_once
from fogspiel.games.toolkit.draw import SEATS


class Classic(NamedTuple):
    """What player 0 gets, what player 1 gets (None: the opposite), and the names of the moves of both."""

    payoffs: list[list[float]]
    payoffs2: list[list[float]] | None
    moves: tuple[str, ...]


RPS = ("rock", "paper", "scissors")
CLASSICS = {
    "rps": Classic([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], None, RPS),
    "matching_pennies": Classic([[1, -1], [-1, 1]], None, ("heads", "tails")),
    "prisoners_dilemma": Classic([[-1, -10], [0, -5]], [[-1, 0], [-10, -5]], ("cooperate", "defect")),
    "chicken": Classic([[0, 4], [1, 3]], [[0, 1], [4, 3]], ("dare", "chicken")),
    "battle_of_the_sexes": Classic([[3, 0], [0, 2]], [[2, 0], [0, 3]], ("Bach", "Stravinsky")),
    "stag_hunt": Classic([[2, 0], [1, 1]], [[2, 1], [0, 1]], ("stag", "hare")),
    "biased_rps": Classic([[0, -25, 50], [25, 0, -5], [-50, 5, 0]], None, RPS),
    "tie_break": Classic([[0, 1], [-1, 0]], None, ("first", "second")),
}
MOST = 256
LARGEST = 1e15
PARAMETERS = (
    Choice("game", "rps", tuple(CLASSICS), "a classic game, unless payoffs are given"),
    Text("payoffs", "", "what player 0 gets: a list of rows, such as [[0,1],[-1,0]]"),
    Text("payoffs2", "", "what player 1 gets; left out, the opposite of what player 0 gets"),
)
State = np.dtype(
    [
        ("row_payoffs", "i8"),
        ("column_payoffs", "i8"),
        ("sizes", "i8"),
        ("rows", "i2"),
        ("columns", "i2"),
        ("choice", "i2", 2),
        ("chosen", "i1"),
    ],
    align=True,
)


def about(game, payoffs, payoffs2):
    classic = CLASSICS[game]
    if payoffs2 and not payoffs:
        raise ValueError("payoffs2 needs payoffs as well")
    first = table("payoffs", payoffs) if payoffs else np.array(classic.payoffs, float)
    if payoffs2:
        second = table("payoffs2", payoffs2)
    elif payoffs or classic.payoffs2 is None:
        second = 0 - first
    else:
        second = np.array(classic.payoffs2, float)
    if first.shape != second.shape:
        shapes = [f"{rows} by {columns}" for rows, columns in (first.shape, second.shape)]
        raise ValueError(f"payoffs and payoffs2 must be of one size, but are {shapes[0]} and {shapes[1]}")
    named = -1 if payoffs else list(CLASSICS).index(game)
    return About(
        ranges=tuple((float(pays.min()), float(pays.max())) for pays in (first, second)),
        zero_sum=bool((first + second == 0).all()),
        simultaneous=True,
        tables={"row_payoffs": first, "column_payoffs": second, "sizes": np.array([*first.shape, named])},
    )


def table(name, text):
    """The text of a payoff table as an array; a ValueError says what is wrong with it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python's about odd texts, which are refused below
            rows = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        rows = None
    if not isinstance(rows, list | tuple) or not rows or not all(isinstance(row, list | tuple) and row for row in rows):
        raise ValueError(f"{name} must be a list of rows of numbers, such as [[0,1],[-1,0]], not {text[:60]!r}")
    if any(len(row) != len(rows[0]) for row in rows):
        raise ValueError(f"the rows of {name} must all have the same length")
    if max(len(rows), len(rows[0])) > MOST:
        raise ValueError(f"{name} is too large: {len(rows)} by {len(rows[0])}, where {MOST} by {MOST} is the most")
    for i, row in enumerate(rows, 1):
        for j, entry in enumerate(row, 1):
            if type(entry) not in (int, float) or not abs(entry) <= LARGEST:
                raise ValueError(f"{name} must hold numbers of at most {LARGEST:g}; look at row {i}, column {j}")
    return np.array(rows, float)


def start(s):
    s.rows = whole_at(s.sizes, 0)
    s.columns = whole_at(s.sizes, 1)
    s.choice[0] = -1
    s.choice[1] = -1


def actor(s):
    return s.chosen if s.chosen < 2 else OVER


def moves(s, out):
    n = s.rows if s.chosen == 0 else s.columns
    for i in range(n):
        out[i] = i
    return n


def play(s, move):
    s.choice[s.chosen] = move
    s.chosen += 1


def payoff(s, out):
    cell = s.choice[0] * s.columns + s.choice[1]
    out[0] = real_at(s.row_payoffs, cell)
    out[1] = real_at(s.column_payoffs, cell)


def infoset(s, player):
    """A player knows its own choice, and in the end both."""
    if s.chosen == 2:
        return mix(mix(mix(s.chosen, s.choice[0]), s.choice[1]), player)
    own = -1 if player == PUBLIC else s.choice[player]
    return mix(mix(s.chosen, own), player)


def sees(s, player, move):
    return seen_at_once(s.choice[0], player, move)


def resample(s, player, rng):
    if s.chosen == 1 and player == 1:
        s.choice[0] = pick(rng, s.rows)


def move_name(s, move):
    return names_of_moves(s)[s.chosen][move]


def show(s, player):
    lines = []
    for i in range(s.rows):
        cells = range(i * s.columns, (i + 1) * s.columns)
        lines.append("   ".join(f"{real_at(s.row_payoffs, c):6g},{real_at(s.column_payoffs, c):6g}" for c in cells))
    seen = [str(s.choice[i] + 1) if player in (None, i) or s.chosen == 2 else "?" for i in range(s.chosen)]
    return "\n".join([*lines, f"choices {' '.join(seen) or '-'}"])


def svg(s, player):
    wide, high = 96, 32
    picture = Picture(120 + wide * s.columns, 50 + high * s.rows)
    rows, columns = names_of_moves(s)
    seen = [s.choice[i] if player in (None, i) or s.chosen == 2 else -1 for i in range(2)]
    for j in range(s.columns):
        picture.text(110 + wide * (j + 0.5), 20, columns[j], 13, colour=SEATS[1], bold=j == seen[1])
    for i in range(s.rows):
        y = 36 + high * i
        picture.text(100, y + high / 2, rows[i], 13, colour=SEATS[0], anchor="end", bold=i == seen[0])
        for j in range(s.columns):
            x, cell = 110 + wide * j, i * s.columns + j
            chosen = (i == seen[0]) + (j == seen[1])
            picture.rect(x, y, wide, high, fill=("#ffffff", "#fef3c7", "#fcd34d")[chosen], line="#9ca3af")
            picture.text(x + wide / 4, y + high / 2, f"{real_at(s.row_payoffs, cell):g}", colour=SEATS[0])
            picture.text(x + 3 * wide / 4, y + high / 2, f"{real_at(s.column_payoffs, cell):g}", colour=SEATS[1])
    return str(picture)


def names_of_moves(s):
    """The names of the moves of player 0 and of player 1."""
    named = whole_at(s.sizes, 2)
    if named >= 0:
        return [list(CLASSICS.values())[named].moves] * 2
    return [f"row {i + 1}" for i in range(s.rows)], [f"column {j + 1}" for j in range(s.columns)]
