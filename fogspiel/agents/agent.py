"""The agent protocol: what a seat is told, and what it answers.

An agent never holds the true state of the game. When it has to move it gets an `Observation`: a state redrawn from its own
information, its record (the keys it has seen and its own moves), and the legal moves. Only an agent that says `cheats = True`
is given the true state, and it is marked in all results.
"""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from fogspiel.belief.replay import Record
from fogspiel.game.game import Game
from fogspiel.game.state import State


@dataclass(frozen=True)
class Observation:
    """What a seat knows when it has to move. `state` agrees with everything the seat has seen, and is otherwise redrawn."""

    seat: int
    state: State
    record: Record
    moves: tuple[int, ...]
    true_state: State | None = None


@runtime_checkable
class Agent(Protocol):
    """Any object with these is an agent. `begin` is called once a game; `choose` returns one of `observation.moves`."""

    name: str

    def begin(self, game: Game, seat: int, seed: int) -> None: ...

    def choose(self, observation: Observation) -> int: ...


def observe(state: State, record: Record, rng: np.ndarray, *, cheats: bool = False) -> Observation:
    """What the player to move may know of the true state. The redrawn state comes from the game's rule, or from replaying."""
    from fogspiel.belief.replay import draw

    game, seat = state.game, record.player
    if "resample" in game.functions:
        shown = state.copy()
        shown.resample(seat, rng)
    else:
        shown = draw(game, record, rng)
    told = Record(seat, list(record.keys), list(record.own), list(record.public))
    return Observation(seat, shown, told, tuple(shown.moves()), state.copy() if cheats else None)


def describe(agent: Any) -> str:
    """An agent's name as results show it; one that sees the true state is marked."""
    return f"{agent.name} [sees everything]" if getattr(agent, "cheats", False) else agent.name
