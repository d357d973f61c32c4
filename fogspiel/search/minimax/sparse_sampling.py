"""Sparse sampling (Kearns, Mansour and Ng 2002; Lanctot 2013, sec. 6.3): `width` outcomes of chance drawn with
replacement, in place of all.

They are drawn by a hash of the line that led to the chance node: whenever and in whatever order a node is searched, its
sample is the same, so that pruning does not change what ExpSS would find.
"""

import numpy as np

from fogspiel.engine.kinds import Record, Words
from fogspiel.engine.primitives import mix
from fogspiel.game.table import LIMIT, sample
from fogspiel.search.minimax.parts import Part, line_after, most_outcomes, outcome, outcomes_searched

Sampling = np.dtype([("width", "i8")], align=True)
"""How many outcomes are drawn at a chance node."""


def width(search, n):
    return search.sampling.width


def drawn(search, at, n, i):
    search.rng[0] = mix(at.line, i)
    return sample(search.odds, at.first, n, search.rng), 1.0 / search.sampling.width


def listed_and_drawn(game, search):
    return game[LIMIT] + search.sampling.width


SPARSE = Part(
    "sparse",
    {outcomes_searched: width, outcome: drawn, most_outcomes: listed_and_drawn, line_after: mix},
    {
        "sampling": (Record(Sampling), lambda settings: np.array([(settings["width"],)], Sampling)),
        "rng": (Words, lambda settings: np.zeros(1, np.uint64)),
    },
)
