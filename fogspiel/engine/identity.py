"""A hash of functions and classes that lie in no file, by all that they hold: what tells two closures apart.

`engine/closure.py` hashes what code does where it is compiled, or comes with a file. Here nothing is taken on trust:
what has no text that would tell it from others of its kind is refused.
"""

import dataclasses
import functools
import hashlib
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType

import numpy as np

from fogspiel.engine.closure import globals_read
from fogspiel.engine.kinds import Kind

INSTALLED = tuple(str(Path(sysconfig.get_paths()[name])) for name in ("purelib", "platlib", "stdlib"))
PLAIN = (
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    type(...),
    np.generic,
    np.dtype,
    Enum,
    range,
    slice,
    Path,
    re.Pattern,
)


def identity(values: Iterable[object]) -> str:
    """The hash. Raises ValueError with the name of what cannot be told from others."""
    return hashlib.sha256("\n".join(_Telling().told(value, "it") for value in values).encode()).hexdigest()[:32]


class _Telling:
    def __init__(self) -> None:
        self.seen: dict[int, object] = {}

    def told(self, value: object, name: str) -> str:
        """A text that no other value has; `name` is how errors call it."""
        if isinstance(value, PLAIN):
            return f"{type(value).__qualname__} {value!r}"
        if isinstance(value, np.ndarray) and value.dtype != object:
            return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
        if isinstance(value, Kind):
            return value.text
        if id(value) in self.seen:
            return f"once more {[*self.seen].index(id(value))}"
        self.seen[id(value)] = value  # which keeps it, and its address, alive
        return f"{type(value).__qualname__}[{','.join(self._parts(value, name))}]"

    def _parts(self, value: object, name: str) -> Iterator[str]:
        if isinstance(value, tuple | list):
            yield from (self.told(one, f"an element of {name}") for one in value)
        elif isinstance(value, set | frozenset):
            yield from sorted(self.told(one, f"an element of {name}") for one in value)
        elif isinstance(value, dict):
            for key, one in value.items():
                yield f"{self.told(key, f'a key of {name}')}:{self.told(one, f'{name}[{key!r}]')}"
        elif isinstance(value, staticmethod | classmethod | MethodType):
            yield self.told(value.__func__, name)
        elif isinstance(value, FunctionType):
            yield from self._function(value, name)
        elif isinstance(value, property | functools.cached_property):
            yield self.told(getattr(value, "fget", None) or getattr(value, "func", None), name)
        elif isinstance(value, functools.partial):
            yield from (self.told(one, name) for one in (value.func, value.args, value.keywords))
        elif isinstance(value, type):
            yield from self._class(value, name)
        elif isinstance(value, ModuleType):
            yield self._module(value, name)
        elif isinstance(value, BuiltinFunctionType | np.ufunc) or hasattr(value, "py_func"):
            yield str(getattr(value, "__module__", "")) + str(getattr(value, "__name__", value))
        elif dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                yield self.told(getattr(value, field.name), f"{name}.{field.name}")
        else:
            raise ValueError(f"{name} is an object of {type(value).__name__}, which nothing tells from others")

    def _function(self, function: FunctionType, name: str) -> Iterator[str]:
        if _is_installed(function.__module__):
            yield f"{function.__module__}.{function.__qualname__}"
            return
        yield self._code(function.__code__)
        called = function.__qualname__
        yield self.told((function.__defaults__, function.__kwdefaults__), f"a default of {called}")
        for free, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            if free != "__class__":
                yield f"{free}={self.told(cell.cell_contents, f'{free}, which {called} holds,')}"
        for read, value in globals_read(function).items():
            yield f"{read}={self.told(value, f'{read}, which {called} reads,')}"

    def _code(self, code: CodeType) -> str:
        constants = [self._code(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
        return repr((code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_flags))

    def _class(self, made: type, name: str) -> Iterator[str]:
        if _is_installed(made.__module__):
            yield f"{made.__module__}.{made.__qualname__}"
            return
        for base in made.__bases__:
            yield self.told(base, f"the base {base.__name__}")
        for key, value in vars(made).items():
            if key not in ("__module__", "__dict__", "__weakref__", "__doc__", "__annotations__"):
                yield f"{key}={self.told(value, f'{made.__name__}.{key}')}"

    def _module(self, module: ModuleType, name: str) -> str:
        if _is_installed(module.__name__):
            return module.__name__
        if (file := getattr(module, "__file__", None)) is None:
            raise ValueError(f"{name} is a module without a file")
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _is_installed(module: str | None) -> bool:
    """Whether a module is Python's, ours, or was installed: versions of it are told elsewhere."""
    top = (module or "").partition(".")[0]
    if top in ("builtins", "fogspiel", *sys.stdlib_module_names) and top != "__main__":
        return True
    file = getattr(sys.modules.get(module or ""), "__file__", None)
    return file is not None and str(file).startswith(INSTALLED)
