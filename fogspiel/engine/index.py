"""An index: finds records by 64-bit keys. Open addressing with linear probing (Knuth 1998, sec. 6.4, Algorithm L).

An index is an array of `mask` + 1 places, a power of two. A place holds 0 (FREE), or the entry of a record: a number
that its owner chose, mostly that of the record plus 1. Records and their keys stay with the owner, who says by a plain
function which entry is sought::

    def is_node(entry, key, nodes):
        return nodes[entry - 1].key == key

    at = find(key, index, mask, is_node, key, nodes)
    node = index[at] - 1            # -1 if there is none
    if index[at] == FREE:
        index[at] = add(key) + 1

The lowest bits of a key must be as good as random, as those of `mix` are. Some places must stay free; half of them, or
lookups take long: then the owner takes a larger index and enters all records anew (`enter_all`, or `clear` and
`enter`). All of these are called from kernels, and functions given to them become a part of the kernel as those that it
calls by name do.
"""

from fogspiel.engine.kernel import inlined

FREE = 0


@inlined
def find(key, index, mask, sought, *arguments):
    """Where the entry lies of which `sought(entry, *arguments)` holds; or, if there is none, the free place for it."""
    at = place(key, mask)
    while index[at] != FREE and not sought(index[at], *arguments):
        at = beyond(at, mask)
    return at


@inlined
def vacancy(key, index, mask):
    """The free place for a key that is not there."""
    at = place(key, mask)
    while index[at] != FREE:
        at = beyond(at, mask)
    return at


def place(key, mask):
    """Where the search for a key begins."""
    return int(key) & mask


def beyond(at, mask):
    """Where it goes on."""
    return (at + 1) & mask


def enter(key, entry, index, mask):
    """Write down a record that is not there."""
    index[vacancy(key, index, mask)] = entry


def clear(index, mask):
    for at in range(mask + 1):
        index[at] = FREE


def enter_all(count, index, mask, key_of, *arguments):
    """Forget all entries, and enter records 0 to `count` - 1 as 1 to `count`, each by `key_of(record, *arguments)`."""
    clear(index, mask)
    for record in range(count):
        enter(key_of(record, *arguments), record + 1, index, mask)
