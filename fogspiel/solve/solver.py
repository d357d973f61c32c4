"""What every solver offers to the loop that drives it (`solve/run.py`)."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from fogspiel.tree.sequence import SequenceForm


class Iterative(ABC):
    """A solver that gets better with every iteration, on a game in sequence form.

    `arrays` names the attributes that, with `iterations`, are its whole state: restoring them continues bit for bit.
    """

    arrays: ClassVar[tuple[str, ...]] = ()

    def __init__(self, form: SequenceForm):
        self.form = form
        self.iterations = 0

    @abstractmethod
    def advance(self, iterations: int) -> None:
        """Do so many more iterations."""

    @abstractmethod
    def plan(self) -> np.ndarray:
        """The answer so far, as every player's plan."""

    @property
    @abstractmethod
    def touched_each(self) -> int:
        """Histories that one iteration touches."""

    def snapshot(self) -> dict[str, Any]:
        return {"iterations": self.iterations} | {name: getattr(self, name) for name in self.arrays}

    def restore(self, snapshot: dict[str, Any]) -> None:
        self.iterations = int(snapshot["iterations"])
        for name in self.arrays:
            mine = getattr(self, name)
            setattr(self, name, np.asarray(snapshot[name], dtype=np.asarray(mine).dtype).reshape(np.shape(mine)))
