"""A game with its parameters set, ready to be played or given to an algorithm."""

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np

from fogspiel import given as check
from fogspiel.engine.alarm import Alarm, Failure, address_of_function, failures
from fogspiel.engine.closure import Function
from fogspiel.errors import GameError, Unending
from fogspiel.game import horizon, table
from fogspiel.game.compiled import compiled
from fogspiel.game.confined import require_confined
from fogspiel.game.declared import read_about, read_declared, read_limits
from fogspiel.game.fault import explained
from fogspiel.game.interpreted import Trail, interpreted, ring_of
from fogspiel.game.promises import CLOSE, promised
from fogspiel.game.rollout import COMPOSED, composed
from fogspiel.game.rules import RULES, SLACK, read_rules, where
from fogspiel.game.shown import Shown
from fogspiel.game.spec import Choice, read_parameters, write_spec
from fogspiel.game.state import State

MANY_MOVES = 1_000_000
"""More than so many moves are no moves, but a mistake."""
_OWN = ("table", "_ring", "root", "slow", "bare")
"""What a game made of another makes anew when it is asked for."""


class Game(Shown):
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
        self.trail = Trail(self.dtype.itemsize) if debug else None
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
        made, alarm = compiled(self, self._looked_at(), names)
        self._alarms = (*self._alarms, alarm)
        return made

    def _interpreted(self) -> dict[str, Callable[..., Any]]:
        """The same un-compiled."""
        return interpreted(self, self._looked_at(self.trail), self.trail)

    def _looked_at(self, trail: Trail | None = None) -> dict[str, Any]:
        """The rules, with a look at what they say, and what is composed of them."""
        kept: dict[str, Any] = promised(self.plain, self.max_moves, self.players, self.about.zero_sum)
        if trail is not None:
            kept |= {name: trail.kept(kept[name]) for name in ("play", "resample") if name in kept}
        return kept | composed(kept, self.dtype.itemsize)

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
        return interpreted(self.slow, self.plain)

    @cached_property
    def root(self) -> np.ndarray:
        """The bytes of the initial state."""
        root = self.begin()
        if self.trail is not None:
            self.trail.root = root.tobytes()
        return root

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
        return ring_of(self)

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

    def with_rules(self, rules: Mapping[str, Function]) -> "Game":
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

    @property
    def unending(self) -> Unending:
        """What is wrong where random play was given up."""
        return Unending(f"{self.spec}: random play did not end the game within {table.LONGEST:,} moves")

    def start(self) -> State:
        """The state at the start of the game."""
        return State(self, self.root)

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
