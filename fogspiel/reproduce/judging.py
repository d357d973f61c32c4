"""What criteria ask of tables: results put together, orders, and where curves end.

The words of the documents are read alike everywhere:

- "lower", "better", "<": the interval of the difference lies on that side of 0 (`less`, `lowest`, `highest`, `rising`);
- "at most", "no worse", "<=": it lies below a margin, within which two results count as equal (`at_most`);
- "equal", "alike": it lies within such a margin to both sides (`alike`);
- "far below", "much more", "<<": lower than two thirds of the other (`far_below`);
- "rises", "falls", of several in a row: no step goes the other way by more than a margin, and the ends differ
  (`trend`);
- "about", "10 to 20": the interval lies inside a range (`Row.inside`);
- "all", of many cells or steps: each by its interval; that one does not is told by intervals that hold for all at once,
  or one of many would fail by chance (`each`; so are `all_below`, `lowest`, `highest` and `rising`);
- "somewhere": one of many does, by intervals that hold for all at once; none does where each by its interval does not
  (`somewhere`).

Margins and ranges are the document's own, or are told with the criterion. An answer is False where an interval lies
wholly on the other side, and None where it cannot tell, or where a row is not there."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import fmean
from typing import Any

from fogspiel.errors import SpecError
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, Table, combination_of, fewest, in_common
from fogspiel.experiment.verdict import Answer, every, some

ANYTHING = Row((), Estimate(math.nan, -math.inf, math.inf), 0, 0)
FAR = 2 / 3
"""What is lower than so much of another is far below it."""


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
    """A sum of results with these weights. Where they were measured on the same deals, its interval is Student's over
    deals; else, or where that is not known, they count as independent, and it is that of Zou and Donner (2008), which
    for the difference of two shares is Newcombe's."""
    if (paired := in_common(*terms)) is not None:
        return paired
    if (
        other := in_common(*((-weight, row) for weight, row in terms))
    ) is not None:  # a stored table has one of the two
        turned = Estimate(-other.value, -other.high, -other.low)
        row = Row((), turned, other.runs, other.deals).with_combination(combination_of(*terms))
        return row.with_freedom(other.freedom)
    value = sum(weight * row.value for weight, row in terms)
    ends = [(weight * row.value, sorted((weight * row.low, weight * row.high))) for weight, row in terms]
    below, above = math.hypot(*(x - low for x, (low, _) in ends)), math.hypot(*(high - x for x, (_, high) in ends))
    runs, deals = sum(row.runs for _, row in terms), sum(row.deals for _, row in terms)
    row = Row((), Estimate(value, value - below, value + above), runs, deals).with_combination(combination_of(*terms))
    return row.with_freedom(fewest(row for _, row in terms))


def difference(first: Row, second: Row) -> Row:
    """By how much the first result is above the second."""
    return combined((1, first), (-1, second))


def pooled(rows: Iterable[Row]) -> Row:
    """The mean of results that were measured apart."""
    cells = list(rows)
    return combined(*((1 / len(cells), row) for row in cells))


def mean_of(rows: Sequence[Row]) -> Row:
    """The mean of results that may have their chance in common: where it is not known how, its interval is as wide as
    theirs."""
    terms = [(1 / len(rows), row) for row in rows]
    if (paired := in_common(*terms)) is not None:
        return paired
    value, low, high = (fmean(numbers) for numbers in zip(*((r.value, r.low, r.high) for r in rows), strict=True))
    row = Row((), Estimate(value, low, high), sum(r.runs for r in rows), 0).with_combination(combination_of(*terms))
    return row.with_freedom(fewest(rows))


def scaled(row: Row, factor: float) -> Row:
    return combined((factor, row))


@dataclass(frozen=True)
class Ratio(Row):
    """What a result is to another, with all that their two intervals allow."""

    of: tuple[Row, ...] = ()

    def among(self, claims: int) -> Row:
        """By the two intervals that hold for so many at once: where the second's nears 0, a ratio's end goes out by
        more than they do."""
        return ratio(*(row.among(claims) for row in self.of))


def ratio(first: Row, second: Row) -> Row:
    """What the first result is to the second; anything, if the second may be 0."""
    if second.low <= 0:
        return ANYTHING
    low = first.low / (second.low if first.low < 0 else second.high)
    high = first.high / (second.high if first.high < 0 else second.low)
    return Ratio((), Estimate(first.value / second.value, low, high), 0, 0, of=(first, second))


def between(table: Table, first: Iterable[str], second: Iterable[str]) -> Row:
    """What the first seats get against the second ones, in the mean."""
    others = list(second)
    return pooled(table[one, other] for one in first for other in others)


def both_seats(table: Table, one: str, other: str) -> Row:
    """Percent of `one` against `other`, over both seats."""
    return pooled([table[one, other], difference(number(100), table[other, one])])


def less(one: Row, other: Row | float) -> Answer:
    """Whether a mean is below another, or a number."""
    return difference(one, number(other)).below(0)


def at_most(one: Row | float, other: Row | float, more: float = 0.0) -> Answer:
    """Whether a mean is no higher than another, or than a number, by more than a margin."""
    apart = difference(number(one), number(other))
    return True if apart.high <= more else False if apart.low > more else None


def alike(one: Row, other: Row, within: float) -> Answer:
    """Whether two means are no farther apart than a margin."""
    return difference(one, other).inside(-within, within)


def far_below(one: Row, other: Row) -> Answer:
    return less(one, scaled(other, FAR))


def trend(rows: Sequence[Row], margin: float = 0.0) -> Answer:
    """Whether results rise: none is below the one before by more than a margin, and the last is above the first."""
    steps = [difference(one, other) for one, other in pairwise(rows)]
    return every([each(steps, lambda step: at_most(step, 0, margin)), less(rows[0], rows[-1])])


def each(rows: Iterable[Row], holds: Callable[[Row], Answer]) -> Answer:
    """Whether something holds of all: not, if it does not of one by an interval that is as wide as it takes for all to
    hold at once (Bonferroni)."""
    found = list(rows)
    if (told := every(map(holds, found))) is not False:
        return told
    claims = sum(row.low < row.high for row in found)  # what is exact is never wrong
    return False if any(holds(row.among(claims)) is False for row in found) else None


def somewhere(rows: Iterable[Row | Sequence[Row]], holds: Callable[[Row], Answer]) -> Answer:
    """Whether something holds of one at least, or of all of several rows that are given as one: it does, if it does of
    one by an interval that is as wide as it takes for all to hold at once."""
    found = [(one,) if isinstance(one, Row) else tuple(one) for one in rows]
    claims = sum(any(row.low < row.high for row in one) for one in found)
    if any(every(holds(row) and holds(row.among(claims)) for row in one) for one in found):
        return True
    return False if found and all(each(one, holds) is False for one in found) else None


def nearer(one: Row, other: Row, to: float) -> Answer:
    """Whether a mean is nearer to a number than another is, on whichever side."""
    beyond = difference(number(2 * to), other)
    return some([every([less(one, other), less(beyond, one)]), every([less(other, one), less(one, beyond)])])


def number(x: Row | float) -> Row:
    """A number as a deterministic result."""
    return x if isinstance(x, Row) else Row((), Estimate(x, x, x), 0, 0)


def at_least(wanted: int, answers: Iterable[Answer], of: int | None = None) -> Answer:
    """Whether so many hold, of so many: those that are not there are like those that cannot be told."""
    found = list(answers)
    least = len(found) if of is None else of
    return True if found.count(True) >= wanted else False if found.count(False) > least - wanted else None


def rising(rows: Sequence[Row]) -> Answer:
    """Whether each is above the one before."""
    return all_below(pairwise(rows))


def lowest(one: Any, rows: Mapping[Any, Row]) -> Answer:
    """Whether one is below all others."""
    return all_below((rows[one], row) for name, row in rows.items() if name != one)


def highest(one: Any, rows: Mapping[Any, Row]) -> Answer:
    """Whether one is above all others."""
    return all_below((row, rows[one]) for name, row in rows.items() if name != one)


def all_below(pairs: Iterable[tuple[Row, Row]]) -> Answer:
    """Whether of each pair the first is below the second."""
    return each((difference(one, other) for one, other in pairs), lambda apart: apart.below(0))


def ends(table: Table) -> dict[Any, Row]:
    """Where each player's curve ends, by simulations in the last column."""
    last = max(table.values(table.by[-1]))
    return {name: sure(table[name, last]) for name in table.values(table.by[0])}


def rises_somewhere(table: Table, name: str) -> Answer:
    """Whether a player's curve is anywhere higher than it has been before."""
    rows = [sure(table[name, x]) for x in sorted(table.values(table.by[-1]))]
    steps = (difference(before, after) for before, after in combinations(rows, 2))
    return somewhere(steps, lambda step: step.below(0))
