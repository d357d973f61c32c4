"""What rows an experiment will have, as far as that is known before it is run: whatever it declares of them must be
among these."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from fogspiel.errors import FogspielError, SpecError
from fogspiel.experiment.design import Cell, Experiment
from fogspiel.experiment.intervals import require_inside
from fogspiel.experiment.loader import Loader
from fogspiel.experiment.store import Store, flat, setting_of, text_of
from fogspiel.experiment.tables import FIRST, OF_RUNS, column_of, key_text, measure_of, observations, selected


def require_declared(experiment: Experiment, scale: str, loader: Loader, file: Store | None = None) -> list[Cell]:
    """The settings at a scale. Raises what is wrong with them and with what is declared of their rows, as far as that
    can be told before anything is run. Of a setting of which `file` has a run, with the code of today, nothing is."""
    folder = loader.folder
    cells = experiment.cells(scale, folder)
    if not cells:
        raise SpecError("nothing would be run: no agents are there to play by these seats")
    require_rows(experiment, scale, cells, folder)
    for text, cell in {text_of(cell.task.described()): cell for cell in cells}.items():
        try:
            versions = cell.task.versions(loader)
            asked = folder, text, text_of(versions)
            if asked not in _Suited.known and not (file is not None and file.has_run(cell.task, versions)):
                cell.task.require(loader)
            _Suited.known.add(asked)
        except FogspielError as error:
            error.args = (f"{setting_of([other.columns for other in cells], cells.index(cell))}{error}",)
            raise
    return cells


class _Suited:
    """Tasks with the versions of their code of which it is known that nothing is wrong: a tuning asks again and
    again."""

    known: ClassVar[set[tuple[str, str, str]]] = set()


def require_rows(experiment: Experiment, scale: str, cells: list[Cell], folder: str = "") -> None:
    """Raise SpecError where `where` or `printed` names what no row will have. What a function returns is not known
    before it is called; and what was printed may be of another scale."""
    _require_columns(experiment, scale, cells, folder)
    here = _keys(experiment, scale, cells, folder)
    printed = {key_text(key): key for key in experiment.printed}
    if here is None or experiment.kind == "tuning" or printed.keys() <= here:
        return
    for other in experiment.scales:
        with contextlib.suppress(SpecError):  # what is wrong with another scale is told where that is run
            if other != scale:
                there = _keys(experiment, other, experiment.cells(other, folder), folder)
                if there is None:
                    return
                here |= there
    if missing := [given for text, given in printed.items() if text not in here]:
        rows = ["(" + ", ".join(key) + ")" if len(key) != 1 else key[0] for key in sorted(here)]
        raise SpecError(
            f"printed has {missing[0]!r}, and no row of the table by {', '.join(experiment.table_by(scale, folder))} "
            f"is that; there are {', '.join(rows[:8])}{', ...' * (len(rows) > 8)}"
        )


def _require_columns(experiment: Experiment, scale: str, cells: list[Cell], folder: str) -> None:
    """Raise SpecError for a column or a measure that no row will have."""
    if not all(cell.task.expected() for cell in cells):  # what a function returns
        return
    every: dict[str, Any] = {}
    for row in _expected(cells):
        every |= row
    for name in (*experiment.table_by(scale, folder), *experiment.where):
        column_of(every, name)
    measure_of(every, experiment.measure)


def require_within(experiment: Experiment, columns: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Raise SpecError where what a run found of the measure lies outside the declared bounds."""
    if experiment.bounds is None:
        return
    rows = list(observations(flat({**columns, **FIRST}, dict(found))))
    try:
        rows = selected(rows, experiment.where.items())
    except SpecError:  # no row of this run counts
        return
    values = [row[experiment.measure] for row in rows if row.get(experiment.measure) is not None]
    require_inside(experiment.measure, values, experiment.bounds)


def require_apart(columns: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Raise SpecError where a run found something by the name of a column that tells its rows apart."""
    known = {*columns, *OF_RUNS}
    twice = [name for name in found if name in known]
    if any(isinstance(value, list) for value in found.values()) and "place" in {*columns, *found}:
        twice.append("place")  # of a value in its list
    if twice:
        raise SpecError(
            (
                f"the function returns {twice[0]}, which is a column that tells its rows apart already: return it by "
                "another name"
            )
            if twice[0] in found
            else f"the grid has {twice[0]}, which is a column of what is returned in lists: take another word"
        )


def _keys(experiment: Experiment, scale: str, cells: list[Cell], folder: str) -> set[tuple[str, ...]] | None:
    """What will tell the table's rows apart; None where that is not known."""
    rows = list(_expected(cells))
    known = set(rows[0]).intersection(*rows) if rows else set()
    left = selected(rows, [(name, value) for name, value in experiment.where.items() if name in known])
    by = experiment.table_by(scale, folder)
    if not rows or not known.issuperset([*by, *experiment.where]):
        return None
    return {key_text(tuple(row[name] for name in by)) for row in left}


def _expected(cells: Iterable[Cell]) -> Iterator[dict[str, Any]]:
    for cell in cells:
        yield from observations(flat(cell.columns | FIRST, cell.task.expected()))
