"""What a bench is made with: rounds in which all take turns, CPU time, rows of results."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from fogspiel.app.peers import INSTALL, PEERS, installed

FOGSPIEL = "Fogspiel"


@dataclass(frozen=True)
class Effort:
    """How long to measure: `rounds` of about `seconds` each; no peer that would take more than `limit` seconds."""

    rounds: int
    seconds: float
    limit: float

    @property
    def most(self) -> float:
        """Who has been measured for so many seconds gets no further round."""
        return 10 * self.seconds


FULL, QUICK = Effort(8, 0.4, 60.0), Effort(3, 0.1, 8.0)
TURNS = 4
"""Turns that each library has in a round where rates are measured: some of many short ones fall in moments in which the
machine does nothing else."""


@dataclass
class Bench:
    """A run: what was measured so far, and what to tell while measuring."""

    effort: Effort
    quiet: bool
    rows: list[dict[str, Any]] = field(default_factory=list)
    checks: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    costs: dict[str, tuple[float, float]] = field(default_factory=dict)
    """What each peer's preparations and iterations took on the last game, in CPU seconds a history."""
    said: set[str] = field(default_factory=set)

    @cached_property
    def peers(self) -> dict[str, str]:
        """The versions of the peers that are installed; imported when first asked for, since that makes the process
        grow."""
        found = installed()
        self.notes += [f"{name} is not installed: {INSTALL}" for name in PEERS if name not in found]
        return found

    def say(self, text: str) -> None:
        """Tell what is being done: on a terminal in one line that is written over, elsewhere once for each text."""
        if self.quiet:
            return
        line = f"{time.monotonic() - self.began:4.0f} s  {text}"
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{line}")
        elif text not in self.said:
            sys.stderr.write(f"{line}\n")
        self.said.add(text)
        sys.stderr.flush()

    def row(
        self, what: str, game: str, unit: str, fogspiel: float, peers: dict[str, float] | None = None, **more: Any
    ) -> None:
        """Add a result. A ratio above 1 means that Fogspiel is faster, whether the unit is a rate or a time."""
        peers = peers or {}
        ratios = {name: fogspiel / v if unit.endswith("/s") else v / fogspiel for name, v in peers.items()}
        self.rows.append(
            {"what": what, "game": game, "fogspiel": fogspiel, "peers": peers, "unit": unit, "ratios": ratios} | more
        )

    def seconds(self, what: str, works: dict[str, Callable[[], Any]], turns: int = 1) -> dict[str, float]:
        """The CPU time of each piece of work: the best of the rounds, in which all take turns."""
        spent: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(self.effort.rounds * turns):
            for name, work in works.items():
                if sum(spent[name]) < self.effort.most:
                    self.say(f"{what}: {name}")
                    spent[name].append(cpu(work))
        return {name: min(times) for name, times in spent.items()}

    def rates(self, what: str, works: dict[str, Callable[[int], Any]]) -> dict[str, float]:
        """How often a second each piece of work can be done, given a function that does it so many times."""
        works[FOGSPIEL](1)  # what has to be compiled, is
        counts = {name: enough(work, self.effort.seconds / TURNS) for name, work in works.items()}
        times = self.seconds(what, {name: partial(work, counts[name]) for name, work in works.items()}, TURNS)
        return {name: counts[name] / times[name] for name in works}


def cpu(work: Callable[[], Any]) -> float:
    """The CPU seconds that some work takes in this process; never 0."""
    began = time.process_time()
    work()
    return max(time.process_time() - began, 1e-9)


def enough(work: Callable[[int], Any], seconds: float) -> int:
    """How often to do some work so that it takes about so long."""
    count = 1
    while True:
        took = cpu(partial(work, count))
        if took > seconds / 8:
            return max(1, int(count * seconds / took))
        count *= 4
