"""What every solver offers to the loop that drives it (`solve/run.py`)."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from fogspiel.game.game import Game
from fogspiel.solve.joint import JointPlay
from fogspiel.solve.strategy import Strategy
from fogspiel.tree.sequence import SequenceForm


class Iterative(ABC):
    """A solver that gets better with every iteration.

    `form` is the game in sequence form: what most solvers work on, and where the strategy found is measured. It is None where
    a game is too large for that, for solvers that do not need it. `full` says that memory came to its end.

    `arrays` names the attributes that, with `iterations`, are its whole state: restoring them continues bit for bit.
    """

    arrays: ClassVar[tuple[str, ...]] = ()

    def __init__(self, game: Game, form: SequenceForm | None):
        self.game, self.form = game, form
        self.iterations = 0
        self.full = False

    @abstractmethod
    def advance(self, iterations: int) -> None:
        """Do so many more iterations."""

    @abstractmethod
    def plan(self) -> np.ndarray:
        """The answer so far, as every player's plan."""

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
        return Strategy.from_behaviour(self.form, self.form.behaviour(self.plan()))

    def joint_play(self) -> JointPlay | None:
        """The average joint play so far, for those that keep it: where an average strategy may be far from any equilibrium."""
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
        self.iterations = int(snapshot["iterations"])
        for name in self.arrays:
            mine = getattr(self, name)
            setattr(self, name, np.asarray(snapshot[name], dtype=np.asarray(mine).dtype).reshape(np.shape(mine)))
