"""A strategy as kernels see it: its own arrays, and an index that finds a row by player and key."""

from dataclasses import replace
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.index import enter, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Reals, Record, Words
from fogspiel.errors import FileError
from fogspiel.game.game import Game
from fogspiel.game.table import infoset, mix, situation
from fogspiel.solvers.strategy import Strategy

Lookup = np.dtype([("mask", "i8"), ("situations", "i8"), ("differ", "i8")], align=True)
"""The index's mask; a bit for each player whose keys are those of the game's abstraction; and whether a row met had
another number of moves."""

Known: Any = Bundle(lookup=Record(Lookup), names=Words, index=Ints32, start=Ints, prob=Reals)
"""The rows' names (player and key in one), the index that finds them, where each row's moves begin, and their
probabilities."""


class Policy:
    """A strategy for the game; with `other`, the player follows that one. `known` is what kernels take."""

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
        self._lookup = np.array([(mask, situations, 0)], Lookup)
        self.known = Bundled(
            Known,
            lookup=self._lookup,
            names=np.zeros(rows + 1, np.uint64),
            index=np.zeros(mask + 1, np.int32),
            start=np.ascontiguousarray(strategy.start),
            prob=np.ascontiguousarray(strategy.prob),
        )
        enter_rows(rows, np.ascontiguousarray(strategy.player), np.ascontiguousarray(strategy.key), self.known)

    @property
    def situations(self) -> bool:
        """Whether the keys of a player are those of the game's abstraction."""
        return bool(self._lookup["situations"][0])

    def finish(self) -> None:
        """Raise what went wrong in a kernel; call it after each."""
        self.game.finish()
        if self._lookup["differ"][0]:
            raise FileError(f"the strategy's moves are not those of {self.game.spec}")


@kernel
def enter_rows(rows: Int, player: Bytes, key: Words, policy: Known) -> None:
    """Name every row, and enter it in the index."""
    for i in range(rows):
        policy.names[i] = mix(int(key[i]), int(player[i]))
        enter(policy.names[i], i + 1, policy.index, policy.lookup.mask)


def is_row(entry, name, names):
    return names[entry - 1] == name


def consult(game, policy, s, who, n, out, top):
    """What the strategy does in state s, where `who` has `n` moves, into out[top:]; uniform where it says nothing."""
    lookup = policy.lookup
    key = situation(game, s, who) if (lookup.situations >> who) & 1 else infoset(game, s, who)
    index, name = policy.index, np.uint64(mix(key, who))
    row = int(index[find(name, index, lookup.mask, is_row, name, policy.names)]) - 1
    if row < 0:
        for a in range(n):
            out[top + a] = 1.0 / n
        return
    start, prob = policy.start, policy.prob
    first = start[row]
    if start[row + 1] - first != n:
        lookup.differ = 1
    for a in range(n):
        out[top + a] = prob[first + a] if lookup.differ == 0 else 0.0
