"""The agent protocol: what a seat is told, and what it answers.

An agent never holds the true state of the game. When it has to move it gets an `Observation`: a state redrawn from its
own information, its record (the keys it has seen and its own moves), and the legal moves. Only an agent that says
`cheats = True` is given the true state, and it is marked in all results.
"""

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from fogspiel.belief.record import Record
from fogspiel.game.game import Game
from fogspiel.game.state import State, legal


@dataclass(frozen=True)
class Observation:
    """What a seat knows when it has to move.

    `seat` is the player's number, `moves` are the legal moves, `names` their names. `state` agrees with everything the
    seat has seen, and is otherwise redrawn, anew for each observation: `state.show(seat)` is the board as a person in
    that seat would see it, `state.key(seat)` the key of the information set, and a copy of `state` can be played on.
    `record` holds the keys that the seat has seen in this game, and its own moves. `true_state` is None, except for an
    agent that says `cheats = True`.
    """

    seat: int
    state: State
    record: Record
    moves: tuple[int, ...]
    true_state: State | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the moves, as people see them."""
        return tuple(self.state.game.move_names(self.state).values())

    def _repr_svg_(self) -> str:
        """What a notebook shows: the board as this seat sees it."""
        return self.state.svg(self.seat)


@runtime_checkable
class Agent(Protocol):
    """Any object with these is an agent: there is nothing to derive from.

    `name` is what results call it. `begin` is called before each game, with the seat and a seed for the agent's own
    random numbers; whatever it remembers of games before, it must forget. `choose` is called whenever the seat has to
    move, and returns one of `observation.moves`.

    These it may have, too. An attribute `cheats = True` asks for the true state, and marks the agent in all results.
    `make_ready(game)` is called before the first game, outside any clock: what takes long belongs there, and an agent
    that the game does not suit raises Unsuitable. `found` tells what it thought of each move at its last decision,
    `statistics` what that cost, `believes()` how likely it took each value of what is hidden to be (`fs.think`).

        class First:
            name = "first"

            def begin(self, game, seat, seed):
                pass

            def choose(self, observation):
                return observation.moves[0]

        fs.match("leduc", [First(), "random"])
    """

    name: str

    def begin(self, game: Game, seat: int, seed: int) -> None: ...

    def choose(self, observation: Observation) -> int: ...


def observe(state: State, record: Record, rng: np.ndarray, *, cheats: bool = False) -> Observation:
    """What the player to move may know of the true state. The redrawn state comes from the game's rule, or from
    replaying. All that it holds are copies: whoever gets it may do with them what it likes."""
    from fogspiel.belief.rejection import draw

    game, seat = state.game, record.player
    if "resample" in game.functions:
        shown = state.copy()
        shown.resample(seat, rng)
    else:
        shown = draw(game, record, rng)
    told = Record(seat, list(record.keys), list(record.own), list(record.public))
    return Observation(seat, shown, told, tuple(legal(shown)), state.copy() if cheats else None)


def describe(agent: Any) -> str:
    """An agent's name as results show it; one that sees the true state is marked."""
    return f"{agent.name} [sees everything]" if getattr(agent, "cheats", False) else agent.name
