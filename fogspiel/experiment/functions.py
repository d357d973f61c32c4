"""Functions by where they are, so that another process finds them: in an installed module, or in a file of the
user's."""

import importlib
import math
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from fogspiel import given
from fogspiel.engine.closure import Function, fingerprint, globals_read, reachable
from fogspiel.errors import FogspielError, SpecError
from fogspiel.experiment.beyond import version_of_data
from fogspiel.experiment.versions import MEASURED
from fogspiel.game.load import OWN, module_from
from fogspiel.game.rules import raised_at

ROOMS = tuple(f"fogspiel.{room}." for room in MEASURED)
INSTALLED = tuple(sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib"))
UNTOLD = {"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__"}
"""What is in every class, or is no part of what it does."""


@dataclass(frozen=True)
class FunctionRef:
    """A function of a module, by its names."""

    module: str
    name: str
    file: str = ""

    @staticmethod
    def of(function: Callable[..., Any]) -> "FunctionRef":
        """Raises SpecError for what cannot be found again by its name, such as a lambda."""
        module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
        if not name.isidentifier():
            raise SpecError(f"{name or function!r} must be a function with a name of its own, at the top of its file")
        file = getattr(sys.modules.get(module), "__file__", "") if module.startswith(OWN) else ""
        return FunctionRef(Path(file).stem if file else module, name, str(file))

    def get(self) -> Callable[..., Any]:
        module = module_from(Path(self.file), "experiment") if self.file else importlib.import_module(self.module)
        return getattr(module, self.name)


def went_wrong(error: BaseException, function: Callable[..., Any]) -> str:
    """What a function of the user's raised, and in which line of its file."""
    told = str(error) if isinstance(error, FogspielError) else f"{type(error).__name__}: {error}".removesuffix(": ")
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    line, code = raised_at(error, [file]) if file else (None, None)
    return told if code is None else f"{Path(code.co_filename).name}, line {line}: {told}"


def returned(name: str, found: Any) -> dict[str, Any]:
    """What a function returned, checked, and ready for JSON."""
    if not isinstance(found, Mapping):
        raise SpecError(f"{name} must return a dictionary of numbers, not {given.shown(found)}")
    ready = {
        str(key): [_number(name, key, one) for one in value]
        if isinstance(value, list | tuple)
        else _number(name, key, value)
        for key, value in found.items()
    }
    lengths = {key: len(value) for key, value in ready.items() if isinstance(value, list)}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{key} has {n}" for key, n in lengths.items())
        raise SpecError(f"the lists that {name} returns must be as long as each other: {told}")
    return ready


def _number(name: str, key: Any, value: Any) -> Any:
    """A number; what is a text, or None, is told beside numbers."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if (found := given.as_number(value)) is None or math.isinf(found):
        raise SpecError(f"{name} must return numbers, and {key} is {given.shown(value)}")
    return found


def version_of_function(function: Callable[..., Any]) -> str:
    """Of the function, and of what it calls and reads: functions, constants, classes, and what is in modules of the
    user's. The library's rooms have a version of their own, and remember what they were asked before; objects are told
    by their class, unless they are frozen. Of the data files that its file declares, too."""
    functions: list[Function] = [function]
    held, seen = list[tuple[str, str, Any]](), set[Any]()
    for one in functions:
        for code in reachable([one], ROOMS):
            if code in seen:
                continue
            seen.add(code)
            for kind, name, value in _reached(code, seen):
                if isinstance(value, FunctionType):
                    functions.append(value)
                else:
                    held.append((kind, name, value))
    version = fingerprint(functions, *held, outside=ROOMS)[:16]
    module = sys.modules.get(function.__module__)
    data = version_of_data(Path(str(module.__file__))) if module is not None and _is_own(module) else ""
    return f"{version}-{data}" if data else version


def _reached(function: Function, seen: set[Any]) -> Iterator[tuple[str, str, Any]]:
    """What a function can reach through classes, objects and modules: of what, under which name."""
    todo: list[Any] = list(globals_read(function).values())
    for value in todo:
        if isinstance(value, ModuleType):
            names = _named(function.__code__) if _is_own(value) else set()
            inside = [vars(value)[name] for name in sorted(names & vars(value).keys())]
            yield from ((value.__name__, one.__name__, one) for one in inside if isinstance(one, FunctionType))
            todo += [one for one in inside if not isinstance(one, FunctionType)]
            continue
        if isinstance(behind := getattr(value, "__wrapped__", None), FunctionType):
            yield "", behind.__name__, behind
        if is_dataclass(type(value)) and value.__dataclass_params__.frozen:
            yield from ((type(value).__qualname__, f.name, getattr(value, f.name)) for f in fields(type(value)))
        for kind in (value if isinstance(value, type) else type(value)).__mro__:
            if kind not in seen and _is_own(sys.modules.get(kind.__module__), kind.__module__):
                seen.add(kind)
                members = {name: _plain(one) for name, one in vars(kind).items() if name not in UNTOLD}
                yield from ((kind.__qualname__, name, one) for name, one in sorted(members.items()))
                todo += members.values()


def _named(code: CodeType) -> set[str]:
    return set(code.co_names).union(*(_named(one) for one in code.co_consts if isinstance(one, CodeType)))


def _plain(member: Any) -> Any:
    """The function behind a method of whatever kind."""
    member = member.fget if isinstance(member, property) else member
    return getattr(member, "__func__", member)


def _is_own(module: ModuleType | None, name: str = "") -> bool:
    """Whether a module is the user's, which is not kept among the imported once its file is read, and neither installed
    nor a room's."""
    file = getattr(module, "__file__", None)
    name = name or getattr(module, "__name__", "")
    if name.partition(".")[0] in sys.stdlib_module_names or name.startswith(ROOMS):
        return False
    return module is None or (file is not None and not file.startswith(INSTALLED))
