"""Live progress on standard error: one line that changes on a terminal, plain lines elsewhere."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.text import Text

if TYPE_CHECKING:
    from fogspiel.solvers.result import Point


class Line:
    """The line at the foot of the terminal. There is one, whoever has something to say: two would overwrite each
    other."""

    def __init__(self) -> None:
        self.console = Console(highlight=False, emoji=False, stderr=True)
        self.live: Live | None = None
        self.lock = threading.Lock()

    @property
    def changes(self) -> bool:
        """Whether what is drawn replaces what was drawn before."""
        return self.console.is_terminal

    def draw(self, text: str) -> None:
        with self.lock:
            if not self.changes:
                self.console.print(text, soft_wrap=True, markup=False)
                return
            if self.live is None:
                self.live = Live(console=self.console, transient=True, auto_refresh=False)
                self.live.start()
            self.live.update(Text(text), refresh=True)

    def say(self, text: str) -> None:
        """A text that stays, above the line."""
        with self.lock:
            where = self.live.console if self.live else self.console
            where.print(text, soft_wrap=not self.changes, markup=False)  # people's lines end between words

    def clear(self) -> None:
        with self.lock:
            if self.live is not None:
                self.live.stop()
                self.live = None


LINE = Line()


class Watch:
    """Live progress of a command; nothing when quiet or within `patience` seconds."""

    def __init__(self, quiet: bool = False, patience: float = 1.0):
        self.quiet, self.patience, self.began = quiet, patience, time.monotonic()
        self.shown = 0.0

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        LINE.clear()

    def unrolling(self, histories: int) -> None:
        self.say(f"walking the game: {histories:,} histories")

    def step(self, what: str, done: int, total: int) -> None:
        self.say(f"{what}: {done:,} of {total:,}" if total else f"{what}: {done:,}")

    def say(self, text: str) -> None:
        if self._due():
            LINE.draw(text)

    def point(self, point: "Point") -> None:
        """A callback for `solve`: show the newest points of the curve."""
        if self._due():
            speed = point.iterations / max(point.seconds, 1e-9)
            LINE.draw(f"{point.iterations:>12,} iterations {point.seconds:>9.1f} s{_far(point)}   {speed:,.0f} it/s")

    def _due(self) -> bool:
        now = time.monotonic()
        if self.quiet or now - self.began < self.patience or now - self.shown < (0.1 if LINE.changes else 2.0):
            return False
        self.shown = now
        return True


def _far(point: "Point") -> str:
    """How far from the value, or from an equilibrium, a solver is at a point of its curve."""
    if point.nash_conv is None:
        return ""
    gap = f"{max(point.nash_conv, 0.0):.3e}"
    if point.lower is None or point.upper is None:
        return f"   nash_conv {gap}"
    return f"   value from {point.lower:+z.4f} to {point.upper:+z.4f}, gap {gap}"


PATIENCE = 1.0
"""Seconds of compiling that pass without a word where lines stay; where they are replaced it is a fifth of that."""


@contextmanager
def compiling(name: str, functions: int) -> Iterator[None]:
    """A listener for the engine (`engine/notice.py`): tells what is being compiled, and for how long."""
    done = threading.Event()
    teller = threading.Thread(target=_tell, args=(_described(name, functions), done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        LINE.clear()


def _tell(what: str, done: threading.Event) -> None:
    began = time.monotonic()
    if not LINE.changes:
        if not done.wait(PATIENCE):
            LINE.draw(f"compiling {what} (once)")
        return
    wait = PATIENCE / 5
    while not done.wait(wait):
        LINE.draw(f"compiling {what} (once) ... {time.monotonic() - began:.0f} s")
        wait = 0.25


def _described(name: str, functions: int) -> str:
    of = f"the rules of {name.removeprefix('rules-')}" if name.startswith("rules-") else name.replace("-", ".")
    return f"{of}, {functions} function{'s' * (functions != 1)}"
