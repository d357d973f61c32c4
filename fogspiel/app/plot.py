"""Pictures for papers: log-log convergence curves, and what restricted responses trade off."""

import io
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fogspiel.errors import FileError
from fogspiel.solvers.files import write_safely
from fogspiel.solvers.posg.endless import EndlessValue
from fogspiel.solvers.response.restricted import Response
from fogspiel.solvers.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Curve = Sequence[tuple[int, float]]
"""Points, from left to right."""
FORMATS = (".png", ".pdf", ".svg")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""Okabe and Ito's, which colour-blind readers can tell apart."""
DASHES = ("-", "--", "-.", ":")
"""So that the curves differ in black and white as well."""
NASH_CONV = "NashConv"
ROUNDING = 1e-12
"""A NashConv of no more is none: what is seen of it is rounding."""


def require_format(path: Path) -> None:
    if path.suffix.lower() not in FORMATS:
        raise FileError(f"cannot draw to {path}: use a name that ends in {', '.join(FORMATS)}")


def plot_convergence(results: Sequence[Result[Any]], path: Path) -> None:
    """NashConv, one line a result: against iterations, or against histories touched where some of them sample.
    Runs of one algorithm with different seeds are drawn together (`plot_runs`)."""
    along = "touched" if any(r.memory for r in results) else "iterations"
    curves: dict[str, list[Curve]] = {}
    for r in results:
        points = [(getattr(p, along), p.nash_conv) for p in r.curve if p.nash_conv is not None]
        curves.setdefault(r.algorithm, []).append(points)
    title = [*dict.fromkeys(r.game for r in results), *(curves if len(curves) == 1 else ())]
    gaps = all(r.bounds is not None for r in results)
    what = "gap between the bounds" if gaps else NASH_CONV
    plot_runs(curves, path, "histories touched" if along == "touched" else along, ", ".join(title), what)


def plot_curves(curves: Mapping[str, Curve], path: Path, along: str, title: str) -> None:
    """NashConv against `along`, one line for each name."""
    plot_runs({name: [points] for name, points in curves.items()}, path, along, title)


def plot_runs(runs: Mapping[str, Sequence[Curve]], path: Path, along: str, title: str, what: str = NASH_CONV) -> None:
    """NashConv, or `what` else is told, against `along`, both axes logarithmic. What is zero, but for rounding,
    has no place there: it is drawn on a floor below all else, which the legend names.

    Of several runs of one name each has a thin line, and over what all of them cover there is a band from the least to
    the most with their median in it."""
    from matplotlib.figure import Figure

    require_format(path)
    measured = [y for curves in runs.values() for points in curves for x, y in points if x > 0]
    floor = min((y for y in measured if y > ROUNDING), default=3 * ROUNDING) / 3
    drawn = {
        name: [[(x, y if y > ROUNDING else floor) for x, y in points if x > 0] for points in curves]
        for name, curves in runs.items()
    }
    shown = {name: [points for points in curves if points] for name, curves in drawn.items()}
    shown = {name: curves for name, curves in shown.items() if curves}
    if not shown:
        raise FileError(f"cannot draw {path}: no NashConv was measured")
    floored = min(measured) <= ROUNDING
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    for (name, curves), colour, dash in zip(shown.items(), cycle(COLOURS), cycle(DASHES), strict=False):
        band = _band(curves)
        label = (
            name if len(curves) == 1 else f"{name}, {len(curves)} seeds" + (": median, least to most" if band else "")
        )
        if band is not None:
            x, least, middle, most = band
            axes.fill_between(x, least, most, color=colour, alpha=0.2, linewidth=0)
            axes.plot(x, middle, dash, label=label, color=colour, linewidth=1.8)
        for i, points in enumerate(curves):
            marker = "o" if len(points) == 1 else None
            thin: dict[str, Any] = {"linewidth": 0.6, "alpha": 0.6} if band is not None else {"linewidth": 1.6}
            own = label if band is None and i == 0 else None
            axes.plot(
                *zip(*points, strict=True),
                "-" if band is not None else dash,
                label=own,
                color=colour,
                marker=marker,
                **thin,
            )
    if floored:
        axes.axhline(floor, color="0.5", linewidth=0.8, linestyle=(0, (1, 2)), label="floor: zero, but for rounding")
    if max(measured) <= ROUNDING:
        axes.set_ylim(floor / 10, 10 * floor)
    axes.set(xscale="log", yscale="log", xlabel=along, ylabel=what)
    axes.set_title(title, parse_math=False, wrap=True)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    if floored or len(runs) > 1 or any(len(curves) > 1 for curves in shown.values()):
        axes.legend(frameon=False)
    write_figure(figure, path)


def _band(curves: Sequence[Curve]) -> "tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None":
    """Over what several curves cover, the least, the median and the most of them; between points they go straight, as
    drawn."""
    ends = [(points[0][0], points[-1][0]) for points in curves]
    low, high = max(first for first, _ in ends), min(last for _, last in ends)
    if len(curves) < 2 or not low < high:
        return None
    x = np.geomspace(low, high, 200)
    logs = [np.log(np.array(points, float)) for points in curves]
    y = np.exp([np.interp(np.log(x), one[:, 0], one[:, 1]) for one in logs])
    return x, y.min(axis=0), np.median(y, axis=0), y.max(axis=0)


def plot_trade_off(responses: Sequence[Response], path: Path) -> None:
    """What responses win against the strategy they exploit, against what they lose to a best response; one point for
    each p."""
    from matplotlib.figure import Figure

    require_format(path)
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    points = sorted((r.best_response, r.exploitation, r.p) for r in responses)
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


def plot_horizons(found: Sequence[EndlessValue], path: Path, title: str) -> None:
    """What strategies of bounded games lose in the endless game at most, by the rounds and the estimate of what lies
    beyond."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.6), layout="constrained")
    axes = figure.subplots()
    for colour, kind in zip(COLOURS, dict.fromkeys(value.horizon for value in found), strict=False):
        points = [(value.rounds, value.loss[1]) for value in found if value.horizon == kind]
        axes.plot(*zip(*points, strict=True), "-o", label=f"horizon={kind}", color=colour, linewidth=1.6)
    axes.set(xlabel="rounds before the horizon", ylabel="loss in the endless game, at most", ylim=(0, None))
    axes.set_xticks(sorted({value.rounds for value in found}))
    axes.set_title(f"{title}, {found[0].beyond} beyond the horizon", parse_math=False, wrap=True)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    write_figure(figure, path)


def write_figure(figure: "Figure", path: Path) -> None:
    import matplotlib

    picture = io.BytesIO()
    with matplotlib.rc_context({"pdf.fonttype": 42, "svg.fonttype": "none"}):
        figure.savefig(picture, format=path.suffix.lower().lstrip("."), dpi=200)
    write_safely(path, picture.getvalue())
