"""Models of the others: how likely the player to move is to make each of its moves.

A model may be a function of the state (`Model`) or a table: how often, or how likely, each move is at an information
set, such as a search's memory has it. A belief's kernel looks a table up itself: to ask one decision at a time from
Python takes longer than all else in a belief.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.index import FREE, enter_all, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Int, Ints, Ints32, Reals, Record, Words
from fogspiel.game.game import Game
from fogspiel.game.state import State
from fogspiel.game.table import actor, mix, situation

Model = Callable[[State], dict[int, float]]
"""How likely the player to move in a state is to make each of its moves, from what that player knows."""

TableSize = np.dtype([("sets", "i8"), ("mask", "i8")], align=True)
"""How many information sets there are, and the index's mask."""

Rows: Any = Bundle(size=Record(TableSize), index=Ints32, keys=Words, first=Ints, count=Ints, moves=Ints, weights=Reals)
"""Of the i-th information set: its key, mix(the key by which a player chooses its strategy, the player), and where its
moves and their weights lie. `index` finds it."""

EMPTY = Bundled(Rows, **{name: np.zeros(1, kind.element) for name, kind in Rows.members})


class TableModel:
    """A model that kernels look up themselves.

    `keys` are mix(the key by which a player chooses its strategy, the player); moves[first[i] : first[i] + count[i]]
    are those of the i-th, and `weights` are beside them. Where a set is not in the table, or none of its moves has any
    weight, every move is as likely."""

    def __init__(
        self, game: Game, keys: np.ndarray, first: np.ndarray, count: np.ndarray, moves: np.ndarray, weights: np.ndarray
    ):
        self.game = game
        mask = (1 << max(2 * len(keys) - 1, 1).bit_length()) - 1
        self.rows = rows = Bundled(
            Rows,
            size=np.array([(len(keys), mask)], TableSize),
            index=np.zeros(mask + 1, np.int32),
            keys=np.ascontiguousarray(keys, np.uint64),
            **{
                n: np.ascontiguousarray(a, np.int64)
                for n, a in {"first": first, "count": count, "moves": moves}.items()
            },
            weights=np.ascontiguousarray(weights, np.float64),
        )
        enter_rows(rows)

    def __call__(self, state: State) -> dict[int, float]:
        moves = np.array(state.moves(), np.int64)
        odds = np.full(len(moves), 1.0 / len(moves))
        say(self.game.table, state.address, self.rows, len(moves), moves, odds)
        self.game.finish()
        return dict(zip(moves.tolist(), odds.tolist(), strict=True))


Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Keys, first, count, moves and weights, as `TableModel` takes them."""


def added_up_tables(tables: Sequence[Columns]) -> Columns:
    """One table with the weights of several, added up by information set and move."""
    rows = []
    for keys, first, count, moves, weights in tables:
        ends = np.cumsum(count)
        at = np.repeat(first - (ends - count), count) + np.arange(count.sum())
        rows.append((np.repeat(keys, count), moves[at], weights[at]))
    keys, moves, weights = (np.concatenate(column) for column in zip(*rows, strict=True))
    order = np.lexsort((moves, keys))
    keys, moves, weights = keys[order], moves[order], weights[order]
    new = np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]) | (moves[1:] != moves[:-1])][: len(keys)])
    keys, moves = keys[new], moves[new]
    weights = np.add.reduceat(weights, new) if len(new) else weights
    sets, first, count = np.unique(keys, return_index=True, return_counts=True)
    return sets, first, count, moves, weights


@kernel
def enter_rows(rows: Rows) -> None:
    enter_all(rows.size.sets, rows.index, rows.size.mask, key_of, rows)


@kernel
def say(game: Ints, s: Int, rows: Rows, count: Int, moves: Ints, odds: Reals) -> None:
    fill_in(game, s, actor(game, s), rows, 0, count, moves, odds)


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
