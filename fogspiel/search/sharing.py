"""Which nodes of a game share information under an ICARUS (Whitehouse 2014, sec. 8.4, Figure 8.2).

Two nodes are correlated if a visit to one changes what is read at the other. That is decided by records: the one that
is read for the move to a node, and those that a visit writes.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from numbers import Integral

from fogspiel.engine.part import Part
from fogspiel.errors import PartError, SpecError
from fogspiel.game.game import Game
from fogspiel.game.parts import place
from fogspiel.game.rules import CHANCE
from fogspiel.game.state import State
from fogspiel.search.icaruses.tree import Amaf
from fogspiel.search.parts import Composition, parts
from fogspiel.search.plain import PlainSearch, do
from fogspiel.search.traces import Episodes, Line

MOST = 1000
"""Nodes that are looked at."""


@dataclass
class Node:
    """A node of the game: the one before it, who moved, the move's name, the record that is read for it, and all that a
    visit writes."""

    parent: int
    depth: int
    who: int
    name: str
    record: Hashable
    written: set[Hashable] = field(default_factory=set)


def is_told(part: Part | None) -> bool:
    """Whether it is known which records an ICARUS reads and writes: one that captures tells by its function `read`,
    unless it captures as AMAF does."""
    capture = part.tells("capture", None) if part else None
    return part is None or capture in (None, Amaf.capture) or part.has("read")


def nodes(game: Game, part: Part | None, depth: int = 3, breadth: int = 2) -> list[Node]:
    """The first moves of a game after chance's first outcomes, at most so many at each state, and what an ICARUS of
    which it is told has for them; None: the baseline."""
    made = Composition(game, parts(icaruses=[part] if part else []), 64, 0)
    root = game.start()
    while root.actor == CHANCE:
        root.play(root.moves()[0])
    out = [Node(-1, 0, CHANCE, "", None)]
    waiting: list[tuple[int, State, list[int]]] = [(0, root, [])]
    for at, state, moves in waiting:
        if state.over or len(moves) == depth:
            continue
        for move in state.moves()[:breadth]:
            if len(out) > MOST:
                raise SpecError(f"more than {MOST} nodes of {game.spec}: take a smaller depth or breadth")
            after = state.copy()
            after.play(move)
            waiting.append((len(out), after, [*moves, move]))
            out.append(_node(root, made, part, at, state.actor, [*moves, move]))
    return out


def _node(root: State, made: Composition, part: Part | None, parent: int, who: int, moves: list[int]) -> Node:
    game, state = root.game, root.copy()
    search, table = PlainSearch(made.search), game.table.tolist()
    following = {p.name for p in made.parts} & {"line", "episodes"}
    follow = [space for name, space in (("line", Line), ("episodes", Episodes)) if name in following]
    legal, movers, name = [], [], ""
    for space in follow:
        space.begin(table, search)
    search.walk.playing = 1
    for move in moves:
        legal.append(state.moves())
        movers.append(state.actor)
        search.walk.moves = len(legal[-1])
        for k, one in enumerate(legal[-1]):
            search.moves[k] = one
        for space in follow:
            space.trace(table, search, state.address, state.actor, move)
        name = game.move_names(state)[move]
        state.play(move)
    i = len(moves) - 1
    own = (tuple(moves[:i]), moves[i])
    if part is not None and part.has("read") and who != CHANCE:
        record = do(part, "read", search, i, who, moves[i])
        if not isinstance(record, Integral):
            raise PartError(f"{place(part.space.read)} must return a key, a whole number, and returns {record!r}")
        return Node(parent, len(moves), who, name, int(record), {int(record)})
    written: set[Hashable] = {own}
    if part is not None and part.tells("capture", None) is Amaf.capture:
        # all moves as first: whoever made the move could have made it earlier
        written |= {(tuple(moves[:j]), moves[i]) for j in range(i) if movers[j] == who and moves[i] in legal[j]}
    return Node(parent, len(moves), who, name, own, written)


def correlated(found: list[Node]) -> list[tuple[int, int]]:
    """Pairs of nodes: a visit to the first changes what is read at the second."""
    return [
        (a, b)
        for a, one in enumerate(found)
        for b, other in enumerate(found)
        if a != b and other.record is not None and other.record in one.written
    ]
