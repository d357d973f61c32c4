"""The kinds of argument that compiled functions take.

A kernel says with annotations what it is given::

    @kernel
    def total(n: Int, values: Reals) -> Real: ...

`Int`, `Word` and `Real` are 64-bit scalars; `Ints`, `Ints32`, `Bytes`, `Words`, `Reals` and `Reals32` are contiguous
arrays, indexed as in plain Python; `Record(dtype)` is one element of a structured array, whose fields are attributes
and may be written; `Records(dtype)` is such an array, whose elements are records (un-compiled: a `np.recarray`). An
address is an `Int`. `Bundle(name=kind, ...)` is several arrays and records in one argument, reached as its attributes
(`engine/bundle.py`).

To type checkers a kind is `Any`, and so is one that a module names for its kernels (`Work: Any = Bundle(...)`): what a
kernel is given is looked at when it is called.
"""

import ctypes
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Kind:
    """`element` is the NumPy dtype; `shape` tells a scalar, an array, a record or records of it, or a bundle of
    `members`. An array of `length` elements has bounds in guarded code; of 0, nothing tells how many there are."""

    element: np.dtype[Any]
    shape: str
    members: "tuple[tuple[str, Kind], ...]" = ()
    length: int = 0

    @cached_property
    def text(self) -> str:
        """All that it is; written once, since NumPy takes long to write a dtype."""
        return repr(self)

    @cache  # noqa: B019 (there are few kinds)
    def of_length(self, length: int) -> "Kind":
        """An array of this kind with so many elements."""
        return replace(self, length=length)

    @property
    def ctype(self) -> Any:
        return _SCALARS[self.element.str[1:]] if self.shape == "scalar" else ctypes.c_void_p

    @property
    def llvm(self) -> str:
        return {"i8": "i64", "u8": "i64", "f8": "double"}[self.element.str[1:]] if self.shape == "scalar" else "ptr"

    def pass_(self, value: Any) -> Any:
        """The value as ctypes takes it. A wrong dtype here would corrupt memory, so it is an error."""
        if self.shape == "scalar":
            return value
        if self.shape == "bundle":
            if value.kind is not self and value.kind != self:
                raise TypeError(f"expected a bundle of {dict(self.members)}, got one of {dict(value.kind.members)}")
            return value.address
        if (value.dtype is not self.element and value.dtype != self.element) or not value.flags.c_contiguous:
            raise TypeError(f"expected a contiguous array of {self.element}, got {value.dtype}")
        try:
            return ctypes.addressof(ctypes.c_char.from_buffer(value))
        except (
            TypeError,
            ValueError,
        ):  # an array that is empty or may not be written; NumPy's way takes three times as long
            return value.ctypes.data


_SCALARS = {"i8": ctypes.c_int64, "u8": ctypes.c_uint64, "f8": ctypes.c_double}


def _scalar(code: str) -> Kind:
    return Kind(np.dtype(code), "scalar")


def _array(code: str) -> Kind:
    return Kind(np.dtype(code), "array")


Int: Any = _scalar("i8")
Word: Any = _scalar("u8")
Real: Any = _scalar("f8")
Ints: Any = _array("i8")
Ints32: Any = _array("i4")
Bytes: Any = _array("i1")
Words: Any = _array("u8")
Reals: Any = _array("f8")
Reals32: Any = _array("f4")


def Record(dtype: np.dtype[Any]) -> Any:
    return Kind(dtype, "record")


def Records(dtype: np.dtype[Any]) -> Any:
    return Kind(dtype, "records")


def Bundle(**members: Kind) -> Any:
    return Kind(np.dtype("i8"), "bundle", tuple(members.items()))
