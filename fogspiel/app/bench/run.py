"""`fogspiel bench`: speed and memory, side by side with other libraries on the same games, in one run and one process.

A number is CPU time (start-up, matches and results: wall time), the best of a few rounds; in each round every library
has its turn, so that a disturbance of the machine meets all alike. Libraries are compared on a game only after it has
been seen that they count the same information sets, and that the same number of iterations leads them to a similar
NashConv.
"""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from fogspiel.app.bench.duels import DUELS, Duel, compare
from fogspiel.app.bench.endless import bounds, values
from fogspiel.app.bench.many import matches, results
from fogspiel.app.bench.measuring import FULL, QUICK, Bench, Effort
from fogspiel.app.bench.playing import random_playouts
from fogspiel.app.bench.resources import machine, memory, start_up, unrolling
from fogspiel.app.bench.sampling import sampling
from fogspiel.app.bench.searching import tree_searches
from fogspiel.errors import SpecError

PARTS: dict[str, Callable[[Bench], None]] = {
    "memory": memory,
    "duels": compare,
    "sampling": sampling,
    "bounds": bounds,
    "playouts": random_playouts,
    "search": tree_searches,
    "match": matches,
    "results": results,
    "unrolling": unrolling,
    "values": values,
    "start-up": start_up,
}
"""What is measured, in this order: memory first, while nothing else has made the process grow."""


def run_bench(
    *,
    quick: bool = False,
    quiet: bool = False,
    duels: tuple[Duel, ...] = DUELS,
    parts: Sequence[str] = tuple(PARTS),
    effort: Effort | None = None,
) -> dict[str, Any]:
    """Measure, and return all that was measured, ready for JSON. Ctrl-C ends it early and keeps what there is."""
    if unknown := [part for part in parts if part not in PARTS]:
        raise SpecError(f"bench has no part {unknown[0]!r}; it has {', '.join(PARTS)}")
    bench = Bench(effort or (QUICK if quick else FULL), quiet)
    interrupted = False
    try:
        for part, measure in (PARTS | {"duels": partial(compare, duels=duels)}).items():
            if part in parts:
                measure(bench)
    except KeyboardInterrupt:
        interrupted = True
        bench.notes.append("interrupted: this is what was measured so far")
    if not quiet and sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    return {
        "machine": machine() | {"peers": bench.peers},
        "effort": vars(bench.effort),
        "rows": bench.rows,
        "checks": bench.checks,
        "notes": bench.notes,
        "interrupted": interrupted,
        "seconds": time.monotonic() - bench.began,
    }
