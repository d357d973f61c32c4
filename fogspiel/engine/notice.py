"""Word of the engine's long work, for whoever listens. The engine knows nothing of screens, and alone it is silent.

Imports nothing heavy, so that a listener can be named before anything else is loaded.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

Listener = Callable[[str, int], AbstractContextManager[Any]]
"""Given the name of a group of functions and how many there are, with those they call; what it returns is entered while
they are compiled."""

PATIENCE = 5.0
"""Seconds that a person's own function may run before a word is said."""

_listener: Listener | None = None
_teller: Callable[[str], None] | None = None
_compiled = 0.0
_under_way, _since = 0, 0.0
"""How many are compiling at once, in threads or one within another, and when the first of them began."""
_count = threading.RLock()


def listen(listener: Listener | None, teller: Callable[[str], None] | None = None) -> None:
    """Have a listener hear of all that this process compiles from now on, instead of the one before; None: nobody. The
    teller is given sentences about what takes long."""
    global _listener, _teller
    _listener, _teller = listener, teller


def working_time() -> float:
    """Seconds of a clock that stands still while this process compiles, which it does once and no limit of time is
    about."""
    with _count:
        return (_since if _under_way else time.monotonic()) - _compiled


@contextmanager
def compiling(name: str, functions: int) -> Iterator[None]:
    """What the compiler works within."""
    global _compiled, _under_way, _since
    with _count:
        _since = _since if _under_way else time.monotonic()
        _under_way += 1
    try:
        with nullcontext() if _listener is None else _listener(name, functions):
            yield
    finally:
        with _count:
            _under_way -= 1
            _compiled += 0.0 if _under_way else time.monotonic() - _since


@contextmanager
def patience(what: str) -> Iterator[None]:
    """What a person's own function is called within, which may have no end: if it takes long, that is told once. What
    is compiled for it meanwhile does not count."""
    if _teller is None:
        yield
        return
    text = f"{what} has run for {PATIENCE:g} seconds and goes on; Ctrl-C ends it"
    ended, began, teller = threading.Event(), working_time(), _teller

    def wait() -> None:
        while (left := began + PATIENCE - working_time()) > 0:
            if ended.wait(max(left, 0.01)):
                return
        teller(text)

    threading.Thread(target=wait, daemon=True).start()
    try:
        yield
    finally:
        ended.set()
