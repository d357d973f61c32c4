"""A loop with its parts, ready to be called; parts from a person's own files are tried un-compiled first, in a few
simulations.

As for a game's rules (`game/first_run.py`): in machine code a wild index overwrites what lies there, and an endless
loop cannot be stopped; un-compiled, both are one sentence with the function and the line. What passed is remembered by
a hash of the loop, its parts and the game.
"""

import contextlib
import ctypes
import io
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.closure import Function, fingerprint, globals_read, reachable
from fogspiel.engine.kernel import Kernel
from fogspiel.engine.native import cache_folder
from fogspiel.engine.part import Part
from fogspiel.errors import FogspielError, PartError
from fogspiel.game.game import Game
from fogspiel.game.parts import place, source_of
from fogspiel.game.table import LIMIT, SIZE, moves
from fogspiel.game.view import fields_of
from fogspiel.game.watch import CallWatch
from fogspiel.search.nodes import Memory
from fogspiel.search.parts import assembled
from fogspiel.search.plain import PlainSearch, do, fault

SIMULATIONS = 64
SECONDS = 0.5
"""Processor time after which the trial ends."""
CLOSE = 1e-9

POSITIONS = ("choose", "policy", "happen", "outcome")
"""Hooks that return a position below their last argument."""
LOOKING = ("policy", "candidates", "happen", "evaluation", "trace", "capture")
"""Hooks that are shown a state, as their third argument, and must leave it as it is."""


def ready(
    game: Game, loop: Function, made: Kernel, chosen: Sequence[Part], search: Bundled, memory: Memory
) -> Callable[[], int]:
    """A loop with the parts that were chosen, which `made` is compiled from, as a function without arguments: it does
    what search.asked says. Raises PartError where a part of a person's own cannot be used. In debug mode such parts run
    un-compiled."""
    mine = [p for p in chosen if p.own]
    if not mine:
        return made.bind(game.table, search)
    whole = assembled(loop, chosen)
    if game.debug:
        return lambda: _run_plain(whole, game, search, mine)
    passed: Path | None = None
    with contextlib.suppress(PartError):  # what nothing tells from others is tried each time
        passed = _remembered(game, whole, chosen, mine, search)
    if passed is None or not passed.exists():
        Trial(game, whole, chosen, mine).run(search, memory)
        if passed is not None:
            with contextlib.suppress(OSError):  # on a full or read-only disk the trial is made again
                passed.parent.mkdir(parents=True, exist_ok=True)
                passed.touch()
    compiled(made, mine)
    return made.bind(game.table, search)


def _run_plain(whole: Function, game: Game, search: Bundled, mine: list[Part]) -> int:
    try:
        return whole(game.table.tolist(), PlainSearch(search))
    except FogspielError:
        raise
    except Exception as error:
        raise _failed(mine, error) from error


def _remembered(game: Game, whole: Function, chosen: Sequence[Part], mine: list[Part], search: Bundled) -> Path:
    sources = [Path(__file__).read_bytes(), *(source_of(p) for p in mine)]
    facts = (game.parameters, game.max_moves, game.players, [p.settings for p in chosen], search.kind, sources)
    key = fingerprint([whole, *game.plain.values()], facts)
    return cache_folder() / f"first-run-{mine[0].name}-{key}.passed"


def compiled(made: Kernel, mine: list[Part]) -> None:
    """Compile a loop that has these parts of a person's own. Raises PartError where one of them cannot be."""
    try:
        _ = made.native
    except ValueError as error:  # a function holds an object, of which there is no machine code
        raise PartError(f"{' or '.join(p.named or p.name for p in mine)} cannot be compiled: {error}") from None
    except Exception as error:
        if type(error).__name__ != "CompileError":
            raise
        failed: Any = error  # its class is in the compiler, which is imported only where something is compiled
        at, line = failed.complaint.function, failed.complaint.line
        written = [
            f
            for f in reachable([g for p in mine for g in p.written.values()])
            if f.__code__.co_filename in {p.named for p in mine}
        ]
        # a small function has become part of its caller when the compiler complains
        holders = [f for f in written if f.__code__ is at.__code__ or (not _holds(at, line) and _holds(f, line))]
        if holders:
            raise PartError(f"{place(holders[0], line)} cannot be compiled: {failed.complaint.reason}") from error
        files = " or ".join(p.named for p in mine)
        raise PartError(f"{files} cannot be compiled with {place(at, line)}: {failed.complaint.reason}") from error


def _holds(function: Function, line: int) -> bool:
    return line in {n for *_, n in function.__code__.co_lines()}


def _failed(mine: list[Part], error: Exception) -> PartError:
    """What is wrong where an exception came out of a loop with these parts."""
    for p in mine:
        for function in p.written.values():
            if (found := fault(function, error)) is not None:
                return found
    return PartError(f"{' or '.join(p.named for p in mine)} makes the search fail: {type(error).__name__}: {error}")


class _Enough(Exception):
    """The time is up."""


class Trial:
    """A loop un-compiled in which every call of a person's own functions is watched, and looked at. Those with the
    names that are `apart` are called elsewhere."""

    apart: frozenset[str] = frozenset()
    does = "this search"

    def __init__(self, game: Game, whole: Function, chosen: Sequence[Part], mine: list[Part]):
        self.game, self.whole, self.chosen, self.mine = game, whole, chosen, mine
        self.table, self.legal, self.inside = game.table.tolist(), game.buffer(), False
        self.until = math.inf
        self._put_watches()

    def _put_watches(self) -> None:
        homes = [f.__globals__ for p in self.mine for f in p.written.values()]
        wanted = {f.__code__: (name, f) for p in self.mine for name, f in p.written.items() if name not in self.apart}
        found = reachable([self.whole])
        for code, (_, function) in wanted.items():
            if all(f.__code__ is not code for f in found):
                raise PartError(f"{place(function)} is of no use: {self.does} never calls it")
        self.unwatched: list[tuple[dict[str, Any], str, FunctionType]] = []
        for caller in found:
            if not any(caller.__globals__ is home for home in homes):
                for name, f in globals_read(caller).items():
                    if isinstance(f, FunctionType) and f.__code__ in wanted:
                        self.unwatched.append((caller.__globals__, name, f))
                        caller.__globals__[name] = self._watched(wanted[f.__code__][0], f)

    def run(self, search: Bundled, memory: Memory) -> None:
        """Simulations one by one. The search and its memory are left as they were, empty."""
        kept = {n: search.array(n).copy() for n, _ in search.kind.members if n not in ("nodes", "slots", "index")}
        roots = search.array("roots")
        search.roots = self.game.root.view(np.int8)
        asked = search.array("asked")
        for name in ("simulations", "pairs", "states"):
            if name in fields_of(asked.dtype):
                asked[name] = 1
        try:
            # what a file prints would be repeated in every simulation
            with contextlib.redirect_stdout(io.StringIO()):
                for p in self.chosen:
                    do(p, "plant", search)
                self._do(PlainSearch(search))
        finally:
            for scope, name, function in self.unwatched:  # combined policies are those that will be compiled
                scope[name] = function
            search.roots = roots
            for name, values in kept.items():
                search.array(name)[:] = values
            memory.clear()

    def _simulate(self, search: PlainSearch) -> int:
        return self.game.finish(self.whole(self.table, search))

    def _do(self, search: PlainSearch) -> None:
        self.until = time.process_time() + SECONDS
        try:
            for _ in range(SIMULATIONS):
                if self._simulate(search) != 0 or time.process_time() > self.until:
                    return
        except (_Enough, FogspielError) as error:
            if isinstance(error, FogspielError):
                raise
        except Exception as error:
            raise _failed(self.mine, error) from error

    def _watched(self, hook: str, function: Function) -> Callable[..., Any]:
        limited = CallWatch().watched(function)

        def run(*given: Any) -> Any:
            if self.inside:
                return function(*given)
            if time.process_time() > self.until:
                raise _Enough
            before = self._before(hook, given)
            self.inside = True
            try:
                out = limited(*given)
            except FogspielError:
                raise
            except Exception as error:
                raise fault(function, error) or PartError(f"{place(function)} failed: {error}") from error
            finally:
                self.inside = False
            if flaw := self._flaw(hook, given, out, before):
                raise PartError(f"{place(function)} {flaw}")
            return out

        return run

    def _before(self, hook: str, given: tuple[Any, ...]) -> bytes:
        """The state that a hook is shown."""
        if hook == "evaluation":
            for player in range(self.game.players):
                given[1].pay[player] = math.nan
        return ctypes.string_at(given[2], self.table[SIZE]) if hook in LOOKING else b""

    def _flaw(self, hook: str, given: tuple[Any, ...], out: Any, before: bytes) -> str:
        """What is wrong with what a function did, or nothing."""
        if hook in LOOKING and ctypes.string_at(given[2], self.table[SIZE]) != before:
            return "changes the state that it is shown"
        if hook in (*POSITIONS, "candidates", "width", "cut", "key_of") and not isinstance(out, int | np.integer):
            return f"returns {'nothing' if out is None else out} where a whole number is expected"
        if hook in POSITIONS and not 0 <= out < given[-1]:
            return f"returns {out} where a position from 0 to {given[-1] - 1} is expected"
        if hook == "width" and not 1 <= out <= given[-1]:
            return f"returns {out} where a number from 1 to {given[-1]} is expected"
        if hook == "cut" and out < 0:
            return f"returns {out}, and a playout cannot have fewer than 0 moves"
        if hook == "candidates":
            return self._illegal(given[1], given[2], out)
        return self._unlikely(given[1].pay) if hook == "evaluation" else ""

    def _illegal(self, search: PlainSearch, s: int, count: int) -> str:
        if not 1 <= count <= self.table[LIMIT]:
            return f"returns {count} where a number of moves from 1 to {self.table[LIMIT]} is expected"
        legal = self.legal[: moves(self.table, s, self.legal, 0)].tolist()
        other = next((m for m in (search.moves[i] for i in range(count)) if m not in legal), None)
        return "" if other is None else f"lists the move {other}, which is not legal"

    def _unlikely(self, pay: Any) -> str:
        low, high = self.game.about.utility or (-math.inf, math.inf)
        for player in range(self.game.players):
            if not math.isfinite(pay[player]):
                why = "none is written, or it is not a number" if math.isnan(pay[player]) else f"it is {pay[player]}"
                return f"has no finite guess for player {player}: {why}"
            if not low - CLOSE <= pay[player] <= high + CLOSE:
                return (
                    f"guesses {pay[player]:g} for player {player}, and utilities of {self.game.name} lie between "
                    f"{low:g} and {high:g}"
                )
        return ""
