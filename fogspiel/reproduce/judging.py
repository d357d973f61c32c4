"""What criteria ask of tables: results put together, orders, and where curves end. An answer is None where intervals cannot tell, or
where a row is not there."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

from fogspiel.errors import SpecError
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, Table, in_common, sum_of_luck
from fogspiel.experiment.verdict import Answer, every, some

ANYTHING = Row((), Estimate(math.nan, -math.inf, math.inf), 0, 0)


def row_of(table: Table, *key: object) -> Row:
    """A row of a table; where it has none, one that may be anything."""
    try:
        return table[key]
    except SpecError:
        return ANYTHING


def sure(row: Row) -> Row:
    """The row, or one of which nothing can be told if it was measured only once, or came out alike every time."""
    if row.deals > 1 and row.low < row.high:
        return row
    return Row(row.key, Estimate(row.value, -math.inf, math.inf), row.runs, row.deals, row.printed)


def combined(*terms: tuple[float, Row]) -> Row:
    """A sum of results with these weights. Where they were measured on the same deals, its interval is Student's over deals; else, or where that is
    not known, they count as independent, and it is that of Zou and Donner (2008), which for the difference of two shares is Newcombe's."""
    if (paired := in_common(*terms)) is not None:
        return paired
    value = sum(weight * row.value for weight, row in terms)
    ends = [(weight * row.value, sorted((weight * row.low, weight * row.high))) for weight, row in terms]
    below, above = math.hypot(*(x - low for x, (low, _) in ends)), math.hypot(*(high - x for x, (_, high) in ends))
    runs, deals = sum(row.runs for _, row in terms), sum(row.deals for _, row in terms)
    return Row((), Estimate(value, value - below, value + above), runs, deals).with_luck(sum_of_luck(*terms))


def difference(first: Row, second: Row) -> Row:
    """By how much the first result is above the second."""
    return combined((1, first), (-1, second))


def pooled(rows: Iterable[Row]) -> Row:
    """The mean of results that were measured apart."""
    cells = list(rows)
    return combined(*((1 / len(cells), row) for row in cells))


def mean_of(rows: Sequence[Row]) -> Row:
    """The mean of results that may have their luck in common: where it is not known how, its interval is as wide as theirs."""
    terms = [(1 / len(rows), row) for row in rows]
    if (paired := in_common(*terms)) is not None:
        return paired
    value, low, high = (fmean(numbers) for numbers in zip(*((r.value, r.low, r.high) for r in rows), strict=True))
    return Row((), Estimate(value, low, high), sum(r.runs for r in rows), 0).with_luck(sum_of_luck(*terms))


def scaled(row: Row, factor: float) -> Row:
    return combined((factor, row))


def ratio(first: Row, second: Row) -> Row:
    """What the first result is to the second, with all that the two intervals allow; anything, if the second may be 0."""
    if second.low <= 0:
        return ANYTHING
    return Row((), Estimate(first.value / second.value, first.low / second.high, first.high / second.low), 0, 0)


def between(table: Table, first: Iterable[str], second: Iterable[str]) -> Row:
    """What the first seats get against the second ones, in the mean."""
    others = list(second)
    return pooled(table[one, other] for one in first for other in others)


def both_seats(table: Table, one: str, other: str) -> Row:
    """Percent of `one` against `other`, over both seats."""
    hundred = Row((), Estimate(100, 100, 100), 0, 0)
    return pooled([table[one, other], difference(hundred, table[other, one])])


def opposite(answer: Answer) -> Answer:
    return None if answer is None else not answer


def at_most(one: Row, other: Row | float, more: float = 0.0) -> Answer:
    """Whether a mean is at most another, or a number, and so much more."""
    low, high = (other.low, other.high) if isinstance(other, Row) else (other, other)
    return True if one.high <= low + more else False if one.low > high + more else None


def at_least(wanted: int, answers: Iterable[Answer], of: int | None = None) -> Answer:
    """Whether so many hold, of so many: those that are not there are like those that cannot be told."""
    found = list(answers)
    least = len(found) if of is None else of
    return True if found.count(True) >= wanted else False if found.count(False) > least - wanted else None


def rising(rows: Sequence[Row]) -> Answer:
    """Whether each is above the one before."""
    return every(one.below(other) for one, other in pairwise(rows))


def lowest(one: Any, rows: Mapping[Any, Row]) -> Answer:
    """Whether one is below all others."""
    return every(rows[one].below(row) for name, row in rows.items() if name != one)


def highest(one: Any, rows: Mapping[Any, Row]) -> Answer:
    """Whether one is above all others."""
    return every(rows[one].above(row) for name, row in rows.items() if name != one)


def ends(table: Table) -> dict[Any, Row]:
    """Where each player's curve ends, by simulations in the last column."""
    last = max(table.values(table.by[-1]))
    return {name: sure(table[name, last]) for name in table.values(table.by[0])}


def rises_again(table: Table, name: str) -> Answer:
    """Whether a player's curve has been lower than where it ends."""
    *before, end = (sure(table[name, x]) for x in sorted(table.values(table.by[-1])))
    return some(end.above(row) for row in before)
