"""Maps of squares, free (.) or not (#): a maze, a small town's roads, three rooms; and what can be seen of each square."""

from fractions import Fraction

import numpy as np

WIDEST = 60
"""Columns that a map may have: a row is a set of squares, the bits of one whole number."""

ROOMS = """
#########
#...#...#
#.......#
#...#...#
##.###.##
#.......#
#.......#
#########
"""

ROADS = """
####################################################
#...............###................................#
#.######.##########.#####.######.######.############
#.######.##########.#####.######.######.############
#.######.##########.#####.######.######.############
#.######.##########.#####.######.######.############
#.######.##########.#####.######.######.############
#........######.###................................#
#.######.######.################.###################
#.######.######.################.###################
#.######.######.################.###################
#.######.######.################.###################
#.######.######.################.###################
#.######.######.################.###################
#...............###.......######........#####......#
########.################.######.############.######
########.################.######.############.######
########.################.######.############.######
########.################.######.############.######
#...................#####........######.#####......#
########.##########.#####.#############.#####.######
########.##########.#####.#############.#####.######
########.##########.#####.#############.#####.######
########.##########.#####.#############.#####.######
########.##########.#####.#############.#####.######
########.##########.#####.#############.#####.######
#........######.###................................#
########.######.#########.######.###################
########.######.#########.######.###################
########.######.#########.######.###################
########.######.#########.######.###################
#...................#####.######........#####......#
########.######.###.#####.######.############.######
########.######.###.#####.######.############.######
########.######.###.#####.######.############.######
########.######.###.#####.######.############.######
########.######.###.#####.######.############.######
#.######.######.....#####...............#####......#
#.######.################.######.############.######
#.######.################.######.############.######
#.######.################.######.############.######
#.######.################.######.############.######
#........######...........######...................#
####################################################
"""

MAZE = """
##################################################
#.....#........#.....#.....#....#...#............#
#.....#........#...........#....#...#............#
###..##...#....#....................#......#.....#
#.....#...#....######..####.........#......#.....#
#......#..###..#......#....#..#######......#.....#
#.........#....#......#....#..#.....#..###########
#.....#...#....#......#....#........#....#.......#
##########..####......#....#........#....#.......#
#....#......#..#......#..###..#..............#...#
#...........#...####..#....####..###.........#...#
#.....................#....#....#...#....#...#...#
#....#.........#...........#........######..######
##..##......#..#...........#........#...#..#.....#
#....#####..#..#......#....#....#..........#.....#
#....#......#..#......#....#....#..........#.....#
#..###......#...###..#######....#...#...#..#.....#
#....#......#..............######..##..##.....####
#....#......#..#...........#........#...#........#
################...#########........#...#..#.....#
#..#................#...#..########..#######..####
#.......................#..#.....................#
#.......#......#........#..#.....................#
#..#....#......#######..#..####..#..##############
#..#....#......#..#.....#..#...#..........#......#
############..##..#.....#..#..............#......#
#.....#........#..#.....#..#........#..#...####..#
#.....#........#..#.....#......#....#..#.........#
#........#######...............#....#..#..#......#
#..........#...#...........#..#############......#
#.....#....#...######..#####.........#....#......#
#.....#....#...#...........#.........#....#......#
####..#....#...#...........#..#......#....#......#
#.....#........##..#########..#......#....#..#####
#.....#........#....#...#..#..#......#..###......#
######..#######.........#..#..#......#...........#
#....#..................#..#..#..####........#####
#..............#....#......#..#...........#......#
#.........#....#....#......#..#......#....#......#
#....##########################..###########..####
#...#.......#...........#..#..........#...#......#
#...#...................#..#..........#...#......#
#...#..#.....##..#......#..#.....#........#......#
#..##..#....#....#......#..#.....#........#......#
#...####..###....#......#..#.....#....#...#......#
#...#.......#....#####.....####..#############..##
#...........#....#.........#.....................#
#........#..#....#......#..#.....................#
##################################################
"""

MAPS = {"rooms": ROOMS, "roads": ROADS, "maze": MAZE}


def read_map(text):
    """Which squares are free, as an array by row and column. A map is one of MAPS by its name, or its rows with a / in between."""
    rows = [row.strip() for row in MAPS.get(text, text).replace("/", "\n").strip().splitlines()]
    if len({len(row) for row in rows}) != 1 or {*"".join(rows)} - {*".#"}:
        raise ValueError(f"a map is {', '.join(MAPS)}, or rows of the same length of . and #, with a / in between")
    free = np.array([[square == "." for square in row] for row in rows])
    if len(rows[0]) > WIDEST:
        raise ValueError(f"a map has at most {WIDEST} columns, not {len(rows[0])}")
    if not free.any():
        raise ValueError("a map needs free squares")
    return free


def crossed(down, right):
    """The squares that a straight line crosses from the middle of a square to that of one so many rows down and columns to the right.

    A square that it only touches at a corner is not crossed. The way back crosses the same ones.
    """
    return [
        (row, column)
        for row in range(min(0, down), max(0, down) + 1)
        for column in range(min(0, right), max(0, right) + 1)
        if _crosses(down, right, row, column)
    ]


def _crosses(down, right, row, column):
    first, last = Fraction(0), Fraction(1)
    for step, place in ((down, row), (right, column)):
        if step == 0:
            if place != 0:
                return False
            continue
        bounds = sorted((Fraction(2 * place - 1, 2 * step), Fraction(2 * place + 1, 2 * step)))
        first, last = max(first, bounds[0]), min(last, bounds[1])
    return first < last


def sight(free, reach):
    """What can be seen of each square, as far as so many squares away, over free squares only: an array of rows, by row and column of the
    square and from `reach` rows above it to `reach` below. Who sees is seen."""
    rows, columns = free.shape
    seen = np.zeros((rows, columns, 2 * reach + 1), np.int64)
    wide = np.zeros((rows + 2 * reach, columns + 2 * reach), bool)
    wide[reach : reach + rows, reach : reach + columns] = free
    places = np.arange(columns)
    for down in range(-reach, reach + 1):
        for right in range(-reach, reach + 1):
            if down * down + right * right > reach * reach:
                continue
            clear = np.ones((rows, columns), bool)
            for row, column in crossed(down, right):
                clear &= wide[reach + row : reach + row + rows, reach + column : reach + column + columns]
            seen[:, :, reach + down] |= np.where(clear, np.int64(1) << np.clip(places + right, 0, WIDEST), 0)
    return seen


def squares_of(rows, columns):
    """The set that has these rows, as one whole number: bit columns * row + column for each square."""
    return sum(int(row) << columns * i for i, row in enumerate(rows))


def members(squares):
    """The squares of such a set by number, in order."""
    return [i for i in range(squares.bit_length()) if squares >> i & 1]


def rings(free, sources):
    """The squares at 0, 1, 2, ... steps, up, down, left or right, from the nearest of some squares, given by number: a set for each."""
    columns = free.shape[1]
    open_ = squares_of(row_sets(free), columns)
    inner = squares_of([(1 << columns) - 2] * len(free), columns)  # all but the first column
    edge = reached = sum(1 << square for square in {*map(int, sources)})
    while edge:
        yield edge
        around = edge << columns | edge >> columns | (edge << 1) & inner | (edge & inner) >> 1
        edge = around & open_ & ~reached
        reached |= edge


def row_sets(free):
    """For each row the set of its free columns."""
    return (free.astype(np.int64) << np.arange(free.shape[1])).sum(axis=1)
