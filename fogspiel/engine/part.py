"""Parts: what varies in an algorithm. One mechanism for all of it.

An algorithm is a loop that calls *stubs*, plain functions that stand for what its parts do. A part is a namespace of
plain functions, which may be a class that only holds them, a module, or a file of a person's own. Those of its
functions with the names of stubs are put in for these (`engine/linking.py`), so that what was chosen is compiled as one
piece, and what was not costs nothing. Beside functions a part may have

* PARAMETERS, as a game or an agent has them. In machine code they are fields of the part's record, such as
  `search.bandit.gamma`, so that another value compiles nothing anew. A word is its position among the choices.
* RECORD: more fields of that record, zero at first, as (name, type) pairs of NumPy's.
* memory(game, room): arrays that it works with, by name. A number among them is put in the record instead. What `room`
  is, the algorithm says.
* NEEDS: what it needs of a game.
* Columns that it wants in tables of the algorithm, and facts that it tells of itself, in capitals; each kind of part
  says which there are.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.kinds import Bytes, Ints, Ints32, Kind, Reals, Record, Records, Words
from fogspiel.engine.linking import linked

KINDS: dict[str, "PartKind"] = {}
"""All kinds of parts by name, of modules that were imported."""


def _as_it_is(part: "Part") -> "Part":
    return part


def _nothing(word: str) -> "Part | None":
    return None


@dataclass(frozen=True, eq=False)
class PartKind:
    """The parts that do the same thing in an algorithm: a name, and what they do in a few words; `stubs`, the functions
    of the loop that they may stand in for, by name, and which of them a part must have, one of each of `required`.

    `offers` says which there are, by their words; it is asked when one is first wanted. `record` is the name that their
    record has in the algorithm's memory, where it is not the part's own. `idle` are functions with the names of stubs
    that are not put in. `tables` are the names by which a part says what columns it wants, and which are there.
    `adopt` looks at a part of a person's own, and may make another of it; `read_own` reads files and objects where they
    are no namespaces of functions; `unknown` makes a part of a word that is none
    of those offered, or None. `home` is the module that makes the kind, for other processes."""

    name: str
    about: str
    home: str
    offers: Callable[[], Mapping[str, Any]] = dict
    stubs: Mapping[str, Function] = field(default_factory=dict)
    required: tuple[tuple[str, ...], ...] = ()
    record: str = ""
    idle: frozenset[str] = frozenset()
    tables: Mapping[str, tuple[tuple[Any, ...], ...]] = field(default_factory=dict)
    adopt: Callable[["Part"], "Part"] = _as_it_is
    read_own: Callable[[Any, Mapping[str, Any]], "Part"] | None = None
    unknown: Callable[[str], "Part | None"] = _nothing

    def __post_init__(self) -> None:
        KINDS[self.name] = self

    @cached_property
    def spaces(self) -> Mapping[str, Any]:
        """The parts of this kind that come with the package, by their words."""
        return self.offers()

    def part(self, name: str, **values: Any) -> "Part":
        """One of these, with some of its parameters."""
        return Part(self, name, self.spaces[name], tuple(values.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _kind, (self.home, self.name)


def _kind(home: str, name: str) -> PartKind:
    import_module(home)
    return KINDS[name]


@dataclass(frozen=True, eq=False)
class Part:
    """A namespace with the values of its parameters. `spec` is how a person asks for it, where one can; `file` is where
    one of a person's own lies. `idle` are stubs that it leaves to others. `extends` has a function `extend`, which adds
    rules to a game for it."""

    kind: PartKind
    name: str
    space: Any
    values: tuple[tuple[str, Any], ...] = ()
    spec: str = ""
    file: str = ""
    own: bool = False
    idle: frozenset[str] = frozenset()
    extends: Any = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self.kind, self.name, self.file or id(self.space), self.values, self.idle

    def __str__(self) -> str:
        return self.spec or self.name

    def __deepcopy__(self, memo: dict[int, Any]) -> "Part":
        return self

    @property
    def named(self) -> str:
        """The file as it was given, by which its functions know it, too; without one, its name."""
        return str(getattr(getattr(self.space, "__loader__", None), "path", self.file) or self.name)

    @property
    def record_name(self) -> str:
        return self.kind.record or self.name

    @property
    def about(self) -> str:
        """The first paragraph of what it says of itself."""
        return " ".join((getattr(self.space, "__doc__", None) or "").strip().partition("\n\n")[0].split())

    def has(self, name: str) -> bool:
        return hasattr(self.space, name)

    def tells(self, fact: str, otherwise: Any = False) -> Any:
        """What it says of itself, in capitals."""
        return getattr(self.space, fact, otherwise)

    @cached_property
    def written(self) -> dict[str, Function]:
        """Its functions with the names of stubs."""
        found = {n: getattr(self.space, n, None) for n in self.kind.stubs if hasattr(self.space, n)}
        return {n: f for n, f in found.items() if isinstance(f, FunctionType) and f is not self.kind.stubs[n]}

    @cached_property
    def functions(self) -> dict[str, Function]:
        """What it puts in for stubs, by their names."""
        return {n: f for n, f in self.written.items() if n not in self.idle | self.kind.idle}

    @property
    def inner(self) -> list["Part"]:
        """The parts among the values of its parameters, and those among theirs."""
        return [p for value in self.settings.values() if isinstance(value, Part) for p in (value, *value.inner)]

    @property
    def parameters(self) -> tuple[Any, ...]:
        return tuple(self.tells("PARAMETERS", ()))

    @property
    def needs(self) -> tuple[Any, ...]:
        return tuple(self.tells("NEEDS", ()))

    def columns(self, where: str, players: int) -> list[tuple[Any, ...]]:
        """The columns that it wants in a table of the algorithm; "players" as a shape is one for each player."""
        return [
            (*column[:2], players) if column[2:] == ("players",) else tuple(column) for column in self.tells(where, ())
        ]

    @property
    def fields(self) -> list[tuple[Any, ...]]:
        """The dtype of its record; empty if it has none."""
        own = [(p.name, p.field) for p in self.parameters if p.field]
        return own + [tuple(field) for field in self.tells("RECORD", ())]

    @property
    def settings(self) -> dict[str, Any]:
        """All its parameters, with the values given or the usual ones."""
        given = dict(self.values)
        return {p.name: given.get(p.name, p.default) for p in self.parameters}

    def record(self, more: Mapping[str, Any] | None = None) -> np.ndarray:
        """Its record, filled in; `more` are fields beside its parameters."""
        made = np.zeros(1, np.dtype(self.fields, align=True))
        stored = {p.name: p.stored(self.settings[p.name]) for p in self.parameters if p.field}
        for name, value in (stored | dict(more or {})).items():
            made[name] = value
        return made


def stubs_of(module: ModuleType | str) -> dict[str, Function]:
    """The functions that a module writes down, by name: those that stand for parts."""
    scope = vars(import_module(module) if isinstance(module, str) else module)
    return {
        name: f
        for name, f in scope.items()
        if isinstance(f, FunctionType) and f.__module__ == scope["__name__"] and name[0] != "_"
    }


def by_name(*stubs: Function) -> dict[str, Function]:
    """Functions that stand for parts, by their names."""
    return {stub.__name__: stub for stub in stubs}


def shared(stub: Function) -> Function:
    """A stub that several parts may fill: each is then called, in the order of the parts."""
    stub.__dict__["shared"] = True
    return stub


def filled(parts: Iterable[Part]) -> dict[Function, Function]:
    """What parts put in for stubs. Raises ValueError with the names of two that both want to fill the same."""
    by_stub: dict[Function, list[Function]] = {}
    names: dict[Function, list[str]] = {}
    for part in parts:
        for name, function in sorted(part.functions.items()):
            stub = part.kind.stubs[name]
            by_stub.setdefault(stub, []).append(function)
            names.setdefault(stub, []).append(part.name)
    for stub, functions in by_stub.items():
        if len(functions) > 1 and not hasattr(stub, "shared"):
            raise ValueError(
                f"{' and '.join(names[stub])} both want to say what {stub.__name__} is, so they cannot be parts of the "
                "same algorithm"
            )
    return {stub: chained(functions) for stub, functions in by_stub.items()}


def assembled(loop: Function, parts: Iterable[Part]) -> Function:
    """A loop with these parts, un-compiled, as functions of its own."""
    return linked(loop, filled(parts))


def chained(functions: list[Function]) -> Function:
    """One function that calls each of these."""
    whole = functions[-1]
    for function in reversed(functions[:-1]):
        whole = linked(_BOTH[function.__code__.co_argcount], {FIRST: function, SECOND: whole})
    return whole


def _first(*arguments):
    raise NotImplementedError


def _second(*arguments):
    raise NotImplementedError


def _both_of_two(a, b):
    _first(a, b)
    _second(a, b)


def _both_of_three(a, b, c):
    _first(a, b, c)
    _second(a, b, c)


def _both_of_four(a, b, c, d):
    _first(a, b, c, d)
    _second(a, b, c, d)


def _both_of_five(a, b, c, d, e):
    _first(a, b, c, d, e)
    _second(a, b, c, d, e)


FIRST: Any = _first
SECOND: Any = _second
_BOTH: dict[int, Any] = {2: _both_of_two, 3: _both_of_three, 4: _both_of_four, 5: _both_of_five}
"""By how many arguments a stub has: compiled code that is copied into its caller cannot be handed an unknown number."""

ARRAYS = {"i8": Ints, "i4": Ints32, "i1": Bytes, "u8": Words, "f8": Reals}
"""What the arrays of a part may hold, beside records."""


def kind_of(array: np.ndarray) -> Kind:
    """An array as a member of a bundle; one of a single row is a record."""
    if array.dtype.names is None:
        return ARRAYS[array.dtype.str[1:]]
    return Record(array.dtype) if len(array) == 1 else Records(array.dtype)


@cache
def namespace(function: Function, name: str) -> type:
    """A function alone as a part, under the name of its stub."""
    told = {"__doc__": function.__doc__, "__module__": function.__module__}
    return type(function.__name__, (), {name: staticmethod(function), **told})
