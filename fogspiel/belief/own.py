"""Beliefs from a person's own file, `belief=my_belief.py` or `belief=my_belief.py(states=30)`.

The file holds a class with `draw(self)`, and `begin(self, game, seat, rng)` and `update(self, record, state, model)` if
it has a use for them (`belief/belief.py`), or a function `draw` of any of `game`, `seat`, `record`, `state`, `model`
and `rng`. What it returns are `Roots`, or a list of states, each as likely. Parameters are declared as PARAMETERS, or
else are keyword arguments, as those of an agent's file are.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from fogspiel.belief.model import Model
from fogspiel.belief.record import Record, agrees
from fogspiel.belief.rejection import GaveUp, Replay
from fogspiel.belief.roots import Draws, Roots
from fogspiel.engine.notice import patience
from fogspiel.errors import FogspielError, PartError
from fogspiel.game.game import Game
from fogspiel.game.load import file_and_parameters
from fogspiel.game.needs import require, rule
from fogspiel.game.own import Held, Sought, arguments
from fogspiel.game.rules import raised_at
from fogspiel.game.state import State, advance
from fogspiel.game.written import version_of_file
from fogspiel.given import shown

BELIEF = Sought(
    "belief",
    "draw",
    "a class with draw(self), or a function draw(record, state, rng)",
    ("game", "seat", "record", "state", "model", "rng"),
    PartError,
)
MOST = 100_000
"""Moves tried to find out whether a stage that begins in a state may be the present one."""


def load_belief(source: str | Path, values: dict[str, Any] | None = None) -> "OwnBelief":
    """The belief in a file. Raises PartError with the file and line of what is wrong with it."""
    path, given = file_and_parameters(source)
    if path is None:
        raise PartError(f"a file with a belief ends in .py, and {shown(source)} does not")
    return OwnBelief(BELIEF.read(path, given | (values or {})))


class OwnBelief:
    """What a file's class or function believes, looked at before a search starts from it. `fingerprint` tells versions
    of the file apart."""

    def __init__(self, held: Held):
        self.held, self.name = held, held.name
        self.made = _Function(held) if isinstance(held.holder, FunctionType) else held.make()
        self.models = bool(getattr(self.made, "models", False))
        self.fingerprint = version_of_file(held.path) if held.path else None

    @property
    def account(self) -> Draws:
        return getattr(self.made, "account", None) or Draws()

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None:
        self.game, self.seat = game, seat
        if hasattr(self.made, "begin"):
            self._ask(self.made.begin, game, seat, rng)

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        self.record = record
        if hasattr(self.made, "update"):
            self._ask(self.made.update, record, state, model)

    def draw(self) -> Roots:
        drawn = self._ask(self.made.draw)
        roots = drawn if isinstance(drawn, Roots) else Roots(drawn)
        if fault := self._fault(roots):
            raise PartError(f"{self.held.label}: draw {fault}")
        if roots.redraw:
            require(self.game, f"{self.held.label}: draw with redraw=True", (rule("resample"),))
        return Roots([state.stage for state in roots.states], roots.weights, roots.redraw, roots.runs)

    def _ask(self, function: Callable[..., Any], *given: Any) -> Any:
        """What one of the file's functions answers; its mistakes name the file and the line."""
        try:
            with patience(f"{function.__name__} ({self.held.label})"):
                return function(*given)
        except FogspielError:
            raise
        except Exception as error:
            line, _ = raised_at(error, [self.held.label])
            place = f"{self.held.label}, line {line}" if line else self.held.label
            raise PartError(f"{place}: {function.__name__} failed: {type(error).__name__}: {error}") from error

    def _fault(self, roots: Roots) -> str:
        """What is wrong with the states drawn, in words, or nothing."""
        states, n = roots.states, len(roots.states) if isinstance(roots.states, Sequence) else 0
        if not isinstance(states, Sequence):
            return f"must return Roots or a list of states, not {shown(states)}"
        if n == 0:
            return "returned no states"
        for state in states:
            if not isinstance(state, State) or state.game is not self.game:
                return f"must return states of {self.game.spec}, not {shown(state)}"
            if not self._possible(state.stage):
                return f"returned a state that player {self.seat} cannot be in after what it has seen"
        for name, numbers in (("weights", roots.weights), ("runs", roots.runs)):
            if numbers is None:
                continue
            values = np.asarray(numbers, float)
            if values.shape != (n,):
                return f"returned {values.size} {name}, and not one for each state ({n})"
            if (
                not np.isfinite(values).all()
                or (values < 0).any()
                or values.sum() <= 0
                or (name == "runs" and (values < 1).any())
            ):
                least = "at least 1" if name == "runs" else "positive"
                return f"returned {name} that are not all finite and {least}"
        return ""

    def _possible(self, state: State) -> bool:
        """Whether the stage that begins in a state may be that of the seat's decision: its own turn, or others' moves
        in it lead there."""
        record, seat, seen = self.record, self.seat, len(self.record.keys)
        if state.actor == seat:
            keys = np.array(record.keys, np.uint64).view(np.int64)
            return agrees(self.game.table.tolist(), state.address, seat, seen, seen, keys) == seen
        if not self.game.about.simultaneous or not 0 <= state.actor < seat or state.key(seat) not in record.keys:
            return False
        since = Record(seat, record.keys[record.known(state) - 1 :])
        ways = Replay(self.game, since, seat, np.zeros(1, np.uint64), MOST, root=state.data).histories()
        try:
            return any(_is_one_stage(state, moves) for moves in ways)
        except GaveUp:
            return False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its file: another process reads the file itself."""
        if self.held.path is None:
            return OwnBelief, (self.held,)
        return load_belief, (self.held.path.resolve(), self.held.values)


def _is_one_stage(beginning: State, moves: list[int]) -> bool:
    """Whether these moves are all pending where they lead to."""
    state = beginning.copy()
    for move in moves:
        advance(state, move)
    return state.stage.data.tobytes() == beginning.data.tobytes()


class _Function:
    """A function of what it asks for."""

    def __init__(self, held: Held):
        self.function, self.passed = held.holder, held.passed
        self.wants = [name for name in arguments(held.holder) if name in BELIEF.given]
        self.models = "model" in self.wants

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None:
        self.known: dict[str, Any] = {"game": game, "seat": seat, "rng": rng}

    def update(self, record: Record, state: State, model: Model | None) -> None:
        self.known |= {"record": record, "state": state, "model": model}

    def draw(self) -> Any:
        return self.function(**{name: self.known[name] for name in self.wants}, **self.passed)
