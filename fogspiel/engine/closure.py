"""Everything a function's behaviour depends on: the functions it calls and the constants it reads, and a hash of them.

Machine code is stored under this hash, so an edited rule, helper, constant or kernel is never answered with old code.
"""

import dis
import hashlib
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import numpy as np

from fogspiel.engine.kinds import Kind
from fogspiel.engine.primitives import TWINS


def globals_read(function: FunctionType) -> dict[str, object]:
    """The module-level values a function mentions, by name."""
    return {n: function.__globals__[n] for n in sorted(_names(function.__code__)) if n in function.__globals__}


def called(function: FunctionType) -> list[FunctionType]:
    """The plain functions a function mentions, other than the primitives, which have compiled twins."""
    return [v for v in globals_read(function).values() if isinstance(v, FunctionType) and v not in TWINS]


def reachable(functions: Iterable[FunctionType]) -> list[FunctionType]:
    """The functions and all they call, directly or not; callees come after a caller."""
    found: list[FunctionType] = []
    todo = list(functions)
    while todo:
        function = todo.pop(0)
        if function not in found:
            found.append(function)
            todo.extend(called(function))
    return found


def fingerprint(functions: Iterable[FunctionType], *context: object) -> str:
    """A hash of what the functions do, and of the given context."""
    digest = hashlib.sha256(repr(context).encode())
    for function in reachable(functions):
        digest.update(_code_text(function.__code__).encode())
        digest.update(repr(sorted(function.__annotations__.items(), key=lambda item: item[0])).encode())
        for name, value in sorted(globals_read(function).items()):
            digest.update(f"{name}={_value_text(value)};".encode())
    return digest.hexdigest()[:32]


def _names(code: CodeType) -> set[str]:
    """Names read as globals; an attribute of the same name, such as a state's field, does not count."""
    inner = [_names(c) for c in code.co_consts if isinstance(c, CodeType)]
    return {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}.union(*inner)


def _code_text(code: CodeType) -> str:
    constants = [_code_text(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return repr((code.co_code, constants, code.co_names, code.co_varnames, code.co_argcount))


def _module_text(module: ModuleType) -> str:
    """A module's name and, unless it is one that the compiler knows by itself, its source: its constants may be read."""
    source = getattr(module, "__file__", None) or ""
    if module.__name__ in ("numpy", "math") or not source.endswith(".py"):
        return module.__name__
    return module.__name__ + hashlib.sha256(Path(source).read_bytes()).hexdigest()


def _value_text(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, ModuleType):
        return _module_text(value)
    if isinstance(value, FunctionType):
        return f"function {value.__name__}"
    if isinstance(value, int | float | str | bool | tuple | Kind | np.dtype | np.generic | type(None)):
        return repr(value)
    return type(value).__name__
