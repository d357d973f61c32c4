"""The program of a small game (`solvers/exact/lp.py`) in whole numbers: without rounding, however far apart its payoffs
are.

A real is a whole number times a power of two, so that payoffs, counted in one of these, are whole. The simplex method
then pivots so that all stay whole: the tableau is that of the basis times its determinant, by which every division
comes out even (Edmonds 1967). It begins where player 0 takes its first action everywhere, and player 1 replies best to
that.
"""

from fractions import Fraction

import highspy
import numpy as np

CELLS = 10_000
"""Places that a tableau may have: more would take long."""
PATIENCE = 20
"""So many pivots for each row and column; then Bland's rule, by which no basis comes again."""


def fits(model: highspy.HighsLp, n1: int) -> bool:
    """Whether a program is small enough."""
    return (model.num_row_ + 1) * (model.num_col_ + n1 + 1) <= CELLS


def exact_optimum(
    model: highspy.HighsLp, n0: int, n1: int, first0: np.ndarray, sets1: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Both plans that solve a program as `lp.program` writes it, each entry the real that is nearest. `first0` is the
    first sequence of each set of player 0; `sets1` are the sequences of each of player 1's, after the empty one as a
    set of its own."""
    table = _written(model, n0, n1)
    basic = np.concatenate([model.num_col_ + np.arange(n1), [0], first0]).astype(np.int64)
    scale = 1
    for row in range(n1, len(basic)):
        scale = _pivot(table, row, int(basic[row]), scale)
    for k in reversed(range(len(sets1))):
        worst = min(sets1[k].tolist(), key=lambda s: table[s, -1])
        basic[worst] = n0 + k
        scale = _pivot(table, worst, n0 + k, scale)
    scale = _maximise(table, basic, scale, free=(n0, n0 + len(sets1)))
    x = np.zeros(n0)
    mine = np.flatnonzero(basic < n0)
    x[basic[mine]] = [float(Fraction(whole, scale)) for whole in table[mine, -1]]
    return x, np.array([float(Fraction(price, scale)) for price in table[-1, model.num_col_ : -1]])


def _written(model: highspy.HighsLp, n0: int, n1: int) -> np.ndarray:
    """The first tableau: columns are the program's, then for each of player 1's sequences how much more it is worth
    than its set, then the right side; below all, what is maximised, as costs."""
    height, width = model.num_row_, model.num_col_
    table = np.full((height + 1, width + n1 + 1), 0, dtype=object)
    row = np.repeat(np.arange(height), np.diff(np.array(model.a_matrix_.start_)))
    column, value = np.array(model.a_matrix_.index_), np.array(model.a_matrix_.value_)
    payoff = (row < n1) & (column < n0)
    finest = max((v.as_integer_ratio()[1] for v in value[payoff].tolist()), default=1)
    for r, c, v, whole in zip(row.tolist(), column.tolist(), value.tolist(), (~payoff).tolist(), strict=True):
        table[r, c] = int(v) if whole else int(Fraction(v) * finest)
    table[:n1] *= -1
    table[np.arange(n1), width + np.arange(n1)] = 1
    table[n1, -1] = 1
    table[-1, n0] = -1
    return table


def _maximise(table: np.ndarray, basic: np.ndarray, scale: int, free: tuple[int, int]) -> int:
    """The simplex method, from a basis that is feasible; columns from free[0] to free[1] may have any sign, and stay in
    it."""
    rows = np.flatnonzero((basic < free[0]) | (basic >= free[1]))
    patience = PATIENCE * sum(table.shape)
    while True:
        costs = table[-1, :-1]
        down = np.flatnonzero(costs < 0)
        if not len(down):
            return scale
        patience -= 1
        enter = int(down[0] if patience < 0 else down[np.argmin(costs[down])])
        ratios = [(Fraction(table[r, -1], table[r, enter]), basic[r], r) for r in rows if table[r, enter] > 0]
        leave = int(min(ratios)[2])
        basic[leave] = enter
        scale = _pivot(table, leave, enter, scale)


def _pivot(table: np.ndarray, row: int, column: int, scale: int) -> int:
    """Bring a column into the basis in place of what is basic in a row; returns the new basis's determinant."""
    pivot, through = table[row, column], table[row].copy()
    others = np.arange(len(table)) != row
    table[others] = (table[others] * pivot - table[others, column][:, None] * through) // scale
    return int(pivot)
