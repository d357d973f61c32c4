"""Word of the engine's long work, for whoever listens. The engine knows nothing of screens, and alone it is silent.

Imports nothing heavy, so that a listener can be named before anything else is loaded.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Listener = Callable[[str, int], AbstractContextManager]
"""Given the name of a group of functions and how many there are, with those they call; what it returns is entered while they are
compiled."""

_listener: Listener | None = None


def listen(listener: Listener | None) -> None:
    """Have a listener hear of all that this process compiles from now on, instead of the one before; None: nobody."""
    global _listener
    _listener = listener


def compiling(name: str, functions: int) -> AbstractContextManager:
    """What the compiler works within."""
    return nullcontext() if _listener is None else _listener(name, functions)
