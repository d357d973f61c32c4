"""Whether a result so far would be lost if the process ended now: who ends it must ask twice. And what Ctrl-C does not
cut in half."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

_holders = 0


@contextlib.contextmanager
def at_stake() -> Iterator[None]:
    """Within this there is a result so far, which Ctrl-C keeps."""
    global _holders
    _holders += 1
    try:
        yield
    finally:
        _holders -= 1


def is_at_stake() -> bool:
    return _holders > 0


@contextlib.contextmanager
def uncut() -> Iterator[None]:
    """What is done within this is done to its end: Ctrl-C, if it comes, comes after it. For what takes no longer than a
    write to a disk."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    came: list[tuple[Any, ...]] = []
    signal.signal(signal.SIGINT, lambda *told: came.append(told))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            usual(*came[0])
