"""What was found, as it comes with the package: `results/DOCUMENT/ITEM.SCALE.json`, a table for each experiment.

Printed numbers are not in these files but in the items, and a verdict follows from an item's criterion and the stored
table; so both can be corrected without another run. Of rows that were measured on the same deals only those sums and
differences are kept as compared deal by deal that the criteria asked for, of the item and of those that are kept with
it: a corrected criterion that asks for others has them with the wider intervals of rows measured apart, until it is run
again. Of a row with weighted deals the degrees of freedom come last; others, and those of older files, have one fewer
than deals. What was run is told by a hash of the declaration, which a test compares, and by hashes of the code that
ran.

Files of format 1, which say of none, called NashConv exploitability, as measures and as names of experiments.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from fogspiel.errors import FileError
from fogspiel.evaluate.samples import UNBOUNDED, sample
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.candidates import Range
from fogspiel.experiment.design import SCALES, Curves, Experiment
from fogspiel.experiment.intervals import known_bounds
from fogspiel.experiment.joint import Joint, named
from fogspiel.experiment.loader import Loader
from fogspiel.experiment.tables import Combination, Row, Table
from fogspiel.experiment.tuning import Tuning
from fogspiel.experiment.verdict import PASSED, UNDECIDED, judged, together
from fogspiel.reproduce.documents import document
from fogspiel.reproduce.item import Item, Missing
from fogspiel.reproduce.reproducing import Reproduced
from fogspiel.solvers.files import write_safely

RESULTS = Path(__file__).parent / "results"
FORMAT = 2


@dataclass(frozen=True)
class Stored:
    """What was found of an item at a scale: a table for each experiment, the hashes of what was declared and of the
    code that ran, which is empty where it is not known, the versions of Fogspiel, and of each experiment how many runs
    went wrong, and how many seconds all runs took, one after the other, where that is known."""

    item: Item
    scale: str
    tables: dict[str, Table]
    declared: dict[str, str]
    code: dict[str, dict[str, str]]
    versions: tuple[str, ...]
    faults: dict[str, int]
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def verdicts(self) -> dict[str, str]:
        """Of each experiment; nothing where it has no criterion. None passes of which runs went wrong."""
        told = {name: judged(one, self.tables[name]) for name, one in self.item.parts.items()}
        return {name: UNDECIDED if one == PASSED and self.faults[name] else one for name, one in told.items()}

    @property
    def verdict(self) -> str:
        across = self.item.judged_together(self.tables, sum(self.faults.values()))
        return together([*self.verdicts.values(), across])

    @property
    def changed(self) -> list[str] | None:
        """The kinds of code (game, agent, referee, player, function, library) that are not those of today, of those
        that are known of it; None where it is not known."""
        if not all(self.code.values()):
            return None
        now = {name: code_of(versions_today(one, self.scale)) for name, one in self.item.parts.items()}
        kinds = dict.fromkeys(kind for name in now for kind in self.code[name])
        changed = {
            kind for name, then in self.code.items() for kind, version in then.items() if now[name].get(kind) != version
        }
        return [kind for kind in kinds if kind in changed]


def verdicts(name: str, item: Item, *folders: Path) -> dict[str, str]:
    """The stored verdict at each scale at which it has been run: passed, failed or undecided."""
    return {scale: found.verdict for scale, found in stored(name, item, *folders).items()}


def stored(name: str, item: Item, *folders: Path) -> dict[str, Stored]:
    """What was found of an item, by scale: in the first of these folders that has it, by default as it comes with the
    package. Raises FileError for what is not of this item."""
    found = {}
    document = name.partition("/")[0]
    owners = {part: item.kept_with.get(part, (name.partition("/")[2], part)) for part in item.parts}
    for scale in SCALES:
        paths: dict[str, Path] = {}
        for owner, _ in owners.values():
            places = [folder / document / f"{owner}.{scale}.json" for folder in folders or (RESULTS,)]
            if path := next((place for place in places if place.exists()), None):
                paths[owner] = path
        if all(owner in paths for owner, _ in owners.values()):
            try:
                found[scale] = _read(item, scale, owners, paths)
            except (KeyError, TypeError, ValueError):
                damaged = " or ".join(map(str, paths.values()))
                raise FileError(f"{damaged} is damaged, or of another version of {name}: run it again") from None
    return found


def _read(item: Item, scale: str, owners: dict[str, tuple[str, str]], paths: dict[str, Path]) -> Stored:
    files = {owner: json.loads(path.read_text()) for owner, path in paths.items()}
    for one in files.values():
        if one.get("format", 1) not in range(1, FORMAT + 1):
            raise ValueError("a later format")
    faults = {
        owner: one.get("faults", 0) for owner, one in files.items()
    }  # of all experiments together, in older files
    facts = {part: _facts(files[owner], there, item.parts[part].measure) for part, (owner, there) in owners.items()}
    return Stored(
        item,
        scale,
        {part: _table(one, facts[part]) for part, one in item.parts.items()},
        {part: one["declared"] for part, one in facts.items()},
        {part: one.get("code", {}) for part, one in facts.items()},
        tuple(dict.fromkeys(one["version"] for one in files.values())),
        {part: one.get("faults", faults[owners[part][0]]) for part, one in facts.items()},
        {part: one["seconds"] for part, one in facts.items() if "seconds" in one},
    )


def _facts(file: dict[str, Any], name: str, measure: str) -> dict[str, Any]:
    """What a file has of an experiment of this name, which measures that."""
    found = file["experiments"]
    if "format" in file or measure != "nash_conv":
        return found[name]
    facts = found["exploitability"] if name == "nash_conv" and name not in found else found[name]
    return facts | ({"measure": measure} if facts["measure"] == "exploitability" else {})


@dataclass(frozen=True)
class Taken:
    """How many seconds the runs of some experiments took in all, one after the other, as far as it is known: of `known`
    of `kept`."""

    seconds: float = 0.0
    known: int = 0
    kept: int = 0

    def and_also(self, one: Stored) -> "Taken":
        """With what was found of an item, but for what is kept with another."""
        own = [part for part in one.item.parts if part not in one.item.kept_with]
        told = [one.seconds[part] for part in own if part in one.seconds]
        return Taken(self.seconds + math.fsum(told), self.known + len(told), self.kept + len(own))


def taken(items: Mapping[str, Item | Missing], *folders: Path) -> dict[str, Taken]:
    """How long the runs took of what was found of these items, by scale."""
    found: dict[str, Taken] = {}
    for name, item in items.items():
        for scale, one in stored(name, item, *folders).items() if isinstance(item, Item) else ():
            found[scale] = found.get(scale, Taken()).and_also(one)
    return {scale: found[scale] for scale in SCALES if scale in found}


def told_of(times: Mapping[str, Taken]) -> str:
    """A sentence about how long runs took; nothing where it is not known of most."""
    told = [
        f"{_hours(one.seconds)} at the scale `{scale}` (known of {one.known} of {one.kept} experiments)"
        for scale, one in times.items()
        if 2 * one.known > one.kept
    ]
    return f"One after the other the runs took {', '.join(told)}." if told else ""


def _hours(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def keep(found: Reproduced, folder: Path) -> Path | None:
    """Write what was found to a folder of results, but for what is kept with other items; all of it must have been run.
    Returns the file, if there is one."""
    from fogspiel import __version__

    if not found.verdict:
        raise FileError(f"{found.name} is not kept: not all of it was run at the scale {found.scale}")
    own = {name: outcome for name, outcome in found.outcomes.items() if name not in found.item.kept_with}
    if not own:
        return None
    path = folder / f"{found.name}.{found.scale}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = []
    for name, outcome in own.items():
        experiment, table = found.item.parts[name], outcome.table
        rows = ",\n    ".join(json.dumps(_listed(row)) for row in table)
        facts: dict[str, Any] = {
            "by": list(table.by),
            "measure": table.measure,
            "declared": declaration(experiment, found.scale),
        }
        facts |= {"code": code_of(outcome.versions), "faults": outcome.counts["faults"] + outcome.counts["failed"]}
        facts |= {} if outcome.spent is None else {"seconds": round(outcome.spent, 3)}
        _judge_others(found.name, name, table)
        joint = "".join(f",\n    {json.dumps(one)}" for one in _sums(table))[1:]
        told = f',\n   "sums": [{joint}]' if joint else ""
        parts.append(f'  {json.dumps(name)}: {json.dumps(facts)[:-1]},\n   "rows": [\n    {rows}]{told}}}')
    body = ",\n".join(parts)
    text = f'{{"format": {FORMAT}, "version": {json.dumps(__version__)},\n "experiments": {{\n{body}}}}}\n'
    write_safely(path, text.encode())
    return path


def _judge_others(name: str, part: str, table: Table) -> None:
    """Ask of a table what items that are kept with this one ask, so that it is kept."""
    of, _, own = name.partition("/")
    for other in document(of).items.values():
        if not isinstance(other, Item):
            continue
        for there, owner in other.kept_with.items():
            if owner == (own, part):
                judged(other.parts[there], table)


def code_of(versions: Mapping[str, str]) -> dict[str, str]:
    """A hash for each kind of code that ran, by the versions of all of it (`game kuhn`, `agent random`, ...)."""
    kinds: dict[str, set[str]] = {}
    for name, version in versions.items():
        kinds.setdefault(name.split()[0], set()).add(version)
    return {kind: _hash(sorted(found)) for kind, found in sorted(kinds.items())}


def versions_today(experiment: Experiment, scale: str) -> dict[str, str]:
    """Of all code that would run."""
    return {
        name: version
        for cell in _settled(experiment, scale).cells(scale)
        for name, version in cell.task.versions(_loader()).items()
    }


@cache
def _loader() -> Loader:
    return Loader()


def _settled(experiment: Experiment, scale: str) -> Experiment:
    """An experiment whose settings are known before it is run: of a tuning with the first candidate alone."""
    if not isinstance(experiment, Tuning):
        return experiment
    first = [values.at(0.0) if isinstance(values, Range) else values[0] for values in experiment.parameters.values()]
    return replace(experiment, plan={tuple(first): experiment.scale(scale).runs})


def declaration(experiment: Experiment, scale: str) -> str:
    """A hash of what is run and how it is tabulated."""
    told: list[Any] = []
    if isinstance(experiment, Tuning):
        told = [experiment.method, repr(dict(experiment.parameters))]
    experiment = _settled(experiment, scale)
    cells = [
        [sorted((name, str(value)) for name, value in cell.columns.items()), cell.task.described(), cell.runs]
        for cell in experiment.cells(scale)
    ]
    told += [list(experiment.table_by(scale)), experiment.measure, dict(experiment.where), cells]
    return _hash(told)


def _hash(told: Any) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def _listed(row: Row) -> list[Any]:
    kept = [*row.key, *(_short(x) for x in (row.value, row.low, row.high)), row.runs, row.deals]
    usual = math.isinf(row.freedom) or _short(row.freedom) == row.deals - 1
    return kept if usual else [*kept, _short(row.freedom)]


def _sums(table: Table) -> list[list[Any]]:
    """What the criterion asked of rows that were measured on the same deals: weights with the keys of rows, and the
    interval of the sum."""
    joint = next((row.combination.joint for row in table if row.combination is not None), None)
    if joint is None:
        return []
    keys = {tuple(map(str, row.key)): row.key for row in table}
    return [
        [
            sorted(([weight, *keys[key]] for key, weight in name), key=str),
            *(_short(x) for x in (e.value, e.low, e.high)),
        ]
        for name, e in joint.known.items()
    ]


def _short(x: float) -> float | None:
    """Twelve digits: enough for what is exact. JSON has no infinity, and so nothing is kept of an interval's end that
    is not known."""
    return float(f"{x:.12g}") if math.isfinite(x) else None


def _known(value: float, low: float | None, high: float | None) -> Estimate:
    return Estimate(value, -math.inf if low is None else low, math.inf if high is None else high)


def _table(experiment: Experiment, facts: dict[str, Any]) -> Table:
    printed = {tuple(map(str, k if isinstance(k, tuple) else (k,))): v for k, v in experiment.printed.items()}
    least = 0.0 if isinstance(experiment, Curves) and facts["measure"] == "nash_conv" else -math.inf
    joint, rows = Joint({}), []
    for terms, *ends in facts.get("sums", []):
        joint.known[named({tuple(key): weight for weight, *key in terms})] = _known(*ends)
    columns = len(facts["by"])
    for numbers in facts["rows"]:
        key, (value, low, high, runs, deals, *freedom) = tuple(numbers[:columns]), numbers[columns:]
        found, known = _known(value, low, high), printed.get(tuple(map(str, key)))
        bounds = experiment.bounds or known_bounds(facts["measure"], [value]) or UNBOUNDED
        if (
            found.low == found.high and not experiment.deterministic
        ):  # the spread told nothing, and so what may be is open
            found = sample([value] * deals, range(deals)).interval(bounds)
        row = Row(key, Estimate(value, max(found.low, min(value, least)), found.high), runs, deals, known)
        row.with_limits((bounds[0] - experiment.off, bounds[1] - experiment.off))
        if freedom:
            row.with_freedom(*freedom)
        rows.append(row.with_combination(Combination(joint, {row.key: 1.0})) if joint.known else row)
    return Table(tuple(facts["by"]), facts["measure"], tuple(rows))
