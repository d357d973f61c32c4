"""How a strategy of a bounded one-sided game fares in the endless one (Veselý 2024, sec. 6 and 7).

The player who sees little follows the strategy up to the horizon, and then a stated rule: uniform play; a stationary
strategy, which depends on what it always knows of the state alone; or, every so many rounds, the solution of the
bounded game once more. Against each of these the best response of the player who sees everything is exact: a backward
pass over (information set, state), with values of a Markov decision process beyond the horizon.

What the endless game is worth lies between the values of two bounded games: beyond the horizon the player who sees
little cannot do better than if it saw everything, and need not do worse than by the rule.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.game.game import Game
from fogspiel.game.horizon import DISCOUNT, HORIZON, KINDS, REWARDS, bounded_game
from fogspiel.game.load import Source, load, varied
from fogspiel.game.markov import END, MarkovGame
from fogspiel.game.matrix_game import matrix_value
from fogspiel.game.shapley import require_discount, state_values
from fogspiel.solvers.posg.one_sided import solve_pairs
from fogspiel.solvers.posg.pairs import Pairs, pairs_of
from fogspiel.solvers.posg.period import period
from fogspiel.solvers.result import Given, strategy_in
from fogspiel.solvers.run import solve
from fogspiel.tree.endless import one_sided_of, one_sided_states

ERROR = 1e-7
"""How far values beyond the horizon may be from exact."""


@dataclass(frozen=True)
class EndlessValue:
    """What the player who sees everything gets in the endless game against a strategy: `response`. The game itself is
    worth between `lower` and `upper` to it, so that the strategy loses what `loss` tells, at least and at most.
    `horizon` is the estimate that the bounded game was solved with, cut off after so many `rounds`. `interrupted`:
    Ctrl-C ended the search for these bounds."""

    game: str
    rounds: int
    horizon: str
    player: int
    beyond: str
    discount: float
    response: float
    lower: float
    upper: float
    interrupted: bool = False

    @property
    def loss(self) -> tuple[float, float]:
        return max(self.response - self.upper, 0.0), max(self.response - self.lower, 0.0)

    def as_dict(self) -> dict[str, Any]:
        return {**vars(self), "loss": list(self.loss)}


def endless_value(
    game: Source,
    strategy: Given | None = None,
    *,
    beyond: str = "uniform",
    discount: float | None = None,
    bounds: tuple[float, float] | None = None,
    seconds: float | None = None,
) -> EndlessValue:
    """Measure the part of a bounded game's strategy that is of the player who sees little, in the endless game; without
    a strategy, its equilibrium. In information sets that the strategy does not have, it plays uniformly.

    `beyond` is what it does after the horizon: `uniform`, `stationary` (in each partition the mix that leaves the other
    the least more than it would get if everyone saw everything) or `resolved` (every so many rounds it forgets all but
    the partition, and solves the bounded game from there, against the worst state). The `discount` is the game's own,
    unless another is given. `bounds` on what the endless game is worth to the player who sees everything, where they
    are known; else those of the bounded game are computed, and with `seconds` those that `hsvi` finds in that time,
    too: the game is worth what both allow. Ctrl-C ends that search, and what it found counts.
    """
    game = load(game)
    beyond = given.choice("beyond", beyond, RULES)
    discount = given.maybe(given.number, "discount", discount, 0, 1)
    strategy = None if strategy is None else strategy_in(strategy)
    known = None if bounds is None else _in_order(bounds)
    seconds = given.maybe(given.seconds, "seconds", seconds, above=True)
    states, blind, discount = one_sided_states(game, discount)
    pairs = pairs_of(bounded_game(game, discount))
    horizon = _Horizon(game, states, pairs, discount)
    if strategy is None:
        behaviour = solve_pairs(pairs_of(game))[0]
    else:
        strategy.require(game)
        behaviour = pairs.behaviour(strategy)
    values = pairs.response(behaviour, horizon.at_pairs(RULES[beyond](horizon)))
    interrupted = False
    if known is None:
        known = horizon.bounds()
        if seconds is not None:
            low, high, interrupted = horizon.searched(seconds)
            known = _in_both(known, (low, high))
    estimate = game.parameters[HORIZON] if not game.parameters[REWARDS] else game.parameters[REWARDS]
    response = float(values @ pairs.nodes.start)
    lower, upper = known
    upper = max(lower, min(upper, response))  # who sees little can keep the other to the response
    return EndlessValue(
        game.spec, horizon.rounds, estimate, 1 - blind, beyond, discount, response, lower, upper, interrupted
    )


def _in_order(bounds: Any) -> tuple[float, float]:
    found = given.several("bounds", bounds, "two numbers")
    numbers = [given.number("each of bounds", bound) for bound in found]
    if len(numbers) != 2 or numbers[0] > numbers[1]:
        raise SpecError(f"bounds must be two numbers, the lower one first, not {given.shown(bounds)}")
    return numbers[0], numbers[1]


def _in_both(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return min(low, high), max(low, high)  # as near as values are exact


def over_horizons(
    game: Source,
    rounds: Iterable[int],
    *,
    beyond: str = "uniform",
    discount: float | None = None,
    bounds: tuple[float, float] | None = None,
) -> Iterator[EndlessValue]:
    """The same for equilibria of games cut off after so many rounds, with each estimate of what lies beyond."""
    game = load(game)
    name = game.about.horizon
    if discount is None:
        discount = float(game.parameters[game.about.discount]) if game.about.discount else 1.0
    require_discount(game.spec, discount)
    for many in rounds:
        known = bounds
        for kind in KINDS:
            cut_off = varied(game, **{name: many, HORIZON: kind, DISCOUNT: discount, REWARDS: ""})
            found = endless_value(cut_off, beyond=beyond, discount=discount, bounds=known)
            known = found.lower, found.upper  # they hold for all estimates
            yield found


class _Horizon:
    """What lies beyond the horizon of a bounded game. Values are what the player who sees everything gets."""

    def __init__(self, game: Game, states: MarkovGame, pairs: Pairs, discount: float):
        self.game, self.states, self.pairs, self.discount = game, states, pairs, discount
        self.rounds = int(game.parameters[game.about.horizon])
        place = {key: s for s, key in enumerate(states.markov_keys.tolist())}
        self.cut = np.flatnonzero(pairs.inside < 0)
        self.state = np.array([place[key] for key in pairs.nodes.markov_keys[self.cut].tolist()], np.int64)

    def values(self, **how: Any) -> np.ndarray:
        """By value iteration."""
        return self.pairs.sign * state_values(self.states, self.discount, error=ERROR, **how)

    def at_pairs(self, values: np.ndarray) -> np.ndarray:
        """Values of states where the pairs at the horizon have them, discounted."""
        out = np.zeros(self.pairs.nodes.count)
        out[self.cut] = self.discount**self.rounds * values[self.state]
        return out

    def uniform(self) -> np.ndarray:
        return self.values(random=self.pairs.blind)

    def stationary(self) -> np.ndarray:
        return self.values(random=self.pairs.blind, mix=self._stationary_mix())

    def _stationary_mix(self) -> np.ndarray:
        """In each partition, the mix that leaves the other the least more than it would get if everyone saw
        everything."""
        states, blind, seen = self.states, self.pairs.blind, self.values()
        columns = np.diff(states.at[1])
        mix = np.zeros(len(states.move[blind]))
        for members in _partitions(states, blind):
            excess = []
            for s in members.tolist():
                joint = np.arange(
                    states.joint[s], states.joint[s] + (states.at[0][s + 1] - states.at[0][s]) * columns[s]
                )
                matrix = np.array([self._gets(j, seen) for j in joint]).reshape(-1, columns[s])
                excess.append((matrix if blind == 1 else matrix.T) - seen[s])
            share = matrix_value(np.concatenate(excess))[2]
            for s in members.tolist():
                mix[states.at[blind][s] : states.at[blind][s + 1]] = share / share.sum()
        return mix

    def _gets(self, joint: int, values: np.ndarray) -> float:
        """What a joint move leads to, on average."""
        edges = slice(self.states.first[joint], self.states.first[joint + 1])
        target = self.states.target[edges]
        then = self.pairs.sign * self.states.gain[edges] + np.where(target == END, 0.0, values[target])
        return float(self.discount * (self.states.probability[edges] * then).sum())

    def resolved(self) -> np.ndarray:
        seen, states, blind = self.values(), self.states, self.pairs.blind
        fade = self.discount**self.rounds
        plans = []
        for members in _partitions(states, blind):
            part = period(states, blind, members, -seen[members], self.rounds, self.discount)
            ends = part.nodes.count - states.count
            beyond = np.concatenate([np.zeros(ends), fade * seen])
            plans.append((members, part, ends, solve_pairs(part.paid_beyond(beyond))[0]))
        value, change = seen.copy(), np.inf
        while change > ERROR * (1 - fade):
            new = value.copy()
            for members, part, ends, behaviour in plans:
                found = part.response(behaviour, np.concatenate([np.zeros(ends), fade * value]))
                new[members] = found[1 : 1 + len(members)]
            change, value = float(np.abs(new - value).max()), new
        return value

    def bounds(self) -> tuple[float, float]:
        """What the endless game is worth, at least and at most."""
        found = []
        for values in (self.values(), self.uniform()):
            paid = self.pairs.paid_beyond(self.at_pairs(values))
            behaviour, own = solve_pairs(paid)
            found.append((paid.answer(own), float(paid.response(behaviour) @ paid.nodes.start)))
        low, high = found[0][0], found[1][1]
        return min(low, high), max(low, high)  # as near as values are exact

    def searched(self, seconds: float) -> tuple[float, float, bool]:
        """The same by heuristic search, and whether Ctrl-C ended it."""
        found = solve(one_sided_of(self.game, self.discount), "hsvi", seconds=seconds, until=f"nash_conv={ERROR}")
        assert found.bounds is not None
        low, high = found.bounds
        low, high = (low, high) if self.pairs.sign > 0 else (-high, -low)
        return low, high, found.stopped == "interrupted"


RULES: dict[str, Callable[[_Horizon], np.ndarray]] = {
    "uniform": _Horizon.uniform,
    "stationary": _Horizon.stationary,
    "resolved": _Horizon.resolved,
}


def _partitions(states: MarkovGame, player: int) -> list[np.ndarray]:
    """States between which a player cannot tell without its past."""
    order = np.argsort(states.seen[player], kind="stable")
    return np.split(order, np.flatnonzero(np.diff(states.seen[player][order]) != 0) + 1)
