"""Zero-sum matrix games, solved in machine code: what backward induction needs at every stage.

A saddle point, if there is one, is taken; else the simplex method solves Dantzig's program on the matrix shifted to be
positive: maximise the sum of y subject to My <= 1, y >= 0. The value is 1 / sum(y), shifted back; y times it is the column
player's strategy, and the slack prices give the row player's.
"""

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Real, Reals

EPSILON = 1e-11


@kernel
def solve_matrix(
    rows: Int, columns: Int, payoff: Reals, row_mix: Reals, column_mix: Reals, tableau: Reals, basis: Reals
) -> Real:
    """The value to the row player; strategies are written to row_mix and column_mix. Scratch: (rows + 1) * (rows + columns + 1)
    numbers in tableau, rows in basis."""
    return matrix_game(rows, columns, payoff, 0, row_mix, column_mix, tableau, basis)


def saddle(rows, columns, payoff, at, slack):
    """Position of a saddle point (row * columns + column), or -1. What differs by no more than `slack` counts as equal."""
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


def matrix_game(rows, columns, payoff, at, row_mix, column_mix, tableau, basis):
    for i in range(rows):
        row_mix[i] = 0.0
    for j in range(columns):
        column_mix[j] = 0.0
    pure = saddle(rows, columns, payoff, at, 0.0)
    if pure >= 0:
        row_mix[pure // columns] = 1.0
        column_mix[pure % columns] = 1.0
        return payoff[at + pure]
    shift = payoff[at]
    for k in range(rows * columns):
        shift = min(shift, payoff[at + k])
    width = rows + columns + 1
    for i in range(rows):
        for j in range(width):
            tableau[i * width + j] = 0.0
        for j in range(columns):
            tableau[i * width + j] = payoff[at + i * columns + j] - shift + 1.0
        tableau[i * width + columns + i] = 1.0
        tableau[i * width + width - 1] = 1.0
        basis[i] = columns + i
    price = rows * width
    for j in range(width):
        tableau[price + j] = 1.0 if j < columns else 0.0
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
        p = tableau[leave * width + enter]
        for j in range(width):
            tableau[leave * width + j] /= p
        for i in range(rows + 1):
            factor = tableau[i * width + enter]
            if i != leave and factor != 0.0:
                for j in range(width):
                    tableau[i * width + j] -= factor * tableau[leave * width + j]
        basis[leave] = enter
    total = -tableau[price + width - 1]
    for i in range(rows):
        if basis[i] < columns:
            column_mix[int(basis[i])] = max(tableau[i * width + width - 1] / total, 0.0)
        row_mix[i] = max(-tableau[price + columns + i] / total, 0.0)
    return 1.0 / total + shift - 1.0


def matrix_value(payoff: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Value and optimal strategies of a zero-sum matrix, payoffs to the row player."""
    matrix = np.ascontiguousarray(payoff, float)
    m, n = matrix.shape
    row, column = np.zeros(m), np.zeros(n)
    value = solve_matrix(m, n, matrix.ravel(), row, column, np.zeros((m + 1) * (m + n + 1)), np.zeros(m))
    return float(value), row, column
