"""How long runs take, and so what is left."""

import math
import time
from collections.abc import Sequence

KNOWN_RUNS, KNOWN_SECONDS = 20, 2.0
"""Of so many runs, or of runs that took so long, it is known how long others will take."""


class Durations:
    """How long runs of each setting take. The first of a setting may come after its code is loaded and compiled, so it
    counts only as long as there are no others."""

    def __init__(self) -> None:
        self.first: dict[int, float] = {}
        self.later: dict[int, tuple[float, int]] = {}

    def heard(self, setting: int, seconds: float | None) -> None:
        """A run of a setting has come; its seconds are not known if its process was lost."""
        if seconds is None:
            return
        if setting not in self.first:
            self.first[setting] = seconds
        else:
            before, runs = self.later.get(setting, (0.0, 0))
            self.later[setting] = before + seconds, runs + 1

    @property
    def total(self) -> tuple[float, int]:
        """Seconds of all, and how many those are."""
        known = self.later.values() or [(seconds, 1) for seconds in self.first.values()]
        return math.fsum(seconds for seconds, _ in known), sum(runs for _, runs in known)

    def mean(self, setting: int) -> float | None:
        seconds, runs = self.later.get(setting, (self.first.get(setting), 1))
        return None if seconds is None else seconds / runs

    def all_of(self, runs: Sequence[int], count: int, unknown: float) -> float:
        """Seconds that so many runs of each setting take, `count` at a time, if one of a setting of which none is known
        takes `unknown`."""
        each = {setting: self.mean(setting) for setting, left in enumerate(runs) if left > 0}
        known = {setting: unknown if mean is None else mean for setting, mean in each.items()}
        total = math.fsum(runs[setting] * mean for setting, mean in known.items())
        return max(total / count, *known.values(), 0.0)

    @property
    def longest(self) -> float:
        """A run of the setting that takes longest of those known; as long as it may be where none is."""
        return max((self.mean(setting) or 0.0 for setting in self.first), default=math.inf)


class Rate:
    """How fast runs come, wherever they are done."""

    def __init__(self) -> None:
        self.last, self.gaps = time.monotonic(), Durations()

    def heard(self, setting: int, now: float) -> None:
        """A run of a setting has come."""
        self.gaps.heard(setting, now - self.last)
        self.last = now

    @property
    def seconds_per_run(self) -> float | None:
        """None where nothing tells yet."""
        seconds, runs = self.gaps.total
        return seconds / runs if runs else None

    @property
    def known(self) -> bool:
        """Whether that tells more than how long it took to begin."""
        seconds, runs = self.gaps.total
        return runs >= KNOWN_RUNS or (runs > 1 and seconds >= KNOWN_SECONDS)


def span(seconds: float) -> str:
    """A time in words."""
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
