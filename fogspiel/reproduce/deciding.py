"""What would decide an item that is undecided: so many times the runs, or what a larger scale has."""

import math
from dataclasses import replace
from pathlib import Path

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.joint import Joint
from fogspiel.experiment.tables import Luck, Row, Table
from fogspiel.experiment.verdict import UNDECIDED
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.stored import Stored, stored

TIMES = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)


def times_to_decide(name: str, item: Item, *folders: Path) -> int | None:
    """As `times_the_runs`, of the largest scale at which an item was run; None where it was not."""
    kept = [*stored(name, item, *folders).values()]
    return times_the_runs(kept[-1]) if kept else None


def times_the_runs(found: Stored) -> int | None:
    """How many times the runs would decide, if all means stayed as they are: 1 where it is decided, None where no such number does, as where the criterion
    asks for settings that the scale does not have."""
    for times in TIMES:
        tables = {part: narrowed(table, times) for part, table in found.tables.items()}
        if replace(found, tables=tables).verdict != UNDECIDED:
            return times
    return None


def narrowed(table: Table, times: float) -> Table:
    """A table with the intervals of so many times the runs, and the same means."""
    joint = next((row.luck.joint for row in table if row.luck is not None), None)
    narrower = Joint({})
    if joint is not None:
        narrower.known = {name: _narrower(estimate, times) for name, estimate in joint.known.items()}
    rows = []
    for row in table:
        less = Row(row.key, _narrower(row.estimate, times), row.runs, row.deals, row.printed)
        rows.append(less if row.luck is None else less.with_luck(Luck(narrower, row.luck.weights, row.luck.constant)))
    return Table(table.by, table.measure, tuple(rows))


def _narrower(estimate: Estimate, times: float) -> Estimate:
    value, low, high = estimate.value, estimate.low, estimate.high
    return Estimate(value, *(value + (end - value) / math.sqrt(times) for end in (low, high)))
