"""A table of how often, or how likely, each move is at an information set, for kernels."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel.belief.hooks import Part, foretell
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.index import FREE, find
from fogspiel.engine.kinds import Bundle, Ints, Ints32, Reals, Record, Words
from fogspiel.game.table import mix, situation

Size = np.dtype([("sets", "i8"), ("mask", "i8")], align=True)
"""How many information sets there are, and the index's mask."""

Rows: Any = Bundle(size=Record(Size), index=Ints32, keys=Words, first=Ints, count=Ints, moves=Ints, weights=Reals)
"""Of the i-th information set: its key, mix(the key by which a player chooses its strategy, the player), and where its
moves and their weights lie. `index` finds it."""


@dataclass
class Table:
    """A model of the others that kernels look up themselves."""

    rows: Bundled


EMPTY = Bundled(Rows, **{name: np.zeros(1, kind.element) for name, kind in Rows.members})


def fill_in(game, s, who, rows, first, count, moves, odds):
    """Write how likely each of the moves moves[first : first + count] of a player is at s to `odds`, in the same place.
    Where the set is not in the table, or none of the moves has any weight, that stays as it is."""
    key = mix(situation(game, s, who), who)
    row = rows.index[find(key, rows.index, rows.size.mask, is_row, key, rows)] - 1
    if row + 1 == FREE:
        return
    total = 0.0
    for i in range(first, first + count):
        total += weight_of(rows, row, moves[i])
    if total > 0.0:
        for i in range(first, first + count):
            odds[i] = weight_of(rows, row, moves[i]) / total


def weight_of(rows, row, move):
    for i in range(rows.first[row], rows.first[row] + rows.count[row]):
        if rows.moves[i] == move:
            return rows.weights[i]
    return 0.0


def is_row(entry, key, rows):
    return rows.keys[entry - 1] == np.uint64(key)


def key_of(row, rows):
    return rows.keys[row]


def look_up(game, queue, rows, here, s):
    """What the table says of another's moves; others move at random now and then."""
    if here.weight > 0.0:
        fill_in(game, s, here.actor, rows, here.first, here.moves, queue.moves, queue.odds)
        noise = queue.asked.noise
        for i in range(here.first, here.first + here.moves):
            queue.odds[i] = (1.0 - noise) * queue.odds[i] + noise / here.moves
    return 0


BY_TABLE = Part("table", {foretell: look_up})
