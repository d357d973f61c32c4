"""Minimax that seeks the opponent's mistakes among moves of the same worth (Whitehouse 2014, sec. 5.1.2): to the value
of a decision is added that of a random move, epsilon times."""

import numpy as np

from fogspiel.engine.kinds import Record
from fogspiel.search.minimax.parts import Part, is_better, worth

ROUNDING = 1e-12
"""Moves whose values differ by less are the same."""

Seeking = np.dtype([("epsilon", "f8")], align=True)


def is_clearly_better(who, v, best):
    return v > best + ROUNDING if who == 0 else v < best - ROUNDING


def with_mistakes(search, best, total, n):
    return best + search.seeking.epsilon * total / n


MISTAKES = Part(
    "mistakes",
    {is_better: is_clearly_better, worth: with_mistakes},
    {"seeking": (Record(Seeking), lambda settings: np.array([(settings["mistakes"],)], Seeking))},
)
