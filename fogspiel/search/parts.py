"""The parts of a search: files of plain functions that the loop calls, composed and compiled.

A part is a module. Its functions with the names of hooks (`search/hooks.py`) are called by the loop in
`search/loop.py`; others are its own. It may also have

* PARAMETERS, as a game or an agent has them: they are fields of its record, search.bandit for a bandit, search.playout
  for a playout policy, and so on; those of an enhancement or an ICARUS lie under its own name. A word is its position
  among the choices.
* RECORD: more fields of that record, zero at first, as (name, type) pairs of NumPy's.
* NODE and SLOT: columns that it wants at every node and for every move, zero where a node or slot is new. "players" as
  a shape is one number for each player.
* memory(game, room): arrays that it works with, by name: search.NAME. A number among them is put in the record instead.
* NEEDS: what it needs of a game (`game/needs.py`). WITH: enhancements that it cannot do without. misfit(names): what is
  wrong with a search of parts with these names, in a sentence, or nothing.
* TRACE = True, if it wants a record of every simulation's moves (`search/enhancements/trace.py`).
* What it tells of itself, so that nobody needs to know it by name: a view BY_INFOSET = True and `key_unseen`
  (`search/views`), a growth GROWS = False (`search/growths`), a bandit BOUNDS = True (`search/bandits`).
* complaint(game, status): the error that a status of its own, in search.walk.status, stands for, or None
  (`search/status.py`).
* plant(search), before the first simulation of a new tree; forget(search), when the tree is thrown away;
  crowded(search) and move(search, before, count), when room is made: Python functions, which are not compiled.

A person's own file is such a part, too: `bandit=my_bandit.py`, `playout=my_playout.py(eagerness=0.3)`.
"""

import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from fogspiel.belief.roots import Turn
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.closure import Function
from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Kind, Reals, Record, Records, Words
from fogspiel.engine.linking import annotated, linked
from fogspiel.errors import FogspielError, PartError, SpecError
from fogspiel.game.game import Game
from fogspiel.game.load import OWN
from fogspiel.game.needs import Need, require
from fogspiel.game.spec import Choice, Number, Parameter, Whole
from fogspiel.game.table import LEVELS, Facts
from fogspiel.search.hooks import HOOKS, SHARED, chained
from fogspiel.search.loop import Asked, Counts, Step, Walk, simulate
from fogspiel.search.nodes import NODE, SLOT, Memory
from fogspiel.search.plain import fault, place
from fogspiel.search.playouts import stepwise

FOLDERS = {
    "view": "views",
    "bandit": "bandits",
    "growth": "growths",
    "chance": "chances",
    "playout": "playouts",
    "evaluation": "evaluations",
    "enhancement": "enhancements",
    "icarus": "icaruses",
}
"""Where the parts of each kind lie."""

STEPWISE = {"policy", "candidates", "happen", "happened", "trace"}
"""Hooks for which a playout has to be made step by step."""


@dataclass(frozen=True)
class Room:
    """What memory is made for: so many nodes, slots, and steps in the tree."""

    nodes: int
    slots: int
    levels: int


@dataclass(frozen=True)
class Part:
    """A module with the values of its parameters, under the name of its record."""

    kind: str
    name: str
    module: ModuleType
    values: tuple[tuple[str, Any], ...] = ()
    acts: bool = True
    """False of an ICARUS whose bounds another part compares for it (`search/maxilinear.py`)."""

    @property
    def own(self) -> bool:
        """Whether it is from a person's own file."""
        return self.module.__name__.startswith(OWN)

    @property
    def file(self) -> str:
        return str(self.module.__file__)

    @property
    def named(self) -> str:
        """The file as it was given, by which its functions know it, too."""
        return str(getattr(self.module.__loader__, "path", self.file))

    @property
    def record_name(self) -> str:
        return {"enhancement": self.name, "icarus": self.name, "view": "seen"}.get(self.kind, self.kind)

    @cached_property
    def written(self) -> dict[str, Function]:
        """Its functions with the names of hooks."""
        named = {n: f for n, f in vars(self.module).items() if n in HOOKS and isinstance(f, FunctionType)}
        return {n: f for n, f in named.items() if f is not HOOKS[n]}

    @cached_property
    def functions(self) -> dict[str, Function]:
        """What it puts in for hooks, by their names. The policies of ICARUSes are combined first
        (`search/icarus.py`)."""
        idle = {"policy"} if self.acts else {"policy", "bound"}
        return {n: f for n, f in self.written.items() if self.kind != "icarus" or n not in idle}

    def columns(self, where: str, players: int) -> list[tuple[Any, ...]]:
        return [
            (*column[:2], players) if column[2:] == ("players",) else tuple(column)
            for column in getattr(self.module, where, ())
        ]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return getattr(self.module, "PARAMETERS", ())

    def tells(self, fact: str, otherwise: bool = False) -> bool:
        """What its module says of itself, in capitals."""
        return bool(getattr(self.module, fact, otherwise))

    @property
    def needs(self) -> tuple[Need, ...]:
        return getattr(self.module, "NEEDS", ())

    @property
    def fields(self) -> list[tuple[Any, ...]]:
        """The dtype of its record; empty if it has none."""
        own = [
            (p.name, "f8" if isinstance(p, Number) else "i8")
            for p in self.parameters
            if isinstance(p, Whole | Number | Choice)
        ]
        return own + [tuple(field) for field in getattr(self.module, "RECORD", ())]

    def settings(self) -> dict[str, float]:
        """The values of its parameters as the record holds them."""
        given = dict(self.values)
        return {
            p.name: p.choices.index(given.get(p.name, p.default))
            if isinstance(p, Choice)
            else given.get(p.name, p.default)
            for p in self.parameters
        }

    def do(self, name: str, *arguments: Any) -> Any:
        """Call one of its Python functions, if it has it."""
        function = getattr(self.module, name, None)
        if function is None:
            return None
        try:
            return function(*arguments)
        except Exception as error:
            if not self.own:
                raise
            raise fault(function, error) or PartError(f"{place(function)} failed: {error}") from error


def part(kind: str, name: str, parameters: Mapping[str, Any] | None = None) -> Part:
    """A part of this package by its name, with those of the parameters that it has."""
    try:
        module = importlib.import_module(f"fogspiel.search.{FOLDERS[kind]}.{name}")
    except ModuleNotFoundError:
        raise SpecError(f"there is no {kind} {name!r}") from None
    known = [p.name for p in getattr(module, "PARAMETERS", ())]
    return Part(kind, name, module, tuple((n, v) for n, v in (parameters or {}).items() if n in known))


def parts(
    view: str | Part = "infoset",
    bandit: str | Part = "ucb",
    growth: str | Part = "untried",
    chance: str | Part = "drawn",
    enhancements: Iterable[str] = (),
    playout: str | Part = "uniform",
    evaluation: str | Part = "rule",
    icaruses: Iterable[Part] = (),
    settings: Mapping[str, Any] | None = None,
    **parameters: Any,
) -> list[Part]:
    """Parts by name, or made already. Each takes its own of the settings, and of the parameters, which must all be of
    some use."""
    values = dict(settings or {}) | parameters
    chosen = {"view": view, "bandit": bandit, "growth": growth, "chance": chance, "playout": playout}
    icaruses = [*icaruses]
    wanted = [*enhancements]
    wanted += {name: None for p in icaruses for name in getattr(p.module, "WITH", ())}
    enhancing = []
    for name in wanted:
        enhancing.append(part("enhancement", name, values))
        wanted.extend(n for n in getattr(enhancing[-1].module, "WITH", ()) if n not in wanted)
    if any("cut" in p.written for p in enhancing):
        chosen["evaluation"] = evaluation
    made = [p if isinstance(p, Part) else part(kind, p, values) for kind, p in chosen.items()]
    made = with_trace([*made, *enhancing, *icaruses])
    used = {n for p in made for n, _ in p.values}
    if idle := parameters.keys() - used:
        raise SpecError(f"no part of this search has a parameter {sorted(idle)[0]}")
    return made


def with_trace(chosen: Sequence[Part]) -> list[Part]:
    """These parts, and where one of them wants a record of every simulation's moves, what keeps it."""
    return [*chosen, *[part("enhancement", "trace")] * any(p.tells("TRACE") for p in chosen)]


class Together:
    """Parts of a search, which do what they are asked to: `search` is what the loop and the parts see."""

    def __init__(self, chosen: Sequence[Part], search: Bundled):
        self.parts, self.search = chosen, search
        self._able: dict[str, list[Part]] = {}

    def do(self, name: str, *arguments: Any) -> list[Any]:
        """Have the parts that can do something do it."""
        if name not in self._able:
            self._able[name] = [p for p in self.parts if hasattr(p.module, name)]
        return [p.do(name, self.search, *arguments) for p in self._able[name]]


class Composition(Together):
    """A search made of parts: its kernel, and all the memory that the kernel works with."""

    def __init__(self, game: Game, chosen: list[Part], nodes: int, seed: int):
        self.memory = memory_for(game, chosen, nodes)
        size, buffer = game.dtype.itemsize, len(game.buffer())
        search = bundled(
            game,
            chosen,
            self.memory,
            {
                "asked": np.zeros(1, Asked),
                "walk": np.zeros(1, Walk),
                "counts": np.zeros(1, Counts),
                "path": np.zeros(LEVELS + 1, Step),
                "roots": np.zeros(size, np.int8),
                "edges": np.ones(1),
                "runs": np.ones(1),
                "turn": np.zeros(1, Turn),
                "state": np.zeros(size + 64, np.int8),
                "moves": game.buffer(),
                "odds": np.zeros(buffer),
                "slot": game.buffer(),
                "prob": np.zeros(buffer),
                "labels": game.buffer(),
                "pay": np.zeros(max(game.players, game.max_moves) + 1),
                "facts": np.zeros(1, Facts),
                "rng": np.array([seed], np.uint64),
                "low": np.zeros(game.players),
                "span": np.ones(game.players),
            },
        )
        super().__init__(chosen, search)
        self.kernel = composed(simulate, tuple(chosen), search.kind)


def memory_for(game: Game, chosen: Sequence[Part], nodes: int, slot: tuple[tuple[Any, ...], ...] = ()) -> Memory:
    """A memory with the columns that parts want, beside those of slots that the loop itself does. Parts that do not go
    together are refused."""
    for p in chosen:
        if misfit := p.do("misfit", {q.name for q in chosen}):
            raise FogspielError(misfit)
    of_nodes, of_slots = ([c for p in chosen for c in p.columns(where, game.players)] for where in ("NODE", "SLOT"))
    for names in ([c[0] for c in (*NODE, *of_nodes)], [c[0] for c in (*SLOT, *slot, *of_slots)]):
        if twice := {name for name in names if names.count(name) > 1}:
            raise FogspielError(f"two parts of this search want a column {min(twice)}: rename that of your own")
    return Memory(nodes, tuple(of_nodes), (*slot, *of_slots), players=game.players, moves=game.max_moves)


def bundled(game: Game, chosen: Sequence[Part], memory: Memory, own: dict[str, np.ndarray]) -> Bundled:
    """What a loop works with: its own arrays and records, the memory's, and those of its parts."""
    own = own | {"pool": memory.pool, "index": memory.index, "nodes": memory.nodes, "slots": memory.slots}
    own = with_own(game, chosen, Room(len(memory.nodes), len(memory.slots), LEVELS), own)
    # room for a single node is no record of its own
    kinds = {name: kind_of(array) for name, array in own.items()} | {"nodes": Records(memory.nodes.dtype)}
    return Bundled(Bundle(**kinds), **own)


def with_own(game: Game, chosen: Sequence[Part], room: Room, known: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays and records that are known, and those of these parts. Raises Unsuitable where a part is not for the
    game."""
    own = dict(known)
    for p in chosen:
        require(game, _asked_for(p, chosen), p.needs)
        made = p.do("memory", game, room) or {}
        if p.own:
            _require_new(p, made, own)
        if p.fields:
            record = np.zeros(1, np.dtype(p.fields, align=True))
            for name, value in (
                p.settings() | {n: v for n, v in made.items() if not isinstance(v, np.ndarray)}
            ).items():
                record[name] = value
            if p.own and p.record_name in own:
                raise PartError(
                    f"{p.named}: its record would be search.{p.record_name}, which is there already: rename the file"
                )
            own[p.record_name] = record
        own |= {n: v for n, v in made.items() if isinstance(v, np.ndarray)}
    return own


def _asked_for(p: Part, chosen: Sequence[Part]) -> str:
    """A part as a person asks for it; one that another cannot do without, as that other one."""
    for other in chosen:
        if p.kind == "enhancement" and p.name in getattr(other.module, "WITH", ()):
            return _asked_for(other, chosen)
    return p.name if p.kind == "enhancement" else f"{p.kind}={p.name}"


def _require_new(p: Part, made: Any, known: Mapping[str, Any]) -> None:
    """Refuse memory of a person's own part that hides what is there already, or is none that compiled code can read."""
    if not isinstance(made, dict):
        raise PartError(f"{place(p.module.memory)} must return a dictionary of arrays")
    for name, array in made.items():
        if name in known:
            raise PartError(f"{place(p.module.memory)}: search.{name} is there already")
        if not isinstance(array, np.ndarray) and name in [field for field, *_ in p.fields]:
            continue
        if (
            not isinstance(array, np.ndarray)
            or array.ndim != 1
            or (array.dtype.names is None and array.dtype.str[1:] not in _ARRAYS)
        ):
            raise PartError(
                f"{place(p.module.memory)}: search.{name} must be an array of one dimension, of {', '.join(_ARRAYS)} "
                "or records"
            )


def composed(loop: Function, chosen: tuple[Part, ...], kind: Kind) -> Kernel:
    """A loop with these parts, as a kernel that takes a game's table and a bundle of this kind."""
    return _composed(loop, _filled(chosen), kind)


_ARRAYS = {"i8": Ints, "i4": Ints32, "i1": Bytes, "u8": Words, "f8": Reals}


def kind_of(array: np.ndarray) -> Kind:
    """An array as a member of a bundle; one of a single row is a record."""
    if array.dtype.names is None:
        return _ARRAYS[array.dtype.str[1:]]
    return Record(array.dtype) if len(array) == 1 else Records(array.dtype)


def _first(item: tuple[Any, ...]) -> Any:
    return item[0]


def _home(function: Function) -> str:
    """The name of a function's file, wherever that lies."""
    name = function.__module__.rpartition(".")[2]
    return name.removeprefix(OWN).rpartition("_")[0] if name.startswith(OWN) else name


def assembled(loop: Function, chosen: Iterable[Part]) -> Function:
    """A loop with these parts, un-compiled, as functions of its own."""
    return _assembled(loop, _filled(chosen))


def _filled(chosen: Iterable[Part]) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(sorted(p.functions.items(), key=_first)) for p in chosen)


def _assembled(loop: Function, filled: tuple[tuple[Any, ...], ...]) -> Function:
    by_hook: dict[str, list[Function]] = {}
    for pairs in filled:
        for name, function in pairs:
            by_hook.setdefault(name, []).append(function)
    if by_hook.keys() & STEPWISE and "playout" not in by_hook:
        by_hook["playout"] = [stepwise.playout]
    for name, functions in by_hook.items():
        if len(functions) > 1 and name not in SHARED:
            homes = " and ".join(_home(f) for f in functions)
            raise FogspielError(f"{homes} both want to say what {name} is, so they cannot be parts of the same search")
    return linked(loop, {HOOKS[name]: chained(functions, linked) for name, functions in by_hook.items()})


@cache
def _composed(loop: Function, filled: tuple[tuple[Any, ...], ...], kind: Kind) -> Kernel:
    whole = annotated(_assembled(loop, filled), {"game": Ints, "search": kind, "return": Int})
    homes = sorted({_home(f) for functions in filled for _, f in functions})
    return kernel(whole, group=f"{'-'.join(homes)[:60]}", alone=True, copied=True)
