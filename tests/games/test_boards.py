"""Sets of squares: what leaves the board is gone, compiled and plain."""

import random

import pytest

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Word
from fogspiel.games.toolkit.boards import down, left, lettered, rectangle, right, square_name, starts_of_lines, up

WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


@kernel
def moved(squares: Word, way: Int) -> Word:
    if way == 0:
        return up(squares)
    if way == 1:
        return down(squares)
    return right(squares) if way == 2 else left(squares)


@kernel
def first_squares(rows: Int, columns: Int) -> Word:
    return rectangle(rows, columns)


def members(squares):
    return {divmod(i, 8) for i in range(64) if squares >> i & 1}


def word(places):
    return sum(1 << 8 * row + column for row, column in places)


@pytest.mark.parametrize("way", WAYS)
def test_a_set_of_squares_moves_as_its_squares_do(way):
    number, rng = WAYS.index(way), random.Random(4)
    for squares in [0, 2**64 - 1, 1, 1 << 63, *(rng.getrandbits(64) for _ in range(50))]:
        steps = {(row + way[0], column + way[1]) for row, column in members(squares)}
        on_board = word((row, column) for row, column in steps if row in range(8) and column in range(8))
        assert int(moved(squares, number)) % 2**64 == (up, down, right, left)[number](squares) == on_board


def test_rectangles_are_the_first_rows_and_columns():
    for rows in range(9):
        for columns in range(1, 9):
            expected = word((row, column) for row in range(rows) for column in range(columns))
            assert int(first_squares(rows, columns)) % 2**64 == rectangle(rows, columns) == expected


def test_lines_start_where_so_many_follow():
    assert starts_of_lines(0b0111001111, 1, 3) == 0b0001000011
    assert starts_of_lines(word([(0, 0), (1, 1), (2, 2), (5, 5)]), 9, 3) == 1


def test_boards_are_lettered_from_either_side():
    rows = ["XO.", "..X"]
    assert lettered(rows) == "2 . . X\n1 X O .\n  a b c"
    assert lettered(rows, upwards=False) == "1 X O .\n2 . . X\n  a b c"
    assert square_name(2, 4) == "e3"
