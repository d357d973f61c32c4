"""A table of information sets for games that need not unroll: found by key, filled as they are met (`solve/arena.py`).

The arena is address space set aside once, which costs memory only as it is used, and the index doubles in place: growing never copies what
has been learned, and so never needs twice the memory.
"""

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kinds import Int, Ints, Reals
from fogspiel.engine.primitives import MASK
from fogspiel.errors import TooLarge
from fogspiel.game.game import Game
from fogspiel.game.merged import moves_differ
from fogspiel.solve.arena import (
    AVERAGE,
    EXTRA,
    FIXED,
    KEYED,
    MOVE,
    NEAR,
    STEP,
    TABLE,
    Pool,
    actions,
    bundle,
    column,
    header_type,
    locate,
    number,
    owner,
    whole_key,
    width,
    widths,
)
from fogspiel.tree.payoffs import ranges


class Table:
    """The arrays. `memory` bounds arena and index together, in bytes."""

    def __init__(self, memory: int, *, single: bool = True, header: int = KEYED, columns: int = EXTRA):
        room = min(memory // (4 if single else 8), (2**31 - 2) * STEP)
        self.pool = np.zeros(1, Pool)
        self.pool["memory"] = memory
        self.pool["room"], self.pool["header"], self.pool["columns"] = room, header, columns
        self.pool["single"] = int(single)
        most = 1 << max(10, (2 * room // (header + columns)).bit_length())
        self.pool["mask"], self.pool["most"], self.pool["shift"] = 1023, most - 1, NEAR
        try:
            self.index = np.zeros(most, np.int32)
            self.words = np.zeros(room, np.int32 if single else np.int64)
        except MemoryError:
            raise TooLarge(f"there is no room for a table of {memory:,} bytes; ask for less memory") from None
        self.reals = self.words.view(np.float32 if single else np.float64)
        self.bundle = Bundled(
            bundle(single),
            pool=self.pool,
            lock=np.zeros(1, np.int32),
            index=self.index,
            words=self.words,
            reals=self.reals,
            headers=np.zeros(1, header_type(single)),
        )

    @property
    def nodes(self) -> int:
        return int(self.pool["nodes"][0])

    @property
    def used(self) -> int:
        """Words in use."""
        return int(self.pool["used"][0])

    @property
    def bytes(self) -> int:
        """Memory in use: nodes, and the index at its present size."""
        return self.used * self.words.itemsize + (int(self.pool["mask"][0]) + 1) * self.index.itemsize

    @property
    def single(self) -> bool:
        return bool(self.pool["single"][0])

    def contents(self) -> dict[str, np.ndarray]:
        """All nodes that are learned, in the order they were made: player, key, count, and where each one's columns begin."""
        player, key = np.zeros(self.nodes, np.int64), np.zeros(self.nodes, np.int64)
        count, first = np.zeros(self.nodes, np.int64), np.zeros(self.nodes, np.int64)
        _list[self.single](self.bundle, player, key, count, first)
        mine = player < FIXED
        return {"player": player[mine], "key": key.view(np.uint64)[mine], "count": count[mine], "first": first[mine]}

    def column(self, which: int, count: np.ndarray, first: np.ndarray) -> np.ndarray:
        """One column of all nodes, as reals (MOVE: as whole numbers)."""
        at = self.places(which, count, first)
        return self.words[at].astype(np.int64) if which == MOVE else self.reals[at].astype(float)

    @staticmethod
    def places(which: int, count: np.ndarray, first: np.ndarray) -> np.ndarray:
        """Where a column of all nodes lies in the arena."""
        return ranges(first + which * count, count)

    def header(self, field: str, node: np.ndarray) -> np.ndarray:
        """A field of the headers of nodes that begin at these words."""
        kind, offset = header_type(self.single).fields[field][:2]
        return (self.reals if kind.kind == "f" else self.words)[node + offset // kind.itemsize]

    @property
    def room_to_grow(self) -> bool:
        """Whether a larger index, and with it more nodes, would fit."""
        larger = 2 * int(self.pool["mask"][0]) + 1
        most, memory = int(self.pool["most"][0]), int(self.pool["memory"][0])
        return larger <= most and self.used * self.words.itemsize + 4 * (larger + 1) < memory

    def spread(self) -> None:
        """Give the index room for twice the nodes and words, if there is memory: it does not grow while threads share it."""
        while 4 * self.nodes > int(self.pool["mask"][0]) and self.room_to_grow:
            self.rebuild(2 * int(self.pool["mask"][0]) + 1)
        if 2 * self.used // STEP >> int(self.pool["shift"][0]):
            self.rebuild(int(self.pool["mask"][0]))

    def require_alike(self, game: Game) -> None:
        """Raise GameError where a node was met with other moves than before."""
        pool = self.pool[0]
        if pool["differ"]:
            raise moves_differ(game, int(pool["culprit"]) & MASK, int(pool["whose"]))

    def rebuild(self, mask: int) -> None:
        """Another index over the same nodes."""
        _number[self.single](self.bundle, mask)

    def store(self) -> np.ndarray:
        """What is in the table, for `restore`."""
        return self.words[: self.used].copy()

    def restore(self, words: np.ndarray) -> None:
        """Take in what was stored. Raises ValueError where the nodes do not fit together; `solve/soundness.py` looks further."""
        if words.ndim != 1 or words.dtype.kind != "i":
            raise ValueError("table is not a row of words")
        if len(words) > len(self.words) or words.dtype != self.words.dtype:
            raise TooLarge(f"the stored table has {len(words):,} words of {words.dtype}: there is not room for them")
        self.words[: len(words)] = words
        self.pool["used"] = len(words)
        nodes = _count[self.single](self.bundle)
        if nodes < 0:
            raise ValueError("table has information sets that overlap")
        self.pool["nodes"] = nodes
        mask = 1023
        while 2 * nodes > mask + 1:
            mask = 2 * mask + 1
        self.rebuild(mask)

    def add(self, player: np.ndarray, key: np.ndarray, start: np.ndarray, move: np.ndarray, prob: np.ndarray) -> None:
        """Add the rows of a strategy that is given: its probabilities become averages."""
        _fill[self.single](
            len(key), self.bundle, player.astype(np.int64) + FIXED, key.view(np.int64), start, move, prob
        )


@widths
def _list(table: TABLE, player: Ints, key: Ints, count: Ints, first: Ints):
    """Every node, in the order they were made."""
    node = 0
    for i in range(table.pool.nodes):
        n = actions(table, node)
        player[i] = owner(table, node)
        key[i] = whole_key(table, node)
        count[i] = n
        first[i] = node + table.pool.header
        node += width(table.pool, n)


@widths
def _count(table: TABLE) -> Int:
    """How many nodes lie in the words used; -1 if they do not fit together."""
    pool = table.pool
    node, found = 0, 0
    while node < pool.used:
        n = actions(table, node)
        if n < 1 or node + width(pool, n) > pool.used:
            return -1
        node += width(pool, n)
        found += 1
    return found


@widths
def _number(table: TABLE, mask: Int):
    number(table, mask)


@widths
def _fill(rows: Int, table: TABLE, player: Ints, key: Ints, start: Ints, move: Ints, prob: Reals):
    """Enter the rows of a strategy, as averages."""
    for i in range(rows):
        n = start[i + 1] - start[i]
        node = locate(table, key[i], player[i], n, move, start[i])
        for a in range(n if node >= 0 else 0):
            table.reals[column(table, node, AVERAGE, n) + a] = prob[start[i] + a]
