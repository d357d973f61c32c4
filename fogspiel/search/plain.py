"""A search's memory as un-compiled parts see it: the same bytes, with bounds on every index; and their mistakes, in a
sentence each.

Whole numbers read as Python's and wrap around when written, as in machine code (`game/view.py`).
"""

import ctypes
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.closure import Function, reachable
from fogspiel.engine.complaint import no_field
from fogspiel.engine.part import Part
from fogspiel.errors import PartError
from fogspiel.game.parts import place
from fogspiel.game.rules import raised_at
from fogspiel.game.view import C_TYPES, buffer_type, field_names, view_type
from fogspiel.game.watch import Endless


class PlainSearch(SimpleNamespace):
    """What a loop and its parts are given, where they run un-compiled: the members of a bundle. Those may not be
    replaced meanwhile."""

    def __init__(self, search: Bundled, called: str = "search"):
        kinds = dict(search.kind.members)
        super().__init__(**{name: _seen(search.array(name), kinds[name].shape, name) for name in kinds})
        self._called = called


class Rows:
    """An array of records, each a structure over its bytes."""

    def __init__(self, array: np.ndarray):
        self._type, self._array, self._step, self._count = _row_type(array.dtype), array, array.itemsize, len(array)
        self.dtype = array.dtype

    def __getitem__(self, index: int) -> ctypes.Structure:
        if not 0 <= index < self._count:
            raise IndexError(f"index {index} is outside an array of {self._count} records")
        return self._type.from_buffer(self._array.data, int(index) * self._step)

    def __len__(self) -> int:
        return self._count


def _seen(array: Any, shape: str, name: str) -> Any:
    if shape == "records":
        return Rows(array)
    if shape == "bundle":
        return PlainSearch(array, name)
    kind = _row_type(array.dtype) if shape == "record" else buffer_type(C_TYPES[array.dtype.str[1:]], len(array))
    return kind.from_buffer(array)


def plain_copy(array: np.ndarray) -> ctypes.Array[Any]:
    """An array of numbers, seen in the same way, with bytes of its own."""
    return buffer_type(C_TYPES[array.dtype.str[1:]], len(array)).from_buffer_copy(array.data)


@cache
def _row_type(dtype: np.dtype) -> type[ctypes.Structure]:
    """A structure with what `clear` and `assign` ask of a record (`engine/primitives.py`)."""
    base = view_type(dtype)

    def fill(self: Any, _: int) -> None:
        ctypes.memset(ctypes.addressof(self), 0, ctypes.sizeof(self))

    return type(
        "Row",
        (base,),
        {
            "fill": fill,
            "dtype": property(lambda self: SimpleNamespace(names=field_names(self))),
            "__getitem__": _field,
            "__setitem__": lambda self, name, value: setattr(self, name, value),
        },
    )


def _field(record: ctypes.Structure, name: str | int) -> Any:
    """A field by its name or, as machine code allows, by its position."""
    return getattr(record, field_names(record)[name] if isinstance(name, int) else name)


def fault(function: Function, error: Exception) -> PartError | None:
    """The exception as an error that names the line of a function, or of one that it calls, which raised it; None where
    none did."""
    files = {f.__code__.co_filename for f in reachable([function])}
    line, code = raised_at(error, (f for f in files if not Path(f).is_relative_to(_PACKAGE)))
    if line is None or code is None:
        return None
    inside = "" if code is function.__code__ or code.co_name.startswith("<") else f", in {code.co_name}"
    at = f"{function.__name__}{inside} ({code.co_filename}, line {line})"
    return PartError(f"{at} {'does not return' if isinstance(error, Endless) else 'failed'}: {_reason(error)}")


def do(part: Part, name: str, *arguments: Any) -> Any:
    """Call one of a part's Python functions, if it has it."""
    function = part.tells(name, None)
    if function is None:
        return None
    try:
        return function(*arguments)
    except Exception as error:
        if not part.own:
            raise
        raise fault(function, error) or PartError(f"{place(function)} failed: {error}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, AttributeError) and error.name:
        if isinstance(error.obj, PlainSearch):
            return f"there is no {error.obj._called}.{error.name}"
        if isinstance(error.obj, ctypes.Structure):
            return no_field(error.name, field_names(error.obj))
    if isinstance(error, IndexError):
        return "an index outside its array" if str(error) == "invalid index" else str(error)
    return str(error) if isinstance(error, Endless) else f"{type(error).__name__}: {error}"


_PACKAGE = Path(__file__).parent.parent
