"""The memory of a search: nodes found by a 64-bit key, each with one slot of statistics for every move seen there.

A node is whatever the search takes for "the same situation": an information set, a history, a state. A move's slot keeps its
place once it has one; a node whose moves differ from visit to visit (as when hidden cards are redrawn) simply gains slots.
When the memory is full, no more nodes are added, and the search goes on with those it has.
"""

from dataclasses import dataclass, field

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints32, Record, Words

Pool = np.dtype([
    ("nodes", "i8"), ("slots", "i8"), ("node_room", "i8"), ("slot_room", "i8"), ("mask", "i8"), ("most", "i8"), ("refused", "i8"),
], align=True)  # fmt: skip
"""How much of the memory is used, how much there is, and how many nodes were refused for want of room. `mask` + 1 places of the
index are in use, `most` + 1 are there: a short search stays within a small part, which is soon emptied and near at hand."""

FEWEST = 1 << 10
"""Places of the index that an empty memory uses."""

NODE_BYTES, SLOT_BYTES = 8 + 4 * 4 + 4 * 8 + 2 * 4, 8 * 7
"""Memory of a node (its fields, what `search/mcts.py` keeps beside them, two places in the index) and of a slot."""


@dataclass
class Memory:
    """The arrays. A node: its key, where its slots begin, how many it uses and may use, its visits, the sum of the values it
    returned, and whose move it is. A slot: the move, how often it was tried and how often it was available, the sum and the
    sum of squares of its rewards, a learner's score (Exp3's estimated reward, regret matching's regret), and the sum of the
    strategies played."""

    rooms: int
    pool: np.ndarray = field(init=False)
    key: np.ndarray = field(init=False)
    first: np.ndarray = field(init=False)
    used: np.ndarray = field(init=False)
    owned: np.ndarray = field(init=False)
    owner: np.ndarray = field(init=False)
    visits: np.ndarray = field(init=False)
    value: np.ndarray = field(init=False)
    index: np.ndarray = field(init=False)
    move: np.ndarray = field(init=False)
    tries: np.ndarray = field(init=False)
    seen: np.ndarray = field(init=False)
    total: np.ndarray = field(init=False)
    square: np.ndarray = field(init=False)
    score: np.ndarray = field(init=False)
    mean: np.ndarray = field(init=False)

    def __post_init__(self):
        nodes, slots = self.rooms, 8 * self.rooms + 1024
        self.pool = np.zeros(1, Pool)
        self.pool["node_room"], self.pool["slot_room"] = nodes, slots
        size = 1 << max(4, (2 * nodes - 1).bit_length())
        self.pool["most"], self.pool["mask"] = size - 1, min(FEWEST, size) - 1
        self.index = np.full(size, -1, np.int32)
        self.key = np.zeros(nodes, np.uint64)
        self.first, self.used, self.owned, self.owner = (np.zeros(nodes, np.int32) for _ in range(4))
        self.visits, self.value = np.zeros(nodes), np.zeros(nodes)
        self.move = np.zeros(slots, np.int64)
        self.tries, self.seen, self.total, self.square, self.score, self.mean = (np.zeros(slots) for _ in range(6))

    @property
    def arrays(self) -> tuple:
        """What kernels take, in this order."""
        return (
            self.pool, self.index, self.key, self.first, self.used, self.owned, self.owner, self.visits, self.value,
            self.move, self.tries, self.seen, self.total, self.square, self.score, self.mean,
        )  # fmt: skip

    @property
    def nodes(self) -> int:
        return int(self.pool["nodes"][0])

    @property
    def slot_count(self) -> int:
        return int(self.pool["slots"][0])

    def clear(self) -> None:
        self.index[: int(self.pool["mask"][0]) + 1] = -1
        self.pool["mask"] = min(FEWEST, len(self.index)) - 1
        for name in ("nodes", "slots", "refused"):
            self.pool[name] = 0

    def find(self, key: int) -> int:
        """The node of a key, or -1."""
        return int(find_node(key, self.pool, self.index, self.key))

    def slots(self, node: int) -> slice:
        return slice(int(self.first[node]), int(self.first[node]) + int(self.used[node]))


@kernel
def find_node(key: Int, pool: Record(Pool), index: Ints32, keys: Words) -> Int:
    return lookup(key, pool, index, keys)


def lookup(key, pool, index, keys):
    """The node of a key, or -1. Keys are compared as unsigned: a signed and an unsigned number would meet as reals."""
    wanted = np.uint64(key)
    at = place(key, pool)
    while index[at] >= 0:
        if keys[index[at]] == wanted:
            return index[at]
        at = (at + 1) & pool.mask
    return -1


def place(key, pool):
    """Where in the index the search for a key begins. A key is made by `mix`, so its bits are as good as random."""
    return int(np.uint64(key) >> np.uint64(32)) & pool.mask


def add(key, who, room, pool, index, keys, first, used, owned, owner, visits, value):
    """A new node with room for `room` slots, or -1 if the memory is full."""
    if pool.nodes >= pool.node_room or pool.slots + room > pool.slot_room:
        pool.refused += 1
        return -1
    node = pool.nodes
    pool.nodes = node + 1
    keys[node] = np.uint64(key)
    if 2 * pool.nodes > pool.mask and pool.mask < pool.most:
        spread(pool, index, keys)
    else:
        enter(node, pool, index, keys)
    owner[node] = who
    visits[node] = 0.0
    value[node] = 0.0
    first[node] = pool.slots
    used[node] = 0
    owned[node] = room
    pool.slots += room
    return node


def enter(node, pool, index, keys):
    """Write a node to the index."""
    at = place(keys[node], pool)
    while index[at] >= 0:
        at = (at + 1) & pool.mask
    index[at] = node


def spread(pool, index, keys):
    """Use four times as much of the index, and enter all nodes anew."""
    pool.mask = min(4 * pool.mask + 3, pool.most)
    for at in range(pool.mask + 1):
        index[at] = -1
    for node in range(pool.nodes):
        enter(node, pool, index, keys)


def slots_of(node, n, moves, labels, slot, pool, first, used, owned, move, tries, seen, total, square, score, mean):
    """Write the slot of each of n moves to `labels`, -1 where there is no room, and the slots there are to `slot`. Returns how
    many those are."""
    begin = first[node]
    if used[node] == n:
        differ = 0
        for i in range(n):
            differ |= move[begin + i] ^ moves[i]
        if differ == 0:
            for i in range(n):
                labels[i] = begin + i
                slot[i] = begin + i
            return n
    m = 0
    for i in range(n):
        labels[i] = slot_of(node, moves[i], m, pool, first, used, owned, move, tries, seen, total, square, score, mean)
        if labels[i] >= 0:
            slot[m] = labels[i]
            m += 1
    return m


def slot_of(node, wanted, hint, pool, first, used, owned, move, tries, seen, total, square, score, mean):
    """The slot of a move at a node, made if need be; -1 if there is no room for it. `hint` is where it probably lies."""
    begin = first[node]
    if hint < used[node] and move[begin + hint] == wanted:
        return begin + hint
    for s in range(begin, begin + used[node]):
        if move[s] == wanted:
            return s
    if used[node] == owned[node]:
        room = 2 * owned[node] + 2
        if pool.slots + room > pool.slot_room:
            return -1
        # move the node's slots to the end, where there is room for more
        begin = pool.slots
        for k in range(used[node]):
            old = first[node] + k
            move[begin + k] = move[old]
            tries[begin + k] = tries[old]
            seen[begin + k] = seen[old]
            total[begin + k] = total[old]
            square[begin + k] = square[old]
            score[begin + k] = score[old]
            mean[begin + k] = mean[old]
        first[node] = begin
        owned[node] = room
        pool.slots += room
    s = first[node] + used[node]
    used[node] += 1
    move[s] = wanted
    tries[s] = 0.0
    seen[s] = 0.0
    total[s] = 0.0
    square[s] = 0.0
    score[s] = 0.0
    mean[s] = 0.0
    return s
