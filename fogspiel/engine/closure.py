"""Everything a function's behaviour depends on: the functions it calls and the constants it reads, and a hash of them.

Machine code is stored under this hash, so an edited rule, helper, constant or kernel is never answered with old code.
"""

import dis
import hashlib
import sys
from collections.abc import Iterable, Iterator
from enum import Enum, EnumType
from functools import cache
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any, Protocol

import numpy as np

from fogspiel.engine.kinds import Kind
from fogspiel.engine.primitives import TWINS


class Function(Protocol):
    """A plain function, as `def` makes it; type checkers do not know that this is a FunctionType."""

    __name__: str
    __module__: str
    __code__: CodeType
    __defaults__: tuple[Any, ...] | None
    __annotations__: dict[str, Any]

    @property
    def __globals__(self) -> dict[str, Any]: ...

    @property
    def __closure__(self) -> tuple[CellType, ...] | None: ...

    def __call__(self, *given: Any, **named: Any) -> Any: ...

    def __hash__(self) -> int: ...


def globals_read(function: Function) -> dict[str, object]:
    """The module-level values a function mentions, by name. A function that Numba has wrapped counts as itself."""
    read = {n: function.__globals__[n] for n in sorted(_names(function.__code__)) if n in function.__globals__}
    return {n: getattr(v, "py_func", v) for n, v in read.items()}


def called(function: Function) -> list[Function]:
    """The plain functions a function mentions, other than the primitives, which have compiled twins."""
    return [v for v in globals_read(function).values() if isinstance(v, FunctionType) and v not in TWINS]


def reachable(functions: Iterable[Function], outside: tuple[str, ...] = ()) -> list[Function]:
    """The functions and all they call, directly or not; callees come after a caller. Those of modules whose names begin
    as `outside` says are left out, with all that only they call."""
    found: list[Function] = []
    todo = list(functions)
    while todo:
        function = todo.pop(0)
        if function not in found and not function.__module__.startswith(outside):
            found.append(function)
            todo.extend(called(function))
    return found


def fingerprint(functions: Iterable[Function], *context: object, outside: tuple[str, ...] = ()) -> str:
    """A hash of what the functions do, and of the given context. The same in every process. `outside` is as in
    `reachable`."""
    digest = hashlib.sha256(_value_text(context).encode())
    for function in reachable(functions, outside):
        digest.update("\n".join(_function_text(function)).encode())
    return digest.hexdigest()[:32]


@cache
def _names(code: CodeType) -> frozenset[str]:
    """Names read as globals; an attribute of the same name, such as a state's field, does not count."""
    inner = [_names(c) for c in code.co_consts if isinstance(c, CodeType)]
    read = frozenset(i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    return read.union(*inner)


def _attributes(code: CodeType) -> set[str]:
    """All names that the code may read from some object; more than are read does no harm."""
    return set(code.co_names).union(*(_attributes(c) for c in code.co_consts if isinstance(c, CodeType)))


def _function_text(function: Function) -> Iterator[str]:
    yield _code_text(function.__code__)
    yield f"{_value_text(function.__defaults__)}{' inlined' * getattr(function, 'inlined', False)}"
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield _held_text(cell.cell_contents, name)
    attributes = _attributes(function.__code__)
    for name, value in globals_read(function).items():
        yield f"{name}={_module_text(value, attributes) if isinstance(value, ModuleType) else _value_text(value)}"


@cache
def _code_text(code: CodeType) -> str:
    constants = [_code_text(c) if isinstance(c, CodeType) else _value_text(c) for c in code.co_consts]
    shape = (code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_exceptiontable)
    return repr((code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, shape))


def _module_text(module: ModuleType, attributes: set[str], above: tuple[ModuleType, ...] = ()) -> str:
    """A module's name and what code can read from it, be it the module's own or from a third one. What the standard
    library holds, such as sys.modules, is nobody's code."""
    name, above = module.__name__, (*above, module)
    if name.partition(".")[0] in ("numpy", *sys.stdlib_module_names):
        return name
    read = {a: getattr(module, a) for a in sorted(attributes) if hasattr(module, a)}
    inner = {a: v for a, v in read.items() if isinstance(v, ModuleType)}
    plain = [f"{a}={_value_text(v)}" for a, v in read.items() if a not in inner]
    return f"{name}{plain}{[_module_text(v, attributes, above) for v in inner.values() if v not in above]}"


_held: list[FunctionType] = []
"""The functions in closures that are being told, each held by the one before."""


def _held_text(value: object, name: str) -> str:
    """Of what a closure holds; a function is not among those called by a name of the module. Raises ValueError where
    two of it would have the same."""
    if isinstance(value, FunctionType):
        if value in _held:
            return f"once more {_held.index(value)}"
        _held.append(value)
        try:
            return fingerprint([value])
        finally:
            _held.pop()
    text = _value_text(value)
    if text.endswith(".") and value is not None:
        raise ValueError(
            f"a function holds {name}, an object of {type(value).__name__}, which nothing tells from others"
        )
    return text


def _value_text(value: object) -> str:
    kind = type(value).__qualname__
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple | list):
        return f"{kind}{getattr(value, '_fields', '')}[{','.join(map(_value_text, value))}]"
    if isinstance(value, set | frozenset):
        return f"{kind}{sorted(map(_value_text, value))}"
    if isinstance(value, dict):
        return f"{kind}{sorted((_value_text(k), _value_text(v)) for k, v in value.items())}"
    if isinstance(value, EnumType):
        members: Iterable[Any] = value
        return f"{value.__qualname__}{[repr(member) for member in members]}"
    if isinstance(value, Kind):
        return value.text
    if isinstance(value, int | float | complex | str | bytes | Enum | np.dtype | np.generic):
        return f"{kind} {value!r}"
    # a function's code is hashed by itself; its module's name would tell where a game file lies
    home = "" if isinstance(value, FunctionType) else getattr(value, "__module__", "")
    return f"{kind} {home}.{getattr(value, '__name__', '')}{getattr(value, '_fields', '')}"
