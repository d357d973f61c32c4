"""Agents that do not search: random play, a stored strategy, a person at the terminal."""

from collections.abc import Callable

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.engine.primitives import pick, uniform
from fogspiel.game.game import Game
from fogspiel.solve.strategy import Strategy


class RandomAgent:
    """Every legal move as likely (RAND of Lisý 2014)."""

    name = "random"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.rng = np.array([seed], np.uint64)

    def choose(self, observation: Observation) -> int:
        return observation.moves[pick(self.rng, len(observation.moves))]


class StrategyAgent:
    """Plays a stored strategy; uniformly where it says nothing."""

    def __init__(self, strategy: Strategy, name: str = "strategy"):
        self.strategy, self.name = strategy, name

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.strategy.require(game)
        self.rng = np.array([seed], np.uint64)

    def choose(self, observation: Observation) -> int:
        return draw_move(self.strategy.probabilities(observation.state), self.rng)


class HumanAgent:
    """A person: sees the state as this seat may, and types a move's number or name."""

    name = "human"

    def __init__(self, ask: Callable[[str], str] = input, tell: Callable[[str], None] = print):
        self.ask, self.tell = ask, tell

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.game, self.seat = game, seat
        self.tell(f"You are player {seat}.")

    def choose(self, observation: Observation) -> int:
        state = observation.state
        self.tell("\n" + state.show(self.seat))
        names = list(self.game.move_names(state).values())
        self.tell("   ".join(f"{i + 1}: {name}" for i, name in enumerate(names)))
        while True:
            answer = self.ask("your move> ").strip()
            if answer in names:
                return observation.moves[names.index(answer)]
            if answer.isdigit() and 1 <= int(answer) <= len(names):
                return observation.moves[int(answer) - 1]
            self.tell(f"type a number from 1 to {len(names)}, or a move's name")


def draw_move(probabilities: dict[int, float], rng: np.ndarray) -> int:
    """A move drawn with the given probabilities (which need not sum to one)."""
    x = uniform(rng) * sum(probabilities.values())
    for move, p in probabilities.items():
        if x < p:
            return move
        x -= p
    return next(move for move, p in reversed(probabilities.items()) if p > 0)
