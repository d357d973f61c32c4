"""What a minimax search holds in memory.

The members of the bundle `search`, to which parts add their own, are three records, `asked`, `stand` and `counts`, and
arrays. `roots` are the states to search, and `best` their best moves. A level of `states` is a state, padded to whole
words. `moves`, `odds`, `lower` and `upper` are stacks: a node's moves or outcomes, their probabilities and the bounds
of their values lie above those of the nodes that led to it. `pay` takes the payoffs of a state."""

from collections import namedtuple

import numpy as np

Asked = np.dtype(
    [
        ("roots", "i8"),
        ("depth", "i8"),
        ("alpha", "f8"),
        ("beta", "f8"),
        ("low", "f8"),
        ("high", "f8"),
        ("seed", "u8"),
        ("most", "i8"),
        ("room", "i8"),
        ("levels", "i8"),
    ],
    align=True,
)
"""What to search: so many states, each so deep, in a window. `low` and `high` bound the values; for each state `most`
nodes may be visited; on the stacks there is `room` for so many moves, and for states of so many `levels`."""

Stand = np.dtype([("best", "i8"), ("stop", "i8"), ("culprit", "i8")], align=True)
"""Where the search stands: the best move at the root, and the one to try first; why it was given up, 0 if it was not,
and how many moves a state had if that is why."""

Counts = np.dtype([("nodes", "i8"), ("horizon", "i8"), ("deepest", "i8"), ("hits", "i8")], align=True)
"""Nodes visited; values that came from the horizon, or were remembered and rest on such; the level of the longest line;
and how many values were remembered."""

Place = namedtuple("Place", "level left line first")
"""Where a node stands: the level of its state, the decisions left to go, a hash of the line that led here, and where
its moves begin on the stacks."""

Window = namedtuple("Window", "alpha beta")
"""Values from alpha to beta are of interest; of others it is enough to know on which side they lie."""
