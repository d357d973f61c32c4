"""Information sets in an arena, for kernels: found by key, and made when they are first met.

One node after another lies in an arena of equal words: a few words of header, then one column for each quantity with a
word for each action. With 32-bit words an information set of 3 actions takes 48 bytes and its share of the index.
"""

from types import FunctionType
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.index import FREE, clear, enter, find, place, vacancy
from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Bundle, Ints, Ints32, Kind, Reals, Reals32, Record, Records
from fogspiel.engine.primitives import claim, fetch_soon, overlaid

KEYED, STAMPED, LINKED = 3, 4, 6
"""How many words a node's header has: those of every node; with the stamp; with parent and what was seen, too."""


def header_type(single: bool) -> np.dtype:
    """A node's header: its key's halves; whose it is and how many actions it has; and, where a scheme wants them, when
    it was last visited, the average of its player's last action before it, and what that was at the last visit."""
    word, real = ("i4", "f4") if single else ("i8", "f8")
    names = ("low", "high", "meta", "stamp", "parent")
    return np.dtype([*((name, word) for name in names), ("seen", real)], align=True)


REGRET, AVERAGE, MOVE, EXTRA = range(4)
"""Columns, what is needed most first. What the extra one holds is up to the scheme: increments held back, baselines, or
averages not yet passed down."""

FIXED = 64
"""Added to the player of a node that holds a strategy which is given, not learned."""

Pool = np.dtype(
    [
        ("memory", "i8"),
        ("used", "i8"),
        ("room", "i8"),
        ("soon", "i8"),
        ("nodes", "i8"),
        ("mask", "i8"),
        ("most", "i8"),
        ("shift", "i8"),
        ("header", "i8"),
        ("columns", "i8"),
        ("shared", "i8"),
        ("refused", "i8"),
        ("single", "i8"),
        ("wide", "i8"),
        ("differ", "i8"),
        ("whose", "i8"),
        ("culprit", "i8"),
    ],
    align=True,
)
"""Bytes that may be used; words used and set aside, and how many may be used before the table should grow; nodes; the
index's mask and the largest it may have, and the bits of an entry that say where a node lies; the layout of a node;
whether several threads share the table; nodes refused for want of room; whether words are 32 bits wide, and a move was
wider; whether a node was met again with other moves, whose it is and its key."""

STEP = 2
"""Nodes begin at multiples of this many words, so that an index of 32-bit numbers reaches 17 GB of 32-bit words."""

NEAR = 12
"""Fewest bits of an index entry that say where a node lies. The others, up to 31, are of the key: few nodes are looked
at in vain."""


TABLE: Any = "table"
"""In a kernel for both widths: a table, as `Table.bundle` gives it (`solvers/mccfr/table.py`)."""


def bundle(single: bool) -> Kind:
    """What a table of 32-bit or of 64-bit words is to kernels. `words` and `reals` are the arena, read as whole numbers
    and as reals; `headers` are records that are laid over it (`header_of`)."""
    words, reals = (Ints32, Reals32) if single else (Ints, Reals)
    headers = Records(header_type(single))
    return Bundle(pool=Record(Pool), lock=Ints32, index=Ints32, words=words, reals=reals, headers=headers)


def widths(function: Function) -> dict[bool, Kernel]:
    """A function over a table as two kernels: with 32-bit words under True, with 64-bit words under False."""
    return {single: of_width(function, single, {TABLE: bundle(single)}, alone=False) for single in (True, False)}


def of_width(function: Function, single: bool, kinds: dict[str, Kind], alone: bool = True) -> Kernel:
    """A function as a kernel for one width, its arguments that are annotated with a name of these kinds. `alone`, it is
    compiled without others."""
    copy = FunctionType(function.__code__, function.__globals__, function.__name__)
    copy.__annotations__ = {n: kinds[k] if isinstance(k, str) else k for n, k in function.__annotations__.items()}
    copy.__module__, copy.__doc__ = function.__module__, function.__doc__
    return kernel(copy, group=f"{32 if single else 64}", alone=alone, short=True)


BUSY = -2
"""What `locate` returns while another thread makes a node: to wait for it would take longer than to learn here the next
time."""


def locate(table, key, who, n, buffer, top):
    """The node of a player's key, made if need be with the `n` moves in buffer[top:]; -1 if there is no room for it, or
    BUSY."""
    node = lookup(table, key, who, n)
    if node >= 0:
        return node
    if table.pool.shared != 0:
        if not claim(table.lock, 0, 0, 1):
            return BUSY
        node = lookup(table, key, who, n)
        if node < 0:
            node = make(table, key, who, n, buffer, top)
        claim(table.lock, 0, 1, 0)
        return node
    return make(table, key, who, n, buffer, top)


def scatter(key, who):
    """A number whose bits from 7 to 60 are as good as random."""
    return ((key ^ (key >> 32)) + who) * 0x9E3779B1


def tag(scattered, pool):
    """What is kept of a key in the index, beside where its node lies."""
    return (scattered >> 39) & ((1 << (31 - pool.shift)) - 1)


def foresee(table, key, who):
    """A node will be looked up soon: most of that time is spent waiting for its entry of the index."""
    fetch_soon(table.index, place(scatter(key, who) >> 7, table.pool.mask))


def lookup(table, key, who, n):
    """The node of a player's key, if it has `n` moves: of another it could not be read or written as one of `n`; else
    -1."""
    pool = table.pool
    scattered = scatter(key, who)
    wanted, meta = tag(scattered, pool), who + n * 256
    entry = int(table.index[find(scattered >> 7, table.index, pool.mask, is_node, table, wanted, key, meta)])
    # another thread may have entered a node where there was none
    return (
        node_of(entry, pool) if entry != FREE and (pool.shared == 0 or is_node(entry, table, wanted, key, meta)) else -1
    )


def is_node(entry, table, wanted, key, meta):
    """Whether an entry of the index is that of a node; few are looked at in vain, since most differ in their tags."""
    if int(entry) >> table.pool.shift != wanted:
        return False
    header = header_of(table, node_of(int(entry), table.pool))
    low, high = halves(key)
    if header.low != low or header.high != high:
        return False
    if header.meta != meta and (header.meta ^ meta) & 255 == 0:
        accuse(table, key, meta & 255)
    return header.meta == meta


def accuse(table, key, who):
    """Note that one key of a player has other moves in one state than in another: the solver raises that."""
    pool = table.pool
    pool.differ, pool.whose, pool.culprit = 1, who % FIXED, key


def compare(table, node, key, who, n, buffer, top):
    """Accuse a node that was met before with other moves than the `n` in buffer[top:]."""
    first = column(table, node, MOVE, n)
    for a in range(n):
        if table.words[first + a] != buffer[top + a]:
            accuse(table, key, who)


def node_of(entry, pool):
    """Where the node of an entry lies."""
    return ((entry & ((1 << pool.shift) - 1)) - 1) * STEP


def halves(key):
    """A 64-bit key as two signed 32-bit numbers."""
    return ((key & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000, key >> 32


def header_of(table, node):
    """The header of the node that begins at a word."""
    return overlaid(table.headers, table.words, node)


def whole_key(table, node):
    header = header_of(table, node)
    return (int(header.high) << 32) | (int(header.low) & 0xFFFFFFFF)


def owner(table, node):
    """The player whose node it is, FIXED more if its strategy is given."""
    return int(header_of(table, node).meta) & 255


def actions(table, node):
    return int(header_of(table, node).meta) >> 8


def width(pool, n):
    """Words that a node of `n` actions takes."""
    return (pool.header + pool.columns * n + STEP - 1) // STEP * STEP


def column(table, node, which, n):
    """Where one of a node's columns begins, each of `n` words."""
    return node + table.pool.header + which * n


def make(table, key, who, n, buffer, top):
    """A new node; -1 if there is no room for it."""
    pool, words = table.pool, table.words
    if not has_room(table, width(pool, n)):
        pool.refused += 1
        return -1
    node = pool.used
    pool.used = node + width(pool, n)
    pool.nodes += 1
    header = header_of(table, node)
    header.low, header.high = halves(key)
    header.meta = who + n * 256
    if pool.header > KEYED:
        header.stamp = 0
    if pool.header > STAMPED:
        header.parent, header.seen = -1, 0.0
    for a in range(n):
        if pool.single != 0 and abs(buffer[top + a]) > 0x7FFFFFFF:
            pool.wide = 1
            buffer[top + a] = 0
        for which in range(pool.columns):
            table.reals[column(table, node, which, n) + a] = 0.0
        words[column(table, node, MOVE, n) + a] = buffer[top + a]
    at = vacancy(scatter(key, who) >> 7, table.index, pool.mask)
    # threads that look it up meanwhile see all of a node or nothing
    claim(table.index, at, FREE, entry_of(pool, key, who, node))
    return node


def has_room(table, size):
    """Whether a node of so many words can be made; the index grows for it, unless threads share it."""
    pool = table.pool
    if pool.shared == 0:
        larger = 2 * pool.mask + 1
        crowded = 2 * (pool.nodes + 1) > pool.mask + 1
        if crowded and pool.mask < pool.most and fits(pool, pool.used + size, larger):
            number(table, larger)
        elif far(pool):
            number(table, pool.mask)
    return not far(pool) and fits(pool, pool.used + size, pool.mask) and 8 * (pool.nodes + 1) <= 7 * (pool.mask + 1)


def fits(pool, used, mask):
    """Whether there is memory for so many words and an index with that mask."""
    return used <= pool.room and used * (4 if pool.single != 0 else 8) + 4 * (mask + 1) <= pool.memory


def far(pool):
    """Whether the next node lies where no entry of the index can point."""
    return (pool.used // STEP + 1) >> pool.shift != 0


def entry_of(pool, key, who, node):
    """What the index holds of a node."""
    return (node // STEP + 1) | (tag(scatter(key, who), pool) << pool.shift)


def number(table, mask):
    """Build the index anew, with another mask, and room for four times as many words."""
    pool, index = table.pool, table.index
    pool.mask = mask
    pool.shift = NEAR
    while (4 * pool.used // STEP + 1) >> pool.shift != 0 and pool.shift < 31:
        pool.shift += 1
    clear(index, mask)
    node = 0
    while node < pool.used:
        key, who = whole_key(table, node), owner(table, node)
        enter(scatter(key, who) >> 7, entry_of(pool, key, who, node), index, mask)
        node += width(pool, actions(table, node))
