"""A bound on how long an un-compiled rule may run: so many seconds of processor time in one call.

Most rules take microseconds, un-compiled, and an endless one takes for ever; what lies between is rare, so that the
same file gets the same answer. Time that a person spends at a breakpoint does not count.
"""

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any

LONGEST = 2.0
"""Seconds after which a rule counts as one that does not return."""

_OFTEN = 0.02
"""Seconds between two looks at the clock."""
_IDLE = 100
"""Looks without any call after which there are no more, until the next call."""


class Endless(Exception):
    """Raised in the middle of a rule that ran for too long."""

    def __init__(self, *text: str):
        super().__init__(*text or ("it ran for seconds and went on",))


class CallWatch:
    """Ends a call of a rule that runs for more than `longest` seconds, by default `LONGEST`: it raises Endless where it
    is."""

    def __init__(self, longest: float | None = None):
        self.longest = LONGEST if longest is None else longest

    def watched(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, each call of which may take so long."""

        def run(*given: Any, **named: Any) -> Any:
            _clock.begin(self.longest)
            try:
                return function(*given, **named)
            finally:
                _clock.end()

        return run


class _Clock:
    """A thread that looks at how long the call under way has taken. One call is watched at a time: rules call no rule
    from outside."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._call: tuple[int, float] | None = None  # the thread that runs it, and for how long it may
        self._running = self._fired = False

    def begin(self, longest: float) -> None:
        self._call = (threading.get_ident(), longest)
        if not self._running:
            self._running = True
            threading.Thread(target=self._look, name="watch of rules", daemon=True).start()

    def end(self) -> None:
        with self._lock:
            self._call = None
            fired, self._fired = self._fired, False
        if fired:
            self._let_it_come()

    @staticmethod
    def _let_it_come() -> None:
        """What was raised may come up only now, when the call has just ended by itself; then it is too late to
        matter."""
        try:
            for _ in range(1000):
                pass
        except Endless:
            pass

    def _look(self) -> None:
        idle, seen, began = 0, None, 0.0
        while idle < _IDLE:
            time.sleep(_OFTEN)
            with self._lock:
                call = self._call
                if call is None or call is not seen:
                    idle, seen = 0 if call else idle + 1, call
                    began = _processor_time(call[0]) if call else 0.0
                elif _processor_time(call[0]) - began > call[1] and not self._fired:
                    self._fired = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(call[0]), ctypes.py_object(Endless))
        self._running = False


def _processor_time(thread: int) -> float:
    """Seconds of processor time that a thread has used, or, where the system does not tell, all threads."""
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.process_time()


_clock = _Clock()
