"""A state in memory as an object whose fields are attributes: what rules are given when they run un-compiled.

The view is a C structure, so that whole numbers read as Python's and wrap around when written, as in machine code, and
an index outside an array field is an IndexError. A field with two dimensions is an array of rows.
The address of a table knows where the table ends.
"""

import ctypes
import operator
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

C_TYPES = {
    "i1": ctypes.c_int8,
    "i2": ctypes.c_int16,
    "i4": ctypes.c_int32,
    "i8": ctypes.c_int64,
    "u1": ctypes.c_uint8,
    "u2": ctypes.c_uint16,
    "u4": ctypes.c_uint32,
    "u8": ctypes.c_uint64,
    "f4": ctypes.c_float,
    "f8": ctypes.c_double,
    "b1": ctypes.c_bool,
}
_PADDING = "_padding"


def fields_of(dtype: np.dtype) -> dict[str, tuple[np.dtype, int]]:
    """The fields of a structure: the type of each, and where it begins."""
    return {name: (field[0], field[1]) for name, field in (dtype.fields or {}).items()}


@cache
def view_type(dtype: np.dtype) -> type[ctypes.Structure]:
    """The structure type with the fields and layout of a dtype; `view_type(d).from_address(a)` is a view."""
    fields: list[tuple[str, type]] = []
    at = 0
    for name, (kind, offset) in sorted(fields_of(dtype).items(), key=lambda field: field[1][1]):
        if offset > at:
            fields.append((f"{_PADDING}{at}", ctypes.c_char * (offset - at)))
        fields.append((name, _field_type(kind)))
        at = offset + kind.itemsize
    if dtype.itemsize > at:
        fields.append((f"{_PADDING}{at}", ctypes.c_char * (dtype.itemsize - at)))
    return type("StateView", (ctypes.Structure,), {"_pack_": 1, "_layout_": "ms", "_fields_": fields})


def field_names(view: ctypes.Structure) -> list[str]:
    """The fields of a state that is seen through a view, in their order in memory."""
    return [name for name, *_ in view._fields_ if not name.startswith(_PADDING)]


def _field_type(kind: np.dtype) -> type:
    element = C_TYPES[kind.base.str[1:]]
    if len(kind.shape) == 2:
        return _grid_type(element, *kind.shape)
    return element * kind.shape[0] if kind.shape else element


@cache
def _grid_type(element: Any, rows: int, columns: int) -> type[ctypes.Array[Any]]:
    """An array of two dimensions: a[i] is a row, a[i, j] the same as a[i][j], as compiled code has them."""
    base: Any = (element * columns) * rows
    item, whole = base.__getitem__, operator.index

    def place(index: tuple[Any, ...]) -> tuple[int, int]:
        if len(index) != 2:
            raise IndexError(f"{len(index)} indices, and the field has two dimensions")
        return whole(index[0]), whole(index[1])  # no slices: of an array of rows they are something else

    def get(self: Any, index: Any) -> Any:
        if not isinstance(index, tuple):
            return item(self, index)
        row, column = place(index)
        return item(self, row)[column]

    def put(self: Any, index: Any, value: Any) -> None:
        if not isinstance(index, tuple):
            base.__setitem__(self, index, value)
            return
        row, column = place(index)
        item(self, row)[column] = value

    return type("Grid", (base,), {"__getitem__": get, "__setitem__": put})


@cache
def buffer_type(element: Any, length: int) -> type[ctypes.Array[Any]]:
    """An array that a rule writes its results to. An index below 0 would wrap around here and do harm in machine
    code."""

    def place(index: int) -> int:
        if not 0 <= index < length:
            raise IndexError(f"index {index} is outside its buffer, which has room for {length}")
        return index

    base: Any = element * length
    return type(
        "Buffer",
        (base,),
        {
            "__getitem__": lambda self, i: base.__getitem__(self, place(i)),
            "__setitem__": lambda self, i, v: base.__setitem__(self, place(i), v),
        },
    )


class TableAddress(int):
    """The address of a table of 64-bit numbers. A sum that is no address of one of them is an IndexError.

    `real_at` and `whole_at` add to an address; in machine code, a sum outside the table reads whatever lies there.
    """

    name: str
    length: int
    bytes: int

    def __new__(cls, at: int, name: str, length: int) -> "TableAddress":
        self = super().__new__(cls, at)
        self.name, self.length, self.bytes = name, length, 8 * length
        return self

    def __add__(self, more: int) -> int:
        if not 0 <= more < self.bytes:
            raise IndexError(f"index {more // 8} is outside the table {self.name}, which has {self.length} numbers")
        return int.__add__(self, more)


def bounded_view_type(dtype: np.dtype, tables: Mapping[str, np.ndarray]) -> type[ctypes.Structure]:
    """As `view_type`, with fields that hold the addresses of these tables."""
    base = view_type(dtype)

    def field(name: str, values: np.ndarray) -> property:
        plain, table = getattr(base, name), TableAddress(values.ctypes.data, name, len(values))

        def read(self: Any) -> int:
            at = plain.__get__(self)
            return table if at == table else at

        return property(read, lambda self, value: plain.__set__(self, value))

    return type("StateView", (base,), {name: field(name, values) for name, values in tables.items()})


def recording_view_type(dtype: np.dtype, read: set[str]) -> type[ctypes.Structure]:
    """As `view_type`; the names of all fields that are read are put into `read`."""
    base = view_type(dtype)

    def field(name: str) -> property:
        plain = getattr(base, name)

        def get(self: Any) -> Any:
            read.add(name)
            return plain.__get__(self)

        return property(get, lambda self, value: plain.__set__(self, value))

    return type("StateView", (base,), {name: field(name) for name in fields_of(dtype)})
