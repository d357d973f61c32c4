"""Solve a game: read what is asked, choose a solver, see whether it suits the game, drive it to its limits."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, cast, overload

from fogspiel import given
from fogspiel.engine.stake import at_stake
from fogspiel.errors import SpecError, TooLarge, Unsuitable
from fogspiel.game.parts import Wanted
from fogspiel.solvers import suit
from fogspiel.solvers.checkpoint import read_checkpoint
from fogspiel.solvers.clock import Clock
from fogspiel.solvers.drive import Drive, HeldInterrupt
from fogspiel.solvers.measuring import measured_on
from fogspiel.solvers.registry import Entry, read_run, read_solver
from fogspiel.solvers.response.response import Position, game_of
from fogspiel.solvers.result import Point, Result
from fogspiel.solvers.solver import Task
from fogspiel.solvers.strategy import Strategy
from fogspiel.solvers.until import Until, read_until
from fogspiel.tree.posg import OneSided

if TYPE_CHECKING:
    from fogspiel.solvers.posg.controllers import Controllers

DEFAULT, DEFAULT_POSG = "cfr+", "hsvi"
USUAL = 1000
"""Iterations where nobody gave a limit."""

Algorithm = str | Path | type | ModuleType | Wanted
"""A spec, or a solver of a person's own: a file, a class or a module that has one (`solvers/own.py`)."""

P = ParamSpec("P")


class _Solve(Protocol[P]):
    """To type checkers: a function of a game, whose result is of strategies or of controllers, by the game."""

    @overload
    def __call__(self, game: OneSided, *given: P.args, **named: P.kwargs) -> "Result[Controllers]": ...
    @overload
    def __call__(self, game: Position, *given: P.args, **named: P.kwargs) -> Result[Strategy]: ...


def _by_game(function: Callable[Concatenate[Any, P], Result[Any]]) -> _Solve[P]:
    return cast("_Solve[P]", function)


@_by_game  # type: ignore[arg-type]  # `game` may be given by name, too
def solve(
    game: Position | OneSided,
    algorithm: Algorithm | None = None,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    until: str | Until | None = None,
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

    The `Result` has the `strategy`, each player's `value` under it, its `nash_conv` and `exploitability` (None where
    these were not measured), the `iterations` and `seconds` that it took, why it `stopped`, and the `curve` of
    convergence.

    Without an algorithm it is `cfr+`; but where a game cannot be unrolled for that, no limit is given, and its players
    know the state, it is `value-iteration`; for a one-sided POSG it is `hsvi`. The result's `algorithm` tells.

    An iterative algorithm stops at the first of: `iterations` (in all, those before a resume included), about `seconds`
    (in all: unrolling, measuring, and what came before a resume; compiling is not counted), as near to an equilibrium
    as `until` says, which names its measure: "nash_conv=0.01" or "exploitability=0.005" (0, which may never be reached,
    only with another limit), a callback that returns True, or Ctrl-C, which keeps the result so far: it lets the
    iterations under way end, a second Ctrl-C does not. With no limit given it does 1000 iterations; a schedule's
    `horizon` is `iterations` unless given. What was found is measured about `points` times a tenfold of iterations; or,
    where `every` is given, after the first and then every so many; where that is a list, after these.

    `checkpoint` is written every `checkpoint_every` seconds and at the end; `resume` continues from such a file, bit
    for bit (`hsvi`: from the same bounds).
    `progress` hears how many histories have been unrolled. The same `seed` gives the same result, with one thread.

    The sampling solvers need no tree: `memory` bounds their table, and `threads` share it. What they find is measured
    where the game is given unrolled or is cheap to unroll, by an estimate, with no more than a million histories; where
    `until` asks for it, up to 10 million (`measure`: whatever its size, or never). Else the result says why it was not.
    """
    iterations = given.maybe(given.whole, "iterations", iterations)
    seconds, wanted = given.maybe(given.seconds, "seconds", seconds), None if until is None else read_until(until)
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

    # choose
    limits = (iterations, seconds, wanted)
    free = algorithm is None and not parameters and not any(x is not None for x in (*limits, checkpoint, resume))
    asked = algorithm if algorithm is not None else DEFAULT_POSG if isinstance(game, OneSided) else DEFAULT
    name, entry, values = read_run(asked, iterations, solve, **parameters)
    _require_takes(name, entry, limits, (checkpoint, resume), (threads, measure))
    if limits == (None, None, None):
        iterations = USUAL

    # check
    source = suit.source_for(name, entry, game)
    stored = (
        None
        if resume is None
        else read_checkpoint(resume, source if isinstance(source, OneSided) else game_of(source), name)
    )
    task = Task(source, None, seed, memory, threads, progress)
    drive = partial(
        Drive,
        seed=seed,
        points=points,
        every=every,
        callback=callback,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        clock=clock,
    )
    try:
        task = suit.ready(name, entry, values, task, clock)
        if entry.exact:
            return drive(entry.make(task, values), name).at_once()
    except (TooLarge, Unsuitable) as refusal:
        graph = suit.states_instead(refusal, name, entry, task, clock, free)
        name, entry, values = read_solver("value-iteration")
        return drive(entry.make(replace(task, graph=graph), values), name).at_once()
    why = ""
    if entry.sampled:
        form, why = measured_on(task, measure, wanted, clock)
        task = replace(task, form=form)
    solver = entry.make(task, values)
    if seconds and entry.sampled:
        suit.require_time(name, task.game, solver.enumerates, seconds)

    # drive
    driven = drive(solver, name, unmeasured=why)
    if stored is not None and resume is not None:
        driven.restore(resume, *stored)
    solver.advance(0)  # compile outside the clock
    with at_stake(), HeldInterrupt() as interrupt:
        stopped = driven.until(iterations, seconds, wanted, interrupt)
        return driven.result("interrupted" if interrupt.held else stopped)


def _require_takes(
    name: str,
    entry: Entry,
    limits: tuple[int | None, float | None, Until | None],
    files: tuple[Path | None, Path | None],
    sampling: tuple[int, bool | None],
) -> None:
    """Raise SpecError for what is given to a solver that has no use for it, and for limits that may never be met."""
    if entry.exact and files != (None, None):
        raise SpecError(f"{name} solves in one go: it has no checkpoints")
    if entry.own is not None and not entry.own.tells_state and files != (None, None):
        raise SpecError(f"{name} has no checkpoints: give it the methods state and restore")
    if entry.exact and limits != (None, None, None):
        raise SpecError(f"{name} solves in one go: it takes no limit of iterations, seconds or until")
    iterations, seconds, until = limits
    if until is not None and until.most == 0 and iterations is None and seconds is None:
        raise SpecError(
            f"until {until} alone may never end, since it comes near 0 without getting there; "
            f"give iterations or seconds as well, or a small number such as {until.measure}=1e-6"
        )
    if not entry.sampled and not entry.exact and sampling != (1, None):
        raise SpecError(f"{name} takes neither threads nor measure: they are for sampling solvers")
