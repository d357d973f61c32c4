"""Run an item: its experiments, one after the other, from a store of what was run before."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fogspiel.errors import SpecError
from fogspiel.experiment.execution import Execution, Progress
from fogspiel.experiment.run import HERE, Outcome, is_begun
from fogspiel.experiment.tuning import carry_out
from fogspiel.experiment.verdict import together
from fogspiel.game.spec import suggestion
from fogspiel.reproduce.differing import outside, remarks_at
from fogspiel.reproduce.item import Item


@dataclass(frozen=True)
class Reproduced:
    """What came of an item at a scale; `verdict` is passed, failed or undecided, and nothing where not all of it was
    run."""

    name: str
    item: Item
    scale: str
    outcomes: dict[str, Outcome]
    verdict: str

    @property
    def stopped(self) -> str:
        why = (o.stopped for o in self.outcomes.values() if o.stopped != "done")
        return next(why, "budget" if self.not_begun else "done")

    @property
    def not_begun(self) -> list[str]:
        """The experiments for which there was no time."""
        return [name for name in self.item.parts if name not in self.outcomes]

    def as_dict(self) -> dict[str, Any]:
        document, _, item = self.name.partition("/")
        facts: dict[str, Any] = {"document": document, "item": item, "where": self.item.where, "about": self.item.about}
        facts |= {"scale": self.scale, "criterion": self.item.criterion, "verdict": self.verdict}
        facts |= {"apart": self.item.apart, "remarks": remarks_at(self.item.remarks, self.scale), "cause": None}
        if self.item.cause is not None:
            facts["cause"] = vars(self.item.cause)
        facts |= {"not_begun": self.not_begun}
        return facts | {"experiments": {name: _as_dict(outcome) for name, outcome in self.outcomes.items()}}


def _as_dict(outcome: Outcome) -> dict[str, Any]:
    """With the rows that are outside print by more than both half-widths."""
    table = outcome.table
    return outcome.as_dict() | {"outside": replace(table, rows=tuple(outside(table))).as_dict()["rows"]}


def reproduce(name: str, item: Item, store: str | Path, how: Execution = HERE) -> Reproduced:
    """Run what is missing of an item. After `until` seconds no experiment is begun, and of one that was begun before
    what is stored is told. `progress` hears the experiment's name as well."""
    if how.scale not in item.scales:
        raise SpecError(f"{name} has no scale {how.scale!r}{suggestion(how.scale, item.scales)}")
    ends = None if how.until is None else time.monotonic() + how.until
    outcomes: dict[str, Outcome] = {}
    with how.with_pool() as there:
        for part, experiment in item.parts.items():
            full = f"{name}/{part}".rstrip("/")
            left = None if ends is None else max(ends - time.monotonic(), 0.0)
            if left == 0 and not is_begun(full, store, how.scale):
                continue
            this = replace(there, until=left, progress=_named(full, how.progress))
            outcomes[part] = carry_out(experiment, full, store, this)
            if outcomes[part].stopped == "interrupted":
                break
    whole = len(outcomes) == len(item.parts) and all(
        o.counts["done"] == o.counts["asked"] and not o.mistake for o in outcomes.values()
    )
    return Reproduced(name, item, how.scale, outcomes, _verdict(item, outcomes) if whole else "")


def _verdict(item: Item, outcomes: dict[str, Outcome]) -> str:
    faults = sum(o.counts["faults"] + o.counts["failed"] for o in outcomes.values())
    across = item.judged_together({part: o.table for part, o in outcomes.items()}, faults)
    return together([*(o.verdict for o in outcomes.values()), across])


def _named(name: str, progress: Progress | None) -> Progress | None:
    return None if progress is None else lambda what, done, total: progress(f"{name}, {what}", done, total)
