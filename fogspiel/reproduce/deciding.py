"""What is known of an item, and what would decide it: so many times the runs, or what a larger scale has."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.design import SCALES
from fogspiel.experiment.joint import Joint
from fogspiel.experiment.tables import Combination, Row, Table
from fogspiel.experiment.verdict import UNDECIDED
from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.stored import Stored, stored

TIMES = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)
MISSING = "not reproduced"
NEEDS = tuple(f"needs {scale}" for scale in SCALES[1:])


def status(name: str, item: Item | Missing, *folders: Path) -> tuple[str, str]:
    """What is known of an item by the largest scale at which it was run, and that scale: passed, failed, or undecided;
    where no number of runs at that scale would decide, which larger one has what is asked for ("needs paper"). Nothing
    where it was not run."""
    if isinstance(item, Missing):
        return MISSING, ""
    kept = [*stored(name, item, *folders).values()]
    if not kept:
        return "", ""
    verdict, scale = kept[-1].verdict, kept[-1].scale
    less = SCALES.index(scale) < SCALES.index(item.needs)
    if verdict == UNDECIDED and less and decision(kept[-1]) is None:
        return f"needs {item.needs}", scale
    return verdict, scale


@dataclass(frozen=True)
class Decision:
    """What so many times the runs would come to, if all means stayed as they are; 1 where it is decided."""

    times: int
    verdict: str


def decided(name: str, item: Item, *folders: Path) -> Decision | None:
    """As `decision`, of the largest scale at which an item was run; None where it was not."""
    kept = [*stored(name, item, *folders).values()]
    return decision(kept[-1]) if kept else None


def decision(found: Stored) -> Decision | None:
    """What would decide; None where no number of runs does, as where the criterion asks for settings that the scale
    does not have."""
    for times in TIMES:
        tables = {part: narrowed(table, times) for part, table in found.tables.items()}
        verdict = replace(found, tables=tables).verdict
        if verdict != UNDECIDED:
            return Decision(times, verdict)
    return None


def narrowed(table: Table, times: float) -> Table:
    """A table with the intervals of so many times the runs, and the same means."""
    joint = next((row.combination.joint for row in table if row.combination is not None), None)
    narrower = Joint({})
    if joint is not None:
        narrower.known = {name: _narrower(estimate, times) for name, estimate in joint.known.items()}
    rows = []
    for row in table:
        less = Row(row.key, _narrower(row.estimate, times), row.runs, row.deals, row.printed)
        less.with_freedom(times * (row.freedom + 1) - 1)
        old = row.combination
        rows.append(less if old is None else less.with_combination(Combination(narrower, old.weights, old.constant)))
    return Table(table.by, table.measure, tuple(rows))


def _narrower(estimate: Estimate, times: float) -> Estimate:
    """Where a single run tells no interval, more are taken to be alike."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if times > 1 and math.isinf(high - low):
        return Estimate(value, value, value)
    return Estimate(value, *(value + (end - value) / math.sqrt(times) for end in (low, high)))
