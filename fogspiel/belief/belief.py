"""What a seat believes of the state it is in: one interface, and the table of beliefs by their names.

A belief is told what the seat saw, and draws the states that simulations start from. It is given the seat's record and
a state redrawn from it, nothing else, so it knows no more than the seat does.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from fogspiel.belief import inference, particle_filter, pomcp, rejection, resampling
from fogspiel.belief.model import Model
from fogspiel.belief.own import BELIEF as BELIEF_FILE
from fogspiel.belief.own import OwnBelief, load_belief
from fogspiel.belief.record import Record
from fogspiel.belief.rejection import usual
from fogspiel.belief.roots import Draws, Roots
from fogspiel.engine.part import Part, PartKind
from fogspiel.errors import SpecError
from fogspiel.game.game import Game
from fogspiel.game.load import file_and_parameters
from fogspiel.game.spec import read_parameters, split_spec, suggestion
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


class Usual:
    """The belief that suits the game: the game's rule resample, or replays of the record where there is none."""

    PARAMETERS, COUNT = rejection.PARAMETERS, rejection.REPLAYS.name


BELIEFS: dict[str, Any] = {
    "usual": Usual,
    "resample": resampling.Resampling,
    "replay": rejection.Replaying,
    "tracked": particle_filter.Tracked,
    "inferred": inference.Inferred,
    "simulated": pomcp.Simulated,
}
"""By name, classes that are given the values of their PARAMETERS. NEEDS_MODEL: it is of no use without a model of the
others, so it is for searches that have a node for each of their information sets. COUNT: the parameter that says how
many states it draws for a decision, each by itself."""


def _own(what: Any, given: Mapping[str, Any]) -> Part:
    held = BELIEF_FILE.hold(what, given)
    return Part(BELIEF, held.name, held, tuple(held.values.items()), held.name, str(held.path or ""), own=True)


BELIEF = PartKind(
    "belief",
    "what the states are drawn from that simulations start in",
    __name__,
    lambda: BELIEFS,
    read_own=_own,
)


def believed(part: Part, game: Game, count: int | None = None) -> Belief:
    """The belief that a part stands for, which draws so many states where their number is its own to say."""
    if part.own:
        return OwnBelief(part.space)
    made = BELIEFS[usual(game) if part.name == "usual" else part.name]
    known = {p.name for p in made.PARAMETERS}
    own = {name: value for name, value in part.values if name in known}
    if count is not None and hasattr(made, "COUNT"):
        own[made.COUNT] = count
    return made(**own)


def named(text: str | Path, values: dict[str, Any] | None = None) -> Belief:
    """The belief of a spec string such as `tracked(k=10)`, or in a file, `my_belief.py` (`belief/own.py`)."""
    path, given = file_and_parameters(text)
    if path is not None:
        return load_belief(text, values)
    name, given = split_spec(str(text))
    if name not in BELIEFS or name == "usual":
        raise SpecError(f"there is no belief {shown(name)}{suggestion(name, BELIEFS)}, or name a file with one")
    return BELIEFS[name](**read_parameters(f"belief={name}", BELIEFS[name].PARAMETERS, given | (values or {})))
