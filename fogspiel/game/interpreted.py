"""The rules of a game un-compiled, behind the same interface as compiled ones, and what goes wrong in them: the rule,
the line, and the moves that lead there."""

import ctypes
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fogspiel.engine.alarm import PROMISED, Rings
from fogspiel.engine.closure import Function, reachable
from fogspiel.engine.complaint import no_field
from fogspiel.engine.kinds import Kind, Real, Record, Word
from fogspiel.engine.primitives import Broken
from fogspiel.errors import BrokenRule, GameError
from fogspiel.game import promises
from fogspiel.game.compiled import room_of
from fogspiel.game.fault import broken_promise, fields_shown, wrong_in
from fogspiel.game.rollout import COMPOSED
from fogspiel.game.rules import NOTHING, OVER, RULES, Rule, complete, raised_at, where
from fogspiel.game.state import State
from fogspiel.game.view import C_TYPES, bounded_view_type, buffer_type, field_names
from fogspiel.game.watch import Endless

if TYPE_CHECKING:
    from fogspiel.game.game import Game

_ROOM, _ENTRY = 64 << 20, 300
"""Bytes that a trail takes, about, and those of an entry beside its states."""
FEWEST = 1000
"""Entries that it has room for at least."""


class Trail:
    """How states came about: for each that was come to from `root`, the start of the game, the state before it, and the
    move or the redraw."""

    def __init__(self, size: int):
        self.size, self.root = size, b""
        self.most = max(FEWEST, _ROOM // (2 * size + _ENTRY))
        self._before: dict[bytes, tuple[bytes, tuple[int, ...]]] = {}
        self._failed: tuple[bytes, tuple[int, ...]] | None = None

    def kept(self, rule: Function) -> Callable[..., None]:
        """A rule that changes the state it is given, `play` or `resample`, and is written down: with the move, or with
        the player and the seed."""

        def run(s: ctypes.Structure, given: int, *rng: Any) -> None:
            before, made = ctypes.string_at(ctypes.addressof(s), self.size), (int(given), *(int(r[0]) for r in rng))
            try:
                rule(s, given, *rng)
            except BaseException:
                self._failed = before, made
                raise
            self._add(before, ctypes.string_at(ctypes.addressof(s), self.size), made)

        return run

    def _add(self, before: bytes, after: bytes, made: tuple[int, ...]) -> None:
        """Each state is written down once, after the one before it, so that every way leads back to the start."""
        if after == self.root or after in self._before or not (before == self.root or before in self._before):
            return
        if len(self._before) >= self.most:  # of what is behind, only the way to here is needed again for sure
            self._before = {state: self._before[state] for state, _ in self._way(before)}
        self._before[after] = before, made

    def _way(self, state: bytes) -> list[tuple[bytes, tuple[int, ...]]]:
        """Back from a known state: each state on the way with what was made before it."""
        way = []
        while state != self.root:
            way.append((state, self._before[state][1]))
            state = self._before[state][0]
        return way

    def to(self, game: "Game", state: bytes) -> str:
        """How what failed last, in this state, was come to, as the end of a sentence."""
        from fogspiel.game.check_report import Redraw, ending, step

        failed, self._failed = self._failed, None
        state = state if failed is None else failed[0]
        if not self.root:
            return ""  # it is the start that failed
        if state != self.root and state not in self._before:
            return f", in the state ({fields_shown(game, state)})"
        way = [(self._before[after][0], made) for after, made in reversed(self._way(state))]
        steps = []
        for before, made in way if failed is None else [*way, failed]:
            link = made[0] if len(made) == 1 else Redraw(*made)
            steps.append(step(State(game, np.frombuffer(before, np.uint8)), link))
        return ending(steps)


def interpreted(
    game: "Game", rules: Mapping[str, Function], trail: Trail | None = None
) -> dict[str, Callable[..., Any]]:
    """Rules as C functions that run them as they are written. An exception is kept for `Game.finish`, since C cannot
    pass it on; until then every rule does nothing and the game is over, so that the kernel that called comes to an end.
    With a `trail` it is told by which moves the state was come to."""
    view = bounded_view_type(game.dtype, game._tables)

    def callback(rule: Rule) -> Callable[..., Any]:
        plain, room = rules[rule.name], room_of(game, rule)
        buffers = [
            buffer_type(C_TYPES[kind.element.str[1:]], room[name]) if name in room else None
            for name, kind in rule.arguments
        ]
        neutral = OVER if rule.name == "actor" else 0

        def run(state: int, *given: Any) -> int | float | None:
            if game._failure is not None:
                return neutral if rule.result is not None else None
            try:
                values = [v if b is None else b.from_address(v) for b, v in zip(buffers, given, strict=True)]
                return _returned(plain(view.from_address(state), *values), rule.result)
            except BaseException as error:
                game._failure = _told(game, error, game.plain.get(rule.name, plain), state, trail)
                return neutral if rule.result is not None else None

        kinds = [kind.ctype for kind in rule.kinds(Record(game.dtype))]
        return ctypes.CFUNCTYPE(rule.result.ctype if rule.result else None, *kinds)(run)

    return {r.name: callback(r) for r in (*RULES, *COMPOSED) if r.name in rules}


def ring_of(game: "Game") -> Any:
    """What kernels call where they find a promise broken by un-compiled rules."""

    def ring(status: int, state: int) -> None:
        if game._failure is None:
            game._failure = _told(game, Broken(status - PROMISED), None, state, game.trail)

    return Rings(ring)


def _told(game: "Game", error: BaseException, rule: Function | None, state: int, trail: Trail | None) -> BaseException:
    """An exception in an un-compiled rule as an error that says what went wrong, and by which moves the state was come
    to."""
    data = ctypes.string_at(state, game.dtype.itemsize)
    located = _located(game, error, rule, data)
    if trail is None or not isinstance(located, GameError):
        return located
    told = BrokenRule(f"{str(located).rstrip('.')}{trail.to(game, data)}")
    told.__cause__ = located.__cause__
    return told


def _located(game: "Game", error: BaseException, rule: Function | None, state: bytes) -> BaseException:
    """An exception as an error that names the rule, its file and the line that raised.

    Random play is no rule of the game; there it is the first of the game's rules on the way to the error.
    """
    if not isinstance(error, Exception):
        return error
    passed = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, Broken) or rule is None or passed[-1].co_filename == promises.__file__:
        # what looks at a rule could not take what it says
        said = broken_promise(game, error.args[0]) if isinstance(error, Broken) else ""
        return BrokenRule(wrong_in(game, state) or said or str(error))
    rule = next((r for code in passed for r in game.plain.values() if r.__code__ is code), rule)
    place = where(rule, *raised_at(error, (f.__code__.co_filename for f in reachable([rule]))))
    reason = reason_of(error)
    if isinstance(error, IndexError):
        # what C structures say of a field's index is only that it is invalid
        reason = "an index outside its buffer" if str(error) == "invalid index" else str(error)
    elif isinstance(error, Endless | _Unfit):
        reason = complete(rule.__name__, str(error))
    located = BrokenRule(f"{place} {'does not return' if isinstance(error, Endless) else 'failed'}: {reason}")
    located.__cause__ = error
    return located


def _returned(out: Any, kind: Kind | None) -> int | float | None:
    """What a rule returned, as C takes it. In a real number a key loses digits, and a fraction is no count of
    anything."""
    if out is None and kind is not None:
        raise _Unfit(NOTHING)
    if kind is None or kind is Real:
        return None if kind is None else float(out)
    if isinstance(out, float | np.floating) and (kind is Word or out != int(out)):
        raise _Unfit(f"it returns the real number {out:g} where a whole number is expected")
    return int(out)


class _Unfit(TypeError):
    """A result that is not of the kind that a rule returns."""


def reason_of(error: Exception) -> str:
    """What went wrong in a function of the game file, for a person."""
    if isinstance(error, AttributeError) and isinstance(error.obj, ctypes.Structure) and error.name:
        return no_field(error.name, field_names(error.obj))
    return f"{type(error).__name__}: {error}"
