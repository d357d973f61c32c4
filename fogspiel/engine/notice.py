"""Word of the engine's long work, for whoever listens. The engine knows nothing of screens, and alone it is silent.

Imports nothing heavy, so that a listener can be named before anything else is loaded.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

Listener = Callable[[str, int], AbstractContextManager]
"""Given the name of a group of functions and how many there are, with those they call; what it returns is entered while they are
compiled."""

_listener: Listener | None = None
_compiled = 0.0


def listen(listener: Listener | None) -> None:
    """Have a listener hear of all that this process compiles from now on, instead of the one before; None: nobody."""
    global _listener
    _listener = listener


def compiled_for() -> float:
    """Seconds that this process has spent compiling, which it does once and no limit of time is about."""
    return _compiled


@contextmanager
def compiling(name: str, functions: int) -> Iterator[None]:
    """What the compiler works within."""
    global _compiled
    began = time.monotonic()
    try:
        with nullcontext() if _listener is None else _listener(name, functions):
            yield
    finally:
        _compiled += time.monotonic() - began
