"""Tron: two riders leave walls behind them, and who can no longer ride on loses.

The riders start in opposite corners of an empty grid. Each step both move at the same time (player 1 after player 0,
without seeing the move) to a free cell above, below, left or right of them, and a wall stays where they came from. Who
has no free cell to go to loses; if neither has one, or both move into the same cell, the game is a draw. Lisý 2014, ch.
4, who uses 5 by 6 and 13 by 13 cells. Everything is seen once both have moved. Only moves into free cells are moves: so
the numbers of positions at each depth are those counted there. With best play 5 by 6 is a draw.
"""

import math

import numpy as np

from fogspiel.game import OVER, About, Whole, mix
from fogspiel.games.toolkit.at_once import seen_at_once
from fogspiel.games.toolkit.bits import bit, count_bits, has, pick_bit
from fogspiel.games.toolkit.boards import pay_winner
from fogspiel.games.toolkit.draw import SEATS, board, corner, middle, stone
from fogspiel.games.toolkit.graphs import DOWN, LEFT, STEP_NAMES, UP
from fogspiel.games.toolkit.trails import caption

SIDE = 15
STRIDE = 16
WORDS = 4
GOING, DRAW = -1, 2
NONE = -1
MAX_MOVES = 4
PARAMETERS = (
    Whole("width", 5, 2, SIDE, "columns of the grid"),
    Whole("height", 6, 2, SIDE, "rows of the grid"),
)
State = np.dtype(
    [
        ("width", "i1"),
        ("height", "i1"),
        ("at", "i2", 2),
        ("exits", "i1", 2),
        ("free", "u8", WORDS),
        ("first", "u8", WORDS),
        ("pending", "i1"),
        ("result", "i1"),
        ("steps", "i2"),
        ("history", "u8"),
    ],
    align=True,
)
"""A cell is 16 * row + column. A set of cells is a bit for each, in words of four rows: free, and first, those where
player 0 has been. exits[player] has a bit for each direction in which there is a free cell; pending is player 0's
move while player 1 has still to move, or NONE."""


def about(width, height):
    return About(utility=(-1, 1), simultaneous=True)


def start(s):
    for row in range(s.height):
        for column in range(s.width):
            cell = STRIDE * row + column
            s.free[cell // 64] |= bit(cell % 64)
    s.pending = NONE
    s.result = GOING
    enter(s, 0, 0)
    enter(s, 1, STRIDE * (s.height - 1) + s.width - 1)
    look_around(s)


def enter(s, player, cell):
    s.at[player] = cell
    s.free[cell // 64] &= ~bit(cell % 64)
    if player == 0:
        s.first[cell // 64] |= bit(cell % 64)


def look_around(s):
    """Find the free cells around both riders; who has none has lost."""
    for player in range(2):
        s.exits[player] = exits_of(s, s.at[player])
    if s.exits[0] == 0 or s.exits[1] == 0:
        s.result = DRAW if s.exits[0] == s.exits[1] else 0 if s.exits[0] else 1


def exits_of(s, cell):
    """The directions in which there is a free cell, as a set."""
    exits = 0
    for move in range(4):
        exits |= is_free(s, next_cell(cell, move)) << move
    return exits


def next_cell(cell, move):
    if move == UP:
        return cell - STRIDE
    if move == DOWN:
        return cell + STRIDE
    return cell - 1 if move == LEFT else cell + 1


def is_free(s, cell):
    return 1 if cell >= 0 and has(s.free[cell // 64], cell % 64) else 0


def actor(s):
    if s.result != GOING:
        return OVER
    return 0 if s.pending == NONE else 1


def moves(s, out):
    exits = s.exits[actor(s)]
    n = 0
    for move in range(4):
        out[n] = move
        n += exits >> move & 1
    return n


def play(s, move):
    if s.pending == NONE:
        s.pending = move
        return
    mine, yours = next_cell(s.at[0], s.pending), next_cell(s.at[1], move)
    enter(s, 0, mine)
    enter(s, 1, yours)
    s.history = mix(s.history, 4 * s.pending + move)
    s.steps += 1
    s.pending = NONE
    if mine == yours:
        s.result = DRAW
    else:
        look_around(s)


def payoff(s, out):
    pay_winner(s.result, out)


def evaluate(s, out):
    """By how many more free cells a player is nearer to than the other is (Lisý 2014, ch. 4): tanh of a fifth of
    that."""
    free = (s.free[0], s.free[1], s.free[2], s.free[3])
    mine, yours = only(s.at[0]), only(s.at[1])
    ahead = 0
    spreading = True
    while spreading:
        mine, yours = spread(mine, free), spread(yours, free)
        ahead += size(mine) - size(yours)  # cells that both reach now count for neither
        spreading = size(mine) + size(yours) > 0
        free = without(without(free, mine), yours)
    out[0] = math.tanh(ahead / 5)
    out[1] = -out[0]


def only(cell):
    """The set of one cell."""
    nothing = bit(0) ^ bit(0)
    here, word = bit(cell % 64), cell // 64
    return (
        here if word == 0 else nothing,
        here if word == 1 else nothing,
        here if word == 2 else nothing,
        here if word == 3 else nothing,
    )


def spread(cells, free):
    """The free cells next to those of a set."""
    a, b, c, d = cells
    return (
        (beside(a) | b << 48) & free[0],
        (beside(b) | a >> 48 | c << 48) & free[1],
        (beside(c) | b >> 48 | d << 48) & free[2],
        (beside(d) | c >> 48) & free[3],
    )


def beside(word):
    """The cells next to some in the same four rows; no row is 16 cells long, so that none is next to the end of
    another."""
    return word << 1 | word >> 1 | word << STRIDE | word >> STRIDE


def without(cells, others):
    a, b, c, d = others
    return (cells[0] & ~a, cells[1] & ~b, cells[2] & ~c, cells[3] & ~d)


def size(cells):
    return count_bits(cells[0]) + count_bits(cells[1]) + count_bits(cells[2]) + count_bits(cells[3])


def guide(s, out, prob):
    """Any move but into a dead end, if there is one."""
    n = moves(s, out)
    here, open_ends = s.at[actor(s)], 0
    for i in range(n):
        prob[i] = exits_of(s, next_cell(here, out[i])) != 0
        open_ends += exits_of(s, next_cell(here, out[i])) != 0
    for i in range(n):
        prob[i] = prob[i] / open_ends if open_ends > 0 else 1 / n
    return n


def infoset(s, player):
    """Everyone has seen the moves that are over, and player 0 knows its own."""
    pending = 0
    if s.pending != NONE:
        pending = 2 + s.pending if player == 0 else 1
    return mix(s.history, pending)


def sees(s, player, move):
    return seen_at_once(s.pending, player, move)


def resample(s, player, rng):
    """Only a pending move is hidden: each is as likely."""
    if player == 1 and s.pending != NONE:
        s.pending = pick_bit(s.exits[0], rng)


def move_name(s, move):
    return STEP_NAMES[move]


def wall(s, row, column):
    """Whose wall or rider is in a cell; NONE if it is free."""
    cell = STRIDE * row + column
    if is_free(s, cell):
        return NONE
    return 0 if has(s.first[cell // 64], cell % 64) and cell != s.at[1] else 1


def show(s, player):
    lines = []
    for row in range(s.height):
        marks = [".#%"[1 + wall(s, row, column)] for column in range(s.width)]
        for i in range(2):
            if s.at[i] // STRIDE == row:
                marks[s.at[i] % STRIDE] = "*" if s.at[0] == s.at[1] else str(i)
        lines.append(" ".join(marks))
    lines.append(f"step {s.steps}")
    if s.pending != NONE:
        lines[-1] += f", player 0 moves {STEP_NAMES[s.pending] if player != 1 else '?'}"
    return "\n".join(lines)


def svg(s, player):
    picture = board(s.height, s.width, colours=("#111827", "#1f2937"), names=False)
    for row in range(s.height):
        for column in range(s.width):
            owner = wall(s, row, column)
            if owner != NONE:
                x, y = corner(row, column)
                picture.rect(x + 4, y + 4, 32, 32, fill=("#93c5fd", "#fca5a5")[owner], round=4)
    for i in range(2):
        stone(picture, *middle(s.at[i] // STRIDE, s.at[i] % STRIDE), 14, SEATS[i], str(i))
    told = f"step {s.steps}"
    if s.pending != NONE:
        told += f", player 0: {STEP_NAMES[s.pending]}" if player != 1 else ", player 0 has moved"
    caption(picture, told if s.result == GOING else "a draw" if s.result == DRAW else f"player {s.result} wins")
    return str(picture)
