"""A search's tree as data: all of it, or the most visited part below the root, each node with what the player to move
knows."""

import copy
import heapq
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State
from fogspiel.search.line import Line
from fogspiel.search.search import Search
from fogspiel.search.statistics import MoveStatistics

LINES = 64
"""Lines that are followed through each node, to meet what is hidden there; and outcomes that are drawn where chance has
more than four times as many."""
LONGEST = 40
"""Letters in the name of an outcome of chance."""


@dataclass
class Node:
    """A node of the outline. `actor` is the player to move; CHANCE where a move leads to several nodes, by chance or by
    what its player cannot see; OVER at an end. `text` is what the player to move knows, or at an end the utilities;
    `value` the mean utility of the player to move. `more`: moves never tried, or moves and nodes that follow for which
    there is no room. `inside`: in the tree; `again`: drawn elsewhere. `column`: edges from the root."""

    actor: int
    visits: int
    text: str
    inside: bool = True
    again: bool = False
    depth: int = 0
    column: int = 0
    edges: "list[Edge]" = field(default_factory=list)
    more: int = 0
    value: float | None = None

    def walk(self) -> "Iterator[Node]":
        """This node and all that follow it, each once, the nearest first."""
        seen, waiting = {id(self)}, [self]
        for node in waiting:
            yield node
            for edge in node.edges:
                if id(edge.child) not in seen:
                    seen.add(id(edge.child))
                    waiting.append(edge.child)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as a list: a deep tree would be too deep for Python's stack."""
        nodes = list(self.walk())
        place = {id(node): i for i, node in enumerate(nodes)}
        rows = [vars(node) | {"edges": [vars(e) | {"child": place[id(e.child)]} for e in node.edges]} for node in nodes]
        return _tree_of, (rows,)

    def as_dict(self) -> dict[str, Any]:
        return {
            "actor": {CHANCE: "chance", OVER: "end"}.get(self.actor, self.actor),
            "visits": self.visits,
            "value": self.value,
            "knows": self.text,
            "edges": [edge.as_dict() for edge in self.edges],
            "not_shown": self.more,
        }


@dataclass
class Edge:
    """A move, or what follows one, and how often it was taken. The memory counts that for moves; of what follows one it
    may be `estimated` (`_shares`). `move` is its number; `value` the mean utility of whoever makes it, `strategy` the
    mean strategy, `proven` what it is certainly worth, where there is such a thing. Several moves that the search does
    not tell apart are one edge. What follows a move, by chance or by what its player cannot see, has none of these, and
    is named by what chance did. `owned`: the node it leads to hangs on this edge; others lead there too."""

    name: str
    visits: int
    value: float | None
    child: Node
    owned: bool = True
    estimated: bool = False
    move: int | None = None
    strategy: float | None = None
    proven: float | None = None

    def as_dict(self) -> dict[str, Any]:
        known = {
            "name": self.name,
            "visits": self.visits,
            "estimated": self.estimated,
            "value": self.value,
            "strategy": self.strategy,
        }
        return known | ({"node": self.child.as_dict()} if self.owned else {"node": None})


def _tree_of(rows: list[dict[str, Any]]) -> Node:
    """The root of nodes that were pickled."""
    nodes = [Node(**row | {"edges": []}) for row in rows]
    for node, row in zip(nodes, rows, strict=True):
        node.edges = [Edge(**edge | {"child": nodes[edge["child"]]}) for edge in row["edges"]]
    return nodes[0]


def grow(
    search: Search,
    roots: list[State],
    searcher: int,
    *,
    seed: int = 0,
    depth: int = 6,
    breadth: int = 4,
    leaves: int = 20,
) -> Node:
    """The most visited part of a search's tree: at most `breadth` moves a node, at most `depth` decisions deep, and
    grown, the most visited node first, until it has so many `leaves`.

    The memory does not tell what follows a move, so lines are played from states at the root, and met with it at each
    decision.
    """
    rng = np.array([seed], np.uint64)
    lines = _distinct([Line(search, state, searcher) for state in roots])
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


def whole(search: Search, roots: list[State], searcher: int, *, seed: int = 0) -> Node:
    """All of a search's tree that lines from these states come to. A node is one object, however many ways lead to it,
    and hangs on the first of them."""
    rng = np.array([seed], np.uint64)
    start = _distinct([Line(search, state, searcher) for state in roots])
    met: dict[int, dict[tuple[Any, ...], Line]] = {start[0].key: {line.place: line for line in start}}
    waiting = deque(start)
    while waiting:
        line = waiting.popleft()
        tried = line.tried()
        for move in line.state.moves():
            if line.label(move) not in tried:
                continue
            for key, (ways, _) in _ends([line], move, rng).items():
                for way in ways:
                    if way.state.over or way.node < 0:
                        break
                    here = met.setdefault(key, {})
                    if len(here) < LINES and way.place not in here:
                        here[way.place] = way
                        waiting.append(way)
    drawn = {key: (_node(list(lines.values())), list(lines.values())) for key, lines in met.items()}
    hung = {start[0].key}
    for node, lines in drawn.values():
        _expand(node, lines, drawn, None, rng, hung)
    return drawn[start[0].key][0]


def still(search: Search) -> Search:
    """The search as it is now, with a copy of its memory, to be looked at while the search itself goes on."""
    kept = copy.copy(search)
    kept.memory = search.memory.copy()
    return kept


def _expand(
    node: Node,
    lines: list[Line],
    drawn: dict[Any, tuple[Node, list[Line]]],
    breadth: int | None,
    rng: np.ndarray,
    hung: set[Any] | None = None,
) -> list[tuple[Node, list[Line]]]:
    """Give a node its most visited moves and what follows them. Returns the nodes that are new, with the lines to them.

    With `hung` all nodes are in `drawn` already, and those in `hung` hang on an edge; otherwise one drawn in another
    column is made again."""
    lines = _distinct(lines)
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
        follows.append((m, {key: (_node(ways), ways, outcomes) for key, (ways, outcomes) in ends.items()}))
    shares = _shares(follows)
    for alike, (m, led), share in list(zip(tried, follows, shares, strict=True))[:breadth]:
        name = m.name if len(alike) == 1 else f"{m.name}, or {len(alike) - 1} like it"
        reached = sorted(
            ((child, key, ways, outcomes) for key, (child, ways, outcomes) in led.items()),
            key=lambda end: (-share[end[1]][0], -end[0].visits),
        )
        # what lies outside the tree is worth showing only where nothing else follows
        reached = [end for end in reached if end[0].inside] or reached[:1]
        place = node
        if len(reached) > 1 or any("" not in outcomes for *_, outcomes in reached):
            fit = len(reached) if breadth is None else breadth - 1
            place = Node(CHANCE, m.visits, "", column=node.column + 1, more=max(len(reached) - fit, 0))
            node.edges.append(_edge(m, name, place, True))
            reached = reached[:fit]
        for child, key, ways, outcomes in reached:
            child.depth, child.column = node.depth + 1, place.column + 1
            old, met = drawn.get(key, (None, []))
            if old is not None and (hung is not None or old.column == child.column):
                child = old
                if hung is None:
                    met.extend(ways)  # so that what only this move leads to is met below, too
            child.again = old is not None and child is not old
            owned = child is not old
            if hung is not None and old is not None:
                owned = key not in hung
                hung.add(key)
            if place is node:
                place.edges.append(_edge(m, name, child, owned))
            else:
                outcome_name = outcomes.pop() if len(outcomes) == 1 else ""
                place.edges.append(Edge(outcome_name, share[key][0], None, child, owned, share[key][1]))
            if old is None and child.inside and child.actor >= 0:
                drawn[key] = child, ways
                fresh.append((child, ways))
    return fresh


def _edge(m: MoveStatistics, name: str, child: Node, owned: bool) -> Edge:
    return Edge(name, m.visits, m.value, child, owned, False, m.move, m.strategy, m.proven)


def _shares(
    follows: "list[tuple[MoveStatistics, dict[Any, tuple[Node, list[Line], set[str]]]]]",
) -> list[dict[Any, tuple[int, bool]]]:
    """How often each move of a node was followed by each node that it leads to, and whether that is but estimated.

    The memory counts the visits of moves and of nodes, not of one after the other. Where one move alone leads to a
    node, all the node's visits are of that move. Where several do, they have part in them by how often they were made
    and how often lines lead there: whoever moves cannot see what tells such nodes apart. Where that comes to more than
    a move's own visits, the nodes are come to from elsewhere, and only the lines tell.
    """
    expected = []
    for m, ends in follows:
        weight = {key: sum(line.weight for line in ways) for key, (_, ways, _) in ends.items()}
        expected.append({key: m.visits * part / sum(weight.values()) for key, part in weight.items()})
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
    """What a move leads to, by the key of the node: the lines that come there, and the names of what chance did on the
    way."""
    ends: dict[Any, tuple[list[Line], set[str]]] = {}
    under_way: list[tuple[Line, tuple[str, ...]]] = [(line.after(move), ()) for line in lines]
    while under_way:
        by_chance = []
        for line, drawn in under_way:
            if line.state.actor == CHANCE:
                by_chance.append((line, drawn))
                continue
            ways, names = ends.setdefault(tuple(line.state.payoff()) if line.state.over else line.key, ([], set()))
            ways.append(line)
            names.add(_outcome(drawn))
        under_way = _by_chance(by_chance, rng)
    return {key: (_distinct(ways), names) for key, (ways, names) in ends.items()}


def _by_chance(lines: list[tuple[Line, tuple[str, ...]]], rng: np.ndarray) -> list[tuple[Line, tuple[str, ...]]]:
    """The lines after an outcome of chance: after each, or if they are too many after some that are drawn."""
    outcomes = [line.state.chance() for line, _ in lines]
    if sum(map(len, outcomes)) > 4 * LINES:
        each = max(1, LINES // len(lines))
        outcomes = [[(line.draw(rng)[0], 1 / each) for _ in range(each)] for line, _ in lines]
    after: dict[Any, tuple[Line, tuple[str, ...]]] = {}
    for (line, drawn), moves in zip(lines, outcomes, strict=True):
        for move, p in moves:
            way, names = line.after(move), (*drawn, line.search.game.move_name(line.state, move))
            way.weight *= p
            old = after.setdefault((way.place, names), (way, names))[0]
            if old is not way:
                old.weight += way.weight
    return list(after.values())


def _distinct(lines: list[Line]) -> list[Line]:
    """Lines that have come to different places, each with the weight of all that have come there; of very many some."""
    kept: dict[tuple[Any, ...], Line] = {}
    for line in lines:
        old = kept.setdefault(line.place, line)
        if old is not line:
            old.weight += line.weight
    return list(kept.values())[:: max(1, -(-len(kept) // LINES))]


def _outcome(outcomes: tuple[str, ...]) -> str:
    """What chance did, in words; the same thing several times is said once."""
    text = ", ".join(name if n == 1 else f"{name} x{n}" for name, n in sorted(Counter(outcomes).items()))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _first(alike: dict[str, MoveStatistics]) -> MoveStatistics:
    return next(iter(alike.values()))


def _node(lines: list[Line]) -> Node:
    """The node for what lines have come to: an end, a node of the tree, or one that it does not have."""
    first = lines[0]
    who = first.state.actor
    if who == OVER:
        return Node(OVER, 0, " : ".join(f"{u:+.3g}" for u in first.state.payoff()))
    # a search may join what the player to move can tell apart; then the node is as its searcher sees it, or without
    # words
    text = ""
    for player in (who, first.searcher) if first.state.game.drawn else ():
        seen = {line.state.show(player) for line in lines}
        if len(seen) == 1:
            text = seen.pop()
            break
    at, search = first.node, first.search
    if at < 0:
        return Node(who, 0, text, inside=False)
    slots = search.memory.slots[search.memory.slots_of(at)]
    tries = int(slots.tries.sum())
    value = search.utility(who, slots.total.sum(), tries) if tries else None
    return Node(who, int(search.memory.nodes.visits[at]), text, value=value)
