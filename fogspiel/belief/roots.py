"""Where simulations start: the states that a belief draws for a decision, how drawing went, and in what order a search
takes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np

from fogspiel.game.game import Game
from fogspiel.game.playout import redraw
from fogspiel.game.state import State
from fogspiel.game.table import part, uniform


class States(Sequence[State]):
    """States by their bytes, one in a row of `data`; each is made when it is asked for, since that takes longer than
    all else with many."""

    def __init__(self, game: Game, data: np.ndarray):
        self.game, self.data = game, data

    def __len__(self) -> int:
        return len(self.data)

    @overload
    def __getitem__(self, i: int) -> State: ...

    @overload
    def __getitem__(self, i: slice) -> list[State]: ...

    def __getitem__(self, i: int | slice) -> State | list[State]:
        if isinstance(i, slice):
            return [State(self.game, row) for row in self.data[i]]
        return State(self.game, self.data[i])


@dataclass(frozen=True)
class Roots:
    """States in which the stage of a decision began (`State.stage`), each started from in proportion to its weight.

    `weights` None: all alike. `redraw`: the game's rule `resample` redraws the state before each simulation. `runs`:
    how many simulations in a row start from a state once it is taken; it is then taken the less often, so that weights
    stay what they are.
    """

    states: Sequence[State]
    weights: list[float] | None = None
    redraw: bool = False
    runs: list[float] | None = None

    @property
    def data(self) -> np.ndarray:
        """The bytes of the states, one in a row."""
        return self.states.data if isinstance(self.states, States) else np.stack([s.data for s in self.states])

    @property
    def shares(self) -> np.ndarray:
        """How likely each state is to be taken next, by `next_root`."""
        weights = np.ones(len(self.states)) if self.weights is None else np.array(self.weights, float)
        taken = weights if self.runs is None else weights / self.runs
        return taken / taken.sum()

    @property
    def edges(self) -> np.ndarray:
        """Where the parts of the line from 0 to 1 end that are as wide as the shares."""
        ends = np.cumsum(self.shares)
        return ends / ends[-1]

    def one(self, seat: int, rng: np.ndarray) -> State:
        """One of the states, drawn by weight, and redrawn if need be."""
        state = self.states[self._drawn(rng)].copy()
        if self.redraw:
            state.resample(seat, rng)
        return state

    def several(self, count: int, seat: int, rng: np.ndarray) -> States:
        """So many of the states, drawn and redrawn in the same way, without what may be pending in them."""
        drawn = States(self.states[0].game, self.data[[self._drawn(rng) for _ in range(count)]])
        if self.redraw:
            redraw(drawn.game, drawn.data, [seat], rng)
        return drawn

    def _drawn(self, rng: np.ndarray) -> int:
        weights = self.weights or [1.0] * len(self.states)
        return part(weights, 0, len(weights), uniform(rng) * sum(weights)) if len(weights) > 1 else 0


@dataclass
class Draws:
    """How drawing went: states replayed, and moves tried for them. `acceptance` is the share of moves that were kept.
    Where states are carried on (`belief/particle_filter.py`), `lost`: nothing that was believed in before fitted what
    the player saw since; `short`: some states that fitted were left out, for want of room or time; `effective`: the
    effective sample size of what is believed."""

    drawn: int = 0
    tried: int = 0
    kept: int = 0
    lost: bool = False
    short: bool = False
    effective: float | None = None

    @property
    def acceptance(self) -> float:
        return self.kept / self.tried if self.tried else 1.0


REDRAWN = 200
"""States redrawn to tell what is believed, where each simulation starts from another."""


def features(roots: Roots, seat: int, rng: np.ndarray) -> dict[str, dict[str, float]]:
    """How likely each value of what may be hidden (`Game.features`) is, of the states that simulations start from."""
    found: dict[str, dict[str, float]] = {}
    draws = [roots.one(seat, rng) for _ in range(REDRAWN)] if roots.redraw else roots.states
    weights = np.ones(len(draws)) if roots.redraw or roots.weights is None else np.array(roots.weights, float)
    for state, weight in zip(draws, weights.tolist(), strict=True):
        for name, value in state.game.features(state).items():
            odds = found.setdefault(name, {})
            odds[value] = odds.get(value, 0.0) + weight
    return {name: {value: odds[value] / sum(odds.values()) for value in sorted(odds)} for name, odds in found.items()}


Turn = np.dtype([("root", "i8"), ("left", "f8")], align=True)
"""The root whose turn it is, and how many simulations are left of its run. A run of 2.5 is one of 2 or 3: what is over
goes to the next."""


def next_root(turn, count, edges, runs, rng):
    """The number of the state, of `count`, that the next simulation starts from; for kernels. Runs of 1: each is drawn
    by itself."""
    while turn.left < 1.0:
        turn.root = first_beyond(edges, count, uniform(rng))
        turn.left += runs[turn.root]
    turn.left -= 1.0
    return turn.root


def first_beyond(edges, count, x):
    """The first of so many edges, in rising order, that lies beyond x; the last one does."""
    first, last = 0, count - 1
    while first < last:
        middle = (first + last) // 2
        first, last = (first, middle) if x < edges[middle] else (middle + 1, last)
    return first
