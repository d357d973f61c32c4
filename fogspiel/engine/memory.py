"""Memory that Python sets aside for machine code: records that begin where a line of the processor's cache does, and
flags."""

from typing import Any

import numpy as np

from fogspiel.engine.primitives import address_of, ints_at

LINE = 64
"""Bytes of a line of the processor's cache."""


def records(count: int, dtype: np.dtype) -> Any:
    """So many records of zeros, as an `np.recarray`; the first begins where a line of the cache does."""
    room = np.zeros(count * dtype.itemsize + LINE, np.int8)
    begin = -address_of(room) % LINE
    return room[begin : begin + count * dtype.itemsize].view(dtype).view(np.recarray)


class Flag:
    """What rules raise by its address, which a state holds, and Python looks at and lowers."""

    def __init__(self) -> None:
        self._raised = np.zeros(1, np.int64)

    @property
    def address(self) -> int:
        return address_of(self._raised)

    @property
    def raised(self) -> bool:
        return bool(self._raised[0])

    @raised.setter
    def raised(self, value: bool) -> None:
        self._raised[0] = value


def raise_flag(address):
    """For compiled code."""
    ints_at(address)[0] = 1
