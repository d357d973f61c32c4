"""Simulations end so many moves from the root (Lisý 2014, sec. 5.5.1), in the tree or outside it, and an evaluation is
taken.

Chance's moves count, too. A stage of simultaneous moves that was begun in the tree is finished there, if the growth
finishes stages."""

from fogspiel.search.enhancements.cut import PARAMETERS

__all__ = ["PARAMETERS", "RECORD", "begin", "cut", "told"]

RECORD = (("moves", "i8"),)
"""Moves that the simulation made in the tree."""


def begin(game, search):
    search.cut_from_root.moves = 0


def told(search, who, move):
    own = search.cut_from_root
    own.moves += 1
    if own.moves >= own.cut:
        search.walk.growing = 0


def cut(search, longest):
    return max(0, search.cut_from_root.cut - search.cut_from_root.moves)
