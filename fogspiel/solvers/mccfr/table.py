"""A table of information sets for games that need not unroll: found by key, filled as they are met
(`solvers/mccfr/arena.py`).

The arena is address space, which costs memory only as it is used, and the index doubles in it. There is not room for
all that may be learned from the start, since address space may be short, too (`ulimit -v`): between iterations a table
that is half full is copied to one twice as large. As old and new hold at most half of that each, growing never needs
more memory than is allowed.
"""

import numpy as np

from fogspiel.engine.address_space import address_space_left
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kinds import Int, Ints, Reals
from fogspiel.engine.primitives import MASK
from fogspiel.errors import TooLarge
from fogspiel.game.game import Game
from fogspiel.game.merged import moves_differ
from fogspiel.game.view import fields_of
from fogspiel.solvers.mccfr.arena import (
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

START = 1 << 30
"""Bytes of address space that a table begins with, at most, and a sixteenth of what there is."""
LEAST = 1 << 16
"""Bytes of address space below which a table is not worth having."""
NEVER = np.iinfo(np.int64).max


class Table:
    """The arrays. `memory` bounds arena and index together, in bytes. A table that is used by compiled code for long,
    and cannot grow meanwhile, is `whole` from the start."""

    def __init__(
        self, memory: int, *, single: bool = True, header: int = KEYED, columns: int = EXTRA, whole: bool = False
    ):
        word = 4 if single else 8
        self.most = min(memory // word, (2**31 - 2) * STEP)
        self.pool = np.zeros(1, Pool)
        self.pool["memory"] = memory
        self.pool["header"], self.pool["columns"] = header, columns
        self.pool["single"] = int(single)
        self.pool["mask"], self.pool["shift"] = 1023, NEAR
        room = self.most if whole else int(min(self.most, min(START, address_space_left() / 16) // word))
        while (made := self._made(room)) is None:
            room //= 2
            if whole or room * word < LEAST:
                raise TooLarge(
                    f"memory is short: there is none for a table of {room * word:,} bytes; ask for less (memory, "
                    "--memory), or raise the limit that the process has (ulimit -v)"
                )
        self.index, self.words = made
        self.bundle = Bundled(
            bundle(single),
            pool=self.pool,
            lock=np.zeros(1, np.int32),
            index=self.index,
            words=self.words,
            reals=self.reals,
            headers=np.zeros(1, header_type(single)),
        )

    def _made(self, room: int) -> tuple[np.ndarray, np.ndarray] | None:
        """An index and an arena for so many words, as the table's pool is told; None where there is no address space
        for them."""
        pool = self.pool
        places = 1 << max(10, (2 * room // int(pool["header"][0] + pool["columns"][0])).bit_length())
        try:
            made = np.zeros(places, np.int32), np.zeros(room, np.int32 if pool["single"][0] else np.int64)
        except MemoryError:
            return None
        pool["room"], pool["most"] = room, places - 1
        pool["soon"] = room // 2 if room < self.most else NEVER
        return made

    def grow(self, room: int = 0) -> bool:
        """Make room for twice as many words, or for more if asked; False where there is no more."""
        now = int(self.pool["room"][0])
        made = None if now == self.most else self._made(min(self.most, max(2 * now, room)))
        if made is None:
            self.pool["soon"] = NEVER
            return False
        used, indexed = self.used, int(self.pool["mask"][0]) + 1
        made[0][:indexed], made[1][:used] = self.index[:indexed], self.words[:used]
        self.index, self.words = made
        self.bundle.index, self.bundle.words, self.bundle.reals = self.index, self.words, self.reals
        return True

    @property
    def crowded(self) -> bool:
        """Whether it is time to grow."""
        return self.used > int(self.pool["soon"][0])

    @property
    def reals(self) -> np.ndarray:
        """The arena as reals."""
        return self.words.view(np.float32 if self.single else np.float64)

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
        """All nodes that are learned, in the order they were made: player, key, count, and where each one's columns
        begin."""
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
        kind, offset = fields_of(header_type(self.single))[field]
        return (self.reals if kind.kind == "f" else self.words)[node + offset // kind.itemsize]

    @property
    def room_to_grow(self) -> bool:
        """Whether a larger index, and with it more nodes, would fit."""
        larger = 2 * int(self.pool["mask"][0]) + 1
        most, memory = int(self.pool["most"][0]), int(self.pool["memory"][0])
        return larger <= most and self.used * self.words.itemsize + 4 * (larger + 1) < memory

    def spread(self) -> None:
        """Give the index room for twice the nodes and words, if there is memory: it does not grow while threads share
        it."""
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
        """Take in what was stored. Raises ValueError where the nodes do not fit together; `solvers/mccfr/soundness.py`
        looks further."""
        if words.ndim != 1 or words.dtype.kind != "i":
            raise ValueError("table is not a row of words")
        if words.dtype == self.words.dtype and len(words) > len(self.words) // 2:
            self.grow(2 * len(words))
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
        pool = self.pool
        taken = len(key) * (int(pool["header"][0]) + STEP) + int(pool["columns"][0]) * len(move)
        if self.used + taken > int(pool["room"][0]) // 2:
            self.grow(2 * (self.used + taken))
        _fill[self.single](
            len(key), self.bundle, player.astype(np.int64) + FIXED, key.view(np.int64), start, move, prob
        )


@widths
def _list(table: TABLE, player: Ints, key: Ints, count: Ints, first: Ints) -> None:
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
def _number(table: TABLE, mask: Int) -> None:
    number(table, mask)


@widths
def _fill(rows: Int, table: TABLE, player: Ints, key: Ints, start: Ints, move: Ints, prob: Reals) -> None:
    """Enter the rows of a strategy, as averages."""
    for i in range(rows):
        n = start[i + 1] - start[i]
        node = locate(table, key[i], player[i], n, move, start[i])
        for a in range(n if node >= 0 else 0):
            table.reals[column(table, node, AVERAGE, n) + a] = prob[start[i] + a]
