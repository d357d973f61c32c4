"""Pursuit-evasion on a square grid: two pursuers must catch an evader within a number of moves, and all is seen.

The evader (player 0) and the two units of the pursuer (player 1) move at the same time (player 1 after player 0,
without seeing the move), each to the cell above, below, left or right of it; nobody may stay. The evader is caught if a
unit is in its cell after the move, or if both went through each other. Caught, it loses; if it is free after `limit`
moves, it wins. Lisý 2014, ch. 4, with grids of 4, 5 and 10 cells on a side; 10 with 15 moves. Everything is seen once
both have moved.

At the start, which is not printed, the evader is in a corner, one unit in the opposite one and the other beside it:
with 4 by 4 cells only this gives the numbers of positions counted there; with 5 moves it is worth -1/7. With another
`seed` than 0 the units start, as there, at random, both at most 2/3 of `limit` moves away from the evader. Nothing is
said of two units in one cell, so they may be there.
"""

import numpy as np

from fogspiel.game import OVER, About, Whole, mix, pick, whole_at
from fogspiel.games.toolkit.at_once import seen_at_once
from fogspiel.games.toolkit.draw import SEATS, board
from fogspiel.games.toolkit.graphs import OFF, STEP_NAMES, STEPS, WAIT, distances, grid, grid_steps
from fogspiel.games.toolkit.joint import joint_name, move_of
from fogspiel.games.toolkit.trails import caption, cells, draw_trails

EVADER, PURSUER = 0, 1
UNITS = 2
NONE = -1
LONGEST = 100
MAX_MOVES = WAIT**UNITS
PARAMETERS = (
    Whole("size", 4, 2, 11, "cells on a side of the grid"),
    Whole("limit", 5, 1, LONGEST, "after how many moves the evader is free"),
    Whole("seed", 0, 0, 10**9, "where the pieces start: in the corners (0), or at random"),
)
State = np.dtype(
    [
        ("size", "i1"),
        ("limit", "i1"),
        ("steps", "i8"),
        ("starts", "i8"),
        ("evader", "i1"),
        ("unit", "i1", UNITS),
        ("moved", "i1"),
        ("pending", "i1"),
        ("caught", "i1"),
        ("history", "u8"),
    ],
    align=True,
)
"""Cells are numbered by rows. pending is the evader's move while the pursuer has still to move, or NONE; moved
counts moves that are over."""


def about(size, limit, seed):
    corners = [0, size * size - 1, size * size - 2]
    starts = np.array(corners if seed == 0 else draw_starts(size, limit, seed))
    return About(utility=(-1, 1), simultaneous=True, tables={"steps": grid_steps(size, size), "starts": starts})


def draw_starts(size, limit, seed):
    """Cells of the evader and of two units, which are near enough to have a chance to catch it."""
    rng = np.array([seed], np.uint64)
    evader = pick(rng, size * size)
    away = distances(grid(size, size)).reshape(size * size, -1)[evader]
    near = np.flatnonzero((away > 0) & (away <= max(1, 2 * limit // 3))).tolist()
    return [evader, *(near.pop(pick(rng, len(near))) for _ in range(UNITS))]


def start(s):
    s.evader = whole_at(s.starts, 0)
    for j in range(UNITS):
        s.unit[j] = whole_at(s.starts, 1 + j)
    s.pending = NONE


def actor(s):
    if s.caught or s.moved == s.limit:
        return OVER
    return EVADER if s.pending == NONE else PURSUER


def step(s, cell, move):
    return whole_at(s.steps, STEPS * cell + move)


def moves(s, out):
    n = 0
    if s.pending == NONE:
        for move in range(WAIT):
            out[n] = move
            n += step(s, s.evader, move) != OFF
        return n
    for first in range(WAIT):
        for second in range(WAIT):
            out[n] = WAIT * first + second
            n += (step(s, s.unit[0], first) != OFF) & (step(s, s.unit[1], second) != OFF)
    return n


def play(s, move):
    if s.pending == NONE:
        s.pending = move
        return
    to = step(s, s.evader, s.pending)
    for j in range(UNITS):
        cell = step(s, s.unit[j], move_of(move, WAIT, UNITS, j))
        s.caught |= cell == to or (cell == s.evader and s.unit[j] == to)
        s.unit[j] = cell
    s.evader = to
    s.history = mix(s.history, MAX_MOVES * s.pending + move)
    s.moved += 1
    s.pending = NONE


def payoff(s, out):
    out[EVADER] = -1 if s.caught else 1
    out[PURSUER] = -out[EVADER]


def evaluate(s, out):
    """The distance to the nearer unit and a little of that to the other (Lisý 2014, ch. 4): there from 0 to 1, here
    from -1 to 1."""
    first, second = distance(s, s.unit[0]), distance(s, s.unit[1])
    share = (min(first, second) + 0.01 * max(first, second)) / (1.01 * 2 * s.size)
    out[EVADER] = 2 * share - 1
    out[PURSUER] = -out[EVADER]


def distance(s, cell):
    return abs(cell % s.size - s.evader % s.size) + abs(cell // s.size - s.evader // s.size)


def infoset(s, player):
    """Everyone has seen the moves that are over, and the evader knows its own."""
    pending = 0
    if s.pending != NONE:
        pending = 2 + s.pending if player == EVADER else 1
    return mix(s.history, pending)


def sees(s, player, move):
    return seen_at_once(s.pending, player, move)


def resample(s, player, rng):
    """Only a pending move is hidden: each is as likely."""
    if player == PURSUER and s.pending != NONE:
        s.pending = pick(rng, WAIT)
        while step(s, s.evader, s.pending) == OFF:
            s.pending = pick(rng, WAIT)


def move_name(s, move):
    return STEP_NAMES[move] if s.pending == NONE else joint_name(move, WAIT, UNITS, STEP_NAMES)


def show(s, player):
    marks = ["."] * (s.size * s.size)
    marks[s.evader] = "E"
    for j in range(UNITS):
        marks[s.unit[j]] = "*" if s.unit[j] == s.evader else "&" if s.unit[0] == s.unit[1] else str(j)
    lines = [" ".join(marks[row : row + s.size]) for row in range(0, len(marks), s.size)]
    lines.append(f"move {s.moved} of {s.limit}" + (", caught" if s.caught else ""))
    if s.pending != NONE:
        lines[-1] += f", evader moves {STEP_NAMES[s.pending] if player != PURSUER else '?'}"
    return "\n".join(lines)


def svg(s, player):
    picture = board(s.size, s.size, names=False)
    pieces = [(s.evader, SEATS[EVADER], "E"), *((s.unit[j], SEATS[PURSUER], str(j)) for j in range(UNITS))]
    draw_trails(picture, cells(s.size, s.size), [([cell], colour, mark) for cell, colour, mark in pieces])
    told = f"move {s.moved} of {s.limit}"
    if s.pending != NONE:
        told += f", evader: {STEP_NAMES[s.pending]}" if player != PURSUER else ", evader has moved"
    caption(picture, "caught" if s.caught else told)
    return str(picture)
