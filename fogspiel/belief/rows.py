"""A table of how often, or how likely, each move is at an information set, for kernels."""

from dataclasses import dataclass

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.index import FREE, find
from fogspiel.engine.kinds import Bundle, Ints, Ints32, Reals, Words
from fogspiel.game.table import mix, situation

Rows = Bundle(index=Ints32, keys=Words, first=Ints, count=Ints, moves=Ints, weights=Reals)
"""Of the i-th information set: its key, mix(the key by which a player chooses its strategy, the player), and where its moves and their weights lie. `index` finds it."""


@dataclass
class Table:
    """Rows, and the mask of their index."""

    rows: Bundled
    mask: int


EMPTY = Table(Bundled(Rows, **{name: np.zeros(1, kind.element) for name, kind in Rows.members}), 0)


def fill_in(game, s, who, rows, mask, first, count, moves, odds):
    """Write how likely each of the moves moves[first : first + count] of a player is at s to `odds`, in the same place. Where the set is not in the table, or
    none of the moves has any weight, that stays as it is."""
    key = mix(situation(game, s, who), who)
    row = rows.index[find(key, rows.index, mask, is_row, key, rows)] - 1
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
