"""How much address space this process may take (`ulimit -v`): what is set aside and hardly used counts there, too."""

import contextlib
import math
import os
from pathlib import Path

BESIDE = 1 << 27
"""Bytes left for whatever else the process wants: the compiler, threads, files."""
MODEST = 1 << 24
"""Bytes that may be tried even where hardly anything is left."""


def address_space_limit() -> float:
    """Bytes that this process may take in all."""
    with contextlib.suppress(ImportError, AttributeError, ValueError, OSError):
        import resource  # not on every system

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        return math.inf if limit == resource.RLIM_INFINITY else limit
    return math.inf


def address_space_left() -> float:
    """Bytes that may be taken at once, as far as that is known."""
    limit = address_space_limit()
    with contextlib.suppress(AttributeError, ValueError, OSError):
        if limit < math.inf:
            taken = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
            return max(limit - taken - BESIDE, MODEST)
    return limit
