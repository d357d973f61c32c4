"""The nodes that a game comes to, found breadth first: the walk of value iteration, and of games without an end.

What is a node, which of them are one, and what is written down of each are the owner's: a part (`engine/part.py`) with
columns of its own beside the common ones below, and functions for the four that stand for it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.closure import Function
from fogspiel.engine.index import clear, enter
from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Kind, Reals, Record, Words
from fogspiel.engine.linking import annotated
from fogspiel.engine.part import Part, PartKind, assembled, by_name
from fogspiel.engine.primitives import address_of
from fogspiel.errors import TooLarge
from fogspiel.game.table import LIMIT, ROOT, copy_state, play

if TYPE_CHECKING:
    from fogspiel.game.game import Game

Search = np.dtype(
    [
        ("nodes", "i8"),
        ("edges", "i8"),
        ("next", "i8"),
        ("room", "i8"),
        ("edge_room", "i8"),
        ("mask", "i8"),
        ("words", "i8"),
        ("apart", "i8"),
    ],
    align=True,
)
"""How many nodes and edges there are, which node is next, and for how many there is room. States have so many words;
`apart` is the owner's."""
FINISHED, NODES, EDGES, TOO_MANY, REFUSED = range(5)
"""How a walk ends: there are no more nodes, no room, or too many moves; or a part refuses to go on."""
NODE_COLUMNS = {"pool": Words, "who": Bytes, "first": Ints, "key": Words}
EDGE_COLUMNS = {"target": Ints32, "odds": Reals, "move": Ints}
SCRATCH = {"scratch": Words, "buffer": Ints, "pay": Reals}
REFUSE = -1


def begin(game, walk, state):
    """Look at node 0, the first, and enter it in the index; False refuses it."""
    return True


def branches(game, walk, node, state):
    """Look at a node, and write its moves to the buffer, with chance's odds from the next edge on; returns how many
    there are."""
    return 0


def arrive(game, walk, node, edge, state):
    """The node that an edge of a node leads to, `add`ed if it is new; or REFUSE."""
    return REFUSE


def word_of(walk, node):
    """What a node is found by in the index; 0 for one that is not looked for."""
    return np.uint64(0)


def add(walk):
    """A new node, of the state that was reached."""
    node, words, pool, scratch = walk.s.nodes, walk.s.words, walk.pool, walk.scratch
    for k in range(words):
        pool[node * words + k] = scratch[k]
    walk.s.nodes = node + 1
    return node


def explore(game, walk):
    """Take the next node found, write down its moves, and go where they lead."""
    s, words, buffer, scratch, limit = walk.s, walk.s.words, walk.buffer, walk.scratch, game[LIMIT]
    base, child = address_of(walk.pool), address_of(scratch)
    for k in range(words):
        scratch[k] = 0
    if s.nodes == 0:
        copy_state(game, base, game[ROOT])
        s.nodes = 1
        if not begin(game, walk, base):
            return REFUSED
    while s.next < s.nodes:
        node = s.next
        if s.nodes + limit > s.room:
            return NODES
        if s.edges + limit > s.edge_room:
            return EDGES
        here = base + 8 * words * node
        walk.first[node] = s.edges
        n = branches(game, walk, node, here)
        if n > limit:
            return TOO_MANY
        for m in range(n):
            edge = s.edges + m
            copy_state(game, child, here)
            play(game, child, buffer[m])
            walk.move[edge] = buffer[m]
            then = arrive(game, walk, node, edge, child)
            if then == REFUSE:
                return REFUSED
            walk.target[edge] = then
        s.edges += n
        s.next = node + 1
        walk.first[node + 1] = s.edges
    return FINISHED


def enter_nodes(walk):
    """Enter all nodes anew, into a larger index."""
    clear(walk.index, walk.s.mask)
    for node in range(walk.s.nodes):
        word = word_of(walk, node)
        if word != 0:
            enter(word, node + 1, walk.index, walk.s.mask)


WALK = PartKind("walk", "what a walk over states looks at", __name__, stubs=by_name(begin, branches, arrive, word_of))


class Walk:
    """A walk of one owner: a namespace of functions for those above. NODE and EDGE are its columns beside the common
    ones, and MORE what else its functions use, each with its kind."""

    def __init__(self, name: str, space: Any):
        self.part = Part(WALK, name, space)
        self.nodes = {**NODE_COLUMNS, **self.part.tells("NODE", {})}
        self.edges = {**EDGE_COLUMNS, **self.part.tells("EDGE", {})}
        columns = {**self.nodes, **self.edges, **SCRATCH, **self.part.tells("MORE", {})}
        self.walk = Bundle(s=Record(Search), index=Ints32, **columns)
        self.explore = self.kernel(explore, game=Ints, walk=self.walk, result=Int)
        self.enter_nodes = self.kernel(enter_nodes, walk=self.walk)

    def kernel(self, function: Function, result: Kind | None = None, **kinds: Kind) -> Kernel:
        """A function over the walk as a kernel, with the owner's functions put in."""
        whole = annotated(assembled(function, [self.part]), {**kinds, "return": result})
        return kernel(whole, group=self.part.name, copied=True)


class Explorer:
    """Nodes and edges in the order in which they were found; all columns are those of `walk`. They may take so much
    `memory`, in bytes; what `more` its owner uses comes with it."""

    def __init__(
        self,
        game: "Game",
        owner: Walk,
        memory: int,
        apart: int = 0,
        more: Mapping[str, np.ndarray] = MappingProxyType({}),
    ):
        self.game, self.owner, self.memory = game, owner, memory
        self.words = -(-game.dtype.itemsize // 8)
        self.s = np.zeros(1, Search)
        self.s["words"], self.s["apart"] = self.words, apart
        none = {name: np.zeros(0, kind.element) for name, kind in {**owner.nodes, **owner.edges}.items()}
        scratch = {
            "scratch": np.zeros(self.words, np.uint64),
            "buffer": game.buffer(),
            "pay": np.zeros(game.max_moves + 2),
        }
        self.walk: Any = Bundled(owner.walk, s=self.s, index=np.zeros(0, np.int32), **none, **scratch, **more)
        self._make_nodes(1 << 10)
        self._make_edges((1 << 12) + game.max_moves)

    @property
    def count(self) -> int:
        return int(self.s["nodes"][0])

    def go_on(self) -> int:
        """Walk until there are no more nodes, or no room (`more_room`), or a part refuses; returns which."""
        status = self.game.finish(self.owner.explore(self.game.table, self.walk))
        if status == TOO_MANY:
            raise self.game.too_many_moves(self.game.max_moves + 1)
        return status

    def more_room(self, status: int) -> None:
        """Twice the room, of what there was no room for."""
        if status == NODES:
            self._make_nodes(2 * int(self.s["room"][0]))
        else:
            self._make_edges(2 * int(self.s["edge_room"][0]))

    def too_large(self) -> TooLarge:
        """What is raised where the memory allowed is too little."""
        return TooLarge(
            f"the states of {self.game.spec} do not fit in the memory allowed ({self.count:,} found so far)"
        )

    def _make_nodes(self, room: int) -> None:
        self._grow(self.owner.nodes, room)
        self.s["room"], self.s["mask"] = room, 4 * room - 1
        self.walk.index = np.zeros(4 * room, np.int32)
        self.owner.enter_nodes(self.walk)

    def _make_edges(self, room: int) -> None:
        self._grow(self.owner.edges, room)
        self.s["edge_room"] = room

    def _grow(self, columns: Mapping[str, Kind], room: int) -> None:
        width = {name: self.words if name == "pool" else 1 for name in columns}
        if room * sum(kind.element.itemsize * width[name] for name, kind in columns.items()) > self.memory:
            raise self.too_large()
        for name, kind in columns.items():
            new, old = np.zeros(room * width[name] + 4096, kind.element), self.walk.array(name)
            new[: len(old)] = old
            setattr(self.walk, name, new)
