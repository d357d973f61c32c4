"""Parts that are asked for: by a spec within another, `bandit=exp3(gamma=0.1)`, in a file, or as an object of Python's.

Whatever takes a part declares a parameter `PartOf`. Its value may be the word of a part with parameters of its own, a
file, `my_bandit.py(depth=2)`, or what a file may hold: a module, a class that is a namespace of functions, a single
function, or a dictionary of them; each also as `part(WHAT, parameter=value)`.
"""

import copyreg
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.identity import identity
from fogspiel.engine.part import Part, PartKind, namespace
from fogspiel.errors import GameError, PartError, SpecError
from fogspiel.game.declared import read_declared
from fogspiel.game.load import file_and_parameters, module_from
from fogspiel.game.spec import Askable, read_parameters, split_spec, suggestion, write_spec
from fogspiel.game.written import version_of_file
from fogspiel.given import as_text, shown


@dataclass(frozen=True)
class Wanted:
    """A part that is asked for, before it is known of what kind: a word, a file or an object, and its parameters."""

    what: Any
    values: Mapping[str, Any]

    def __str__(self) -> str:
        given = ",".join(f"{name}={value}" for name, value in self.values.items())
        name = self.what if isinstance(self.what, str | Path) else _label(self.what)
        return f"{name}({given})" if given else str(name)

    __repr__ = __str__


def part(what: Any, /, **parameters: Any) -> Wanted:
    """A part of an algorithm with its parameters, as in `fs.agent("mo-ismcts", bandit=fs.part("exp3", gamma=0.1))`: a
    word or spec, a file, or a module, a class, a function or a dictionary of functions of your own."""
    if isinstance(what, Wanted):
        return Wanted(what.what, {**what.values, **parameters})
    return Wanted(what, parameters)


@dataclass(frozen=True)
class PartOf:
    """A parameter whose value is a part. `usual` is the spec of the usual one. `presets` are more words, or the words
    of parts with other usual values, as specs; with `only`, they are all that there is beside files. Whatever part is
    chosen has the parameters `more`, too, unless it says that it does nothing (NOTHING = True), and none of those
    `without`: names, or in capitals what a part says of itself that is one."""

    name: str
    usual: str
    kind: PartKind
    about: str = ""
    presets: Mapping[str, str] = field(default_factory=dict, hash=False)
    only: bool = False
    more: tuple[Askable, ...] = ()
    without: tuple[str, ...] = ()

    field = ""

    @cached_property
    def default(self) -> Part:
        return self.read(self.usual)

    @property
    def words(self) -> list[str]:
        return [*self.presets] if self.only else [*dict.fromkeys((*self.presets, *self.kind.spaces))]

    @property
    def range(self) -> str:
        return f"{', '.join(self.words)}, or a file"

    def read(self, value: Any) -> Part:
        if isinstance(value, Part) and value.kind is self.kind:
            return value
        wanted = value if isinstance(value, Wanted) else Wanted(value, {})
        text = as_text(wanted.what) if isinstance(wanted.what, str | Path) else None
        if text is None:
            if isinstance(wanted.what, int | float | str | list | tuple | None | Part):
                raise SpecError(f"parameter {self.name} must be one of {self.range}, not {shown(value)}")
            return part_of_object(self.kind, wanted.what, wanted.values, self.more)
        path, given = file_and_parameters(text)
        if path is not None:
            return own_part(self.kind, path, {**given, **wanted.values}, self.more)
        name, given = split_spec(text)
        return self.by_word(name, {**given, **wanted.values})

    def parameters_of(self, space: Any) -> tuple[Askable, ...]:
        """What can be asked of a part that comes with the package."""
        more = () if getattr(space, "NOTHING", False) else self.more
        without = [getattr(space, name, "") if name.isupper() else name for name in self.without]
        return tuple(p for p in (*getattr(space, "PARAMETERS", ()), *more) if p.name not in without)

    def place_of(self, name: str) -> str:
        """How a parameter of this name is asked for by this one, of the usual part or another; nothing, if it has
        none."""
        words = [self.usual.partition("(")[0], *self.words]
        for word in (w for w in words if w in self.words):
            space = self.kind.spaces[split_spec(self.presets.get(word, word))[0]]
            for p in self.parameters_of(space):
                inner = f"{name}=..." if p.name == name else p.place_of(name) if isinstance(p, PartOf) else ""
                if inner:
                    return f"{self.name}={word}({inner})"
        return ""

    def by_word(self, word: str, given: Mapping[str, Any]) -> Part:
        """The part that a word stands for, with some of its parameters."""
        if word not in self.words:
            made = self.kind.unknown(word)
            if made is None:
                raise SpecError(
                    f"parameter {self.name} must be one of {self.range}, not {shown(word)}"
                    + (suggestion(word, self.words) if len(self.words) > 8 else "")
                )
            values, usual = (read_parameters(f"{self.name}={word}", self.more, some) for some in (given, {}))
            return replace(made, values=tuple(values.items()), spec=write_spec(word, self.more, values, usual))
        base = self.presets.get(word, word)
        name, preset = split_spec(base)
        space = self.kind.spaces[name]
        known = self.parameters_of(space)
        usual = read_parameters(f"{self.name}={word}", known, preset)
        values = read_parameters(f"{self.name}={word}", known, {**preset, **given})
        return Part(self.kind, name, space, tuple(values.items()), write_spec(word, known, values, usual))


def own_part(kind: PartKind, path: Path, given: Mapping[str, Any], more: tuple[Askable, ...] = ()) -> Part:
    """The part in a file. Raises PartError with the file and line of what is wrong with it."""
    if kind.read_own is not None:
        return kind.read_own(path, given)
    try:
        module = module_from(path, kind.name)
    except GameError as error:
        raise PartError(str(error)) from error
    return _own(kind, module, path.stem, str(path), given, more, str(module.__file__))


def part_of_object(
    kind: PartKind, held: Any, given: Mapping[str, Any] | None = None, more: tuple[Askable, ...] = ()
) -> Part:
    """A module, a class, a function or a dictionary of functions as a part. Raises PartError where it is none."""
    if kind.read_own is not None:
        return kind.read_own(held, given or {})
    space: Any = held
    if isinstance(held, FunctionType):
        space = namespace(held, kind.required[0][0])
    elif isinstance(held, Mapping):
        functions = {n: staticmethod(v) if isinstance(v, FunctionType) else v for n, v in held.items()}
        space = type(kind.name, (), {"__module__": "", **functions})
    elif not isinstance(held, ModuleType | type):
        raise PartError(
            f"{shown(held)} is no {kind.name}: give a module, a class that is a namespace of functions, a function "
            "or a "
            "dictionary of functions"
        )
    name = _label(held)
    file = str(getattr(held, "__file__", "") or "") if isinstance(held, ModuleType) else ""
    return _own(kind, space, name, name, given or {}, more, file)


def _own(
    kind: PartKind,
    space: Any,
    name: str,
    label: str,
    given: Mapping[str, Any],
    more: tuple[Askable, ...],
    file: str,
) -> Part:
    declared = (*read_declared(space, label, PartError, (PartOf,)), *more)
    if twice := {p.name for p in declared if sum(q.name == p.name for q in declared) > 1}:
        raise PartError(
            f"{label}: every {kind.name} has a parameter {min(twice)} here: call that in PARAMETERS another name"
        )
    values = read_parameters(label, declared, given)
    spec = write_spec(label, declared, values, {p.name: p.default for p in declared})
    made = Part(kind, name, space, tuple(values.items()), spec, file, own=True)
    _require_functions(made, label)
    _require_columns(made, label)
    return kind.adopt(made)


def _require_functions(made: Part, label: str) -> None:
    for names in made.kind.required:
        if not any(isinstance(getattr(made.space, name, None), FunctionType) for name in names):
            needed = made.kind.required
            several = " and ".join(" or ".join(one) for one in needed)
            raise PartError(
                f"{label} has no {made.kind.name}: it needs the function{'s' * (len(needed) > 1)} {several}"
            )
    for name, stub in made.kind.stubs.items():
        function = getattr(made.space, name, None)
        if isinstance(function, FunctionType) and function.__code__.co_argcount != stub.__code__.co_argcount:
            raise PartError(f"{place(function)} must take {_given(stub)}, and takes {_given(function)}")


def _given(function: Function) -> str:
    code = function.__code__
    return f"({', '.join(code.co_varnames[: code.co_argcount])})"


def place(function: Function, line: int | None = None) -> str:
    """A function of a part as an error names it: its name, file and line."""
    code = function.__code__
    return f"{function.__name__} ({code.co_filename}, line {line or code.co_firstlineno})"


def _require_columns(made: Part, label: str) -> None:
    """What it adds to records must be something that NumPy, and the record, can have."""
    for where, there in {**made.kind.tables, "RECORD": ()}.items():
        try:
            own = made.fields if where == "RECORD" else made.columns(where, 2)
            np.dtype([*there, *own], align=True)
        except (TypeError, ValueError, IndexError) as error:
            raise PartError(
                f'{label}: {where} must be (("name", "f8"), ...), columns of other names than '
                f"{', '.join(n for n, *_ in there) or 'its parameters'} ({error})"
            ) from error


def parts_in(values: Mapping[str, Any]) -> list[Part]:
    """The parts among the values of parameters, and those among theirs."""
    return [p for value in values.values() if isinstance(value, Part) for p in (value, *value.inner)]


def version_of(made: Part) -> str:
    """Tells versions of a part of a person's own apart, by its code. Raises PartError where it has none that could be
    told apart, such as a function made inside another, of objects."""
    if made.file:
        try:
            return version_of_file(Path(made.file))
        except OSError as error:
            raise PartError(f"there is no file {made.file} ({error.strerror})") from None
    try:
        return identity([_held(made), *(f"{name}={value}" for name, value in made.values)])[:16]
    except ValueError as error:
        raise PartError(f"{made.name} has no version: {error}; write it into a file") from None


def source_of(made: Part) -> bytes:
    """The code of a part of a person's own, as far as it is its own."""
    return Path(made.file).read_bytes() if made.file else version_of(made).encode()


def _held(made: Part) -> Any:
    """The class, function or other namespace that a person wrote."""
    return getattr(made.space, "holder", made.space)


def versions(values: Mapping[str, Any]) -> str | None:
    """Tells versions of all that is a person's own among the values of parameters apart, nested or not; None where
    there is nothing."""
    return "-".join(version_of(made) for made in parts_in(values) if made.own or made.file) or None


def misplaced(what: str, known: Iterable[Askable], name: str) -> str:
    """Where a parameter of this name is to be written, if it is one of a part that could be asked for: the end of a
    sentence."""
    for parameter in known:
        if isinstance(parameter, PartOf) and (where := parameter.place_of(name)):
            return f"; it is one of its {parameter.name}: {what}({where})"
    return ""


def _label(held: Any) -> str:
    return str(getattr(held, "__name__", "") or type(held).__name__).rpartition(".")[2]


def _sent(made: Part) -> tuple[Any, ...]:
    """A part as another process makes it: one of the package by its word, one in a file by the file, and an object by
    where it is defined."""
    told = {"name": made.name, "values": made.values, "spec": made.spec, "idle": made.idle}
    if made.file:
        return _read_again, (made.kind, Path(made.file).resolve(), told)
    for word, space in made.kind.spaces.items():
        if space is made.space:
            return _of_word, (made.kind, word, told | {"extends": made.extends})
    try:
        pickle.dumps(made.space)
    except Exception as error:
        raise PartError(f"{made.name} cannot be sent to another process ({error}); write it into a file") from None
    return _of_space, (made.kind, made.space, told)


def _read_again(kind: PartKind, path: Path, told: dict[str, Any]) -> Part:
    known = {p.name for p in own_part(kind, path, {}).parameters}
    return replace(own_part(kind, path, {n: v for n, v in told["values"] if n in known}), **told)


def _of_word(kind: PartKind, word: str, told: dict[str, Any]) -> Part:
    return Part(kind, space=kind.spaces[word], **told)


def _of_space(kind: PartKind, space: Any, told: dict[str, Any]) -> Part:
    return Part(kind, space=space, own=True, **told)


copyreg.pickle(Part, _sent)
