"""What the command line shows of experiments and their results."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from fogspiel.app.show import console
from fogspiel.errors import SpecError
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.analysis import RATED_BY, Effect
from fogspiel.experiment.candidates import best_of
from fogspiel.experiment.differences import Difference, alike
from fogspiel.experiment.printed import as_printed
from fogspiel.experiment.results import Line, Results, View
from fogspiel.experiment.run import Outcome
from fogspiel.experiment.tables import Row, Table
from fogspiel.experiment.tasks import CurveTask
from fogspiel.game.spec import split_spec
from fogspiel.solvers.registry import SOLVERS

ONE_LEFT = "fogspiel run FILE --again"
"""How lost games are played again, where it is not known from which file they are."""


def print_outcome(outcome: Outcome, store: Path, again: str = ONE_LEFT) -> None:
    """The table of an experiment that was run, its verdict, and how to go on; `again` is the command that plays lost
    games again."""
    with Results(store) as found:
        print_view(found.view(outcome.name, outcome.scale), outcome.table, outcome=outcome, again=again)
    console.print()


def _print_lines(lines: Sequence[str]) -> None:
    for line in lines:
        console.print(line, markup=False, soft_wrap=line.startswith(" "))  # a command stays in one piece


def _notes(view: View) -> list[str]:
    """What a table does not say of itself."""
    tasks = [one.task for one in view.settings]
    specs = dict.fromkeys(task["player"] for task in tasks if task["kind"] == CurveTask.__name__)
    exact = [spec for spec in specs if (known := SOLVERS.get(split_spec(spec)[0])) is not None and known.exact]
    return (
        [f"{', '.join(exact)}: solved in one go, so there is one point, at budget 1, whatever the budgets"]
        if exact
        else []
    )


def print_left_out(names: Sequence[str], scale: str) -> None:
    """Which experiments of a file were not run, as they have not the scale that was asked for."""
    if names:
        console.print(f"not run, as there is no scale {scale}: {', '.join(names)}", markup=False)


def print_verdict(verdict: str, criterion: str, mistake: str = "") -> None:
    """The verdict of an experiment, if there is one, or why its criterion cannot judge."""
    if verdict:
        console.print(f"{verdict}; wanted: {criterion}", markup=False)
    if mistake:
        console.print(mistake, markup=False)


def print_list(found: Results) -> None:
    for declared in found.declared:
        console.print(f"[bold]{escape(declared.name)}[/bold]  {declared.scale}  {escape(declared.about)}")
    if not found.declared:
        console.print(f"{found.store.path} has no results yet", markup=False)


def print_others(found: Results, views: Sequence[View]) -> None:
    """What else is there."""
    others = [f"{d.name} ({d.scale})" for d in found.declared if all(d != view.declared for view in views)]
    if others:
        console.print(f"also there: {', '.join(others)}", markup=False)


def print_view(
    view: View, table: Table, plain: bool = True, *, outcome: Outcome | None = None, again: str = ONE_LEFT
) -> None:
    """A table of an experiment, and what there is to say of it, or of the `outcome` of having run it; a `plain` one has
    the experiment's rows. `again` is the command that plays lost games again."""
    declared, counts = view.declared, view.counts
    console.print(f"[bold]{escape(declared.name)}[/bold]  {escape(declared.about)}, {declared.scale} scale\n")
    print_table(table, view.lines(table))
    _print_lines(_notes(view))
    told = "" if outcome is None else f" are there; {outcome.played:,} of this time"
    if outcome is not None and outcome.played and outcome.seconds > 0:
        told += f", {outcome.played / outcome.seconds:,.1f} a second"
    console.print(f"\n{counts['done']:,} of {counts['asked']:,} runs{told}")
    for text, often in view.errors:
        console.print(f"  {often:,} time{'s' * (often != 1)}: {text}", markup=False)
    if outcome is not None and outcome.stopped != "done":
        why = "the budget is spent" if outcome.stopped == "budget" else "interrupted"
        console.print(f"{why}; the same command goes on")
    if (best := best_of(view, table)) is not None:
        console.print(str(best), markup=False)
    print_verdict(declared.verdict, declared.facts["criterion"], "" if outcome is None else outcome.mistake)
    if outcome is not None:
        where = view.store.path
        console.print(f"stored in {where}; see: fogspiel results table {where}", markup=False)
    _print_lines(view.lost.told(again))
    if outcome is None and plain and alike(view.rows_by(table.by), table.by, table.measure):
        text = "all seats of every game count in each row, and together they always get the same"
        console.print(f"{text}: choose rows, such as --where seat=0", markup=False)


def print_missing(view: View) -> None:
    """How much is there, where that is not all."""
    if view.counts["done"] < view.counts["asked"]:
        console.print(f"{view.counts['done']:,} of {view.counts['asked']:,} runs", markup=False)


def print_differences(pairs: Sequence[Difference], measure: str, counted: str) -> None:
    """Every two values, with how many deals or runs (`counted`) tell; the last column allows for all the pairs."""
    rows = [
        [
            f"{d.first} - {d.second}",
            shown(d.estimate.value),
            interval(d.estimate),
            f"{d.deals:,}",
            _probability(d.p),
            _probability(d.holm),
            "*" if d.significant else "",
        ]
        for d in pairs
    ]
    _print_grid(["", measure, "95 %", counted, "p", "p of all (Holm)", ""], rows)
    apart = [f"{d.first} - {d.second}" for d in pairs if not d.paired]
    if apart:
        which = "" if len(apart) == len(pairs) else f"{', '.join(apart)}: "
        told = f"{which}they share no deals, so they are compared as independent (Welch)"
        console.print(told, markup=False)


def print_effects(effects: Sequence[Effect]) -> None:
    rows = [
        [
            e.name,
            shown(e.squares),
            f"{e.freedom:,}",
            "" if e.f is None else f"{e.f:.3f}",
            "" if e.p is None else _probability(e.p),
        ]
        for e in effects
    ]
    _print_grid(["", "sum of squares", "degrees of freedom", "F", "p"], rows)


def print_ratings(rated: Sequence[tuple[str, Estimate]], measure: str = "points") -> None:
    ends = [f"{r.low:+.0f} to {r.high:+.0f}" if math.isfinite(r.high) else "-" for _, r in rated]
    rows = [[name, f"{r.value:+.0f}", end] for (name, r), end in zip(rated, ends, strict=True)]
    _print_grid(["agent", "Elo", "95 %"], rows)
    by_how_much = "" if measure in RATED_BY else f", and not by how much, as the table of {measure} is"
    console.print(f"rated by who got more in each game{by_how_much}; a draw is half a win", markup=False)


def print_nemeses(worst: Sequence[tuple[Any, Any, Row]], measure: str) -> None:
    rows = [[str(a), str(b), shown(row.value), interval(row.estimate)] for a, b, row in worst]
    _print_grid(["", "worst against", measure, "95 %"], rows)


def read_categories(text: str) -> tuple[str, str, str]:
    column, _, values = text.partition("=")
    words = [word.strip() for word in _outside_brackets(values)]
    if not column.strip() or len(words) != 2 or not all(words):
        raise SpecError(f"--categories takes column=first,second, such as agent=cheating,plain, not {text!r}")
    return column.strip(), words[0], words[1]


def _outside_brackets(text: str) -> list[str]:
    """What is between commas, but for those within the brackets of spec strings."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def plain_rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of a data frame, ready for JSON: a date is its text, and what is missing is null."""
    return [{str(name): _plain(value) for name, value in row.items()} for row in frame.to_dict("records")]


def _plain(value: Any) -> Any:
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return (
        value if isinstance(value, str | int | float | None) else None if str(value) in ("NaT", "<NA>") else str(value)
    )


def read_columns(name: str, text: str) -> list[str]:
    columns = [word.strip() for word in text.split(",")]
    if not all(columns):
        raise SpecError(f"{name} takes columns with commas between them, not {text!r}")
    return columns


def read_numbers(name: str, text: str | None) -> list[float]:
    try:
        return [float(word) for word in text.split(",")] if text else []
    except ValueError:
        raise SpecError(f"{name} takes numbers with commas, not {text!r}") from None


def _print_grid(heads: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> None:
    """A grid in which so many columns at the left are names."""
    grid = Grid(box=None, pad_edge=False)
    for i, head in enumerate(heads):
        grid.add_column(head, justify="left" if i < names else "right", style="bold" if i < names else None)
    for row in rows:
        grid.add_row(*map(escape, row))
    console.print(grid)


def _probability(p: float) -> str:
    return "< 0.0001" if p < 1e-4 else f"{p:.4f}"


def print_table(table: Table, lines: Sequence[Line] | None = None) -> None:
    _print_grid(*cells_of(table, lines), names=len(table.by))


def cells_of(table: Table, lines: Sequence[Line] | None = None) -> tuple[list[str], list[list[str]]]:
    """The heads of a table, and a row for each value: the mean with its interval, how many it is of, and what was
    printed. `lines` may have others, of no run."""
    printed = any(row.printed is not None for row in table)
    rows = []
    for key, row in [(row.key, row) for row in table] if lines is None else lines:
        found = ["-", "-", "0"] if row is None else [shown(row.value), interval(row.estimate), f"{row.runs:,}"]
        beside = "" if row is None or row.printed is None else as_printed(row.printed)
        rows.append([*map(shown, key), *found, *[beside] * printed])
    return [*table.by, table.measure, "95 %", "runs", *["printed"] * printed], rows


def interval(estimate: Estimate) -> str:
    """Its ends; nothing where there is none, as of what is deterministic, or where it is not known, as of a single
    run."""
    if estimate.low == estimate.high or not math.isfinite(estimate.high - estimate.low):
        return "-"
    return f"{shown(estimate.low)} to {shown(estimate.high)}"


def shown(value: Any) -> str:
    """A number as tables have it."""
    if not isinstance(value, float):
        return str(value)
    if value.is_integer() and abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.4f}" if abs(value) >= 1e-3 else f"{value:.2e}"
