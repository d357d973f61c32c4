"""The memory of a traversal: where it stands, what was counted, and room for the places on its way."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kinds import Bundle, Bytes, Ints, Kind, Reals, Record, Records, Words
from fogspiel.game.game import Game
from fogspiel.game.table import LEVELS, LIMIT
from fogspiel.solvers.mccfr.arena import bundle as table_bundle

AHEAD = 8
"""Children that are looked at before the first of them is walked: meanwhile memory brings the entries of the table they
will want."""

FULL, DEEP, MANY, ODD, UNLIKE = range(1, 6)
"""Why a run ended: the table is full, a history was too long, a state had too many moves, an outcome of chance had no
partner, a player could hold other things than before."""

Walk = np.dtype([("averaged", "i8"), ("word", "u8"), ("looks", "i8"), ("status", "i8"), ("count", "i8")], align=True)
"""Where the loop stands: whose averages grow in this traversal (-1: everyone's), its random word, and whether it looks
for moves that differ; and why it ended, with the number of moves that were too many."""

Counts = np.dtype([("visit", "i8"), ("done", "i8"), ("touched", "i8")], align=True)
"""What was counted: traversals begun, which is the number of the present one; iterations done; and histories
touched."""

Place = np.dtype(
    [
        ("who", "i8"),
        ("key", "i8"),
        ("n", "i8"),
        ("state", "i8"),
        ("top", "i8"),
        ("level", "i8"),
        ("action", "i8"),
        ("node", "i8"),
        ("mine", "f8"),
        ("theirs", "f8"),
        ("q", "f8"),
        ("total", "f8"),
        ("scale", "f8"),
        ("last_0", "i8"),
        ("last_1", "i8"),
    ],
    align=True,
)
"""Where a traversal has come: who moves, by what key and among how many moves; the state, and where its moves begin in
`moves` and their probabilities or weights in `work`; how many moves led here, the last of them an action of the place
above; its node in the table; the reaches of the updating player and of the others, both divided by `q`; the sum of its
strategy's weights, and 1 over that; and, of both players, where the average of its last action lies, -1 before the
first."""


def breadth(limit):
    """Moves, with their probabilities and estimates, that all places on a traversal's way may have, if none has more
    than `limit`."""
    return 128 * AHEAD * limit + 64 * LEVELS


def is_deep(game, above):
    """Whether there may be no room for the children of a place, the first of which would begin there."""
    return above + 2 * AHEAD * game[LIMIT] > breadth(game[LIMIT])


MEMBERS = {
    "walk": Record(Walk),
    "counts": Record(Counts),
    "places": Records(Place),
    "states": Bytes,
    "spare": Bytes,
    "moves": Ints,
    "work": Reals,
    "rng": Words,
}
"""The loop's memory."""


def run_kind(single: bool, own: Mapping[str, Kind]) -> Kind:
    """What kernels are given beside the rules: a table of this width, the loop's memory, and what the parts of a scheme
    want."""
    return Bundle(table=table_bundle(single), **MEMBERS, **own)


def run_memory(kind: Kind, game: Game, **given: Any) -> Bundled:
    """Memory of that kind: what is given, and room for a traversal."""
    # the root, where a traversal begins, and the children looked at together on each level
    places = np.zeros(2 + AHEAD * LEVELS, Place)
    size, moves = game.dtype.itemsize, breadth(game.max_moves) + len(game.buffer())
    return Bundled(
        kind,
        places=places,
        states=np.zeros(len(places) * size, np.int8),
        spare=np.zeros(size, np.int8),
        moves=np.zeros(moves, np.int64),
        work=np.zeros(moves),
        **given,
    )
