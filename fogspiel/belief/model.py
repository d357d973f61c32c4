"""A model of the others as a table: how often, or how likely, each move is at an information set, such as a search's
memory has it.

A belief's kernel looks it up itself (`rows.look_up`): to ask one decision at a time from Python takes longer than all
else in a belief.
"""

from collections.abc import Sequence

import numpy as np

from fogspiel.belief.rows import Rows, Size, Table, fill_in, key_of
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.index import enter_all
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Reals
from fogspiel.game.game import Game
from fogspiel.game.state import State
from fogspiel.game.table import actor


class TableModel(Table):
    """`keys` are mix(the key by which a player chooses its strategy, the player); moves[first[i] : first[i] + count[i]]
    are those of the i-th, and `weights` are beside them. Where a set is not in the table, or none of its moves has any
    weight, every move is as likely."""

    def __init__(
        self, game: Game, keys: np.ndarray, first: np.ndarray, count: np.ndarray, moves: np.ndarray, weights: np.ndarray
    ):
        self.game = game
        mask = (1 << max(2 * len(keys) - 1, 1).bit_length()) - 1
        rows = Bundled(
            Rows,
            size=np.array([(len(keys), mask)], Size),
            index=np.zeros(mask + 1, np.int32),
            keys=np.ascontiguousarray(keys, np.uint64),
            **{
                n: np.ascontiguousarray(a, np.int64)
                for n, a in {"first": first, "count": count, "moves": moves}.items()
            },
            weights=np.ascontiguousarray(weights, np.float64),
        )
        super().__init__(rows)
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
