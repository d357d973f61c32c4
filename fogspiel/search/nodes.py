"""The memory of a search: nodes found by a 64-bit key, each with one slot of statistics for every move seen there.

A node is whatever the search takes for "the same situation": an information set, a history, a state. A move's slot
keeps its place once it has one; a node whose moves differ from visit to visit (as when hidden cards are redrawn) simply
gains slots. When the memory is full, no more nodes are added, and the search goes on with those it has. Before another
search `make_room` forgets what is of least use, so that the root of a decision always has its node.

Parts add columns of their own to nodes and slots (`search/parts.py`).
"""

from functools import cached_property
from typing import Any

import numpy as np

from fogspiel.engine.index import enter, find
from fogspiel.engine.index import enter_all as index_anew
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints32, Words
from fogspiel.engine.memory import records
from fogspiel.engine.primitives import MASK, assign, clear
from fogspiel.game.view import view_type
from fogspiel.search.hooks import open_slot

Pool = np.dtype(
    [
        ("nodes", "i8"),
        ("slots", "i8"),
        ("node_room", "i8"),
        ("slot_room", "i8"),
        ("mask", "i8"),
        ("most", "i8"),
        ("refused", "i8"),
    ],
    align=True,
)
"""How much of the memory is used, how much there is, and how many nodes were refused for want of room. `mask` + 1
places of the index are in use, `most` + 1 are there: a short search stays within a small part, which is soon emptied
and near at hand."""

NODE = (
    ("key", "u8"),
    ("first", "i4"),
    ("used", "i4"),
    ("owned", "i4"),
    ("owner", "i4"),
    ("visits", "i8"),
    ("passed", "i8"),
)
"""A node's key; where its slots begin, how many it uses and may use; whose move it is; how often it was visited, visits
from which it learns nothing left out; and the last simulation that came here."""

SLOT = (("move", "i8"), ("tries", "i8"), ("total", "f8"))
"""A move; how often it was tried; the sum of its rewards."""

FEWEST = 1 << 10
"""Places of the index that an empty memory uses."""

STAGES = 4
"""Stages that there is room for at least, of all players: then a quarter of the memory, which is always free before a
search, has room for the root."""


class Memory:
    """Room for so many nodes, and the slots of eight moves for each, with these columns beside those that all have.
    There are slots for four stages at least, in which all players choose among as many moves as there may be. `filled`
    shows the pool's fields as attributes."""

    def __init__(
        self, room: int, node: tuple[Any, ...] = (), slot: tuple[Any, ...] = (), *, players: int = 1, moves: int = 0
    ):
        slots = max(8 * room + 1024, STAGES * players * moves)
        size = 1 << max(4, (2 * room - 1).bit_length())
        self.pool = np.zeros(1, Pool)
        self.filled = view_type(Pool).from_buffer(self.pool.data)
        self.filled.node_room, self.filled.slot_room = room, slots
        self.filled.most, self.filled.mask = size - 1, min(FEWEST, size) - 1
        self.index = np.zeros(size, np.int32)
        self.nodes = records(room, np.dtype([*NODE, *node], align=True))
        self.slots = records(slots, np.dtype([*SLOT, *slot], align=True))

    @cached_property
    def node_bytes(self) -> int:
        """Memory of a node, with two places in the index."""
        return self.nodes.dtype.itemsize + 2 * 4

    @cached_property
    def slot_bytes(self) -> int:
        return self.slots.dtype.itemsize

    @property
    def node_count(self) -> int:
        return self.filled.nodes

    @property
    def slot_count(self) -> int:
        return self.filled.slots

    def clear(self) -> None:
        self.index[: self.filled.mask + 1] = 0
        self.filled.mask = min(FEWEST, self.filled.most + 1) - 1
        self.filled.nodes = self.filled.slots = self.filled.refused = 0

    def copy(self) -> "Memory":
        """The nodes that there are, without room for more."""
        other = object.__new__(Memory)
        other.pool = self.pool.copy()
        other.filled = view_type(Pool).from_buffer(other.pool.data)
        other.index = self.index[: self.filled.mask + 1].copy()
        other.nodes, other.slots = self.nodes[: self.node_count].copy(), self.slots[: self.slot_count].copy()
        return other

    @property
    def crowded(self) -> bool:
        """A node was refused, or a quarter of the room is all that is left."""
        f = self.filled
        return f.refused > 0 or 4 * f.nodes > 3 * f.node_room or 4 * f.slots > 3 * f.slot_room

    def make_room(self, since: int, scouted: int) -> None:
        """Forget the nodes that no simulation has passed after the one of number `since`, and of the others, until half
        of the room is free, first those that none has passed after number `scouted`, the least visited before others.
        Those that are kept move together, and so do their slots."""
        nodes = self.nodes[: self.node_count]
        kept = nodes.passed > since
        busy = np.flatnonzero(kept)
        busy = busy[np.lexsort((-nodes.visits[busy], nodes.passed[busy] <= scouted))]
        fits = np.cumsum(nodes.used[busy]) <= self.filled.slot_room // 2
        kept[busy[~fits]] = False
        kept[busy[self.filled.node_room // 2 :]] = False
        nodes = nodes[kept]
        used = nodes.used.astype(np.int64)
        begin = np.cumsum(used) - used
        slots = self.slots[np.repeat(nodes.first - begin, used) + np.arange(used.sum())]
        nodes.first, nodes.owned = begin, used
        self.nodes[: len(nodes)], self.slots[: len(slots)] = nodes, slots
        self.filled.nodes, self.filled.slots, self.filled.refused = len(nodes), len(slots), 0
        enter_all(len(nodes), np.ascontiguousarray(nodes.key), self.index, self.filled.mask)

    def find(self, key: int) -> int:
        """The node of a key, or -1."""
        wanted = np.uint64(key & MASK)
        return int(self.index[find(wanted, self.index, self.filled.mask, is_node, wanted, self.nodes)]) - 1

    def strategy(self, slots: slice) -> np.ndarray | None:
        """The sums of strategies played in these slots, where a bandit keeps them."""
        return self.slots.strategy[slots] if "strategy" in self.slots.dtype.names else None

    def slots_of(self, node: int) -> slice:
        """Where the slots of a node lie."""
        first = int(self.nodes.first[node])
        return slice(first, first + int(self.nodes.used[node]))


@kernel
def enter_all(count: Int, keys: Words, index: Ints32, mask: Int) -> None:
    index_anew(count, index, mask, key_in, keys)


def key_in(node, keys):
    return keys[node]


def key_of_node(node, nodes):
    return nodes[node].key


def is_node(entry, key, nodes):
    return nodes[entry - 1].key == key


def lookup(search, key):
    """The node of a key, or -1. Keys are unsigned: a signed and an unsigned number would meet as reals."""
    return search.index[find(key, search.index, search.pool.mask, is_node, key, search.nodes)] - 1


def add(search, key, who, room):
    """A new node with room for `room` slots, or -1 if the memory is full."""
    pool = search.pool
    if pool.nodes >= pool.node_room or pool.slots + room > pool.slot_room:
        pool.refused += 1
        return -1
    node = pool.nodes
    pool.nodes = node + 1
    new = search.nodes[node]
    clear(new)
    new.key = key
    new.first = pool.slots
    new.owned = room
    new.owner = who
    pool.slots += room
    if 2 * pool.nodes > pool.mask and pool.mask < pool.most:
        # a larger part of the index, and all nodes entered anew
        pool.mask = min(4 * pool.mask + 3, pool.most)
        index_anew(pool.nodes, search.index, pool.mask, key_of_node, search.nodes)
    else:
        enter(key, node + 1, search.index, pool.mask)
    return node


def slots_of(search, node, n, moves):
    """Put the slots of n moves in search.slot, made if need be. Returns how many there are: fewer where there is no
    room for more."""
    here, slots, slot = search.nodes[node], search.slots, search.slot
    # most often they are the node's moves, in its order
    begin, known = here.first, min(n, here.used)
    same = 0
    while same < known and slots[begin + same].move == moves[same]:
        slot[same] = begin + same
        same += 1
    if same == n:
        return n
    m = 0
    begin = -1
    while begin != here.first:
        # a node that gains slots may move them, and then the search for them begins again
        begin = here.first
        m = 0
        for i in range(n):
            slot[m] = slot_of(search, node, moves[i], m)
            m += slot[m] >= 0
    return m


def slot_of(search, node, wanted, hint):
    """The slot of a move at a node, made if need be; -1 if there is no room for it. `hint` is where it probably
    lies."""
    here, slots = search.nodes[node], search.slots
    if hint < here.used and slots[here.first + hint].move == wanted:
        return here.first + hint
    for s in range(here.first, here.first + here.used):
        if slots[s].move == wanted:
            return s
    if here.used == here.owned and not widen(search, here):
        return -1
    s = here.first + here.used
    here.used += 1
    clear(slots[s])
    slots[s].move = wanted
    open_slot(search, here, slots[s])
    return s


def widen(search, here):
    """Move a node's slots to the end, where there is room for more; False if there is none."""
    pool, slots = search.pool, search.slots
    room = 2 * here.owned + 2
    if pool.slots + room > pool.slot_room:
        return False
    for k in range(here.used):
        assign(slots[pool.slots + k], slots[here.first + k])
    here.first = pool.slots
    here.owned = room
    pool.slots += room
    return True
