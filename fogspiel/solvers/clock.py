"""How much of the time allowed is left."""

import math

from fogspiel.engine.notice import working_time


class Clock:
    """Counts every second since it was made, and `earlier` ones, but not those spent compiling, which happens once.

    `allowed` is None where there is no limit."""

    def __init__(self, allowed: float | None):
        self.allowed, self.earlier = allowed, 0.0
        self._began = working_time()

    @property
    def spent(self) -> float:
        return self.earlier + working_time() - self._began

    @property
    def left(self) -> float:
        """Seconds; below zero where the time is up, infinite without a limit."""
        return math.inf if self.allowed is None else self.allowed - self.spent
