"""What the command line shows of experiments and their results."""

from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from fogspiel.app.show import console
from fogspiel.experiment.results import Results, View
from fogspiel.experiment.run import Outcome
from fogspiel.experiment.tables import Table


def print_outcome(outcome: Outcome, store: Path) -> None:
    """The table of an experiment that was run, its verdict, and how to go on."""
    console.print(f"[bold]{escape(outcome.name)}[/bold]  {escape(outcome.about)}, {outcome.scale} scale\n")
    print_table(outcome.table)
    counts = outcome.counts
    pace = f", {outcome.played / outcome.seconds:,.1f} a second" if outcome.played and outcome.seconds > 0 else ""
    console.print(f"\n{counts['done']:,} of {counts['asked']:,} runs are there; {outcome.played:,} of this time{pace}")
    for text, often in outcome.errors:
        console.print(f"  {often:,} times: {text}", markup=False)
    if outcome.stopped != "done":
        why = "the budget is spent" if outcome.stopped == "budget" else "interrupted"
        console.print(f"{why}; the same command goes on")
    if outcome.passed is not None:
        console.print(f"{'passed' if outcome.passed else 'failed'}: {outcome.criterion}", markup=False)
    console.print(f"stored in {store}; see: fogspiel results {store}\n", markup=False)


def print_list(found: Results) -> None:
    for declared in found.declared:
        console.print(f"[bold]{escape(declared.name)}[/bold]  {declared.scale}  {escape(declared.about)}")
    if not found.declared:
        console.print(f"{found.store.path} has no results yet", markup=False)


def print_results(found: Results, view: View, table: Table) -> None:
    declared, counts = view.declared, view.counts
    console.print(f"[bold]{escape(declared.name)}[/bold]  {escape(declared.about)}, {declared.scale} scale\n")
    print_table(table)
    console.print(f"\n{counts['done']:,} of {counts['asked']:,} runs")
    others = [f"{d.name} ({d.scale})" for d in found.declared if d != declared]
    if others:
        console.print(f"also there: {', '.join(others)}", markup=False)


def print_table(table: Table) -> None:
    """A row for each value: the mean with its interval, how many it is of, and what was printed."""
    grid = Grid(box=None, pad_edge=False)
    for name in table.by:
        grid.add_column(name, style="bold")
    printed = any(row.printed is not None for row in table)
    for name in (table.measure, "95 %", "runs", *(["printed"] if printed else [])):
        grid.add_column(name, justify="right")
    for row in table:
        grid.add_row(
            *(escape(shown(value)) for value in row.key), shown(row.value), f"{shown(row.low)} to {shown(row.high)}", f"{row.runs:,}",
            *(["" if row.printed is None else shown(row.printed)] if printed else []),
        )  # fmt: skip
    console.print(grid)


def shown(value: Any) -> str:
    """A number as tables have it."""
    if not isinstance(value, float):
        return str(value)
    if value == int(value) and abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.4f}" if abs(value) >= 1e-3 else f"{value:.2e}"
