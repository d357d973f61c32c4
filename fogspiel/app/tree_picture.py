"""A search's tree as a picture: the most visited part of it below the root, each node with what the player to move knows."""

import heapq
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from fogspiel.app.plot import COLOURS, require_format, write_figure
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State
from fogspiel.search.line import Line
from fogspiel.search.search import MoveStatistics, Search

LINES = 64
"""Lines that are followed through each node, to meet what is hidden there and what chance does."""
ROW = 0.4
"""Height of a move, in inches."""
LONGEST = 40
"""Letters in the name of an outcome of chance."""
GREY = "#7F7F7F"
SMALL, TINY = 7.0, 6.2
"""Sizes of letters, in points: of moves, and of what a player knows."""
LETTER = 0.6 / 72
"""Width of a letter in inches for each point of its size."""


@dataclass
class Node:
    """A node of the picture. `actor` is the player to move; CHANCE where a move leads to several nodes, by chance or by what
    its player cannot see; OVER at an end. `more`: moves, or nodes that follow, for which there is no room. `inside`: in the tree;
    `again`: drawn elsewhere. `column`: edges from the root."""

    actor: int
    visits: int
    text: str
    inside: bool = True
    again: bool = False
    depth: int = 0
    column: int = 0
    edges: "list[Edge]" = field(default_factory=list)
    more: int = 0
    x: float = 0.0
    y: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        return {
            "actor": {CHANCE: "chance", OVER: "end"}.get(self.actor, self.actor),
            "visits": self.visits,
            "knows": self.text,
            "edges": [edge.as_dict() for edge in self.edges],
            "not_shown": self.more,
        }


@dataclass
class Edge:
    """A move, or what follows one. `owned`: the node it leads to hangs on this edge; others lead there too."""

    name: str
    visits: int
    value: float | None
    child: Node
    owned: bool = True
    y: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        known = {"name": self.name, "visits": self.visits, "value": self.value}
        return known | ({"node": self.child.as_dict()} if self.owned else {"node": None})


def grow(
    search: Search, roots: list[State], searcher: int, *, seed: int = 0, depth: int = 6, breadth: int = 4, leaves: int = 20
) -> Node:  # fmt: skip
    """The most visited part of a search's tree: at most `breadth` moves a node, at most `depth` decisions deep, and grown, the most
    visited node first, until it has so many `leaves`.

    The memory does not tell what follows a move, so lines are played from states at the root, and met with it at each decision.
    """
    rng = np.array([seed], np.uint64)
    lines = [Line(search, state, searcher) for state in roots]
    root = _node(lines)
    drawn = {lines[0].key: root}
    order = count()
    waiting = [(-root.visits, next(order), root, lines)]
    ends = 1
    while waiting and ends < leaves:
        _, _, node, lines = heapq.heappop(waiting)
        if node.depth == depth:
            continue
        for child, ways in _expand(node, lines, drawn, breadth, rng):
            heapq.heappush(waiting, (-child.visits, next(order), child, ways))
        ends += sum(max(len(edge.child.edges), 1) for edge in node.edges) - 1
    return root


def _expand(node: Node, lines: list[Line], drawn: dict, breadth: int, rng: np.ndarray) -> list[tuple[Node, list[Line]]]:
    """Give a node its most visited moves and what follows them. Returns the nodes that are new, with the lines to them."""
    lines = [lines[i % len(lines)] for i in range(max(LINES, len(lines)))]
    found: dict[int, dict[str, MoveStatistics]] = {}
    for line in lines:
        for m in line.moves():
            found.setdefault(line.label(m.move), {})[m.name] = m
    tried = sorted((alike for alike in found.values() if _first(alike).visits), key=lambda alike: -_first(alike).visits)
    node.more = len(found) - len(tried[:breadth])
    fresh = []
    for alike in tried[:breadth]:
        m = _first(alike)
        name = m.name if len(alike) == 1 else f"{m.name}, or {len(alike) - 1} like it"
        ends = _ends([line for line in lines if m.move in line.state.moves()], m.move, rng)
        reached = sorted(
            ((_node(lines), key, lines, luck) for key, (lines, luck) in ends.items()), key=lambda e: -e[0].visits
        )
        # what lies outside the tree is worth showing only where nothing else follows
        reached = [end for end in reached if end[0].inside] or reached[:1]
        place = node
        if len(reached) > 1 or any("" not in luck for *_, luck in reached):
            place = Node(CHANCE, m.visits, "", column=node.column + 1, more=max(len(reached) - breadth + 1, 0))
            node.edges.append(Edge(name, m.visits, m.value, place))
        for child, key, ways, luck in reached[: breadth - 1] if place is not node else reached:
            child.depth, child.column = node.depth + 1, place.column + 1
            old = drawn.get(key)
            if old is not None and old.column == child.column:
                child = old
            child.again = old is not None and child is not old
            if place is node:
                place.edges.append(Edge(name, m.visits, m.value, child, child is not old))
            else:
                place.edges.append(
                    Edge(luck.pop() if len(luck) == 1 else "", child.visits, None, child, child is not old)
                )
            if old is None and child.inside and child.actor >= 0:
                drawn[key] = child
                fresh.append((child, ways))
    return fresh


def _ends(lines: list[Line], move: int, rng: np.ndarray) -> dict[Any, tuple[list[Line], set[str]]]:
    """What a move leads to, by the key of the node: the lines that come there, and the names of what chance did on the way."""
    ends: dict[Any, tuple[list[Line], set[str]]] = {}
    for line in lines:
        line, luck = line.after(move), []
        while line.state.actor == CHANCE:
            outcome, after = line.draw(rng)
            luck.append(line.search.game.move_name(line.state, outcome))
            line = after
        ways, names = ends.setdefault(tuple(line.state.payoff()) if line.state.over else line.key, ([], set()))
        ways.append(line)
        names.add(_outcome(luck))
    return ends


def _outcome(luck: list[str]) -> str:
    """What chance did, in words; the same thing several times is said once."""
    text = ", ".join(name if n == 1 else f"{name} x{n}" for name, n in sorted(Counter(luck).items()))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _first(alike: dict[str, MoveStatistics]) -> MoveStatistics:
    return next(iter(alike.values()))


def _node(lines: list[Line]) -> Node:
    """The node for what lines have come to: an end, a node of the tree, or one that it does not have."""
    first = lines[0]
    who = first.state.actor
    if who == OVER:
        return Node(OVER, 0, " : ".join(f"{u:+.3g}" for u in first.state.payoff()))
    # a search may join what the player to move can tell apart; then the node is as its searcher sees it, or without words
    seen = [{line.state.show(player) for line in lines} for player in (who, first.searcher)]
    text = next((texts.pop() for texts in seen if len(texts) == 1), "")
    at = first.node
    return Node(who, int(first.search.memory.nodes.visits[at]) if at >= 0 else 0, _short(text), inside=at >= 0)


def _short(text: str) -> str:
    """What a player knows, if it is short enough to stand in a node."""
    rows = [row.rstrip() for line in text.splitlines() for row in re.split(r"(?<=\S) {3,}(?=\w)", line)]
    return "\n".join(rows) if len(rows) <= 6 and max(map(len, rows), default=0) <= 30 else ""


def draw_tree(root: Node, path: Path, title: str, caption: str) -> None:
    """Draw what `grow` found, from left to right: lines as wide as moves are often tried, in the colour of who moves."""
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    require_format(path)
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
    plain = {"parse_math": False}
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
                axes.add_patch(PathPatch(
                    Curve(points, codes), fill=False, edgecolor=colour, linewidth=0.6 + 5.4 * min(share, 1.0), alpha=0.55,
                    capstyle="butt", linestyle="--" if node.actor == CHANCE else "-", zorder=1,
                ))  # fmt: skip
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


def _draw_node(axes: Any, node: Node, colour: str, half: float, plain: dict[str, Any]) -> None:
    from matplotlib.patches import FancyBboxPatch

    tall = _height(node) / 2
    if node.actor == CHANCE:
        axes.plot([node.x], [node.y], "D", color="white", markeredgecolor=GREY, markersize=6, zorder=2)
    elif not node.inside:
        axes.plot([node.x], [node.y], "o", color="white", markeredgecolor=colour, markersize=5, zorder=2)
    else:
        axes.add_patch(FancyBboxPatch(
            (node.x - half, node.y - tall), 2 * half, 2 * tall, boxstyle="round,pad=0,rounding_size=0.06", zorder=2,
            linewidth=1.2, linestyle=":" if node.again else "-", edgecolor=colour, facecolor="#F2F2F2" if node.actor == OVER else "white",
        ))  # fmt: skip
        axes.text(
            node.x, node.y, _inside(node), size=TINY, family="monospace", ha="center", va="center", zorder=4, linespacing=1.1, **plain
        )  # fmt: skip
    if node.more and (node.edges or node.actor == CHANCE):
        below = node.y + (tall if node.actor != CHANCE else 0.07)
        axes.text(node.x, below + 0.03, f"+{node.more} more", size=TINY - 1, color=GREY, ha="center", va="top", **plain)


def _legend(columns: list[list[Node]]) -> list[tuple[str, str]]:
    """Who has which colour."""
    actors = {node.actor for column in columns for node in column}
    players = [(_colour(a), f"player {a}") for a in sorted(actors) if a >= 0]
    return players + [(GREY, "chance, or what the mover cannot see")] * (CHANCE in actors)


def _columns(root: Node) -> list[list[Node]]:
    """Nodes by how many edges they are from the root."""
    columns = [[root]]
    while after := [e.child for node in columns[-1] for e in node.edges if e.owned]:
        columns.append(after)
    return columns


def _place(node: Node, top: float) -> float:
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


def _bottom(node: Node) -> float:
    """Where a node and what hangs on it end."""
    below = [_bottom(e.child) if e.owned else e.y + ROW / 2 for e in node.edges]
    return max([node.y + max(_height(node) + 0.12, ROW) / 2, *below])


def _shift(node: Node, by: float) -> None:
    node.y += by
    for edge in node.edges:
        edge.y += by
        if edge.owned:
            _shift(edge.child, by)


def _inside(node: Node) -> str:
    return node.text or f"player {node.actor}"


def _width(node: Node) -> float:
    if node.actor == CHANCE or not node.inside:
        return 0.12
    return max(map(len, _inside(node).splitlines())) * TINY * LETTER + 0.12


def _height(node: Node) -> float:
    if node.actor == CHANCE or not node.inside:
        return 0.12
    return len(_inside(node).splitlines()) * TINY * 1.28 / 72 + 0.1


def _label(edge: Edge) -> float:
    """Width of what is written along an edge."""
    return max(_text_width(edge.name), _text_width(_facts(edge)))


def _text_width(text: str) -> float:
    return len(text) * SMALL * 0.9 * LETTER


def _facts(edge: Edge) -> str:
    visits = f"{edge.visits:,}" if edge.visits else ""
    return visits if edge.value is None else f"{visits}   {edge.value:+.3f}"


def _colour(actor: int) -> str:
    return COLOURS[actor % len(COLOURS)] if actor >= 0 else GREY
