"""Linear programs folded: columns and rows that play the same part become one each (Grohe, Kersting, Mladenov and
Selman 2014).

Colour refinement: two columns have the same colour if they have the same entries in rows of the same colours, and so
have two rows. What is coloured so coarsely that this holds makes an equitable partition: the mean of a solution over
each colour is a solution, too. So there is one column for each colour, which stands for all of it, and one row; what
the folded program has for a colour, each of its members has, and multipliers are shared out.
"""

from dataclasses import dataclass

import highspy
import numpy as np

from fogspiel.solvers.exact.lp import solved

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Program:
    """Minimise cost x with Ax >= least, equal in the rows `equal`, and x >= 0 but for the columns `free`. A has `value`
    at `row`, `column`, in the order of rows, each place once."""

    cost: np.ndarray
    free: np.ndarray
    least: np.ndarray
    equal: np.ndarray
    row: np.ndarray
    column: np.ndarray
    value: np.ndarray

    def without(self, rows: np.ndarray, columns: np.ndarray) -> "Program":
        """The same without some of its rows and columns, which are masks."""
        keep = ~(rows[self.row] | columns[self.column])
        row, column = np.cumsum(~rows) - 1, np.cumsum(~columns) - 1
        return Program(
            self.cost[~columns],
            self.free[~columns],
            self.least[~rows],
            self.equal[~rows],
            row[self.row[keep]],
            column[self.column[keep]],
            self.value[keep],
        )

    def solve(self, *, interior: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """An optimal x, and the size of each row's multiplier."""
        model, infinite = highspy.HighsLp(), highspy.kHighsInf
        model.num_col_, model.num_row_ = len(self.cost), len(self.least)
        model.col_cost_ = self.cost
        model.col_lower_ = np.where(self.free, -infinite, 0.0)
        model.col_upper_ = np.full(len(self.cost), infinite)
        model.row_lower_ = self.least
        model.row_upper_ = np.where(self.equal, self.least, infinite)
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.num_col_, model.a_matrix_.num_row_ = len(self.cost), len(self.least)
        model.a_matrix_.start_ = np.searchsorted(self.row, np.arange(len(self.least) + 1)).astype(np.int32)
        model.a_matrix_.index_ = self.column.astype(np.int32)
        model.a_matrix_.value_ = self.value
        answer = solved(model, interior=interior).getSolution()
        return np.array(answer.col_value), np.abs(np.array(answer.row_dual))


@dataclass(frozen=True, eq=False)
class Folded:
    """A program with one column and one row for each colour of another; `columns` and `rows` are the other's
    colours."""

    program: Program
    columns: np.ndarray
    rows: np.ndarray

    def unfolded(self, column: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A solution of the program that was folded, from one of this."""
        return column[self.columns], (row / np.bincount(self.rows))[self.rows]


def folded(program: Program) -> Folded:
    """A program folded."""
    entry = _scrambled(np.unique(program.value, return_inverse=True)[1])
    columns = np.unique(np.stack([program.cost, program.free]), axis=1, return_inverse=True)[1].ravel()
    rows = np.unique(np.stack([program.least, program.equal]), axis=1, return_inverse=True)[1].ravel()
    by_column = np.argsort(program.column, kind="stable")
    width, height = (np.bincount(at, minlength=len(of)) for at, of in ((program.row, rows), (program.column, columns)))
    colours = 0
    while colours != (colours := int(rows.max() + columns.max())):
        rows = _refined(rows, _scrambled(entry + GOLDEN * columns[program.column].astype(np.uint64)), width)
        seen = _scrambled(entry + GOLDEN * rows[program.row].astype(np.uint64))
        columns = _refined(columns, seen[by_column], height)
    first, example = (np.unique(colour, return_index=True)[1] for colour in (rows, columns))
    kept = np.isin(program.row, first)
    cell, place = np.unique(rows[program.row[kept]] * len(example) + columns[program.column[kept]], return_inverse=True)
    small = Program(
        np.bincount(columns, program.cost),
        program.free[example],
        program.least[first],
        program.equal[first],
        cell // len(example),
        cell % len(example),
        np.bincount(place, program.value[kept], len(cell)),
    )
    return Folded(small, columns, rows)


def _refined(colour: np.ndarray, seen: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Colours told apart by what is seen, `count` words of each in turn, in any order."""
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(seen, dtype=np.uint64)])
    end = np.cumsum(count)
    word = _scrambled(total[end] - total[end - count]) + GOLDEN * colour.astype(np.uint64)
    return np.unique(word, return_inverse=True)[1]


def _scrambled(words: np.ndarray) -> np.ndarray:
    """Words without a pattern, the same for the same (the last steps of SplitMix64, Steele et al. 2014)."""
    word = words.astype(np.uint64) + GOLDEN
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
