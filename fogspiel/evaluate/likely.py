"""The likeliest play of a strategy, for games that are too large to unroll: histories, the most probable first.

Best-first: of all histories known, the one that is likeliest when all follow the strategy is looked at next. The
information sets met are told with the probability of those of their histories that were met.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from fogspiel.belief.account import Account, told
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State
from fogspiel.solvers.strategy import Strategy

LOOKED_AT = 20_000
"""Histories that are looked at."""


@dataclass
class Met:
    """An information set met: its likeliest history, and how likely the histories of it that were met are together."""

    player: int
    key: int
    state: State
    moves: tuple[int, ...]
    reach: float = 0.0
    _ways: tuple[Account, ...] = field(default=())

    def ways(self) -> tuple[Account, ...]:
        """What its owner saw on the likeliest way here; one who forgets may have come by others."""
        if not self._ways:
            rng = np.array([self.key ^ 0xACC0], np.uint64)
            self._ways = (told(self.state.game, self.moves, self.player, rng),)
        return self._ways


def likely(
    game: Game, strategy: Strategy, *, histories: int = LOOKED_AT, progress: Callable[[int], None] | None = None
) -> list[Met]:
    """The information sets on the likeliest histories, in the order in which they were met."""
    met: dict[tuple[int, int], Met] = {}
    nowhere: frozenset[tuple[int, int]] = frozenset()
    waiting: list[tuple[float, int, State, tuple[int, ...], frozenset[tuple[int, int]]]]
    waiting = [(-1.0, 0, game.start(), (), nowhere)]
    count = 0
    for looked_at in range(histories):
        if not waiting:
            break
        if progress is not None and looked_at % 256 == 0:
            progress(looked_at)
        negative, _, state, moves, been = heapq.heappop(waiting)
        who = state.actor
        if who == OVER:
            continue
        if who == CHANCE:
            options = state.chance()
        else:
            options = list(strategy.probabilities(state).items())
            name = (who, state.key(who))
            place = met.setdefault(name, Met(*name, state, moves))
            # players who forget may come to a place twice, which counts once
            if name not in been:
                place.reach -= negative
            if not game.about.perfect_recall:
                been |= {name}
        for move, p in options:
            if p > 0:
                after = state.copy()
                after.force(move)
                count += 1
                heapq.heappush(waiting, (negative * p, count, after, (*moves, move), been))
    return list(met.values())
