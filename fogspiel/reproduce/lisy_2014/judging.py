"""What criteria ask of tables: means over cells, orders, and where curves end. An answer is None where intervals cannot tell."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import fmean

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.verdict import Answer, every, some


def pooled(rows: Iterable[Row]) -> Row:
    """The mean over cells of a table that were played apart."""
    cells = list(rows)
    mean = fmean(row.value for row in cells)
    low = mean - math.hypot(*(row.value - row.low for row in cells)) / len(cells)
    high = mean + math.hypot(*(row.high - row.value for row in cells)) / len(cells)
    return Row((), Estimate(mean, low, high), sum(row.runs for row in cells), sum(row.deals for row in cells))


def between(table: Table, first: Iterable[str], second: Iterable[str]) -> Row:
    """What the first seats get against the second ones, in the mean."""
    others = list(second)
    return pooled(table[one, other] for one in first for other in others)


def both_seats(table: Table, one: str, other: str) -> Row:
    """Percent of `one` against `other`, over both seats."""
    return pooled([table[one, other], less(Row((), Estimate(100, 100, 100), 0, 0), table[other, one])])


def less(one: Row, other: Row) -> Row:
    """The difference of two rows that were measured apart."""
    mean = one.value - other.value
    low = mean - math.hypot(one.value - one.low, other.high - other.value)
    high = mean + math.hypot(one.high - one.value, other.value - other.low)
    return Row((), Estimate(mean, low, high), one.runs + other.runs, one.deals + other.deals)


def scaled(row: Row, factor: float) -> Row:
    return Row(row.key, Estimate(row.value * factor, row.low * factor, row.high * factor), row.runs, row.deals)


def sure(row: Row) -> Row:
    """The row, or one of which nothing can be told if it was measured only once, or came out alike every time."""
    if row.deals > 1 and row.low < row.high:
        return row
    return Row(row.key, Estimate(row.value, -math.inf, math.inf), row.runs, row.deals, row.printed)


def opposite(answer: Answer) -> Answer:
    return None if answer is None else not answer


def rising(rows: Sequence[Row]) -> Answer:
    """Whether each is above the one before."""
    return every(one.below(other) for one, other in pairwise(rows))


def lowest(one: str, rows: dict[str, Row]) -> Answer:
    """Whether one is below all others."""
    return every(rows[one].below(row) for name, row in rows.items() if name != one)


def highest(one: str, rows: dict[str, Row]) -> Answer:
    """Whether one is above all others."""
    return every(rows[one].above(row) for name, row in rows.items() if name != one)


def at_least(number: int, answers: Iterable[Answer]) -> Answer:
    """Whether so many hold."""
    found = list(answers)
    yes, unknown = found.count(True), found.count(None)
    return True if yes >= number else False if yes + unknown < number else None


def ends(table: Table) -> dict[str, Row]:
    """Where each player's curve ends, by simulations in the last column."""
    last = max(table.values(table.by[-1]))
    return {name: sure(table[name, last]) for name in table.values(table.by[0])}


def rises_again(table: Table, name: str) -> Answer:
    """Whether a player's curve has been lower than where it ends."""
    *before, end = (sure(table[name, x]) for x in sorted(table.values(table.by[-1])))
    return some(end.above(row) for row in before)
