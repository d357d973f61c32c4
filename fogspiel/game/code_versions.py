"""Versions of a person's own code that is given as it is, as a class or a function, and not in a file.

They are as sure as those of files: where code uses something of which another version could not be told from it, such
as an object, it has no version.
"""

import sys
from collections.abc import Iterator
from enum import Enum, EnumType
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from fogspiel.engine.closure import fingerprint, globals_read
from fogspiel.engine.kinds import Kind
from fogspiel.errors import PartError
from fogspiel.given import shown

_LIBRARY = __name__.partition(".")[0]
_KNOWN = {_LIBRARY, "numpy", *sys.stdlib_module_names}
"""Whose code has a version of its own."""
_COUNTED = ("PARAMETERS", "NEEDS")
"""Of these, only the values count."""


def version_of_object(name: str, held: Any, *context: object) -> str:
    """Of a function, or of a class or module that holds functions, with all that these use. Raises PartError where some
    of that has no version."""
    functions, members = functions_of(held)
    for function in functions:
        for what, value in _read_by(function):
            if isinstance(value, FunctionType) and not _is_known(value):
                functions += [value] * (value not in functions)
            elif not _has_version(value):
                code = function.__code__
                where = f"{function.__name__} ({code.co_filename}, line {code.co_firstlineno})"
                raise _without(name, f"{what}, {shown(value)}, which {where} uses")
    for what, value in members.items():
        if not _has_version(value):
            raise _without(name, f"its {what}, {shown(value)}")
    return fingerprint(functions, members, context, outside=(f"{_LIBRARY}.",))[:16]


def _without(name: str, what: str) -> PartError:
    return PartError(f"{name} has no version: a change of {what}, would not be noticed; write it into a file")


def functions_of(held: Any) -> tuple[list[FunctionType], dict[str, Any]]:
    """The functions of a class with those that it inherits, and all else that it holds; or a function itself."""
    if isinstance(held, FunctionType):
        return [held], {}
    functions, members = list[FunctionType](), dict[str, Any]()
    for one in reversed(held.__mro__[:-1]) if isinstance(held, type) else (held,):
        for name, member in vars(one).items():
            inner = getattr(member, "fget", getattr(member, "__func__", member))
            if isinstance(inner, FunctionType):
                functions.append(inner)
            elif not name.startswith("__") and name not in _COUNTED:
                members[name] = inner
    return functions, members


def _read_by(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function reads beside its arguments: globals, what it was made of, and defaults."""
    yield from globals_read(function).items()
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if name != "__class__":
            yield name, cell.cell_contents
    for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        yield "a default", value


def _has_version(value: Any) -> bool:
    """Whether a value is told apart by itself, or belongs to code that has a version."""
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(_has_version, value))
    if isinstance(value, dict):
        return all(map(_has_version, (*value, *value.values())))
    plain = bool | int | float | complex | str | bytes | Enum | EnumType | np.generic | np.dtype | np.ndarray | Kind
    return value is None or isinstance(value, plain) or _is_known(value)


def _is_known(value: Any) -> bool:
    """Whether it is a module of such code, or what such a module has by that name."""
    name = getattr(value, "__name__", "")
    if isinstance(value, ModuleType):
        return name.partition(".")[0] in _KNOWN
    home = str(getattr(value, "__module__", None) or "numpy")
    return home.partition(".")[0] in _KNOWN and getattr(sys.modules.get(home), name, None) is value
