"""A strategy as kernels see it: its own arrays by address, and an index that finds a row by player and key."""

from dataclasses import replace

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints32, Words
from fogspiel.engine.primitives import ints32_at, ints_at, reals_at, words_at
from fogspiel.errors import FileError
from fogspiel.game.game import Game
from fogspiel.game.table import infoset, mix, situation
from fogspiel.solve.strategy import Strategy

Known = np.dtype([
    ("names", "i8"), ("slots", "i8"), ("mask", "i8"), ("start", "i8"), ("prob", "i8"), ("situations", "i8"), ("differ", "i8"),
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
        self.names, self.slots = np.zeros(rows + 1, np.uint64), np.full(mask + 1, -1, np.int32)
        self.start, self.prob = np.ascontiguousarray(strategy.start), np.ascontiguousarray(strategy.prob)
        enter(
            rows,
            np.ascontiguousarray(strategy.player),
            np.ascontiguousarray(strategy.key),
            mask,
            self.names,
            self.slots,
        )
        self.record = np.zeros(1, Known)
        for name in ("names", "slots", "start", "prob"):
            self.record[name] = getattr(self, name).ctypes.data
        self.record["mask"], self.record["situations"] = mask, situations

    def finish(self) -> None:
        """Raise what went wrong in a kernel; call it after each."""
        self.game.finish()
        if self.record["differ"][0]:
            raise FileError(f"the strategy's moves are not those of {self.game.spec}")


@kernel
def enter(rows: Int, player: Bytes, key: Words, mask: Int, names: Words, slots: Ints32):
    """Name every row, and enter it in an index of mask + 1 slots, all -1."""
    for i in range(rows):
        names[i] = mix(int(key[i]), int(player[i]))
        at = int(names[i]) & mask
        while slots[at] >= 0:
            at = (at + 1) & mask
        slots[at] = i


def consult(game, policy, s, who, n, out, top):
    """What the strategy does in state s, where `who` has `n` moves, into out[top:]; uniform where it says nothing."""
    key = situation(game, s, who) if (policy.situations >> who) & 1 else infoset(game, s, who)
    names, slots = words_at(policy.names), ints32_at(policy.slots)
    name = np.uint64(mix(key, who))
    at = int(name) & policy.mask
    while slots[at] >= 0 and names[slots[at]] != name:
        at = (at + 1) & policy.mask
    row = int(slots[at])
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
