"""Pictures of results as papers have them: bars with intervals, cross tables as heat maps, curves with bands."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fogspiel.app.plot import COLOURS, DASHES, require_format, write_figure
from fogspiel.errors import SpecError
from fogspiel.experiment.tables import Row, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

EVEN = {"points": 0.5, "wins": 0.5, "percent": 50.0}
"""Where a measure says that nobody is better: heat maps are white there."""
KINDS = ("auto", "bars", "heat", "curves")


def plot_table(table: Table, path: Path, title: str, kind: str = "auto") -> None:
    """Draw a table to a file."""
    require_format(path)
    write_figure(figure_of(table, title, kind), path)


def figure_of(table: Table, title: str, kind: str = "auto") -> "Figure":
    """A picture of a table: a heat map of a cross table, curves along a column of numbers, else bars."""
    from matplotlib.figure import Figure

    if kind not in KINDS:
        raise SpecError(f"a plot is one of {', '.join(KINDS)}, not {kind!r}")
    if not len(table):
        raise SpecError("there is nothing to draw: no runs are there yet")
    kind = _fitting(table) if kind == "auto" else kind
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    {"bars": _bars, "heat": _heat, "curves": _curves}[kind](axes, table)
    axes.set_title(title, parse_math=False, wrap=True)
    return figure


def _fitting(table: Table) -> str:
    if any(_numbers(table, column) for column in table.by):
        return "curves"
    if len(table.by) == 2 and len(table) > 3 and set(table.values(table.by[0])) & set(table.values(table.by[1])):
        return "heat"
    return "bars"


def _numbers(table: Table, column: str) -> bool:
    """Whether a column has numbers along which values can be drawn."""
    values = table.values(column)
    return column != "seat" and len(values) > 1 and all(isinstance(v, int | float) for v in values)


def _bars(axes: "Axes", table: Table) -> None:
    names = [", ".join(map(str, row.key)) for row in table]
    axes.bar(
        names,
        [row.value for row in table],
        color=COLOURS[0],
        width=0.6,
        yerr=_errors(table.rows),
        capsize=4,
        alpha=0.85,
    )
    printed = [(name, row.printed) for name, row in zip(names, table, strict=True) if row.printed is not None]
    if printed:
        axes.plot(*zip(*printed, strict=True), "D", color=COLOURS[1], label="printed", linestyle="none")
        axes.legend(frameon=False)
    axes.set_ylabel(table.measure)
    axes.tick_params(axis="x", rotation=30 if len(names) > 4 else 0)
    _plain(axes)


def _heat(axes: "Axes", table: Table) -> None:
    if len(table.by) != 2:
        raise SpecError(f"a heat map is of two columns, not of {', '.join(table.by)}")
    rows, columns = (table.values(name) for name in table.by)
    cells = [[_at(table, a, b) for b in columns] for a in rows]
    even = EVEN.get(table.measure, 0.0)
    wide = max((abs(x - even) for line in cells for x in line if x is not None), default=0.0) or 1.0
    numbers = [[float("nan") if x is None else x for x in line] for line in cells]
    drawn = axes.imshow(numbers, cmap="RdBu", vmin=even - wide, vmax=even + wide, aspect="auto")
    for i, line in enumerate(cells):
        for j, x in enumerate(line):
            if x is not None:
                dark = abs(x - even) > 0.6 * wide
                axes.text(j, i, f"{x:.3g}", ha="center", va="center", color="white" if dark else "black")
    axes.set_xticks(range(len(columns)), [str(c) for c in columns], rotation=30)
    axes.set_yticks(range(len(rows)), [str(r) for r in rows])
    axes.set(xlabel=table.by[1], ylabel=table.by[0])
    axes.figure.colorbar(drawn, label=table.measure)


def _at(table: Table, first: Any, second: Any) -> float | None:
    return next((row.value for row in table if row.key == (first, second)), None)


def _curves(axes: "Axes", table: Table) -> None:
    along = next((c for c in reversed(table.by) if _numbers(table, c)), None)
    if along is None:
        raise SpecError(f"no column of {', '.join(table.by)} has numbers to draw curves along; choose bars")
    place = table.by.index(along)
    lines: dict[tuple[Any, ...], list[Row]] = {}
    for row in table:
        lines.setdefault(row.key[:place] + row.key[place + 1 :], []).append(row)
    for (key, rows), colour, dash in zip(lines.items(), cycle(COLOURS), cycle(DASHES), strict=False):
        rows = sorted(rows, key=lambda row: row.key[place])
        x = [row.key[place] for row in rows]
        others = [c for c in table.by if c != along]
        names = [v if isinstance(v, str) else f"{c} {v}" for c, v in zip(others, key, strict=True)]
        axes.fill_between(x, [r.low for r in rows], [r.high for r in rows], color=colour, alpha=0.2, linewidth=0)
        axes.plot(
            x,
            [r.value for r in rows],
            dash,
            color=colour,
            label=", ".join(names),
            marker="." if len(x) < 15 else "",
        )
        printed = [(a, r.printed) for a, r in zip(x, rows, strict=True) if r.printed is not None]
        if printed:
            axes.plot(*zip(*printed, strict=True), "D", color=colour, fillstyle="none", linestyle="none")
    values = [row.key[place] for row in table]
    if min(values) > 0 and max(values) > 20 * min(values):
        axes.set_xscale("log")
    if table.measure == "exploitability" and all(row.low > 0 for row in table):
        axes.set_yscale("log")
    axes.set(xlabel=along, ylabel=table.measure)
    if len(lines) > 1:
        axes.legend(frameon=False)
    _plain(axes)


def _errors(rows: Sequence[Row]) -> list[list[float]]:
    return [[row.value - row.low for row in rows], [row.high - row.value for row in rows]]


def _plain(axes: "Axes") -> None:
    axes.grid(visible=True, which="major", axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
