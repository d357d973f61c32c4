"""Drive a solver: until so many iterations, seconds, or so small an exploitability; with a curve, checkpoints,
Ctrl-C."""

import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from fogspiel import given
from fogspiel.engine.notice import working_time
from fogspiel.engine.stake import at_stake
from fogspiel.errors import FileError, FogspielError, SpecError, TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.load import load
from fogspiel.game.needs import remembers
from fogspiel.game.parts import Wanted
from fogspiel.game.playout import behaviour as behaviour_of
from fogspiel.solvers import archive, suit
from fogspiel.solvers.checkpoint import curve_rows, read_curve, read_seconds
from fogspiel.solvers.clock import Clock
from fogspiel.solvers.files import CHECKPOINT, write_archive
from fogspiel.solvers.meaning import meaning
from fogspiel.solvers.registry import Entry, read_run, read_solver
from fogspiel.solvers.response.response import MEASURED, Position, far_too_large, forgetting, form_of, game_of, opposed
from fogspiel.solvers.result import Point, Result
from fogspiel.solvers.solver import Solver, Task
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.endless import one_sided_of
from fogspiel.tree.posg import OneSided
from fogspiel.tree.sequence import SequenceForm, sequence_form
from fogspiel.tree.tree import Tree, unroll

if TYPE_CHECKING:
    from fogspiel.solvers.posg.controllers import Controllers

DEFAULT, DEFAULT_POSG = "cfr+", "hsvi"

Algorithm = str | Path | type | ModuleType | Wanted
"""A spec, or a solver of a person's own: a file, a class or a module that has one (`solvers/own.py`)."""

SLICE = 0.2
"""Seconds of iterations between two looks at the clock; what Ctrl-C waits for at most."""

SHORT = 1e-4
"""Seconds below which a stretch of iterations does not tell how long many more would take."""


@overload
def solve(game: OneSided, algorithm: str | None = None, **options: Any) -> "Result[Controllers]": ...
@overload
def solve(
    game: Position,
    algorithm: Algorithm | None = None,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    until: float | None = None,
    points: int = 10,
    every: int | Sequence[int] | None = None,
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
) -> Result[Strategy]: ...
def solve(
    game: Position | OneSided,
    algorithm: Algorithm | None = None,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    until: float | None = None,
    points: int = 10,
    every: int | Sequence[int] | None = None,
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
) -> Result[Any]:
    """Solve a game.

    `game` is a spec string ("kuhn", "goofspiel(cards=5)"), a file ("my_game.py"), a `Game`, a tree or sequence form of
    one, or a one-sided POSG, as `read_osposg` reads it.
    `algorithm` is a spec string, too ("cfr+", "dcfr(alpha=2)"), and `parameters` are the algorithm's own, given by
    name: solve("leduc", "dcfr", alpha=2). The command `fogspiel algorithms` lists them all. It may also be one of your
    own: a file ("my_solver.py(step=2)"), or a class or a module (`part(MySolver, step=2)` with parameters).

    The `Result` has the `strategy`, each player's `value` under it, its `exploitability` (None where that was not
    measured), the `iterations` and `seconds` that it took, why it `stopped`, and the `curve` of convergence.

    Without an algorithm it is `cfr+`; but where a game cannot be unrolled for that, no limit is given, and its players
    know the state, it is `value-iteration`; for a one-sided POSG it is `hsvi`. The result's `algorithm` tells.

    An iterative algorithm stops at the first of: `iterations` (in all, those before a resume included), about `seconds`
    (in all: unrolling, measuring, and what came before a resume; compiling is not counted), exploitability at most
    `until` (0, which may never be reached, only with another limit), a callback that returns True, or Ctrl-C, which
    keeps the result so far: it lets the iterations under way end, a second Ctrl-C does not. With no limit given it does
    1000 iterations; a schedule's `horizon` is `iterations` unless given. Exploitability is measured about `points`
    times a tenfold of iterations; or, where `every` is given, after the first and then every so many; where that is a
    list, after these.

    `checkpoint` is written every `checkpoint_every` seconds and at the end; `resume` continues from such a file, bit
    for bit (`hsvi`: from the same bounds).
    `progress` hears how many histories have been unrolled. The same `seed` gives the same result, with one thread.

    The sampling solvers need no tree: `memory` bounds their table, `threads` share it, and exploitability is measured
    if the game unrolls to no more than 10 million histories (`measure`: whatever its size, or never).
    """
    iterations = given.maybe(given.whole, "iterations", iterations)
    seconds, until = given.maybe(given.seconds, "seconds", seconds), given.maybe(given.seconds, "until", until)
    points, checkpoint_every = given.whole("points", points), given.seconds("checkpoint_every", checkpoint_every)
    if isinstance(every, list | tuple):
        every = sorted(given.whole("every", one, 1) for one in every)
    else:
        every = given.maybe(given.whole, "every", every, 1)
    callback = given.maybe(given.function, "callback", callback)
    progress = given.maybe(given.function, "progress", progress)
    checkpoint = given.maybe(given.path, "checkpoint", checkpoint)
    resume = given.maybe(given.path, "resume", resume)
    memory, seed, threads = given.maybe(given.size, "memory", memory), given.seed(seed), given.threads(threads)
    measure = given.maybe(given.flag, "measure", measure)
    if isinstance(algorithm, str | int | float | list | tuple | dict):
        algorithm = given.text("algorithm", algorithm)
    clock = Clock(seconds)
    asked = algorithm if algorithm is not None else DEFAULT_POSG if isinstance(game, OneSided) else DEFAULT
    name, entry, values = read_run(asked, iterations, solve, **parameters)
    if not isinstance(game, Tree | SequenceForm | OneSided):
        game = load(game)
    suit.require_kind(name, entry, game)
    if entry.posgs and not isinstance(game, OneSided):
        game = one_sided_of(game_of(game))
    if entry.exact and (resume, checkpoint) != (None, None):
        raise SpecError(f"{name} solves in one go: it has no checkpoints")
    if entry.own is not None and not entry.own.tells_state and (resume, checkpoint) != (None, None):
        raise SpecError(f"{name} has no checkpoints: give it the methods state and restore")
    if entry.exact and (iterations, seconds, until) != (None, None, None):
        raise SpecError(f"{name} solves in one go: it takes no limit of iterations, seconds or exploitability")
    unlimited = (iterations, seconds, until, checkpoint, resume) == (None, None, None, None, None)
    if (iterations, seconds, until) == (None, None, None) and not entry.exact:
        iterations = 1000
    if until == 0 and iterations is None and seconds is None:
        raise SpecError(
            "until=0 alone may never end, since exploitability comes near 0 without getting there; "
            "give iterations or seconds as well, or a small number such as 1e-6"
        )
    if not entry.sampled and not entry.exact and (threads != 1 or measure is not None):
        raise SpecError(f"{name} takes neither threads nor measure: they are for sampling solvers")
    stored = None if resume is None else _read_checkpoint(resume, _solved(game), name)
    begin = partial(
        _Drive,
        points=points,
        every=every,
        callback=callback,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        clock=clock,
    )
    task = Task(game, None, seed, memory, threads, progress)
    if entry.sampled:
        task = replace(task, form=_measurable(task, measure, until, clock))
    else:
        try:
            task = _suited(task, name, entry, values, clock)
            if entry.exact:
                return begin(entry.make(task, values), name, seed).at_once()
        except (TooLarge, Unsuitable) as refusal:
            if entry.exact and not (entry.tree and isinstance(refusal, TooLarge) and refusal.why):
                raise
            replaceable = algorithm is None and unlimited and not parameters
            if isinstance(refusal, Unsuitable) and not replaceable:
                raise
            look = None if replaceable else max(min(suit.LOOK, clock.left), 0.0)
            room = memory if replaceable and memory is not None else suit.GRAPH
            graph = suit.states_known(task.game, look, room, progress)
            if isinstance(refusal, TooLarge) and (not replaceable or graph is None):
                raise suit.advised(refusal, name, task.game, graph) from refusal
            if graph is None:
                raise
            name, entry, values = read_solver("value-iteration")
            return begin(entry.make(replace(task, graph=graph), values), name, seed).at_once()
    solver = entry.make(task, values)
    if seconds and entry.sampled:
        suit.require_time(name, task.game, solver.enumerates, seconds)
    drive = begin(solver, name, seed)
    if stored is not None and resume is not None:
        drive.restore(resume, *stored)
    solver.advance(0)  # compile outside the clock
    with at_stake(), HeldInterrupt() as interrupt:
        stopped = drive.until(iterations, seconds, until, interrupt)
        return drive.result("interrupted" if interrupt.held else stopped)


def _suited(task: Task, name: str, entry: Entry, values: dict[str, Any], clock: Clock) -> Task:
    """The task with the sequence form, for a solver that works on it, if the game is one that the solver can take.

    Half of the time allowed is for unrolling: the form takes as long again, and iterations want some, too."""
    if isinstance(task.source, Game):
        suit.require(name, entry, task.source, values, task.memory)
    if not entry.form or isinstance(task.source, OneSided):
        return task
    try:
        limit = None if clock.allowed is None else max(clock.left / 2, 0.0)
        form = form_of(task.source, memory=task.memory, progress=task.progress, forgetful=True, seconds=limit)
    except TooLarge as error:
        raise suit.too_large(name, task.game, error.why) from error
    suit.require_unrolled(name, entry, form.tree, values)
    return replace(task, form=form)


def _measurable(task: Task, measure: bool | None, until: float | None, clock: Clock) -> SequenceForm | None:
    """The sequence form for measuring, or None if there is to be none. Where players forget, values alone are measured
    on it. A tenth of the time allowed may go into it, or half where it is needed to know when to stop."""
    form = _measured_on(task, measure, clock, 10 if until is None else 2)
    if until is not None and (form is None or not form.tree.perfect_recall):
        why = "so large a game" if form is None else f"a game that {remembers(task.game)}"
        raise SpecError(f"exploitability cannot be a limit for {task.game.spec}: it is not measured for {why}")
    return form


def _measured_on(task: Task, measure: bool | None, clock: Clock, share: int) -> SequenceForm | None:
    if measure is False or isinstance(task.source, OneSided):
        return None
    if isinstance(task.source, Tree | SequenceForm) or measure:
        return form_of(task.source, memory=task.memory, progress=task.progress)
    if far_too_large(task.game):
        return None
    try:
        limit = None if clock.allowed is None else max(clock.left / share, 0.0)
        tree = unroll(task.game, most=MEASURED, memory=task.memory, seconds=limit, progress=task.progress)
    except TooLarge:
        return None
    return sequence_form(tree)


def _solved(source: Position | OneSided) -> Game | OneSided:
    return source if isinstance(source, OneSided) else game_of(source)


def _told_apart(game: Game | OneSided) -> dict[str, str]:
    """What a checkpoint says of its game. Abstractions of one game are told apart by name, since the game behaves alike
    in all of them."""
    if isinstance(game, OneSided):
        return {"behaviour": game.digest, "abstraction": ""}
    return {"behaviour": behaviour_of(game), "abstraction": game.spec if game.abstracted else ""}


def _read_checkpoint(
    path: str | Path, game: Game | OneSided, name: str
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    header, arrays = archive.read(path, CHECKPOINT)
    if {"behaviour": header.get("behaviour"), "abstraction": header.get("abstraction", "")} != _told_apart(game):
        raise FileError(f"{path} is a checkpoint of {header.get('game')}, not of {game.spec}")
    if header.get("algorithm") != name:
        raise FileError(f"{path} is a checkpoint of {header.get('algorithm')}, not of {name}")
    return header, arrays


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


class _Drive:
    """One run of a solver."""

    def __init__(
        self,
        solver: Solver,
        name: str,
        seed: int,
        *,
        points: int,
        every: int | Sequence[int] | None,
        callback: Callable[[Point], bool | None] | None,
        checkpoint: Path | None,
        checkpoint_every: float,
        clock: Clock,
    ):
        self.solver, self.name, self.callback, self.seed = solver, name, callback, seed
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

    def at_once(self) -> Result[Any]:
        """Run a solver that finds all in its first iteration. Ctrl-C ends it: there is nothing to keep."""
        self._advance(1)
        self._measure(None)
        return self.result("exact")

    def until(
        self, iterations: int | None, seconds: float | None, wanted: float | None, interrupt: HeldInterrupt
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
                    found = self.curve[-1].exploitability
                    enough = wanted is not None and found is not None and found <= wanted
                    return self._end("exploitability" if enough else "callback")
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

    def _measure(self, wanted: float | None) -> bool:
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
        return asked or (wanted is not None and found is not None and found <= wanted)

    def _end(self, why: str) -> str:
        if not self.whole or not self.curve or self.curve[-1].iterations != self.solver.iterations:
            self._measure(None)
        if self.checkpoint is not None and self.whole:
            self.write_checkpoint(self.checkpoint)
        return why

    def write_checkpoint(self, path: Path) -> None:
        """A checkpoint that cannot be written does not end the run: the next one may succeed, and the last one
        tells."""
        snapshot = self.solver.snapshot()
        arrays = {k: np.asarray(v) for k, v in snapshot.items()}
        header = {
            "game": self.game.spec,
            **_told_apart(self.game),
            "algorithm": self.name,
            "seconds": self.seconds,
            "elapsed": self.clock.spent,
            "seed": self.seed,
        }
        try:
            write_archive(path, CHECKPOINT, header, arrays | {"curve": curve_rows(self.curve)})
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
        if not said and solver.form is not None and last.exploitability is None:
            said = forgetting(solver.form.tree.game)
        began = working_time()
        strategy = solver.answer()
        making = working_time() - began
        return Result(
            self.game.spec,
            self.name,
            strategy,
            solver.values(),
            last.exploitability,
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
        )
