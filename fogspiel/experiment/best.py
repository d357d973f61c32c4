"""The best values of a tuning, told from what is stored of it, and which others are as good."""

import math
from dataclasses import dataclass
from typing import Any

from fogspiel.experiment.analysis import consistent
from fogspiel.experiment.results import View
from fogspiel.experiment.tables import Table, tabulate

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Best:
    """The `values` that were chosen; those that are `tied` with them, and those that these runs cannot `tell` from
    them."""

    values: dict[str, Any]
    tied: list[dict[str, Any]]
    untold: list[dict[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        return {"best": self.values, "tied": self.tied, "untold": self.untold}

    def __str__(self) -> str:
        told = f"best: {_written(self.values)}"
        tied = f"; tied with {_listed(self.tied)}" if self.tied else ""
        untold = f"; these runs cannot tell it from {_listed(self.untold)}" if self.untold else ""
        return told + tied + untold


def best_of(view: View, table: Table) -> Best | None:
    """By the tuning's own table, of the candidates that have most runs; None of what is no tuning, or where a file of
    before does not say what is better."""
    facts = view.declared.facts
    if facts.get("kind") != "tuning" or "minimise" not in facts or table.by != view.by or table.measure != view.measure:
        return None
    asked = {
        tuple(columns[n] for n in table.by): runs
        for columns, runs in view.store.asked(view.declared.name, view.declared.scale)
    }
    most = max((asked.get(row.key, 0) for row in table), default=0)
    last = [row for row in table if asked.get(row.key, 0) == most]
    if not last:
        return None
    sign = -1 if facts["minimise"] else 1
    tied: list[Key]
    untold: list[Key]
    if over := facts.get("over"):
        rows = [row | {"score": sign * row[table.measure]} for row in view.rows]
        there = {row.key for row in last}
        ranks = [one for one in consistent(tabulate(rows, [over, *table.by], "score"), over) if one[0] in there]
        best, untold = ranks[0][0], []
        tied = [key for key, rank in ranks[1:] if math.isclose(rank, ranks[0][1])]
    else:
        first = max(last, key=lambda row: sign * row.value)
        best, others = first.key, [row for row in last if row is not first]
        tied = [row.key for row in others if math.isclose(row.value, first.value)]
        better = [row.key for row in others if (row.below(first) if sign > 0 else row.above(first))]
        untold = [row.key for row in others if row.key not in (*tied, *better)]
    named = [[dict(zip(table.by, key, strict=True)) for key in keys] for keys in ([best], tied, untold)]
    return Best(named[0][0], named[1], named[2])


def _written(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _listed(several: list[dict[str, Any]], most: int = 6) -> str:
    more = f" and {len(several) - most:,} more" if len(several) > most else ""
    told = [_written(one) for one in several[:most]]
    return (" or " if len(several[0]) == 1 else "; or ").join(told) + more
