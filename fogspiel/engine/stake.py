"""Whether a result so far would be lost if the process ended now: who ends it must ask twice."""

import contextlib
from collections.abc import Iterator

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
