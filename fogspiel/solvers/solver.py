"""What every solver is made of, and what it offers to the loop that drives it (`solvers/drive.py`)."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fogspiel.game.game import Game
from fogspiel.solvers.cfr.joint import JointPlay
from fogspiel.solvers.response.response import Position, game_of, plan_nash_conv
from fogspiel.solvers.result import Solution, nonnegative
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.payoffs import ranges
from fogspiel.tree.posg import OneSided
from fogspiel.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from fogspiel.solvers.exact.value_iteration import Graph


@dataclass(frozen=True)
class Task:
    """What a solver is to work on, and with what: a game, a tree or sequence form of one, or a one-sided POSG. `form`
    is there for solvers that work on it (`Entry.form`), and for others where the strategy found can be measured.
    `progress` hears how many histories were unrolled. `graph` holds the game's states, where they were explored
    already."""

    source: Position | OneSided
    form: SequenceForm | None = None
    seed: int = 0
    memory: int | None = None
    threads: int = 1
    progress: Callable[[int], None] | None = None
    graph: "Graph | None" = None

    @classmethod
    def on(cls, form: SequenceForm, **how: Any) -> "Task":
        """With the sequence form at hand."""
        return cls(form, form, **how)

    @property
    def game(self) -> Game:
        return game_of(self.position)

    @property
    def position(self) -> Position:
        """The source, for solvers of games that end."""
        assert not isinstance(self.source, OneSided)
        return self.source

    @property
    def required_form(self) -> SequenceForm:
        """The form, for solvers that work on it."""
        assert self.form is not None
        return self.form


class Solver(ABC):
    """A solver at work: `advance` goes on, `measure`, `values` and `answer` tell what it has found so far. Of `plan`
    and `answer` a solver defines one at least; the other follows from it.

    `form` is the game in sequence form: what most solvers work on, and where the strategy found is measured. It is None
    where a game is too large for that, for solvers that do not need it. `full` says that memory came to its end, and
    `stuck` that rounding keeps it from going on.

    `arrays` names the attributes that, with `iterations`, are its whole state: restoring them continues bit for bit.
    """

    arrays: tuple[str, ...] = ()
    cheap: ClassVar[bool] = False
    """Whether `measure` takes next to no time, so that it is asked after each iteration."""
    enumerates = False
    """Whether an iteration of a sampling solver follows every action of a player."""

    def __init__(self, game: Game | OneSided, form: SequenceForm | None):
        self.game, self.form = game, form
        self.iterations = 0
        self.full = self.stuck = False

    @abstractmethod
    def advance(self, iterations: int) -> None:
        """Do so many more iterations."""

    def plan(self) -> np.ndarray:
        """The answer so far, as every player's plan on the form."""
        assert self.form is not None
        return self.form.plan(self.answer().on(self.form))

    @property
    def touched_each(self) -> int:
        """Histories that one iteration touches, where all touch as many."""
        return 0

    @property
    def touched(self) -> int:
        """Histories touched so far."""
        return self.iterations * self.touched_each

    def answer(self) -> Strategy:
        """The answer so far, as a strategy."""
        assert self.form is not None
        return Strategy.from_behaviour(self.form, self.form.behaviour(self.plan()))

    def measure(self) -> float | None:
        """The NashConv of the answer so far, where it can be measured."""
        return None if self.form is None else plan_nash_conv(self.form, self.plan())

    def values(self) -> tuple[float, ...]:
        """What each player gets by the answer so far; nothing where that is not known."""
        return () if self.form is None else tuple(self.form.values(self.plan()).tolist())

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between what the value of the game lies to player 0, for those that bound it."""
        return None

    @property
    def restricted(self) -> dict[str, int]:
        """How large the game was that had to be solved instead of the whole, for those that tell."""
        return {}

    def joint_play(self) -> JointPlay | None:
        """The average joint play so far, for those that keep it: where an average strategy may be far from any
        equilibrium."""
        return None

    @property
    def closing(self) -> float:
        """Seconds that `answer` may take, where that is long enough to be reckoned with."""
        return 0.0

    @property
    def memory(self) -> dict[str, float]:
        """What the solver's own memory holds, for those whose memory grows."""
        return {}

    def snapshot(self) -> dict[str, Any]:
        return {"iterations": self.iterations} | {name: getattr(self, name) for name in self.arrays}

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Go on from a snapshot. Raises ValueError, which says why, where it cannot be one of this solver's on this
        game."""
        require_arrays(snapshot, self.snapshot())
        self.iterations = whole(snapshot["iterations"], "iterations")
        for name in self.arrays:
            setattr(self, name, snapshot[name].copy())
        if flaw := self.flaw():
            raise ValueError(flaw)

    def flaw(self) -> str:
        """What keeps the arrays, which are finite and of the right shapes, from being a state of this solver; or
        nothing."""
        return ""


class Exact(Solver):
    """A solver that finds all in its first iteration: `find(task, parameters)`."""

    def __init__(self, task: Task, find: Callable[[Task, dict[str, Any]], Solution], parameters: dict[str, Any]):
        super().__init__(task.game, None)
        self._find: Callable[[], Solution] = lambda: find(task, parameters)
        self.found: Solution | None = None

    def advance(self, iterations: int) -> None:
        if iterations and self.found is None:
            self.found = self._find()
            self.iterations = self.found.iterations

    @property
    def _solution(self) -> Solution:
        if self.found is None:
            raise ValueError("an exact solver has no answer before its first iteration")
        return self.found

    def measure(self) -> float | None:
        far = self._solution.nash_conv
        return None if far is None else nonnegative(far)

    def values(self) -> tuple[float, ...]:
        return self._solution.value

    def answer(self) -> Strategy:
        return self._solution.strategy

    @property
    def touched(self) -> int:
        return 0 if self.found is None else self.found.touched

    @property
    def restricted(self) -> dict[str, int]:
        return self._solution.restricted


MOST = 2**53
"""No count in a checkpoint is larger: up to here a real tells whole numbers apart."""
LARGEST = 1e100
"""No real in a checkpoint is larger: with room to be added up and squared."""


def require_arrays(snapshot: dict[str, np.ndarray], like: dict[str, Any]) -> None:
    """Raise ValueError unless a snapshot has the arrays that it should have, of the same types and shapes, all numbers
    finite."""
    for name, value in like.items():
        if name not in snapshot:
            raise ValueError(f"{name} is missing")
        given, mine = snapshot[name], np.asarray(value)
        if given.dtype != mine.dtype or given.shape != mine.shape:
            raise ValueError(f"{name} is {given.dtype} of shape {given.shape}, not {mine.dtype} of {mine.shape}")
        if given.dtype.kind == "f" and not np.all(np.abs(given) <= np.float64(LARGEST)):
            raise ValueError(f"{name} has numbers that cannot be")
    if more := snapshot.keys() - like.keys():
        raise ValueError(f"there is no array {min(more)} in a checkpoint of this algorithm")


def whole(value: np.ndarray, name: str) -> int:
    """A count."""
    if value.shape != () or value.dtype.kind not in "iu" or not 0 <= int(value) <= MOST:
        raise ValueError(f"{name} must be a whole number from 0 to {MOST}")
    return int(value)


def is_plan(form: SequenceForm, plan: np.ndarray) -> bool:
    """Whether a real a sequence is every player's plan: 1 where it begins, and at each information set as much goes out
    as comes in."""
    if not np.all(plan >= 0) or not np.allclose(plan[form.begin[:-1]], 1):
        return False
    owner = np.repeat(np.arange(len(form.first)), form.count)
    out = np.bincount(owner, plan[ranges(form.first, form.count)], len(form.first))
    return bool(np.allclose(out, plan[form.parent], rtol=1e-6, atol=1e-9))
