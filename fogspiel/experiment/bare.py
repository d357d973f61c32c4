"""Settings of which a table has no row, as all their runs failed: they are shown in their place all the same."""

import contextlib
from collections.abc import Iterator
from typing import Any

from fogspiel.errors import SpecError
from fogspiel.experiment.results import View
from fogspiel.experiment.store import flat
from fogspiel.experiment.tables import FIRST, Row, Table, observations, selected
from fogspiel.experiment.tasks import CurveTask, MatchTask

Line = tuple[tuple[Any, ...], Row | None]


def lines_of(view: View, table: Table) -> list[Line]:
    """The rows of a table with what tells them apart, and in the order of the settings those of which all runs
    failed."""
    there = {row.key: row for row in table}
    settings = list(zip(view.store.outcomes(view.declared.name, view.declared.scale), view.cells, strict=True))
    if not any(failed and not done for (done, failed), _ in settings):
        return list(there.items())
    order: dict[tuple[Any, ...], None] = {}
    for (done, failed), (columns, task, _) in settings:
        for key in _keys(view, table, columns, task):
            if key in there or (failed and not done):
                order[key] = None
    return [(key, there.get(key)) for key in dict.fromkeys([*order, *there])]


def _keys(view: View, table: Table, columns: dict[str, Any], task: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """What would tell the rows of a setting apart, as far as its columns say."""
    rows = observations(flat(columns | FIRST, _expected(task)), everyone=view.everyone)
    with contextlib.suppress(SpecError):  # no row has what is asked for, or is known to
        for row in selected(rows, view.where):
            if all(name in row for name in table.by):
                yield tuple(row[name] for name in table.by)


def _expected(task: dict[str, Any]) -> dict[str, Any]:
    """What is known of what a run finds, by what the store says of its task."""
    if task["kind"] == MatchTask.__name__:
        places = list(range(len(task["agents"])))
        return {"points": [0.0] * len(places)} | ({} if task.get("roles") is None else {"role": places})
    return {"budget": sorted(task["budgets"])} if task["kind"] == CurveTask.__name__ else {}
