"""Drive a solver: until so many iterations, seconds, or so small an exploitability; with a curve, checkpoints, Ctrl-C."""

import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import FileError, FogspielError, SpecError, TooLarge
from fogspiel.game.game import Game
from fogspiel.game.playout import behaviour as behaviour_of
from fogspiel.solve.files import CHECKPOINT, read_archive, write_archive
from fogspiel.solve.registry import EXACT, SAMPLED, read_solver
from fogspiel.solve.response import MEASURED, Position, form_of, game_of, plan_exploitability, require_unshared
from fogspiel.solve.solver import Iterative
from fogspiel.solve.strategy import Strategy
from fogspiel.tree.sequence import SequenceForm, sequence_form
from fogspiel.tree.tree import Tree, unroll

SLICE = 0.2
"""Seconds of iterations between two looks at the clock; what Ctrl-C waits for at most."""


@dataclass(frozen=True)
class Point:
    """One point of a convergence curve. Seconds are of solving only, not of measuring."""

    iterations: int
    seconds: float
    touched: int
    exploitability: float | None


@dataclass(frozen=True)
class Result:
    """What a solver found. `value` holds each player's expected utility under `strategy`; it is empty, and `exploitability`
    None, where the game is too large to unroll.

    `stopped` says why it ended: iterations, seconds, exploitability, callback, interrupted, memory, or exact. `unsaved` says
    why the last checkpoint could not be written, if it could not: the result is worth more than its checkpoint. `memory` tells
    what a table that grows came to.
    """

    game: str
    algorithm: str
    strategy: Strategy = field(repr=False)
    value: tuple[float, ...]
    exploitability: float | None
    iterations: int
    seconds: float
    touched: int
    stopped: str
    seed: int = 0
    curve: tuple[Point, ...] = field(repr=False, default=())
    unsaved: str = ""
    memory: dict[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The result without the strategy, ready for JSON."""
        out = {k: v for k, v in vars(self).items() if k not in ("strategy", "unsaved")}
        return out | {"value": list(self.value), "curve": [vars(p) for p in self.curve]}

    def __str__(self) -> str:
        """A summary in a few lines."""
        rows = [
            f"{self.game}, {self.algorithm}: {self.iterations:,} iterations in {self.seconds:.2f} s ({self.stopped})"
        ]
        if self.value:
            rows.append(f"value           {'  '.join(f'{v:+z.9f}' for v in self.value)}")
        known = "not measured" if self.exploitability is None else f"{self.exploitability:.3e}"
        return "\n".join(
            [*rows, f"exploitability  {known}", f"strategy        {len(self.strategy):,} information sets"]
        )


@dataclass(frozen=True)
class Solution:
    """What an exact solver returns."""

    strategy: Strategy
    value: tuple[float, ...]
    exploitability: float | None
    iterations: int = 1
    touched: int = 0


def solve(
    game: "Position",
    algorithm: str = "cfr+",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    until: float | None = None,
    points: int = 10,
    callback: Callable[[Point], bool | None] | None = None,
    progress: Callable[[int], None] | None = None,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = 60.0,
    resume: str | Path | None = None,
    memory: int | None = None,
    seed: int = 0,
    threads: int = 1,
    measure: bool | None = None,
    **parameters: Any,
) -> Result:
    """Solve a game.

    An iterative algorithm stops at the first of: `iterations` or `seconds` (in all, those before a resume included),
    exploitability at most `until`, a callback that returns True, or Ctrl-C, which keeps the result so far: it lets the
    iterations under way end, a second Ctrl-C does not. With no limit given it does 1000 iterations; a schedule's `horizon`
    is `iterations` unless given. Exploitability is measured about `points` times a tenfold of iterations.

    `checkpoint` is written every `checkpoint_every` seconds and at the end; `resume` continues from such a file, bit for bit.
    `progress` hears how many histories have been unrolled. The same `seed` gives the same result, with one thread.

    The sampling solvers need no tree: `memory` bounds their table, `threads` share it, and exploitability is measured if the game
    unrolls to no more than 10 million histories (`measure`: whatever its size, or never).
    """
    iterations = given.maybe(given.whole, "iterations", iterations)
    seconds, until = given.maybe(given.seconds, "seconds", seconds), given.maybe(given.seconds, "until", until)
    points, checkpoint_every = given.whole("points", points), given.seconds("checkpoint_every", checkpoint_every)
    callback = given.maybe(given.function, "callback", callback)
    progress = given.maybe(given.function, "progress", progress)
    checkpoint = given.maybe(given.path, "checkpoint", checkpoint)
    resume = given.maybe(given.path, "resume", resume)
    memory, seed, threads = given.maybe(given.size, "memory", memory), given.seed(seed), given.threads(threads)
    measure, algorithm = given.maybe(given.flag, "measure", measure), given.text("algorithm", algorithm)
    name, entry, values = read_solver(algorithm, **parameters)
    if "horizon" in values and "horizon" not in parameters and "horizon=" not in algorithm and iterations:
        name, entry, values = read_solver(algorithm, **parameters, horizon=iterations)
    if entry.kind == EXACT:
        if resume is not None or checkpoint is not None:
            raise SpecError(f"{name} solves in one go: it has no checkpoints")
        if (iterations, seconds, until) != (None, None, None):
            raise SpecError(f"{name} solves in one go: it takes no limit of iterations, seconds or exploitability")
        return _run_exact(game, name, entry, values, memory, progress, seed)
    if iterations is None and seconds is None and until is None:
        iterations = 1000
    stored = None if resume is None else _read_checkpoint(resume, game_of(game), name)
    if entry.kind == SAMPLED:
        form = _measurable(game, measure, memory, progress)
        if form is None and until is not None:
            raise SpecError(
                f"exploitability cannot be a limit for {game_of(game).spec}: it is not measured for so large a game"
            )
        solver = entry.make(game_of(game), values, form=form, seed=seed, memory=memory, threads=threads)
    else:
        if threads != 1 or measure is not None:
            raise SpecError(f"{name} takes neither threads nor measure: they are for sampling solvers")
        form = form_of(game, memory=memory, progress=progress, forgetful=entry.shares)
        if not entry.shares:
            require_unshared(form, name)
        solver = entry.make(form, values)
    drive = _Drive(solver, name, points, callback, checkpoint, checkpoint_every, seed)
    if stored is not None:
        drive.restore(resume, *stored)
    solver.advance(0)  # compile outside the clock
    with HeldInterrupt() as interrupt:
        stopped = drive.until(iterations, seconds, until, interrupt)
        return drive.result("interrupted" if interrupt.held else stopped)


def _measurable(game: Position, measure: bool | None, memory: int | None, progress) -> SequenceForm | None:
    """The sequence form for measuring, or None if there is to be none."""
    if measure is False:
        return None
    if isinstance(game, Tree | SequenceForm) or measure:
        return form_of(game, memory=memory, progress=progress)
    try:
        tree = unroll(game, most=MEASURED, memory=memory, progress=progress)
    except TooLarge:
        return None
    return sequence_form(tree) if tree.perfect_recall else None


def _run_exact(game, name, entry, values, memory, progress, seed) -> Result:
    began = time.perf_counter()
    found: Solution = entry.make(game, values, memory, progress)
    elapsed = time.perf_counter() - began
    spec = game_of(game).spec
    point = (
        () if found.exploitability is None else (Point(found.iterations, elapsed, found.touched, found.exploitability),)
    )
    return Result(
        spec,
        name,
        found.strategy,
        found.value,
        found.exploitability,
        found.iterations,
        elapsed,
        found.touched,
        "exact",
        seed,
        point,
    )


def _abstraction(game: Game) -> str:
    """Tells abstractions of one game apart, since the game behaves alike in all of them."""
    return game.spec if game.abstracted else ""


def _read_checkpoint(path: str | Path, game: Game, name: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    header, arrays = read_archive(path, CHECKPOINT)
    if (header.get("behaviour"), header.get("abstraction", "")) != (behaviour_of(game), _abstraction(game)):
        raise FileError(f"{path} is a checkpoint of {header.get('game')}, not of {game.spec}")
    if header.get("algorithm") != name:
        raise FileError(f"{path} is a checkpoint of {header.get('algorithm')}, not of {name}")
    return header, arrays


class HeldInterrupt:
    """Ctrl-C noted in `held` rather than raised, so that no iteration is cut in half. A second one is raised, unless `always`."""

    def __init__(self, always: bool = False):
        self.always, self.held, self.usual = always, False, None

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


class _Drive:
    """One run of an iterative solver."""

    def __init__(
        self, solver: Iterative, name: str, points: int, callback, checkpoint, checkpoint_every: float, seed: int
    ):
        self.solver, self.name, self.callback, self.seed = solver, name, callback, seed
        self.step = 10 ** (1 / max(points, 1))
        self.checkpoint, self.checkpoint_every = checkpoint, checkpoint_every
        self.unsaved = ""
        self.whole = True  # False while, and if, an iteration is half done
        self.seconds = 0.0
        self.curve: list[Point] = []
        self.game = solver.game

    def until(
        self, iterations: int | None, seconds: float | None, wanted: float | None, interrupt: HeldInterrupt
    ) -> str:
        """Run; returns why it stopped. A checkpoint, where asked for, is up to date at the end."""
        saved = time.monotonic()
        speed = None
        try:
            while not interrupt.held:
                done = self.solver.iterations
                if self._measure_due() and self._measure(wanted):
                    return self._end(
                        "exploitability"
                        if wanted is not None and self.curve[-1].exploitability <= wanted
                        else "callback"
                    )
                if self.solver.full:
                    return self._end("memory")
                if iterations is not None and done >= iterations:
                    return self._end("iterations")
                if seconds is not None and self.seconds >= seconds:
                    return self._end("seconds")
                count = 1 if speed is None else max(1, int(speed * SLICE))
                if iterations is not None:
                    count = min(count, iterations - done)
                if seconds is not None and speed is not None:
                    count = max(1, int(min(count, speed * (seconds - self.seconds))))
                count = min(count, self._next_measure() - done)
                speed = self._advance(count, speed)
                if self.checkpoint is not None and time.monotonic() - saved > self.checkpoint_every:
                    self.write_checkpoint()
                    saved = time.monotonic()
        except KeyboardInterrupt:
            pass
        return self._end("interrupted")

    def _advance(self, count: int, speed: float | None) -> float:
        """Do so many iterations; returns how many a second, as far as so short a time can tell."""
        began = time.perf_counter()
        self.whole = False
        self.solver.advance(count)
        self.whole = True
        elapsed = time.perf_counter() - began
        self.seconds += elapsed
        return 2 * speed if elapsed <= 1e-4 and speed is not None else count / max(elapsed, 1e-6)

    def _next_measure(self) -> int:
        """Measure at 1, 2, 3, ... and then ever more rarely, so that measuring stays a small part of the work."""
        last = self.curve[-1].iterations if self.curve else 0
        return max(last + 1, int(last * self.step))

    def _measure_due(self) -> bool:
        return self.solver.iterations > 0 and self.solver.iterations >= self._next_measure()

    def _measure(self, wanted: float | None) -> bool:
        """Add a point to the curve; True if it is good enough or the callback says to stop."""
        solver = self.solver
        found = None if solver.form is None else plan_exploitability(solver.form, solver.plan())
        self.curve.append(Point(solver.iterations, self.seconds, solver.touched, found))
        asked = self.callback is not None and bool(self.callback(self.curve[-1]))
        return asked or (wanted is not None and found is not None and found <= wanted)

    def _end(self, why: str) -> str:
        if not self.whole or not self.curve or self.curve[-1].iterations != self.solver.iterations:
            self._measure(None)
        if self.checkpoint is not None and self.whole:
            self.write_checkpoint()
        return why

    def write_checkpoint(self) -> None:
        """A checkpoint that cannot be written does not end the run: the next one may succeed, and the last one tells."""
        snapshot = self.solver.snapshot()
        arrays = {k: np.asarray(v) for k, v in snapshot.items()}
        rows = [(p.iterations, p.seconds, p.touched, p.exploitability) for p in self.curve]
        curve = np.array(rows, float).reshape(-1, 4)  # what was not measured is not a number
        header = {
            "game": self.game.spec,
            "behaviour": behaviour_of(self.game),
            "abstraction": _abstraction(self.game),
            "algorithm": self.name,
            "seconds": self.seconds,
            "seed": self.seed,
        }
        try:
            write_archive(self.checkpoint, CHECKPOINT, header, arrays | {"curve": curve})
            self.unsaved = ""
        except FileError as error:
            self.unsaved = str(error)

    def restore(self, path: str | Path, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        try:
            self.curve = [
                Point(int(a), float(b), int(c), None if np.isnan(d) else float(d)) for a, b, c, d in arrays["curve"]
            ]
            self.seconds = float(header["seconds"])
            self.solver.restore(arrays)
            numbers = [values for name, values in arrays.items() if name != "curve"]
            if self.solver.iterations < 0 or not all(np.isfinite(values).all() for values in numbers):
                raise ValueError("numbers that cannot be")
        except FogspielError as error:
            raise FileError(f"{path} does not fit: {error}") from error
        except KeyError as missing:
            raise FileError(f"{path} is damaged: {missing.args[0]} is missing") from None
        except (ValueError, TypeError, OverflowError) as error:
            raise FileError(f"{path} is damaged: its arrays do not fit together") from error

    def result(self, stopped: str) -> Result:
        solver = self.solver
        value = () if solver.form is None else tuple(solver.form.values(solver.plan()).tolist())
        last = self.curve[-1]
        return Result(
            self.game.spec, self.name, solver.answer(), value, last.exploitability, solver.iterations, self.seconds, last.touched,
            stopped, self.seed, tuple(self.curve), self.unsaved, solver.memory,
        )  # fmt: skip
