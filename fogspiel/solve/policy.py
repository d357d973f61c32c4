"""A strategy as kernels see it: its own arrays by address, and an index that finds a row by player and key."""

from dataclasses import replace

import numpy as np

from fogspiel.engine.index import enter, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints32, Words
from fogspiel.engine.primitives import ints32_at, ints_at, reals_at, words_at
from fogspiel.errors import FileError
from fogspiel.game.game import Game
from fogspiel.game.table import infoset, mix, situation
from fogspiel.solve.strategy import Strategy

Known = np.dtype([
    ("names", "i8"), ("index", "i8"), ("mask", "i8"), ("start", "i8"), ("prob", "i8"), ("situations", "i8"), ("differ", "i8"),
], align=True)  # fmt: skip
"""Addresses of the rows' names (player and key in one), of the index and its mask, of where each row's moves begin and of their
probabilities; a bit for each player whose keys are those of the game's abstraction; and whether a row met had another number of
moves."""


class Policy:
    """A strategy for the game; with `other`, the player follows that one. `record` is what kernels take, as `Record(Known)`; the
    policy must outlive the call."""

    def __init__(self, game: Game, strategy: Strategy, player: int = 0, other: Strategy | None = None):
        strategy.require(game)
        situations = -1 if strategy.situations else 0
        if other is not None:
            other.require(game)
            if other.situations != strategy.situations:
                situations ^= 1 << player
            strategy = strategy.replaced(player, replace(other, situations=strategy.situations))
        self.game, self.strategy = game, strategy
        rows = len(strategy.key)
        mask = (1 << max(4, (2 * rows).bit_length())) - 1
        self.names, self.index = np.zeros(rows + 1, np.uint64), np.zeros(mask + 1, np.int32)
        self.start, self.prob = np.ascontiguousarray(strategy.start), np.ascontiguousarray(strategy.prob)
        enter_rows(
            rows,
            np.ascontiguousarray(strategy.player),
            np.ascontiguousarray(strategy.key),
            mask,
            self.names,
            self.index,
        )
        self.record = np.zeros(1, Known)
        for name in ("names", "index", "start", "prob"):
            self.record[name] = getattr(self, name).ctypes.data
        self.record["mask"], self.record["situations"] = mask, situations

    def finish(self) -> None:
        """Raise what went wrong in a kernel; call it after each."""
        self.game.finish()
        if self.record["differ"][0]:
            raise FileError(f"the strategy's moves are not those of {self.game.spec}")


@kernel
def enter_rows(rows: Int, player: Bytes, key: Words, mask: Int, names: Words, index: Ints32):
    """Name every row, and enter it in the index."""
    for i in range(rows):
        names[i] = mix(int(key[i]), int(player[i]))
        enter(names[i], i + 1, index, mask)


def is_row(entry, name, names):
    return names[entry - 1] == name


def consult(game, policy, s, who, n, out, top):
    """What the strategy does in state s, where `who` has `n` moves, into out[top:]; uniform where it says nothing."""
    key = situation(game, s, who) if (policy.situations >> who) & 1 else infoset(game, s, who)
    index, name = ints32_at(policy.index), np.uint64(mix(key, who))
    row = int(index[find(name, index, policy.mask, is_row, name, words_at(policy.names))]) - 1
    if row < 0:
        for a in range(n):
            out[top + a] = 1.0 / n
        return
    start, prob = ints_at(policy.start), reals_at(policy.prob)
    first = start[row]
    if start[row + 1] - first != n:
        policy.differ = 1
    for a in range(n):
        out[top + a] = prob[first + a] if policy.differ == 0 else 0.0
