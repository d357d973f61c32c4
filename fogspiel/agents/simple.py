"""Agents that do not search: random play, a stored strategy."""

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.engine.primitives import pick, uniform
from fogspiel.game.game import Game
from fogspiel.solvers.strategy import Strategy


class RandomAgent:
    """Every legal move as likely (RAND of Lisý 2014)."""

    name, starts_anew = "random", True

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.rng = np.array([seed], np.uint64)

    def choose(self, observation: Observation) -> int:
        return observation.moves[pick(self.rng, len(observation.moves))]


class StrategyAgent:
    """Plays a stored strategy; uniformly where it says nothing."""

    starts_anew = True

    def __init__(self, strategy: Strategy, name: str = "strategy"):
        self.strategy, self.name = strategy, name

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.strategy.require(game)
        self.rng = np.array([seed], np.uint64)

    def choose(self, observation: Observation) -> int:
        return draw_move(self.strategy.probabilities(observation.state), self.rng)


def draw_move(probabilities: dict[int, float], rng: np.ndarray) -> int:
    """A move drawn with the given probabilities (which need not sum to one)."""
    x = uniform(rng) * sum(probabilities.values())
    for move, p in probabilities.items():
        if x < p:
            return move
        x -= p
    return next(move for move, p in reversed(probabilities.items()) if p > 0)
