"""The memory of a search: nodes found by a 64-bit key, each with one slot of statistics for every move seen there.

A node is whatever the search takes for "the same situation": an information set, a history, a state. A move's slot keeps its
place once it has one; a node whose moves differ from visit to visit (as when hidden cards are redrawn) simply gains slots.
When the memory is full, no more nodes are added, and the search goes on with those it has. Between two decisions `make_room` forgets
what is of least use.
"""

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints32, Record, Records
from fogspiel.game.view import view_type

Pool = np.dtype([
    ("nodes", "i8"), ("slots", "i8"), ("node_room", "i8"), ("slot_room", "i8"), ("mask", "i8"), ("most", "i8"), ("refused", "i8"),
], align=True)  # fmt: skip
"""How much of the memory is used, how much there is, and how many nodes were refused for want of room. `mask` + 1 places of the
index are in use, `most` + 1 are there: a short search stays within a small part, which is soon emptied and near at hand."""

Node = np.dtype([
    ("key", "u8"), ("first", "i4"), ("used", "i4"), ("owned", "i4"), ("owner", "i4"), ("visits", "i8"), ("value", "f8"),
    ("passed", "i8"), ("joint", "i4"), ("settled", "i4"), ("print", "u8"),
], align=True)  # fmt: skip
"""A node's key; where its slots begin, how many it uses and may use; whose move it is; how often it was visited, and the sum of the
values it returned. `passed`: the last simulation that came here. `joint`: where the pairs of moves of a stage are counted
(`bandits.couple`), or -1. `settled`: the slot that proves the node's value, or -1, and `print`: a hash of its state (`search/proofs.py`)."""

Slot = np.dtype([
    ("move", "i8"), ("tries", "i8"), ("missed", "i8"), ("total", "f8"), ("score", "f8"), ("strategy", "f8"),
], align=True)  # fmt: skip
"""A move; how often it was tried; how many visits of the node do not count for it, since it was not there or not tried yet; the sum
of its rewards; what its policy learns (`search/bandits.py`); and the sum of the strategies played."""

FEWEST = 1 << 10
"""Places of the index that an empty memory uses."""

LINE = 64
"""Bytes of a line of the processor's cache."""

NODE_BYTES, SLOT_BYTES = Node.itemsize + 2 * 4, Slot.itemsize
"""Memory of a node, with two places in the index, and of a slot."""


class Memory:
    """Room for so many nodes, and the slots of eight moves for each. `filled` shows the pool's fields as attributes."""

    def __init__(self, room: int):
        slots = 8 * room + 1024
        size = 1 << max(4, (2 * room - 1).bit_length())
        self.pool = np.zeros(1, Pool)
        self.filled = view_type(Pool).from_buffer(self.pool)
        self.filled.node_room, self.filled.slot_room = room, slots
        self.filled.most, self.filled.mask = size - 1, min(FEWEST, size) - 1
        self.index = np.full(size, -1, np.int32)
        self.nodes, self.slots = _records(room, Node), _records(slots, Slot)

    @property
    def arrays(self) -> tuple:
        """What kernels take, in this order."""
        return self.pool, self.index, self.nodes, self.slots

    @property
    def node_count(self) -> int:
        return self.filled.nodes

    @property
    def slot_count(self) -> int:
        return self.filled.slots

    def clear(self) -> None:
        self.index[: self.filled.mask + 1] = -1
        self.filled.mask = min(FEWEST, self.filled.most + 1) - 1
        self.filled.nodes = self.filled.slots = self.filled.refused = 0

    def copy(self) -> "Memory":
        """The nodes that there are, without room for more."""
        other = object.__new__(Memory)
        other.pool = self.pool.copy()
        other.filled = view_type(Pool).from_buffer(other.pool)
        other.index = self.index[: self.filled.mask + 1].copy()
        other.nodes, other.slots = self.nodes[: self.node_count].copy(), self.slots[: self.slot_count].copy()
        return other

    @property
    def crowded(self) -> bool:
        """A node was refused, or a quarter of the room is all that is left."""
        f = self.filled
        return f.refused > 0 or 4 * f.nodes > 3 * f.node_room or 4 * f.slots > 3 * f.slot_room

    def make_room(self, since: int) -> tuple[np.ndarray, np.ndarray]:
        """Forget the nodes that no simulation has passed after the one of this number, and of the others the least visited, until half
        of the room is free. Returns where the nodes that were kept lay, and where their slots lay; they have moved together."""
        nodes = self.nodes[: self.node_count]
        kept = nodes.passed > since
        busy = np.flatnonzero(kept)
        busy = busy[np.argsort(-nodes.visits[busy], kind="stable")]
        fits = np.cumsum(nodes.used[busy]) <= self.filled.slot_room // 2
        kept[busy[~fits]] = False
        kept[busy[self.filled.node_room // 2 :]] = False
        nodes = nodes[kept]
        used = nodes.used.astype(np.int64)
        begin = np.cumsum(used) - used
        lay = np.repeat(nodes.first - begin, used) + np.arange(used.sum())
        slots = self.slots[lay]
        nodes.first, nodes.owned = begin, used
        self.nodes[: len(nodes)], self.slots[: len(slots)] = nodes, slots
        self.filled.nodes, self.filled.slots, self.filled.refused = len(nodes), len(slots), 0
        enter_all(self.pool, self.index, self.nodes)
        return np.flatnonzero(kept), lay

    def find(self, key: int) -> int:
        """The node of a key, or -1."""
        return int(find_node(key, self.pool, self.index, self.nodes))

    def slots_of(self, node: int) -> slice:
        """Where the slots of a node lie."""
        first = int(self.nodes.first[node])
        return slice(first, first + int(self.nodes.used[node]))


def _records(count: int, dtype: np.dtype) -> np.recarray:
    """Zeros that begin where a line of the processor's cache does: a node is as long as one."""
    room = np.zeros(count * dtype.itemsize + LINE, np.int8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + count * dtype.itemsize].view(dtype).view(np.recarray)


@kernel
def find_node(key: Int, pool: Record(Pool), index: Ints32, nodes: Records(Node)) -> Int:
    return lookup(key, pool, index, nodes)


@kernel
def enter_all(pool: Record(Pool), index: Ints32, nodes: Records(Node)) -> None:
    index_anew(pool, index, nodes)


def lookup(key, pool, index, nodes):
    """The node of a key, or -1. Keys are compared as unsigned: a signed and an unsigned number would meet as reals."""
    wanted = np.uint64(key)
    at = place(key, pool)
    while index[at] >= 0:
        if nodes[index[at]].key == wanted:
            return index[at]
        at = (at + 1) & pool.mask
    return -1


def place(key, pool):
    """Where in the index the search for a key begins. A key is made by `mix`, so its bits are as good as random."""
    return int(np.uint64(key) >> np.uint64(32)) & pool.mask


def add(key, who, room, pool, index, nodes):
    """A new node with room for `room` slots, or -1 if the memory is full."""
    if pool.nodes >= pool.node_room or pool.slots + room > pool.slot_room:
        pool.refused += 1
        return -1
    node = pool.nodes
    pool.nodes = node + 1
    new = nodes[node]
    new.key = np.uint64(key)
    new.first = pool.slots
    new.used = 0
    new.owned = room
    new.owner = who
    new.visits = 0
    new.value = 0.0
    new.passed = -1
    new.joint = -1
    new.settled = -1
    new.print = np.uint64(0)
    pool.slots += room
    if 2 * pool.nodes > pool.mask and pool.mask < pool.most:
        spread(pool, index, nodes)
    else:
        enter(node, pool, index, nodes)
    return node


def enter(node, pool, index, nodes):
    """Write a node to the index."""
    at = place(nodes[node].key, pool)
    while index[at] >= 0:
        at = (at + 1) & pool.mask
    index[at] = node


def spread(pool, index, nodes):
    """Use four times as much of the index, and enter all nodes anew."""
    pool.mask = min(4 * pool.mask + 3, pool.most)
    index_anew(pool, index, nodes)


def index_anew(pool, index, nodes):
    """Enter all nodes in an index that was emptied."""
    for at in range(pool.mask + 1):
        index[at] = -1
    for node in range(pool.nodes):
        enter(node, pool, index, nodes)


def slots_of(node, n, moves, slot, pool, nodes, slots):
    """Write the slots of n moves to `slot`, made if need be. Returns how many there are: fewer where there is no room for more."""
    here = nodes[node]
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
            slot[m] = slot_of(node, moves[i], m, pool, nodes, slots)
            m += slot[m] >= 0
    return m


def slot_of(node, wanted, hint, pool, nodes, slots):
    """The slot of a move at a node, made if need be; -1 if there is no room for it. `hint` is where it probably lies."""
    here = nodes[node]
    if hint < here.used and slots[here.first + hint].move == wanted:
        return here.first + hint
    for s in range(here.first, here.first + here.used):
        if slots[s].move == wanted:
            return s
    if here.used == here.owned and not widen(node, pool, nodes, slots):
        return -1
    s = here.first + here.used
    here.used += 1
    new = slots[s]
    new.move = wanted
    new.tries = 0
    new.missed = 0
    new.total = 0.0
    new.score = 0.0
    new.strategy = 0.0
    return s


def widen(node, pool, nodes, slots):
    """Move a node's slots to the end, where there is room for more; False if there is none."""
    here = nodes[node]
    room = 2 * here.owned + 2
    if pool.slots + room > pool.slot_room:
        return False
    for k in range(here.used):
        old, new = slots[here.first + k], slots[pool.slots + k]
        new.move = old.move
        new.tries = old.tries
        new.missed = old.missed
        new.total = old.total
        new.score = old.score
        new.strategy = old.strategy
    here.first = pool.slots
    here.owned = room
    pool.slots += room
    return True
