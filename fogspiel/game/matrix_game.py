"""Zero-sum matrix games, solved in machine code: what backward induction and value iteration need at every stage.

A saddle point, if there is one, is taken, and of two by two moves without one the answer has a closed form; else the
simplex method solves Dantzig's program on the matrix brought to between 1 and 2, whatever the payoffs are counted in:
maximise the sum of y subject to My <= 1, y >= 0. The value is 1 / sum(y), brought back; y times that is the column
player's strategy, and the slack prices give the row player's.
"""

from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Int, Real, Reals

EPSILON = 1e-11

Strategies: Any = Bundle(row=Reals, column=Reals)
"""A probability for each row, and for each column."""

Simplex: Any = Bundle(tableau=Reals, basis=Reals)
"""What the simplex method works in."""


def strategies(rows: int, columns: int) -> Bundled:
    """Of matrix games of at most so many rows and columns."""
    return Bundled(Strategies, row=np.zeros(rows), column=np.zeros(columns))


def simplex(rows: int, columns: int) -> Bundled:
    """For matrix games of at most so many rows and columns."""
    return Bundled(Simplex, tableau=np.zeros((rows + 1) * (rows + columns + 1)), basis=np.zeros(rows))


@kernel
def solve_matrix(rows: Int, columns: Int, payoff: Reals, mixes: Strategies, work: Simplex) -> Real:
    """The value to the row player; the strategies are written to `mixes`."""
    return matrix_game(rows, columns, payoff, 0, mixes, work)


def saddle(rows, columns, payoff, at, slack):
    """Position of a saddle point (row * columns + column), or -1. What differs by no more than `slack` counts as
    equal."""
    for i in range(rows):
        j = 0
        for k in range(columns):
            if payoff[at + i * columns + k] < payoff[at + i * columns + j]:
                j = k
        # the row's minimum must be its column's maximum; other columns may share the minimum
        low = payoff[at + i * columns + j]
        for k in range(columns):
            if payoff[at + i * columns + k] <= low + slack:
                best = True
                for r in range(rows):
                    if payoff[at + r * columns + k] > low + slack:
                        best = False
                if best:
                    return i * columns + k
    return -1


def matrix_game(rows, columns, payoff, at, mixes, work):
    """The value of the matrix at payoff[at:]; the strategies are written to `mixes`."""
    row_mix, column_mix, tableau, basis = mixes.row, mixes.column, work.tableau, work.basis
    for i in range(rows):
        row_mix[i] = 0.0
    for j in range(columns):
        column_mix[j] = 0.0
    pure = saddle(rows, columns, payoff, at, 0.0)
    if pure >= 0:
        row_mix[pure // columns] = 1.0
        column_mix[pure % columns] = 1.0
        return payoff[at + pure]
    if rows == 2 and columns == 2:
        x, y, rest_x, rest_y = two_by_two(payoff, at)
        row_mix[0], row_mix[1], column_mix[0], column_mix[1] = x, rest_x, y, rest_y
        return value_of_two(payoff, at, x, rest_x)
    low, range_ = write_program(rows, columns, payoff, at, tableau, basis)
    maximise(rows, columns, tableau, basis)
    width = rows + columns + 1
    price = rows * width
    total = -tableau[price + width - 1]
    for i in range(rows):
        if basis[i] < columns:
            column_mix[int(basis[i])] = max(tableau[i * width + width - 1] / total, 0.0)
        row_mix[i] = max(-tableau[price + columns + i] / total, 0.0)
    return (1.0 / total - 1.0) * range_ + low


def matrix_game_again(rows, columns, payoff, at, work, kept, place):
    """The value of a matrix game that was solved before, with payoffs that were not far off: what was optimal then is
    tried first.

    kept[place:place + rows] holds how it was solved: a saddle point as -2 - its position, or the basis; -1 where
    nothing is known.
    """
    tableau, basis = work.tableau, work.basis
    if kept[place] <= -2 and is_saddle(rows, columns, payoff, at, -2 - kept[place]):
        return payoff[at - 2 - kept[place]]
    pure = saddle(rows, columns, payoff, at, 0.0)
    if pure >= 0:
        kept[place] = -2 - pure
        return payoff[at + pure]
    if rows == 2 and columns == 2:
        x, _, rest, _ = two_by_two(payoff, at)
        return value_of_two(payoff, at, x, rest)
    low, range_ = write_program(rows, columns, payoff, at, tableau, basis)
    if kept[place] >= 0 and not enter_basis(rows, columns, tableau, basis, kept, place):
        low, range_ = write_program(rows, columns, payoff, at, tableau, basis)
    maximise(rows, columns, tableau, basis)
    for i in range(rows):
        kept[place + i] = int(basis[i])
    return (-1.0 / tableau[(rows + 1) * (rows + columns + 1) - 1] - 1.0) * range_ + low


def two_by_two(payoff, at):
    """How likely the first row and column are, and the second ones, of two by two payoffs without a saddle point. Each
    is found by itself from differences of the same sign, so that the least likely one is as precise as the others."""
    a, b, c, d = payoff[at], payoff[at + 1], payoff[at + 2], payoff[at + 3]
    row, column = (a - b) + (d - c), (a - c) + (d - b)
    return (d - c) / row, (d - b) / column, (a - b) / row, (a - c) / column


def value_of_two(payoff, at, x, rest):
    """What two rows get that are so likely that both columns cost the same: by the column whose payoffs cancel less."""
    one, other = (x * payoff[at], rest * payoff[at + 2]), (x * payoff[at + 1], rest * payoff[at + 3])
    return one[0] + one[1] if abs(one[0]) <= abs(other[0]) else other[0] + other[1]


def is_saddle(rows, columns, payoff, at, where):
    """Whether no player gains by leaving a position (row * columns + column)."""
    i, j = where // columns, where % columns
    here, stays = payoff[at + where], True
    for k in range(columns):
        stays &= payoff[at + i * columns + k] >= here
    for r in range(rows):
        stays &= payoff[at + r * columns + j] <= here
    return stays


def write_program(rows, columns, payoff, at, tableau, basis):
    """Dantzig's program, with the slack variables as its basis; returns the least payoff and the range, which become 1
    and 1."""
    low, high = payoff[at], payoff[at]
    for k in range(rows * columns):
        low, high = min(low, payoff[at + k]), max(high, payoff[at + k])
    width = rows + columns + 1
    for i in range(rows):
        for j in range(width):
            tableau[i * width + j] = 0.0
        for j in range(columns):
            tableau[i * width + j] = (payoff[at + i * columns + j] - low) / (high - low) + 1.0
        tableau[i * width + columns + i] = 1.0
        tableau[i * width + width - 1] = 1.0
        basis[i] = columns + i
    price = rows * width
    for j in range(width):
        tableau[price + j] = 1.0 if j < columns else 0.0
    return low, high - low


def maximise(rows, columns, tableau, basis):
    """The simplex method, from a basis that is feasible."""
    width = rows + columns + 1
    price = rows * width
    pivots = 0
    while True:
        enter = -1
        most = EPSILON
        for j in range(width - 1):
            # the steepest price at first; Bland's rule once it takes long, so that it cannot cycle
            if tableau[price + j] > most:
                enter = j
                if pivots > 50 * (rows + columns):
                    break
                most = tableau[price + j]
        if enter < 0:
            break
        leave = -1
        ratio = 0.0
        for i in range(rows):
            a = tableau[i * width + enter]
            if a > EPSILON:
                r = tableau[i * width + width - 1] / a
                if leave < 0 or r < ratio - 1e-14 or (r <= ratio + 1e-14 and basis[i] < basis[leave]):
                    leave = i
                    ratio = r
        if leave < 0:
            break
        pivots += 1
        pivot(rows, width, tableau, basis, enter, leave)


def pivot(rows, width, tableau, basis, enter, leave):
    p = tableau[leave * width + enter]
    for j in range(width):
        tableau[leave * width + j] /= p
    for i in range(rows + 1):
        factor = tableau[i * width + enter]
        if i != leave and factor != 0.0:
            for j in range(width):
                tableau[i * width + j] -= factor * tableau[leave * width + j]
    basis[leave] = enter


def enter_basis(rows, columns, tableau, basis, kept, place):
    """Go from the slack variables to a basis that was optimal before; False where it is none any more, or not
    feasible."""
    width = rows + columns + 1
    for k in range(rows):
        enter = kept[place + k]
        if enter >= columns:
            continue
        leave = -1
        most = 1e-7
        for i in range(rows):
            slack = columns + i
            if basis[i] == slack and abs(tableau[i * width + enter]) > most and not is_kept(rows, slack, kept, place):
                leave = i
                most = abs(tableau[i * width + enter])
        if leave < 0:
            return False
        pivot(rows, width, tableau, basis, enter, leave)
    feasible = True
    for i in range(rows):
        feasible &= tableau[i * width + width - 1] >= 0.0
    return feasible


def is_kept(rows, variable, kept, place):
    found = False
    for k in range(rows):
        found |= kept[place + k] == variable
    return found


def matrix_value(payoff: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Value and optimal strategies of a zero-sum matrix, payoffs to the row player."""
    matrix = np.ascontiguousarray(payoff, float)
    m, n = matrix.shape
    mixes = strategies(m, n)
    value = solve_matrix(m, n, matrix.ravel(), mixes, simplex(m, n))
    return float(value), mixes.array("row"), mixes.array("column")
