"""How long runs take, and so what is left."""

import math
import time

KNOWN_RUNS, KNOWN_SECONDS = 20, 2.0
"""Of so many runs, or of runs that took so long, it is known how long others will take."""


class Rate:
    """How fast runs come, wherever they are done. The first of a setting comes after its code is loaded and compiled,
    so it counts only as long as there are no others."""

    def __init__(self) -> None:
        self.last = time.monotonic()
        self.seen: set[int] = set()
        self.first, self.later = (0.0, 0), (0.0, 0)

    def heard(self, setting: int, now: float) -> None:
        """A run of a setting has come."""
        if setting in self.seen:
            self.later = self.later[0] + now - self.last, self.later[1] + 1
        else:
            self.first = self.first[0] + now - self.last, self.first[1] + 1
        self.seen.add(setting)
        self.last = now

    @property
    def seconds_per_run(self) -> float | None:
        """None where nothing tells yet."""
        seconds, runs = self.later if self.later[1] else self.first
        return seconds / runs if runs else None

    @property
    def known(self) -> bool:
        """Whether that tells more than how long it took to begin."""
        seconds, runs = self.later if self.later[1] else self.first
        return runs >= KNOWN_RUNS or (runs > 1 and seconds >= KNOWN_SECONDS)


class Durations:
    """How long runs of each setting take by themselves. The first of a setting may compile what it calls, so it counts
    only as long as there are no others."""

    def __init__(self, missing: list[int]):
        self.left = missing
        self.first: dict[int, float] = {}
        self.later: dict[int, tuple[float, int]] = {}

    def heard(self, setting: int, seconds: float | None) -> None:
        """A run of a setting has come; its seconds are not known if its process was lost."""
        self.left[setting] -= 1
        if seconds is None:
            return
        if setting not in self.first:
            self.first[setting] = seconds
        else:
            before, runs = self.later.get(setting, (0.0, 0))
            self.later[setting] = before + seconds, runs + 1

    def mean(self, setting: int) -> float | None:
        seconds, runs = self.later.get(setting, (self.first.get(setting), 1))
        return None if seconds is None else seconds / runs

    def all_left(self, count: int, unknown: float) -> float:
        """Seconds that what is left takes, `count` runs at a time, if one of a setting of which none is known takes
        `unknown`."""
        each = {setting: self.mean(setting) for setting, left in enumerate(self.left) if left > 0}
        known = {setting: unknown if mean is None else mean for setting, mean in each.items()}
        total = math.fsum(self.left[setting] * mean for setting, mean in known.items())
        return max(total / count, *known.values(), 0.0)

    @property
    def longest(self) -> float:
        """A run of the setting that takes longest of those known; as long as it may be where none is."""
        return max((self.mean(setting) or 0.0 for setting in self.first), default=math.inf)


def span(seconds: float) -> str:
    """A time in words."""
    if seconds < 90:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"
