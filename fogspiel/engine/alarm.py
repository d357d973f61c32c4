"""What compiled code does where it may not go on: it returns, and an alarm rings.

Code that is compiled `guarded` (`engine/compiler.py`) has bounds on every index, on how often its loops go round and on
how deep it calls itself, and may ask for what must hold (`primitives.promise`). Where one of these fails, the function
returns at once, and so does all that called it, up to the entry point. That tells of it here and returns something
neutral. Until somebody has taken notice (`taken`), every entry point of the same code does nothing in the same thread,
so that whatever called it comes to an end.

A kernel may ring an alarm, too, by the address of a function that it was given (`Alarm.by_hand`).
"""

import ctypes
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

INDEX, DIVISION, STEPS, DEPTH, TABLE = range(101, 106)
"""What may fail in any guarded code: an index, a division, a loop that goes round too often, calls that are too deep,
an index of a table."""

PROMISED = 200
"""What `promise` was given counts from here."""

REASONS = {
    1: "it raises an exception",
    INDEX: "an index is outside its field or buffer",
    DIVISION: "a division by zero",
    STEPS: "it goes on and on",
    DEPTH: "it calls itself again and again",
    TABLE: "an index is outside its table",
}

MOST_STEPS = 1 << 24
"""How often the loops of one call of a function may go round in all. Un-compiled, that takes longer than a rule may
(`game/watch.py`)."""
MOST_DEEP = 1000
"""How deep a function may call itself, as in Python."""


@dataclass(frozen=True)
class Failure:
    """What went wrong: in which entry point, with which status, on which bytes (the first argument's record) and with
    which second argument."""

    alarm: "Alarm"
    thread: int
    entry: str
    status: int
    data: bytes
    argument: int


failures: list[Failure] = []
"""What nobody has taken notice of."""

_lock = threading.Lock()
_alarms: dict[int, "Alarm"] = {}
"""By the address of their cells."""


class Alarm:
    """The alarm of one piece of loaded code, by the address of its cell, which is not 0 while it rings; `size` bytes of
    its first argument are kept."""

    def __init__(self, cell: int, entries: Sequence[str], size: int):
        self.cell, self.entries, self.size = cell, tuple(entries), size
        self._cell = ctypes.c_int64.from_address(cell)
        self._depth = ctypes.c_int64.from_address(cell + 8)
        _alarms[cell] = self

    def ring(self, entry: str, status: int, state: int, argument: int) -> None:
        with _lock:
            thread = threading.get_ident()
            if any(f.alarm is self and f.thread == thread for f in failures):
                return  # what failed first is told
            failures.append(Failure(self, thread, entry, status, ctypes.string_at(state, self.size), argument))
            self._cell.value += 1
            self._depth.value = 0

    @cache  # noqa: B019 (alarms are never thrown away)
    def by_hand(self) -> int:
        """The address of a C function of a status and a state, which rings the alarm."""
        function = Rings(lambda status, state: self.ring("", status, state, 0))
        _kept.append(function)
        return address_of_function(function)

    def taken(self) -> Failure | None:
        """What failed in this thread, or in one that has ended; nobody is told of it again."""
        if not failures:
            return None
        with _lock:
            here, alive = threading.get_ident(), {t.ident for t in threading.enumerate()}
            found = next((f for f in failures if f.alarm is self and (f.thread == here or f.thread not in alive)), None)
            if found is not None:
                failures.remove(found)
                self._cell.value -= 1
        return found


Rings = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)
_Failed = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_Silent = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)


def _failed(cell: int, entry: int, status: int, state: int, argument: int) -> None:
    alarm = _alarms[cell]
    alarm.ring(alarm.entries[entry], status, state, argument)


def _silent(cell: int) -> int:
    """Whether the code is to do nothing in this thread."""
    alarm, thread = _alarms[cell], threading.get_ident()
    return int(any(f.alarm is alarm and f.thread == thread for f in list(failures)))


def address_of_function(function: Any) -> int:
    """Where a C function lies."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


_kept: list[Any] = []


@cache
def symbols() -> dict[str, int]:
    """The addresses of what guarded code calls, by name."""
    made = {"fogspiel_failed": _Failed(_failed), "fogspiel_silent": _Silent(_silent)}
    _kept.extend(made.values())
    return {name: address_of_function(function) for name, function in made.items()}
