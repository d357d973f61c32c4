"""Tables of records: what ICARUSes (`search/icaruses`) learn during a search, found by 64-bit keys.

An ICARUS has a table of its own, by its name: search.NAME_records, found through search.NAME_index, and in its record
search.NAME how many there are. A record is all zeros when it is added. Once a table is full no more are added, and the
search goes on with those that there are.
"""

from typing import Any

import numpy as np

from fogspiel.engine.index import enter, find
from fogspiel.engine.index import enter_all as index_anew
from fogspiel.engine.primitives import clear

ROOM = 1 << 17
FEWEST = 1 << 10
"""Places of the index that an empty table uses."""

TABLE = (("used", "i8"), ("mask", "i8"), ("room", "i8"))
"""Fields of the record of an ICARUS that has a table: records in use, places of the index less 1, and records that
there is room for."""

NONE = -1
"""The number of a record that is not there."""


def table(name: str, theta: tuple[Any, ...], room: int = ROOM) -> dict[str, Any]:
    """An empty table for records of these fields, for the ICARUS of this name, as `memory` returns it."""
    fields = np.dtype([("key", "u8"), *theta], align=True)
    return {
        f"{name}_records": np.zeros(room, fields),
        f"{name}_index": np.zeros(2 * room, np.int32),
        "mask": FEWEST - 1,
        "room": room,
    }


def empty(own: Any, index: np.ndarray) -> None:
    """Forget all records."""
    index[: own.mask + 1] = 0
    own.used, own.mask = 0, FEWEST - 1


def is_record(entry, key, records):
    return records[entry - 1].key == key


def key_of_record(record, records):
    return records[record].key


def found(own, index, records, key):
    """The number of the record of a key, or NONE."""
    return index[find(key, index, own.mask, is_record, key, records)] - 1


def made(own, index, records, key):
    """The same; a record that is not there is added, if there is room."""
    record = found(own, index, records, key)
    if record >= 0 or own.used == own.room:
        return record
    record = own.used
    own.used += 1
    clear(records[record])
    records[record].key = key
    if 2 * own.used > own.mask and own.mask + 1 < 2 * own.room:
        own.mask = 4 * own.mask + 3
        index_anew(own.used, index, own.mask, key_of_record, records)
    else:
        enter(key, record + 1, index, own.mask)
    return record
