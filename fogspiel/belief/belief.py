"""What a seat believes of the state it is in: one interface, and the table of beliefs by their names.

A belief is told what the seat saw, and draws the states that simulations start from. It is given the seat's record and
a state redrawn from it, nothing else, so it knows no more than the seat does.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from fogspiel.belief import inference, replaying, resampling, simulated, tracked
from fogspiel.belief.own import load_belief
from fogspiel.belief.replay import Draws, Record
from fogspiel.belief.roots import Model, Roots
from fogspiel.errors import SpecError
from fogspiel.game.game import Game
from fogspiel.game.load import file_and_parameters
from fogspiel.game.needs import Need
from fogspiel.game.spec import Parameter, read_parameters, split_spec, suggestion
from fogspiel.game.state import State
from fogspiel.given import shown


@runtime_checkable
class Belief(Protocol):
    """Any object with these is a belief: there is nothing to derive from.

    `begin` is called before each game, with the seat and a generator of random numbers (an array of one uint64), which
    the belief may use and whoever searches uses too. `update` is called when the seat has to move: with its record, a
    state that agrees with it and is otherwise redrawn, and a model of the others, or None: every move as likely. `draw`
    says what simulations for that decision start from. `account` tells how it went at this decision. With `models`, a
    belief asks its model what others did before the seat's first move, and whoever searches does well to know something
    then.
    """

    @property
    def account(self) -> Draws: ...

    @property
    def models(self) -> bool: ...

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None: ...

    def update(self, record: Record, state: State, model: Model | None = None) -> None: ...

    def draw(self) -> Roots: ...


@dataclass(frozen=True)
class BeliefKind:
    """A row of the table: what it is, its parameters, the class that is given their values by name, and what it needs
    of a game. `needs_model`: it is of no use without a model of the others, so it is for searches that have a node for
    each of their information sets. `count`: the parameter that says how many states it draws for a decision, each by
    itself."""

    about: str
    parameters: tuple[Parameter, ...]
    holder: Callable[..., Belief]
    needs: tuple[Need, ...] = ()
    needs_model: bool = False
    count: Parameter | None = None

    def make(self, parameters: dict[str, Any]) -> Belief:
        return self.holder(**parameters)


BELIEFS: dict[str, BeliefKind] = {
    "resample": BeliefKind(
        "a state redrawn by the game's rule resample for every simulation",
        resampling.PARAMETERS,
        resampling.Resampling,
        resampling.NEEDS,
    ),
    "replay": BeliefKind(
        "states that agree with the record, replayed from the start of the game",
        replaying.PARAMETERS,
        replaying.Replaying,
        count=replaying.REPLAYS,
    ),
    "tracked": BeliefKind(
        "states carried from decision to decision, by a model of the others (Lisý 2014, sec. 3.2.3)",
        tracked.PARAMETERS,
        tracked.Tracked,
    ),
    "inferred": BeliefKind(
        "the same, by what the search had the others do, as far as that is to be trusted (Whitehouse 2014, sec. 7.3)",
        inference.PARAMETERS,
        inference.Inferred,
        needs_model=True,
    ),
    "simulated": BeliefKind(
        (
            "states carried from decision to decision by simulating, all alike, and some drawn anew (Silver and Veness "
            "2010, sec. 3.2)"
        ),
        simulated.PARAMETERS,
        simulated.Simulated,
    ),
}


def named(text: str | Path, values: dict[str, Any] | None = None) -> Belief:
    """The belief of a spec string such as `tracked(k=10)`, or in a file, `my_belief.py` (`belief/own.py`)."""
    path, given = file_and_parameters(text)
    if path is not None:
        return load_belief(text, values)
    name, given = split_spec(str(text))
    if name not in BELIEFS:
        raise SpecError(f"there is no belief {shown(name)}{suggestion(name, BELIEFS)}, or name a file with one")
    kind = BELIEFS[name]
    return kind.make(read_parameters(f"belief={name}", kind.parameters, given | (values or {})))
