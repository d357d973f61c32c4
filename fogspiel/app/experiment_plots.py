"""Pictures of results as papers have them: bars with intervals, cross tables as heat maps, curves with bands."""

import math
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fogspiel.app.plot import COLOURS, DASHES, require_format, write_figure
from fogspiel.errors import SpecError
from fogspiel.experiment.intervals import DISTANCES
from fogspiel.experiment.tables import Row, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EVEN = {"points": 0.5, "wins": 0.5, "percent": 50.0}
"""Where a measure says that nobody is better: heat maps are white there."""
KINDS = ("auto", "bars", "heat", "curves")
BARS = 12
"""So many bars fit into one panel."""
PANELS = 25
"""More are too small to be read."""
LETTERS = 9.0
"""So many fit into an inch below a panel."""


def plot_table(table: Table, path: Path, title: str, kind: str = "auto", *, joined: bool = True) -> None:
    """Draw a table to a file."""
    require_format(path)
    write_figure(figure_of(table, title, kind, joined=joined), path)


def figure_of(table: Table, title: str, kind: str = "auto", *, joined: bool = True) -> "Figure":
    """A picture of a table: a heat map of a cross table, curves along a column of numbers, else bars. What one of these
    does not tell apart has panels of its own, all with the same axes."""
    from matplotlib.figure import Figure

    if kind not in KINDS:
        raise SpecError(f"a plot is one of {', '.join(KINDS)}, not {kind!r}")
    if not len(table):
        raise SpecError("there is nothing to draw: no runs are there yet")
    kind = _fitting(table) if kind == "auto" else kind
    panels = _panels(table, _inner(table, kind))
    if len(panels) > PANELS:
        raise SpecError(f"{len(panels)} panels are too many to draw: choose columns with --by, or rows with --where")
    across = math.ceil(math.sqrt(len(panels)))
    down = math.ceil(len(panels) / across)
    size = (6.4, 4.2) if len(panels) == 1 else (3.2 * across + 1.6, 2.7 * down + 0.6)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(down, across, squeeze=False, sharex=kind != "bars", sharey=True)
    whole = replace(panels[0][1], rows=tuple(row for _, part in panels for row in part))
    drawn = []
    for axes, (name, part) in zip(grid.flat, panels, strict=False):
        draw = {"bars": _bars, "heat": _heat, "curves": _curves if joined else _points}[kind]
        drawn.append((axes, draw(axes, part, whole)))
        axes.set_title(name, parse_math=False, wrap=True, fontsize="medium")
    for axes in grid.flat[len(panels) :]:
        axes.remove()
    figure.set_figheight(size[1] + _label_outer(drawn, across, size[0] / across))
    if kind == "heat":
        figure.colorbar(grid[0, 0].images[0], ax=figure.axes, label=table.measure)
    _legend(figure)
    figure.suptitle(title, parse_math=False, wrap=True)
    return figure


def _label_outer(panels: "list[tuple[Axes, list[str]]]", across: int, width: float) -> float:
    """Labels at the left and at the foot of the grid, which is one row higher where the last row is not full, and at
    the foot of any panel whose names along the x axis are others than those below it. Names that do not fit side by
    side, in panels so many inches wide, are turned; returns how many inches they take."""
    taken: dict[int, float] = {}
    for place, (axes, names) in enumerate(panels):
        below = place + across
        at_foot = below >= len(panels) or names != panels[below][1]
        axes.tick_params(axis="x", which="both", labelbottom=at_foot)
        axes.tick_params(axis="y", which="both", labelleft=place % across == 0)
        if not at_foot:
            axes.set_xlabel("")
        if place % across:
            axes.set_ylabel("")
        if at_foot and names and max(map(len, names)) * len(names) > LETTERS * width:
            axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
            row = place // across
            taken[row] = max(taken.get(row, 0.0), math.sin(math.radians(30)) * max(map(len, names)) / LETTERS)
    return sum(taken.values())


def _fitting(table: Table) -> str:
    if len(table.by) > 1 and len(table) > 3 and set(table.values(table.by[-2])) & set(table.values(table.by[-1])):
        return "heat"
    return "curves" if any(_numbers(table, column) for column in table.by) else "bars"


def _numbers(table: Table, column: str) -> bool:
    """Whether a column has numbers along which values can be drawn."""
    values = table.values(column)
    return column != "seat" and len(values) > 1 and all(isinstance(v, int | float) for v in values)


def _inner(table: Table, kind: str) -> list[str]:
    """The columns that one panel shows."""
    if kind == "heat":
        if len(table.by) < 2:
            raise SpecError(f"a heat map is of two columns, not of {', '.join(table.by) or 'none'}")
        return list(table.by[-2:])
    if kind == "curves":
        along = next((c for c in reversed(table.by) if _numbers(table, c)), None)
        if along is None:
            raise SpecError(f"no column of {', '.join(table.by)} has numbers to draw curves along; choose bars")
        return [*[c for c in table.by if c != along][-1:], along]
    return list(table.by) if len(table) <= BARS else list(table.by[-1:])


def _panels(table: Table, inner: list[str]) -> list[tuple[str, Table]]:
    """The rows of each value of the other columns, as a table by the inner ones."""
    outer = [i for i, column in enumerate(table.by) if column not in inner]
    shown = [table.by.index(column) for column in inner]
    found: dict[str, list[Row]] = {}
    for row in table:
        name = ", ".join(_named(table.by[i], row.key[i]) for i in outer)
        found.setdefault(name, []).append(replace(row, key=tuple(row.key[i] for i in shown)))
    return [(name, Table(tuple(inner), table.measure, tuple(rows))) for name, rows in found.items()]


def _named(column: str, value: Any) -> str:
    return value if isinstance(value, str) else f"{column} {value}"


def _legend(figure: "Figure") -> None:
    """One for all panels: inside where it is short and they are one, else beside them."""
    drawn = [axes for axes in figure.axes if axes.get_legend_handles_labels()[0]]
    names = {name: h for axes in drawn for h, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    if len(drawn) == 1 and len(names) <= 6:
        drawn[0].legend(frameon=False)
    elif names:
        figure.legend(names.values(), names.keys(), loc="outside right center", frameon=False)


def _ends(row: Row) -> tuple[float, float]:
    """Of the interval; nothing is drawn where there is none."""
    return (row.low, row.high) if math.isfinite(row.half) and row.half > 0 else (math.nan, math.nan)


def _bars(axes: "Axes", table: Table, whole: Table) -> list[str]:
    """Draw a panel, as all of these do; returns the names along the x axis, if it has any."""
    names = [", ".join(map(str, row.key)) for row in table]
    ends = [_ends(row) for row in table]
    errors = [
        [row.value - low for row, (low, _) in zip(table, ends, strict=True)],
        [high - row.value for row, (_, high) in zip(table, ends, strict=True)],
    ]
    axes.bar(names, [row.value for row in table], color=COLOURS[0], width=0.6, yerr=errors, capsize=4, alpha=0.85)
    printed = [(name, row.printed) for name, row in zip(names, table, strict=True) if row.printed is not None]
    if printed:
        axes.plot(*zip(*printed, strict=True), "D", color=COLOURS[1], label="printed", linestyle="none")
    axes.set_ylabel(table.measure)
    axes.set_xticks(range(len(names)), names)
    _plain(axes)
    return names


def _heat(axes: "Axes", table: Table, whole: Table) -> list[str]:
    rows, columns = (whole.values(name) for name in table.by)
    there = {row.key: row.value for row in table}
    even = EVEN.get(table.measure, 0.0)
    wide = max((abs(row.value - even) for row in whole), default=0.0) or 1.0
    numbers = [[there.get((a, b), math.nan) for b in columns] for a in rows]
    axes.imshow(numbers, cmap="RdBu", vmin=even - wide, vmax=even + wide, aspect="auto")
    for (a, b), x in there.items():
        dark = abs(x - even) > 0.6 * wide
        place = columns.index(b), rows.index(a)
        axes.text(*place, f"{x:.3g}", ha="center", va="center", color="white" if dark else "black", fontsize="small")
    axes.set_xticks(range(len(columns)), [str(c) for c in columns])
    axes.set_yticks(range(len(rows)), [str(r) for r in rows])
    axes.set(xlabel=table.by[1], ylabel=table.by[0])
    return [str(c) for c in columns]


def _points(axes: "Axes", table: Table, whole: Table) -> list[str]:
    return _curves(axes, table, whole, joined=False)


def _curves(axes: "Axes", table: Table, whole: Table, joined: bool = True) -> list[str]:
    """Along the last column; the one before, if there is one, tells lines apart. Points that are not `joined`, and one
    that is alone, have bars instead of a band."""
    log = table.measure in DISTANCES and all(row.value > 0 for row in whole)
    least = min(row.value for row in whole) / 3 if log else -math.inf  # on a logarithmic axis intervals end there
    lines = dict.fromkeys(row.key[:-1] for row in whole)
    for key, colour, dash in zip(lines, cycle(COLOURS), cycle(DASHES), strict=False):
        rows = sorted((row for row in table if row.key[:-1] == key), key=lambda row: row.key[-1])
        if not rows:
            continue
        x = [row.key[-1] for row in rows]
        name = _named(table.by[0], key[0]) if key else None
        y, low, high = [r.value for r in rows], [max(_ends(r)[0], least) for r in rows], [_ends(r)[1] for r in rows]
        if joined and len(x) > 1:
            axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
            axes.plot(x, y, dash, color=colour, label=name, marker="." if len(x) < 15 else "")
        else:
            ends = [[a - b for a, b in zip(y, low, strict=True)], [a - b for a, b in zip(high, y, strict=True)]]
            axes.errorbar(x, y, ends, fmt="o", color=colour, label=name, capsize=3)
        printed = [(a, r.printed) for a, r in zip(x, rows, strict=True) if r.printed is not None]
        if printed:
            axes.plot(*zip(*printed, strict=True), "D", color=colour, fillstyle="none", linestyle="none")
    values = [row.key[-1] for row in whole]
    if min(values) > 0 and max(values) > 20 * min(values):
        axes.set_xscale("log")
    if log:
        axes.set_yscale("log")
    axes.set(xlabel=table.by[-1], ylabel=table.measure)
    _plain(axes)
    return []


def _plain(axes: "Axes") -> None:
    axes.grid(visible=True, which="major", axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
