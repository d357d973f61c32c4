"""A search's tree as a picture: the most visited part of it below the root, each node with what the player to move
knows."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fogspiel.app.plot import COLOURS, require_format, write_figure
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.search.outline import Node

ROW = 0.4
"""Height of a move, in inches."""
GREY = "#7F7F7F"
SMALL, TINY = 7.0, 6.2
"""Sizes of letters, in points: of moves, and of what a player knows."""
LETTER = 0.6 / 72
"""Width of a letter in inches for each point of its size."""
WIDEST, TALLEST = 48, 14
"""Letters and rows that a node has room for."""


@dataclass
class Box:
    """A node (`search/outline.py`) and where it is drawn. `text` is what stands in it."""

    actor: int
    visits: int
    text: str
    inside: bool
    again: bool
    more: int
    edges: "list[Way]" = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0


@dataclass
class Way:
    """An edge and where it is drawn."""

    name: str
    visits: int
    value: float | None
    child: Box
    owned: bool
    estimated: bool
    y: float = 0.0


def lay_out(root: Node) -> Box:
    """The boxes of an outline, which have no places yet."""
    boxes: dict[int, Box] = {}

    def box(node: Node) -> Box:
        if id(node) not in boxes:
            boxes[id(node)] = Box(node.actor, node.visits, _short(node.text), node.inside, node.again, node.more)
            boxes[id(node)].edges = [
                Way(e.name, e.visits, e.value, box(e.child), e.owned, e.estimated) for e in node.edges
            ]
        return boxes[id(node)]

    return box(root)


def _short(text: str) -> str:
    """What a player knows, as much of it as a node has room for. Rows stay as they are, for they may be a board; of too
    many the last is kept, since it tends to tell whose move it is."""
    rows = [row.rstrip() for row in text.splitlines()]
    if len(rows) > TALLEST:
        rows = [*rows[: TALLEST - 2], "…", rows[-1]]
    return "\n".join(row if len(row) <= WIDEST else row[: WIDEST - 1] + "…" for row in rows)


def draw_tree(tree: Node, path: Path, title: str, caption: str) -> None:
    """Draw what `grow` found, from left to right: lines as wide as moves are often tried, in the colour of who
    moves."""
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    require_format(path)
    root = lay_out(tree)
    columns = _columns(root)
    wide = [max(_width(node) for node in column) for column in columns]
    gaps = [max((_label(e) for node in column for e in node.edges), default=0.0) + 0.55 for column in columns]
    head, margin = 0.75, 0.2
    height = _place(root, head)
    x = margin
    for column, box, gap in zip(columns, wide, gaps, strict=True):
        for node in column:
            node.x = x + box / 2
        x += box + gap
    ends = max(node.x + _width(node) / 2 + (0.55 if node.more else 0.0) for column in columns for node in column)
    legend = _legend(columns)
    wanted = sum(_text_width(name) + 0.46 for _, name in legend)
    least = margin + max(len(title) * 11 * LETTER + 0.3 + wanted, _text_width(caption))
    figure = Figure(figsize=(max(ends, least) + margin, height + margin))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, figure.get_figwidth()), ylim=(figure.get_figheight(), 0))
    axes.set_axis_off()
    plain: dict[str, Any] = {"parse_math": False}
    axes.text(margin, 0.24, title, size=10, weight="bold", va="center", **plain)
    axes.text(margin, 0.45, caption, size=SMALL, color="#404040", va="center", **plain)

    for column in columns:
        for node in column:
            colour, half = _colour(node.actor), _width(node) / 2
            for edge in node.edges:
                child = edge.child
                begin, end = node.x + half, child.x - _width(child) / 2
                flat = end - 0.12 if edge.y != child.y else end
                turn = begin + 0.42
                points = [
                    (begin, node.y),
                    ((begin + turn) / 2, node.y),
                    ((begin + turn) / 2, edge.y),
                    (turn, edge.y),
                    (flat, edge.y),
                ]
                codes = [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4, Curve.LINETO]
                if flat != end:
                    points += [(flat + 0.08, edge.y), (end - 0.08, child.y), (end, child.y)]
                    codes += [Curve.CURVE4] * 3
                share = edge.visits / max(root.visits, 1)
                axes.add_patch(
                    PathPatch(
                        Curve(points, codes),
                        fill=False,
                        edgecolor=colour,
                        linewidth=0.6 + 5.4 * min(share, 1.0),
                        alpha=0.55,
                        capstyle="butt",
                        linestyle="--" if node.actor == CHANCE else "-",
                        zorder=1,
                    )
                )
                rise = 0.02 + (0.6 + 5.4 * min(share, 1.0)) / 144
                start = turn + 0.04
                if edge.name:
                    axes.text(start, edge.y - rise, edge.name, size=SMALL, va="bottom", zorder=3, **plain)
                if facts := _facts(edge):
                    axes.text(start, edge.y + rise, facts, size=TINY, color="#404040", va="top", zorder=3, **plain)
            _draw_node(axes, node, colour, half, plain)
    at = figure.get_figwidth() - margin - wanted
    for colour, name in legend:
        axes.plot([at + 0.16, at + 0.38], [0.24, 0.24], color=colour, linewidth=3, alpha=0.55)
        axes.text(at + 0.44, 0.24, name, size=SMALL, va="center")
        at += _text_width(name) + 0.46
    write_figure(figure, path)


def _draw_node(axes: Any, node: Box, colour: str, half: float, plain: dict[str, Any]) -> None:
    from matplotlib.patches import FancyBboxPatch

    tall = _height(node) / 2
    if node.actor == CHANCE:
        axes.plot([node.x], [node.y], "D", color="white", markeredgecolor=GREY, markersize=6, zorder=2)
    elif not node.inside:
        axes.plot([node.x], [node.y], "o", color="white", markeredgecolor=colour, markersize=5, zorder=2)
    else:
        axes.add_patch(
            FancyBboxPatch(
                (node.x - half, node.y - tall),
                2 * half,
                2 * tall,
                boxstyle="round,pad=0,rounding_size=0.06",
                zorder=2,
                linewidth=1.2,
                linestyle=":" if node.again else "-",
                edgecolor=colour,
                facecolor="#F2F2F2" if node.actor == OVER else "white",
            )
        )
        axes.text(
            node.x,
            node.y,
            _inside(node),
            size=TINY,
            family="monospace",
            ha="center",
            va="center",
            multialignment="left",
            zorder=4,
            linespacing=1.1,
            **plain,
        )
    if node.more and (node.edges or node.actor == CHANCE):
        below = node.y + (tall if node.actor != CHANCE else 0.07)
        axes.text(node.x, below + 0.03, f"+{node.more} more", size=TINY - 1, color=GREY, ha="center", va="top", **plain)


def _legend(columns: list[list[Box]]) -> list[tuple[str, str]]:
    """Who has which colour."""
    actors = {node.actor for column in columns for node in column}
    players = [(_colour(a), f"player {a}") for a in sorted(actors) if a >= 0]
    return players + [(GREY, "chance, or what the mover cannot see")] * (CHANCE in actors)


def _columns(root: Box) -> list[list[Box]]:
    """Nodes by how many edges they are from the root."""
    columns = [[root]]
    while after := [e.child for node in columns[-1] for e in node.edges if e.owned]:
        columns.append(after)
    return columns


def _place(node: Box, top: float) -> float:
    """Set the heights of a node and all that hangs on it, from `top` down; returns where that ends."""
    at = top
    for edge in node.edges:
        if edge.owned:
            # moves that lead to one node lie side by side
            alike = [e for e in node.edges if e.child is edge.child]
            ends = max(_place(edge.child, at), at + ROW * len(alike))
            _shift(edge.child, max(at + ROW * len(alike) / 2 - edge.child.y, 0.0))
            for i, e in enumerate(alike):
                e.y = edge.child.y + ROW * (i - (len(alike) - 1) / 2)
            at = max(ends, _bottom(edge.child))
        elif not any(e.owned and e.child is edge.child for e in node.edges):
            edge.y, at = at + ROW / 2, at + ROW
    own = max(_height(node) + (0.24 if node.more and node.edges else 0.12), ROW)
    rows = [edge.y for edge in node.edges] or [top + own / 2]
    node.y = (min(rows) + max(rows)) / 2
    if node.y - own / 2 < top:
        _shift(node, top - (node.y - own / 2))
    return max(at, _bottom(node), node.y + own / 2)


def _bottom(node: Box) -> float:
    """Where a node and what hangs on it end."""
    below = [_bottom(e.child) if e.owned else e.y + ROW / 2 for e in node.edges]
    return max([node.y + max(_height(node) + 0.12, ROW) / 2, *below])


def _shift(node: Box, by: float) -> None:
    node.y += by
    for edge in node.edges:
        edge.y += by
        if edge.owned:
            _shift(edge.child, by)


def _inside(node: Box) -> str:
    return node.text or f"player {node.actor}"


def _width(node: Box) -> float:
    if node.actor == CHANCE or not node.inside:
        return 0.12
    return max(map(len, _inside(node).splitlines())) * TINY * LETTER + 0.12


def _height(node: Box) -> float:
    if node.actor == CHANCE or not node.inside:
        return 0.12
    return len(_inside(node).splitlines()) * TINY * 1.28 / 72 + 0.1


def _label(edge: Way) -> float:
    """Width of what is written along an edge."""
    return max(_text_width(edge.name), _text_width(_facts(edge)))


def _text_width(text: str) -> float:
    return len(text) * SMALL * 0.9 * LETTER


def _facts(edge: Way) -> str:
    visits = f"{'~' * edge.estimated}{edge.visits:,}" if edge.visits else ""
    return visits if edge.value is None else f"{visits}   {edge.value:+.3f}"


def _colour(actor: int) -> str:
    return COLOURS[actor % len(COLOURS)] if actor >= 0 else GREY
