"""How much of the time allowed is left."""

import math
import time

from fogspiel.engine.notice import compiled_for


class Clock:
    """Counts every second since it was made, and `earlier` ones, but not those spent compiling, which happens once.

    `allowed` is None where there is no limit."""

    def __init__(self, allowed: float | None):
        self.allowed, self.earlier = allowed, 0.0
        self._began = self._now()

    @staticmethod
    def _now() -> float:
        return time.monotonic() - compiled_for()

    @property
    def spent(self) -> float:
        return self.earlier + self._now() - self._began

    @property
    def left(self) -> float:
        """Seconds; below zero where the time is up, infinite without a limit."""
        return math.inf if self.allowed is None else self.allowed - self.spent
