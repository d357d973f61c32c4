"""A search's tree as data: the most visited part of it below the root, each node with what the player to move knows."""

import heapq
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State
from fogspiel.search.line import Line
from fogspiel.search.search import MoveStatistics, Search

LINES = 64
"""Lines that are followed through each node, to meet what is hidden there and what chance does."""
LONGEST = 40
"""Letters in the name of an outcome of chance."""
GOLDEN = (5**0.5 - 1) / 2
"""Its multiples, without their whole parts, are spread evenly however many are taken, and which of them."""


@dataclass
class Node:
    """A node of the outline. `actor` is the player to move; CHANCE where a move leads to several nodes, by chance or by what
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
    """A move, or what follows one, and how often it was taken. The memory counts that for moves; of what follows one it may be
    `estimated` (`_shares`). `owned`: the node it leads to hangs on this edge; others lead there too."""

    name: str
    visits: int
    value: float | None
    child: Node
    owned: bool = True
    estimated: bool = False

    def as_dict(self) -> dict[str, Any]:
        known = {"name": self.name, "visits": self.visits, "estimated": self.estimated, "value": self.value}
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
    drawn = {lines[0].key: (root, lines)}
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
    follows = []
    for alike in tried:
        m = _first(alike)
        ends = _ends([line for line in lines if m.move in line.state.moves()], m.move, rng)
        follows.append((m, {key: (_node(ways), ways, luck) for key, (ways, luck) in ends.items()}))
    shares = _shares(follows)
    for alike, (m, ends), share in list(zip(tried, follows, shares, strict=True))[:breadth]:
        name = m.name if len(alike) == 1 else f"{m.name}, or {len(alike) - 1} like it"
        reached = sorted(
            ((child, key, ways, luck) for key, (child, ways, luck) in ends.items()),
            key=lambda end: (-share[end[1]][0], -end[0].visits),
        )
        # what lies outside the tree is worth showing only where nothing else follows
        reached = [end for end in reached if end[0].inside] or reached[:1]
        place = node
        if len(reached) > 1 or any("" not in luck for *_, luck in reached):
            place = Node(CHANCE, m.visits, "", column=node.column + 1, more=max(len(reached) - breadth + 1, 0))
            node.edges.append(Edge(name, m.visits, m.value, place))
        for child, key, ways, luck in reached[: breadth - 1] if place is not node else reached:
            child.depth, child.column = node.depth + 1, place.column + 1
            old, met = drawn.get(key, (None, []))
            if old is not None and old.column == child.column:
                child = old
                met.extend(ways)  # so that what only this move leads to is met below, too
            child.again = old is not None and child is not old
            if place is node:
                place.edges.append(Edge(name, m.visits, m.value, child, child is not old))
            else:
                luck_name = luck.pop() if len(luck) == 1 else ""
                place.edges.append(Edge(luck_name, share[key][0], None, child, child is not old, share[key][1]))
            if old is None and child.inside and child.actor >= 0:
                drawn[key] = child, ways
                fresh.append((child, ways))
    return fresh


def _shares(
    follows: "list[tuple[MoveStatistics, dict[Any, tuple[Node, list[Line], set[str]]]]]",
) -> list[dict[Any, tuple[int, bool]]]:
    """How often each move of a node was followed by each node that it leads to, and whether that is but estimated.

    The memory counts the visits of moves and of nodes, not of one after the other. Where one move alone leads to a node, all the
    node's visits are of that move. Where several do, they have part in them by how often they were made and how often lines lead
    there: whoever moves cannot see what tells such nodes apart. Where that comes to more than a move's own visits, the nodes are come
    to from elsewhere, and only the lines tell.
    """
    expected = []
    for m, ends in follows:
        lines = sum(len(ways) for _, ways, _ in ends.values())
        expected.append({key: m.visits * len(ways) / lines for key, (_, ways, _) in ends.items()})
    total: Counter[Any] = Counter()
    for one in expected:
        total.update(one)
    shares = []
    for (m, ends), one in zip(follows, expected, strict=True):
        share = {key: child.visits * one[key] / total[key] for key, (child, _, _) in ends.items()}
        elsewhere = sum(share.values()) > m.visits + 1e-6
        if elsewhere:
            share = {key: min(one[key], child.visits) for key, (child, _, _) in ends.items()}
        shares.append({key: (int(n + 1e-9), elsewhere or one[key] < total[key]) for key, n in share.items()})
    return shares


def _ends(lines: list[Line], move: int, rng: np.ndarray) -> dict[Any, tuple[list[Line], set[str]]]:
    """What a move leads to, by the key of the node: the lines that come there, and the names of what chance did on the way."""
    ends: dict[Any, tuple[list[Line], set[str]]] = {}
    for i, line in enumerate(lines):
        line, luck = line.after(move), []
        while line.state.actor == CHANCE:
            # what chance does first is spread evenly over the lines, so that few of them tell how likely it is
            outcome, after = line.draw(rng) if luck else _quantile(line, i * GOLDEN % 1.0)
            luck.append(line.search.game.move_name(line.state, outcome))
            line = after
        ways, names = ends.setdefault(tuple(line.state.payoff()) if line.state.over else line.key, ([], set()))
        ways.append(line)
        names.add(_outcome(luck))
    return ends


def _quantile(line: Line, x: float) -> tuple[int, Line]:
    """The outcome of chance at which the sum of probabilities passes x, and the line after it."""
    outcomes = line.state.chance()
    for move, p in outcomes:
        x -= p
        if x < 0:
            return move, line.after(move)
    return outcomes[-1][0], line.after(outcomes[-1][0])


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
    seen = [{line.state.show(player) for line in lines} for player in (who, first.searcher) if first.state.game.drawn]
    text = next((texts.pop() for texts in seen if len(texts) == 1), "")
    at = first.node
    return Node(who, int(first.search.memory.nodes.visits[at]) if at >= 0 else 0, text, inside=at >= 0)
