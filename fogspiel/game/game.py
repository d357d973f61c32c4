"""A game with its parameters set, ready to be played or given to an algorithm."""

import ctypes
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

import numpy as np

from fogspiel import given as check
from fogspiel.engine.alarm import PROMISED, Alarm, Failure, Rings, address_of_function, failures
from fogspiel.engine.closure import reachable
from fogspiel.engine.complaint import no_field
from fogspiel.engine.kinds import Kind, Real, Record, Word
from fogspiel.engine.native import guarded
from fogspiel.engine.primitives import Broken
from fogspiel.errors import BrokenRule, GameError, SpecError, Unending
from fogspiel.game import horizon, promises, table
from fogspiel.game.confined import require_confined
from fogspiel.game.declared import read_about, read_declared, read_limits
from fogspiel.game.fault import broken_promise, explained, wrong_in
from fogspiel.game.picture import of_text
from fogspiel.game.promises import CLOSE, promised
from fogspiel.game.rollout import COMPOSED, composed
from fogspiel.game.rules import NOTHING, OVER, RULES, SLACK, Rule, complete, raised_at, read_rules, where
from fogspiel.game.spec import Choice, read_parameters, write_spec
from fogspiel.game.state import State
from fogspiel.game.view import C_TYPES, bounded_view_type, buffer_type, field_names
from fogspiel.game.watch import Endless

MANY_MOVES = 1_000_000
"""More than so many moves are no moves, but a mistake."""
_OWN = ("table", "_ring", "root", "slow", "bare")
"""What a game made of another makes anew when it is asked for."""


class Game:
    """One game at one size. `table` is what kernels get; `root` holds the bytes of the initial state.

    No rule runs before `root` is first asked for.

    `debug` runs the rules un-compiled, everywhere: breakpoints and prints in them work, exceptions surface.
    """

    def __init__(
        self,
        module: ModuleType,
        name: str,
        given: Mapping[str, Any],
        *,
        preset: Mapping[str, Any] = MappingProxyType({}),
        debug: bool = False,
        label: str = "",
    ):
        check.kind("module", module, ModuleType, "a game file's module; fs.load makes a game of a name or a file")
        name, debug = check.text("name", name), check.flag("debug", debug)
        given = check.kind("given", given, Mapping, "a dictionary of parameters")
        label = label or (name if len(name) <= 80 else check.shown(name))
        self.module, self.name, self.debug = module, name, debug
        own = read_declared(module, label)
        self.declared = horizon.declared(module, own, label)
        self.parameters = read_parameters(label, self.declared, {**preset, **given})
        self.spec = write_spec(name, self.declared, self.parameters, read_parameters(label, self.declared, preset))
        self.written = label + self.spec.removeprefix(name)
        """The spec as commands take it: of a file with the file's name."""
        self.dtype, self.plain = read_rules(module, label)
        self.max_moves = read_limits(module, label)
        self.about = read_about(module, {p.name: self.parameters[p.name] for p in own}, label)
        if "markov" in self.plain:
            self.dtype, self.plain = horizon.with_worths(self.dtype, self.plain, label)
            self.about = horizon.settled(self, self.about)
        self.players = self.about.players
        self._tables = self._keep_tables()
        require_confined(self.plain.values(), self._tables)
        self._failure: BaseException | None = None
        self._alarms: tuple[Alarm, ...] = ()
        self.functions = self._interpreted() if debug else self._compiled()
        for name in self._absent():
            self.plain.pop(name, None)
            self.functions.pop(name, None)
        if "private" in self.plain and self.players != 2:
            raise GameError(
                f"{where(self.plain['private'])} is for two players; with {self.players}, About needs "
                'without=("private",)'
            )
        if "pending" in self.plain and not self.about.simultaneous:
            raise GameError(
                f"{where(self.plain['pending'])} is for players who move at once: About needs simultaneous=True, or "
                'without=("pending",)'
            )
        self._addresses = _addresses(self.functions)

    def _absent(self) -> set[str]:
        """Rules of the file that do not hold with these parameters, and what depends on them."""
        absent = {*self.about.without, *([] if self.about.abstraction else ["abstract"])}
        for rule in (*RULES, *COMPOSED):
            if rule.beside in absent:
                absent.add(rule.name)
        return absent

    def _keep_tables(self) -> dict[str, np.ndarray]:
        """The game's constant arrays, as rules read them; kept here because the state holds only their addresses."""
        kept = {}
        for name, values in self.about.tables.items():
            if name not in (self.dtype.names or ()) or self.dtype[name] != np.dtype("i8"):
                raise GameError(f'{self.name}: the table {name} needs a State field ("{name}", "i8")')
            kind = "f8" if np.asarray(values).dtype.kind == "f" else "i8"
            # bytes cannot be changed afterwards, by whoever gets hold of the array; before the table stands its length,
            # as guarded code wants it
            held = np.asarray(values, kind).reshape(-1)
            kept[name] = np.frombuffer(np.int64(len(held)).tobytes() + held.tobytes(), kind)[1:]
        return kept

    def _compiled(self, names: Collection[str] | None = None) -> dict[str, Callable[..., Any]]:
        """The rules of these names as machine code, and what is composed of them; or all."""
        plain = self._with_composed()
        if names is None or any({*names} & {*plain[r.name].__code__.co_names} for r in COMPOSED if r.name in plain):
            names = plain
        wanted = {r.name: r for r in (*RULES, *COMPOSED) if r.name in names}
        state = Record(self.dtype)
        functions = {n: self._described(plain[n], r, state) for n, r in wanted.items()}
        # by its file, so that a preset needs no code of its own
        name = f"rules-{Path(getattr(self.module, '__file__', None) or self.name).stem}"
        try:
            made, alarm = guarded(name, functions)
        except Exception as error:
            if type(error).__name__ != "CompileError":
                raise
            # what is wrong is told of the rules as they are written, not of what looks at them
            try:
                guarded(
                    name, {r.name: self._described(self.plain[r.name], r, state) for r in RULES if r.name in self.plain}
                )
            except Exception as better:
                error = better
            failed: Any = error  # its class is in the compiler, which is imported only where something is compiled
            complaint = failed.complaint
            place = where(self.plain[failed.entry.name], complaint.line, complaint.function.__code__)
            reason = complete(complaint.function.__name__, complaint.reason)
            raise GameError(f"{place} cannot be compiled: {reason}") from error
        self._alarms = (*self._alarms, alarm)
        return made

    def _described(
        self, function: FunctionType, rule: Rule, state: Kind
    ) -> tuple[FunctionType, tuple[Kind, ...], Kind | None, dict[str, Any]]:
        """What the compiler is told of a rule."""
        room = self._room(rule)
        kinds = [
            kind.of_length(room[name]) if name in room else kind
            for (name, _), kind in zip((("s", None), *rule.arguments), rule.kinds(state), strict=True)
        ]
        neutral = {"actor": OVER, "look": (0, OVER), "step": (0, OVER)}.get(rule.name, 0)
        return function, tuple(kinds), rule.result, {"apart": True, "short": True, "guarded": neutral}

    def _room(self, rule: Rule) -> dict[str, int]:
        """How many elements each array has that a rule is given."""
        room = {"rng": 1, "facts": 2, "pay": self.players}
        room |= dict.fromkeys(("out", "prob", "weight", "outcomes", "keys", "found"), max(self.max_moves, self.players))
        return room | ({"out": self.players} if rule.name in ("payoff", "evaluate") else {})

    def _interpreted(self, looked_at: bool = True) -> dict[str, Callable[..., Any]]:
        """The plain rules behind the same interface. An exception is kept for `finish`, since C cannot pass it on;

        until then every rule does nothing and the game is over, so that the kernel that called comes to an end.
        """
        view = bounded_view_type(self.dtype, self._tables)
        rules = self._with_composed() if looked_at else self.plain

        def callback(rule: Rule) -> Callable[..., Any]:
            plain = rules[rule.name]
            room = self._room(rule)
            buffers = [
                buffer_type(C_TYPES[kind.element.str[1:]], room[name]) if name in room else None
                for name, kind in rule.arguments
            ]
            neutral = OVER if rule.name == "actor" else 0

            def run(state: int, *given: Any) -> int | float | None:
                if self._failure is not None:
                    return neutral if rule.result is not None else None
                try:
                    values = [v if b is None else b.from_address(v) for b, v in zip(buffers, given, strict=True)]
                    out = plain(view.from_address(state), *values)
                    return _returned(out, rule.result)
                except BaseException as error:
                    self._failure = self._located(error, plain, ctypes.string_at(state, self.dtype.itemsize))
                    return neutral if rule.result is not None else None

            kinds = [kind.ctype for kind in rule.kinds(Record(self.dtype))]
            return ctypes.CFUNCTYPE(rule.result.ctype if rule.result else None, *kinds)(run)

        return {r.name: callback(r) for r in (*RULES, *COMPOSED) if r.name in rules}

    def _located(self, error: BaseException, rule: FunctionType, state: bytes) -> BaseException:
        innermost = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)][-1]
        if (
            isinstance(error, Broken) or innermost == promises.__file__
        ):  # what looks at a rule could not take what it says
            said = broken_promise(self, error.args[0]) if isinstance(error, Broken) else ""
            return BrokenRule(wrong_in(self, state) or said or str(error))
        located = _located(error, rule, self.plain.values())
        if not isinstance(located, GameError):
            return located
        broken = BrokenRule(str(located))
        broken.__cause__ = error
        return broken

    @cached_property
    def slow(self) -> "Game":
        """The same game with un-compiled rules."""
        if self.debug:
            return self
        slow = Game.__new__(Game)
        vars(slow).update({k: v for k, v in vars(self).items() if k not in _OWN})
        slow.debug, slow._alarms, slow._failure = True, (), None
        slow.functions = {n: f for n, f in slow._interpreted().items() if n in self.functions}
        slow._addresses = _addresses(slow.functions)
        return slow

    @cached_property
    def bare(self) -> dict[str, Callable[..., Any]]:
        """The rules as they are written, un-compiled, without a look at what they say, for those who look
        themselves."""
        return {n: f for n, f in self.slow._interpreted(looked_at=False).items() if n in self.plain}

    def _with_composed(self) -> dict[str, FunctionType]:
        kept = promised(self.plain, self.max_moves, self.players, self.about.zero_sum)
        return kept | composed(kept, self.dtype.itemsize)

    @cached_property
    def root(self) -> np.ndarray:
        """The bytes of the initial state."""
        return self.begin()

    def begin(self, **before: Any) -> np.ndarray:
        """What the rule `start` makes of a state of zeros, in which only parameters, tables and what is given here are
        set."""
        record = np.zeros(1, self.dtype)
        for name, value in before.items():
            record[name] = value
        for parameter in self.declared:
            if parameter.name in (self.dtype.names or ()):
                value = self.parameters[parameter.name]
                held = parameter.choices.index(value) if isinstance(parameter, Choice) else value
                try:
                    record[parameter.name] = held
                except (OverflowError, ValueError) as error:
                    kind = self.dtype[parameter.name]
                    raise GameError(
                        f"{self.name}: State field {parameter.name} ({kind}) cannot hold {value!r}"
                    ) from error
        for name, values in self._tables.items():
            record[name] = values.ctypes.data
        root = record.view(np.uint8).reshape(-1)
        self.finish(self.functions["start"](root.ctypes.data))
        return root

    @property
    def always_at_once(self) -> bool:
        """Whether all decisions are of stages in which players move at once, and none by itself."""
        return self.about.simultaneous and "pending" not in self.plain

    @property
    def abstracted(self) -> bool:
        """Whether the game has an abstraction, the rule `abstract`."""
        return "abstract" in self.plain

    @cached_property
    def table(self) -> np.ndarray:
        """Addresses of the rules and a few sizes, for kernels (`game/table.py`)."""
        entries = np.zeros(table.ENTRIES, np.int64)
        positions = {
            "actor": table.ACTOR,
            "moves": table.MOVES,
            "chance": table.OUTCOMES,
            "play": table.PLAY,
            "payoff": table.PAYOFF,
            "infoset": table.INFOSET,
            "resample": table.RESAMPLE,
            "evaluate": table.EVALUATE,
            "abstract": table.ABSTRACT,
            "guide": table.GUIDE,
            "covariate": table.COVARIATE,
            "mirror": table.MIRROR,
            "episode": table.EPISODE,
            "play_out": table.PLAY_OUT,
            "look": table.LOOK,
            "step": table.STEP,
            "position": table.POSITION,
            "copies": table.COPIES,
            "pending": table.PENDING,
            "private": table.PRIVATE,
            "hold": table.HOLD,
            "private_keys": table.PRIVATE_KEYS,
            "strengths": table.STRENGTHS,
            "markov": table.MARKOV,
            "cut": table.CUT,
            "observe": table.OBSERVE,
            "lump": table.LUMP,
            "sees": table.SEES,
        }
        for name, position in positions.items():
            entries[position] = self._addresses.get(name, 0)
        entries[table.SIZE] = self.dtype.itemsize
        entries[table.PLAYERS] = self.players
        entries[table.LIMIT] = self.max_moves
        entries[table.DECK] = self.about.deck
        entries[table.RANGES], entries[table.RANGED] = self.ranges.ctypes.data, len(self.ranges)
        entries[table.RING] = self._alarms[0].by_hand() if self._alarms else address_of_function(self._ring)
        entries[table.ROOT] = self.root.ctypes.data
        return entries

    @cached_property
    def _ring(self) -> Any:
        """What kernels call where they find a promise broken by un-compiled rules."""

        def ring(status: int, state: int) -> None:
            if self._failure is None:
                data = ctypes.string_at(state, self.dtype.itemsize)
                self._failure = BrokenRule(wrong_in(self, data) or broken_promise(self, status - PROMISED))

        return Rings(ring)

    @cached_property
    def ranges(self) -> np.ndarray:
        """The middle between the lowest and the highest payoff of a player, and how far payoffs are from it at most,
        with some room for rounding. In a game of two opposed players what one gets tells what the other does."""
        about = self.about
        ranges = np.array(about.ranges or [about.utility or (-np.inf, np.inf)] * self.players, np.float64)
        if not np.isfinite(ranges).all():
            return np.tile([0.0, np.finfo(np.float64).max], (self.players, 1))
        mirrored = self.players == 2 and about.zero_sum and (ranges[0] == -ranges[1, ::-1]).all()
        low, high = ranges[: 1 if mirrored else None].T
        return np.column_stack([(low + high) / 2, (high - low) / 2 + CLOSE * max(1.0, np.abs(ranges).max())])

    def with_rules(self, rules: Mapping[str, FunctionType]) -> "Game":
        """The same game with more rules, or others in their place."""
        other = Game.__new__(Game)
        vars(other).update({k: v for k, v in vars(self).items() if k not in _OWN})
        other.plain, other._failure = self.plain | dict(rules), None
        other.functions = other._interpreted() if self.debug else self.functions | other._compiled(rules)
        other._addresses = _addresses(other.functions)
        return other

    def finish(self, result: Any = None) -> Any:
        """Pass a result on, or raise what a rule did wrong meanwhile. Call it after every kernel."""
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        if failures and (failed := self.taken()):
            raise explained(self, failed)
        return result

    @property
    def failed(self) -> bool:
        """Whether a compiled rule of any game has failed, and nobody has been told."""
        return bool(failures)

    def taken(self) -> Failure | None:
        """What a compiled rule of this game did wrong; it is told once."""
        return next((failed for alarm in self._alarms if (failed := alarm.taken())), None)

    def buffer(self, rows: int = 1) -> np.ndarray:
        """Room for the moves of `rows` states, one after another."""
        return np.zeros(rows * self.max_moves + SLACK, np.int64)

    def too_many_moves(self, count: int, rule: str = "moves") -> GameError:
        advice = f"; set MAX_MOVES = {max(count, 2 * self.max_moves)} in the game file" if count <= MANY_MOVES else ""
        return GameError(f"{where(self.plain[rule])} wrote {count} moves where {self.max_moves} have room{advice}")

    def nobody(self, actor: int) -> GameError:
        """What is wrong where the rule `actor` names somebody who is not there."""
        return GameError(
            f"{where(self.plain['actor'])} returned {actor}, "
            f"which is neither a player (0 to {self.players - 1}) nor CHANCE nor OVER"
        )

    def unplayable(self, status: int) -> GameError:
        """What is wrong, as `play_out` returned it, or how many moves a state had where fewer have room."""
        if status == table.STOPPED:
            return Unending(f"{self.spec}: random play did not end the game within {table.LONGEST:,} moves")
        count = status if status > 0 else -1 - status
        if count > self.max_moves:
            return self.too_many_moves(count)
        return GameError(f"{self.name}: a state that is not over has no moves")

    def start(self) -> State:
        """The state at the start of the game."""
        return State(self, self.root)

    def move_name(self, state: State, move: int) -> str:
        """A legal move's name for a person; its number, where the game file names none."""
        return self._names(state, [check.move(self._require(state).moves(), move)])[0]

    def move_names(self, state: State) -> dict[int, str]:
        """The names of all legal moves."""
        legal = self._require(state).moves()
        return dict(zip(legal, self._names(state, legal), strict=True))

    def _names(self, state: State, moves: list[int]) -> list[str]:
        name = getattr(self.module, "move_name", None)
        return list(map(str, moves)) if name is None else [self._told(name, state, move) for move in moves]

    @property
    def drawn(self) -> bool:
        """Whether the game can draw a state as a player sees it, with its rule `show`."""
        return getattr(self.module, "show", None) is not None

    @property
    def pictured(self) -> bool:
        """Whether the game draws pictures of its own, with its function `svg`."""
        return getattr(self.module, "svg", None) is not None

    def show(self, state: State, player: int | None = None) -> str:
        """The state drawn for a person; as `player` may see it, or all of it. What a player has seen of a game that is
        not `drawn` can be told by its moves (`belief/account.py`)."""
        self._require(state)
        if player is not None:
            player = check.player(self.players, player)
        picture = getattr(self.module, "show", None)
        if picture is not None:
            return self._told(picture, state, player)
        if player is not None:
            return f"what player {player} knows (the game has no rule show, by which it would be drawn)"
        return ", ".join(f"{n}={_text(getattr(state.view, n))}" for n in self.dtype.names or ())

    def svg(self, state: State, player: int | None = None) -> str:
        """The same as a picture in SVG: by the function `svg` of the game file, or what `show` says in letters."""
        if not self.pictured:
            return of_text(self.show(state, player))
        if player is not None:
            player = check.player(self.players, player)
        return self._told(self.module.svg, self._require(state), player)

    def short_form(self, state: State) -> str:
        """The state without its history, in a game without an end: what the game file's function `short_form` says."""
        return self._told(self.module.short_form, self._require(state))

    def features(self, state: State) -> dict[str, str]:
        """What may be hidden in a state, by name, such as a player's role or card: what the game file's function
        `features` says; else nothing."""
        self._require(state)
        tell = getattr(self.module, "features", None)
        if tell is None:
            return {}
        told = self._asked(tell, state)
        if not isinstance(told, dict):
            raise GameError(f"{self.name}: features must return a dictionary, not {check.shown(told)}")
        return {str(name): str(value) for name, value in told.items()}

    def _require(self, state: State) -> State:
        if not isinstance(state, State) or state.game.dtype != self.dtype:
            raise SpecError(f"state must be a state of {self.spec}, not {check.shown(state)}")
        return state

    def _told(self, function: Callable[..., Any], state: State, *what: int | None) -> str:
        """The text that a function of the game file that is never compiled returns."""
        told = self._asked(function, state, *what)
        if not isinstance(told, str):
            code = getattr(function, "__code__", None)
            raise GameError(
                f"{self._place(function, getattr(code, 'co_firstlineno', '?'))} must return text, not "
                f"{check.shown(told)}"
            )
        return told

    def _asked(self, function: Callable[..., Any], state: State, *what: int | None) -> Any:
        """What a function of the game file that is never compiled returns; its mistakes name it and their line."""
        code = getattr(function, "__code__", None)
        try:
            return function(state.view, *what)
        except Exception as error:
            line: Any = raised_at(error, [code.co_filename] if code is not None else [])[0]
            line = line or getattr(code, "co_firstlineno", "?")
            raise GameError(f"{self._place(function, line)} failed: {_reason(error)}") from error

    def _place(self, function: Callable[..., Any], line: Any) -> str:
        code = getattr(function, "__code__", None)
        return (
            f"{getattr(function, '__name__', 'a function')} "
            f"({code.co_filename if code is not None else self.name}, line {line})"
        )

    def __repr__(self) -> str:
        return f"<game {self.spec}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is pickled as what it was loaded from, and its parameters."""
        from fogspiel.game.load import load_again, source_of

        return load_again, (*source_of(self), self.debug)

    def __copy__(self) -> "Game":
        """A game never changes, so it is its own copy."""
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> "Game":
        return self


def _addresses(functions: Mapping[str, Any]) -> dict[str, int]:
    """Where C functions lie."""
    return {name: address_of_function(function) for name, function in functions.items()}


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


def _text(value: Any) -> str:
    return f"[{', '.join(map(_text, value))}]" if isinstance(value, ctypes.Array) else str(value)


def _reason(error: Exception) -> str:
    """What went wrong in a function of the game file, for a person."""
    if isinstance(error, AttributeError) and isinstance(error.obj, ctypes.Structure) and error.name:
        return no_field(error.name, field_names(error.obj))
    return f"{type(error).__name__}: {error}"


def _located(error: BaseException, rule: FunctionType, rules: Iterable[FunctionType]) -> BaseException:
    """The exception of an un-compiled rule, as an error that names the rule, its file and the line that raised.

    Random play is no rule of the game; there it is the first of `rules` on the way to the error.
    """
    if not isinstance(error, Exception):
        return error
    entered = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    rule = next((r for code in entered for r in rules if r.__code__ is code), rule)
    place = where(rule, *raised_at(error, (f.__code__.co_filename for f in reachable([rule]))))
    reason = _reason(error)
    if isinstance(error, IndexError):
        # what C structures say of a field's index is only that it is invalid
        reason = "an index outside its buffer" if str(error) == "invalid index" else str(error)
    elif isinstance(error, Endless | _Unfit):
        reason = complete(rule.__name__, str(error))
    located = GameError(f"{place} {'does not return' if isinstance(error, Endless) else 'failed'}: {reason}")
    located.__cause__ = error
    return located
