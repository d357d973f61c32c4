"""Drive a solver: advance it and measure it, to its limits; with a curve, checkpoints, and Ctrl-C."""

import signal
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.engine.notice import working_time
from fogspiel.errors import FileError, FogspielError
from fogspiel.solvers.checkpoint import read_curve, read_seconds, save_checkpoint
from fogspiel.solvers.clock import Clock
from fogspiel.solvers.meaning import meaning
from fogspiel.solvers.response.response import forgetting, opposed
from fogspiel.solvers.result import Point, Result
from fogspiel.solvers.solver import Solver
from fogspiel.solvers.until import Until
from fogspiel.tree.posg import OneSided

SLICE = 0.2
"""Seconds of iterations between two looks at the clock; what Ctrl-C waits for at most."""

SHORT = 1e-4
"""Seconds below which a stretch of iterations does not tell how long many more would take."""


class HeldInterrupt:
    """Ctrl-C noted in `held` rather than raised, so that no iteration is cut in half. A second one is raised, unless
    `always`."""

    def __init__(self, always: bool = False):
        self.always, self.held = always, False
        self.usual: Any = None

    def __enter__(self) -> "HeldInterrupt":
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            self.usual = signal.signal(signal.SIGINT, self._hold)
        return self

    def __exit__(self, *_: object) -> None:
        if self.usual is not None:
            signal.signal(signal.SIGINT, self.usual)

    def _hold(self, *_: object) -> None:
        if self.held and not self.always:
            raise KeyboardInterrupt
        self.held = True


class Drive:
    """One run of a solver."""

    def __init__(
        self,
        solver: Solver,
        name: str,
        *,
        seed: int,
        points: int,
        every: int | Sequence[int] | None,
        callback: Callable[[Point], bool | None] | None,
        checkpoint: Path | None,
        checkpoint_every: float,
        clock: Clock,
        unmeasured: str = "",
    ):
        self.solver, self.name, self.callback, self.seed = solver, name, callback, seed
        self.unmeasured = unmeasured
        self.step = 1.0 if solver.cheap else 10 ** (1 / max(points, 1))
        self.every = every
        self.checkpoint, self.checkpoint_every = checkpoint, checkpoint_every
        self.unsaved = ""
        self.whole = True  # False while, and if, an iteration is half done
        self.seconds, self.clock = 0.0, clock
        self.measuring, self.measured = 0.0, 0.0  # seconds that it took the last time, and in all
        self.curve: list[Point] = []
        self.resumed = 0
        self.game = solver.game
        self.players = 2 if isinstance(solver.game, OneSided) else solver.game.players

    def at_once(self) -> Result[Any]:
        """Run a solver that finds all in its first iteration. Ctrl-C ends it: there is nothing to keep."""
        self._advance(1)
        self._measure(None)
        return self.result("exact")

    def until(
        self, iterations: int | None, seconds: float | None, wanted: Until | None, interrupt: HeldInterrupt
    ) -> str:
        """Run; returns why it stopped. A checkpoint, where asked for, is up to date at the end."""
        saved = time.monotonic()
        speed = None
        try:
            while not interrupt.held:
                done = self.solver.iterations
                # at the end there is a last point to measure, and a result to be made from it
                left = self.clock.left
                if self.clock.allowed is not None:
                    closing = self.solver.closing  # to find that out may take time itself
                    left = self.clock.left - 2 * self.measuring - closing
                if self._measure_due() and self._measure_fits(left) and self._measure(wanted):
                    return self._end("callback" if wanted is None or not self._near(wanted) else wanted.measure)
                if self.solver.full:
                    return self._end("memory")
                if self.solver.stuck:
                    return self._end("precision")
                if iterations is not None and done >= iterations:
                    return self._end("iterations")
                if left <= 0 and (done > 0 or seconds == 0):
                    return self._end("seconds")
                count = 1 if speed is None else max(1, int(speed * SLICE))
                if iterations is not None:
                    count = min(count, iterations - done)
                if speed is not None and left < SLICE:
                    count = min(count, int(speed * left))
                ahead = self._next_measure() - done
                if ahead > 0:  # else it is due, and waits for the time that it takes
                    count = min(count, ahead)
                count = max(1, count)
                speed = self._advance(count)
                if self.checkpoint is not None and time.monotonic() - saved > self.checkpoint_every:
                    self.write_checkpoint(self.checkpoint)
                    saved = time.monotonic()
        except KeyboardInterrupt:
            pass
        return self._end("interrupted")

    def _advance(self, count: int) -> float:
        """Do so many iterations; returns how many a second, or fewer where the time was too short to tell."""
        began = working_time()
        self.whole = False
        self.solver.advance(count)
        self.whole = True
        elapsed = working_time() - began
        self.seconds += elapsed
        return count / max(elapsed, SHORT)

    def _next_measure(self) -> int:
        """Measure at 1, 2, 3, ... and then ever more rarely, so that measuring stays a small part of the work; or as
        was asked."""
        last = self.curve[-1].iterations if self.curve else 0
        if isinstance(self.every, Sequence):
            return next((one for one in self.every if one > last), given.MOST)
        if self.every is not None:
            return last + self.every if last else 1
        return max(last + 1, int(last * self.step))

    def _measure_due(self) -> bool:
        return self.solver.iterations > 0 and self.solver.iterations >= self._next_measure()

    def _measure_fits(self, left: float) -> bool:
        """Where time is limited, a quarter of it is for measuring, and the last point must not come too late."""
        return self.clock.allowed is None or (left > self.measuring and 4 * self.measured <= self.clock.spent)

    def _near(self, wanted: Until) -> bool:
        return wanted.reached(self.curve[-1].nash_conv, self.players)

    def _measure(self, wanted: Until | None) -> bool:
        """Add a point to the curve; True if it is good enough or the callback says to stop."""
        solver, began = self.solver, working_time()
        found = solver.measure()
        joint = solver.joint_play()
        gap = None if joint is None else joint.gap
        low, high = solver.bounds or (None, None)
        self.curve.append(Point(solver.iterations, self.seconds, solver.touched, found, gap, low, high))
        self.measuring = working_time() - began
        self.measured += self.measuring
        asked = self.callback is not None and bool(self.callback(self.curve[-1]))
        return asked or (wanted is not None and self._near(wanted))

    def _end(self, why: str) -> str:
        if not self.whole or not self.curve or self.curve[-1].iterations != self.solver.iterations:
            self._measure(None)
        if self.checkpoint is not None and self.whole:
            self.write_checkpoint(self.checkpoint)
        return why

    def write_checkpoint(self, path: Path) -> None:
        """A checkpoint that cannot be written does not end the run: the next one may succeed, and the last one
        tells."""
        facts = {
            "algorithm": self.name,
            "seconds": self.seconds,
            "elapsed": self.clock.spent,
            "seed": self.seed,
        }
        try:
            save_checkpoint(path, self.game, facts, self.solver.snapshot(), self.curve)
            self.unsaved = ""
        except FileError as error:
            self.unsaved = str(error)

    def restore(self, path: str | Path, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        """Go on from a checkpoint. Raises FileError, and changes nothing that matters, where it cannot be one."""
        try:
            curve = arrays.pop("curve", None)
            with np.errstate(all="ignore"):  # numbers that cannot be are what is looked for
                self.seconds, self.clock.earlier = read_seconds(header, "seconds"), read_seconds(header, "elapsed")
                self.solver.restore(arrays)
                self.curve = read_curve(curve, self.solver.iterations)
                self.resumed = self.solver.iterations
        except FogspielError as error:
            raise FileError(f"{path} does not fit: {error}") from error
        except ValueError as error:
            raise FileError(f"{path} is damaged: {error}") from None

    def result(self, stopped: str) -> Result[Any]:
        solver = self.solver
        last = self.curve[-1]
        if isinstance(self.game, OneSided):
            known = True
        else:
            known = opposed(self.game) if solver.form is None else solver.form.tree.opposed
        said = meaning(self.game.players, known, unrolled=solver.form is not None)
        if not said and solver.form is not None and last.nash_conv is None:
            said = forgetting(solver.form.tree.game)
        began = working_time()
        strategy = solver.answer()
        making = working_time() - began
        return Result(
            self.game.spec,
            self.name,
            strategy,
            solver.values(),
            last.nash_conv,
            solver.iterations,
            self.seconds,
            last.touched,
            stopped,
            self.seed,
            tuple(self.curve),
            self.unsaved,
            solver.memory,
            self.clock.spent,
            said,
            solver.joint_play(),
            restricted=solver.restricted,
            resumed=self.resumed,
            making=making,
            bounds=solver.bounds,
            unmeasured=self.unmeasured,
        )
