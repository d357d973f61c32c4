"""The tables of `fogspiel bench`."""

from typing import Any

from rich.console import Console
from rich.table import Table

from fogspiel.app.bench.measuring import FOGSPIEL, TURNS


def print_bench(facts: dict[str, Any]) -> None:
    """The results as tables; beside every peer's number stands how many times faster Fogspiel is."""
    console = Console(highlight=False)
    m = facts["machine"]
    libraries = {"Python": m["python"], "NumPy": m["numpy"], "Numba": m["numba"], FOGSPIEL: m["fogspiel"], **m["peers"]}
    console.print(
        f"{m['cpu']}, {m['cores']} cores; {', '.join(f'{name} {v}' for name, v in libraries.items())}", markup=False
    )
    for what in dict.fromkeys(row["what"] for row in facts["rows"]):
        rows = [row for row in facts["rows"] if row["what"] == what]
        unit = rows[0]["unit"]
        console.print(f"\n[bold]{what}[/bold]" + (f", {unit}" if unit != "s" else ""))
        console.print(_rows(rows, unit))
    if facts["checks"]:
        console.print("\n[bold]the same work?[/bold] NashConv after the same number of iterations")
        console.print(_checks(facts["checks"]))
    console.print()
    notes = [f"{row['what']}, {row['game']}: {row['note']}" for row in facts["rows"] if row.get("note")]
    for note in notes + facts["notes"]:
        console.print(note, markup=False)
    console.print(
        f"CPU time (start-up, match, results: wall time), best of {facts['effort']['rounds']} rounds, rates of "
        f"{TURNS} turns in each; {facts['seconds']:.0f} s in all"
    )


SIZES = {
    "infosets": "sets",
    "histories": "histories",
    "bytes_per_infoset": "bytes/set",
    "bytes": "bytes",
    "simulations": "simulations",
    "nodes": "nodes",
    "bytes_per_node": "bytes/node",
    "games": "games",
    "games_per_cpu_second": "games/CPU s",
}
"""What some rows tell beside speed, and the heading of its column."""


def _rows(rows: list[dict[str, Any]], unit: str) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row["peers"]))
    sizes = [key for key in SIZES if key in rows[0]]
    table = Table(box=None, pad_edge=False)
    table.add_column("" if "part" not in rows[0] else rows[0]["game"])
    for heading in (*(SIZES[key] for key in sizes), FOGSPIEL, *names):
        table.add_column(heading, justify="right")
    for row in rows:
        counts = [f"{row[key]:,.0f}" for key in sizes]
        table.add_row(
            row.get("part", row["game"]), *counts, _number(row["fogspiel"], unit), *(_cell(row, name) for name in names)
        )
    return table


def _cell(row: dict[str, Any], name: str) -> str:
    """A peer's number and the ratio to it, such as `61  363x`."""
    if name not in row["peers"]:
        return "-"
    about, ratio = "≈" if name in row.get("extrapolated", ()) else "", row["ratios"][name]
    times = f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.1f}x"
    return f"{about}{_number(row['peers'][name], row['unit'])}  [bold]{times}[/bold]"


def _number(value: float, unit: str) -> str:
    if unit == "s":
        return seconds_text(value)
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def seconds_text(value: float) -> str:
    for scale, name in ((1.0, "s"), (1e-3, "ms")):
        if value >= scale:
            return f"{value / scale:.3g} {name}" if value < 1000 else f"{value:,.0f} s"
    return f"{value * 1e6:.3g} µs"


def _checks(checks: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False)
    names = list(dict.fromkeys(name for check in checks for name in check["nash_conv"]))
    for heading in ("", "iterations", *names, ""):
        table.add_column(heading, justify="right" if heading else "left")
    for check in checks:
        found = [f"{check['nash_conv'][name]:.7f}" if name in check["nash_conv"] else "-" for name in names]
        verdict = "yes" if all(check["agrees"].values()) else "[bold red]no[/bold red]"
        table.add_row(check["game"], str(check["iterations"]), *found, verdict)
    return table
