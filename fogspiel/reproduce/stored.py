"""What was found, as it comes with the package: `results/DOCUMENT/ITEM.SCALE.json`, a table for each experiment.

Printed numbers are not in these files but in the items, and a verdict follows from an item's criterion and the stored table; so both can be
corrected without another run. What was run is told by a hash of the declaration, which a test compares.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fogspiel.errors import FileError
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.design import SCALES, Experiment
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.tuning import Between, Tuning
from fogspiel.experiment.verdict import PASSED, UNDECIDED, judged, together
from fogspiel.reproduce.item import Item
from fogspiel.reproduce.reproducing import Reproduced
from fogspiel.solve.files import write_safely

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Stored:
    """What was found of an item at a scale: a table for each experiment, the hashes of what was declared, and how many runs went wrong."""

    item: Item
    scale: str
    tables: dict[str, Table]
    declared: dict[str, str]
    version: str
    faults: int = 0

    @property
    def verdicts(self) -> dict[str, str]:
        """Of each experiment; nothing where it has no criterion."""
        return {name: judged(one, self.tables[name]) for name, one in self.item.parts.items()}

    @property
    def verdict(self) -> str:
        told = together(self.verdicts.values())
        return UNDECIDED if told == PASSED and self.faults else told


def verdicts(name: str, item: Item, *folders: Path) -> dict[str, str]:
    """The stored verdict at each scale at which it has been run: passed, failed or undecided."""
    return {scale: found.verdict for scale, found in stored(name, item, *folders).items()}


def stored(name: str, item: Item, *folders: Path) -> dict[str, Stored]:
    """What was found of an item, by scale: in the first of these folders that has it, by default as it comes with the
    package. Raises FileError for what is not of this item."""
    found = {}
    for scale in SCALES:
        places = [folder / f"{name}.{scale}.json" for folder in folders or (RESULTS,)]
        path = next((place for place in places if place.exists()), None)
        if path is not None:
            try:
                found[scale] = _read(item, scale, path)
            except (KeyError, TypeError, ValueError):
                raise FileError(f"{path} is damaged, or of another version of {name}: run it again") from None
    return found


def _read(item: Item, scale: str, path: Path) -> Stored:
    facts = json.loads(path.read_text())
    tables = {part: _table(one, facts["experiments"][part]) for part, one in item.parts.items()}
    declared = {part: table["declared"] for part, table in facts["experiments"].items()}
    return Stored(item, scale, tables, declared, facts["version"], facts.get("faults", 0))


def keep(found: Reproduced, folder: Path) -> Path:
    """Write what was found to a folder of results; all of it must have been run."""
    from fogspiel import __version__

    if not found.verdict:
        raise FileError(f"{found.name} is not kept: not all of it was run at the scale {found.scale}")
    path = folder / f"{found.name}.{found.scale}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = []
    for name, outcome in found.outcomes.items():
        experiment, table = found.item.parts[name], outcome.table
        rows = ",\n    ".join(json.dumps(_listed(row)) for row in table)
        facts = {"by": list(table.by), "measure": table.measure, "declared": declaration(experiment, found.scale)}
        parts.append(f'  {json.dumps(name)}: {json.dumps(facts)[:-1]},\n   "rows": [\n    {rows}]}}')
    body = ",\n".join(parts)
    faults = sum(outcome.counts["faults"] + outcome.counts["failed"] for outcome in found.outcomes.values())
    text = f'{{"version": {json.dumps(__version__)}, "faults": {faults},\n "experiments": {{\n{body}}}}}\n'
    write_safely(path, text.encode())
    return path


def declaration(experiment: Experiment, scale: str) -> str:
    """A hash of what is run and how it is tabulated."""
    told: list[Any] = []
    if isinstance(experiment, Tuning):  # of its settings, the first
        first = [
            values.at(0.0) if isinstance(values, Between) else values[0] for values in experiment.parameters.values()
        ]
        told = [experiment.method, repr(dict(experiment.parameters))]
        experiment = replace(experiment, plan={tuple(first): experiment.scale(scale).runs})
    cells = [
        [sorted((name, str(value)) for name, value in cell.columns.items()), cell.task.described(), cell.runs]
        for cell in experiment.cells(scale)
    ]
    told += [list(experiment.table_by(scale)), experiment.measure, dict(experiment.where), cells]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def _listed(row: Row) -> list[Any]:
    return [*row.key, *(_short(x) for x in (row.value, row.low, row.high)), row.runs, row.deals]


def _short(x: float) -> float:
    """Twelve digits: enough for what is exact."""
    return float(f"{x:.12g}")


def _table(experiment: Experiment, facts: dict[str, Any]) -> Table:
    printed = {tuple(map(str, k if isinstance(k, tuple) else (k,))): v for k, v in experiment.printed.items()}
    rows = []
    for *key, value, low, high, runs, deals in facts["rows"]:
        known = printed.get(tuple(map(str, key)))
        rows.append(Row(tuple(key), Estimate(value, low, high), runs, deals, known))
    return Table(tuple(facts["by"]), facts["measure"], tuple(rows))
