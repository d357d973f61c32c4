"""Pictures for papers: log-log convergence curves, and what restricted responses trade off."""

import io
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from fogspiel.errors import FileError
from fogspiel.solve.files import write_safely
from fogspiel.solve.restricted import Response
from fogspiel.solve.run import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".png", ".pdf", ".svg")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""Okabe and Ito's, which colour-blind readers can tell apart."""
DASHES = ("-", "--", "-.", ":")
"""So that the curves differ in black and white as well."""


def require_format(path: Path) -> None:
    if path.suffix.lower() not in FORMATS:
        raise FileError(f"cannot draw to {path}: use a name that ends in {', '.join(FORMATS)}")


def plot_convergence(results: Sequence[Result], path: Path) -> None:
    """Exploitability, one line a result: against iterations, or against histories touched where some of them sample."""
    along = "touched" if any(r.memory for r in results) else "iterations"
    curves = {
        r.algorithm: [(getattr(p, along), p.exploitability) for p in r.curve if p.exploitability is not None]
        for r in results
    }
    title = [*dict.fromkeys(r.game for r in results), *(r.algorithm for r in results if len(results) == 1)]
    plot_curves(curves, path, "histories touched" if along == "touched" else along, ", ".join(title))


def plot_curves(curves: Mapping[str, Sequence[tuple[int, float]]], path: Path, along: str, title: str) -> None:
    """Exploitability against `along`, both axes logarithmic; points at or below zero have no place there."""
    from matplotlib.figure import Figure

    require_format(path)
    shown = {name: [(x, y) for x, y in points if x > 0 and y > 0] for name, points in curves.items()}
    shown = {name: points for name, points in shown.items() if points}
    if not shown:
        raise FileError(f"cannot draw {path}: no exploitability above zero was measured")
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    for (name, points), colour, dash in zip(shown.items(), cycle(COLOURS), cycle(DASHES), strict=False):
        marker = "o" if len(points) == 1 else None
        axes.plot(*zip(*points, strict=True), dash, label=name, color=colour, marker=marker, linewidth=1.6)
    axes.set(xscale="log", yscale="log", xlabel=along, ylabel="exploitability (sum over players)")
    axes.set_title(title, parse_math=False, wrap=True)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if len(curves) > 1:
        axes.legend(frameon=False)
    write_figure(figure, path)


def plot_trade_off(responses: Sequence[Response], path: Path) -> None:
    """What responses win against the strategy they exploit, against what they lose to a best response; one point for each p."""
    from matplotlib.figure import Figure

    require_format(path)
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    points = sorted((r.exploitability, r.exploitation, r.p) for r in responses)
    axes.plot([x for x, _, _ in points], [y for _, y, _ in points], "-o", color=COLOURS[0], linewidth=1.6)
    for x, y, p in points:
        axes.annotate(f"p = {p:g}", (x, y), textcoords="offset points", xytext=(6, -10))
    axes.set(xlabel="loses to a best response", ylabel="wins against the strategy")
    axes.margins(0.12)
    axes.set_title(
        ", ".join(dict.fromkeys(f"{r.game}, player {r.player}" for r in responses)), parse_math=False, wrap=True
    )
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    write_figure(figure, path)


def write_figure(figure: "Figure", path: Path) -> None:
    import matplotlib

    picture = io.BytesIO()
    with matplotlib.rc_context({"pdf.fonttype": 42, "svg.fonttype": "none"}):
        figure.savefig(picture, format=path.suffix.lower().lstrip("."), dpi=200)
    write_safely(path, picture.getvalue())
