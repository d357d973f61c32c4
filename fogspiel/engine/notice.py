"""Word of the engine's long work, for whoever listens. The engine knows nothing of screens, and alone it is silent.

Imports nothing heavy, so that a listener can be named before anything else is loaded.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

Listener = Callable[[str, int], AbstractContextManager]
"""Given the name of a group of functions and how many there are, with those they call; what it returns is entered while they are
compiled."""

PATIENCE = 5.0
"""Seconds that a person's own function may run before a word is said."""

_listener: Listener | None = None
_teller: Callable[[str], None] | None = None
_compiled = 0.0
_since: list[float] = []
"""When the compiling that is under way began."""


def listen(listener: Listener | None, teller: Callable[[str], None] | None = None) -> None:
    """Have a listener hear of all that this process compiles from now on, instead of the one before; None: nobody. The teller is given
    sentences about what takes long."""
    global _listener, _teller
    _listener, _teller = listener, teller


def compiled_for() -> float:
    """Seconds that this process has spent compiling, which it does once and no limit of time is about."""
    return _compiled


@contextmanager
def compiling(name: str, functions: int) -> Iterator[None]:
    """What the compiler works within."""
    global _compiled
    began = time.monotonic()
    _since.append(began)
    try:
        with nullcontext() if _listener is None else _listener(name, functions):
            yield
    finally:
        _compiled += time.monotonic() - began
        _since.remove(began)


@contextmanager
def patience(what: str) -> Iterator[None]:
    """What a person's own function is called within, which may have no end: if it takes long, that is told once. What is compiled for it
    meanwhile does not count."""
    if _teller is None:
        yield
        return
    text = f"{what} has run for {PATIENCE:g} seconds and goes on; Ctrl-C ends it"
    ended, began, teller = threading.Event(), _without_compiling(), _teller

    def wait() -> None:
        while (left := began + PATIENCE - _without_compiling()) > 0:
            if ended.wait(max(left, 0.01)):
                return
        teller(text)

    threading.Thread(target=wait, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _without_compiling() -> float:
    """A clock that stands still while something is compiled."""
    now = time.monotonic()
    return now - _compiled - sum(now - began for began in list(_since))
