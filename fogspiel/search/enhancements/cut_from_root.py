"""Simulations end so many moves from the root (Lisý 2014, sec. 5.5.1), in the tree or outside it, and an evaluation is taken."""

from fogspiel.search.enhancements.cut import PARAMETERS

__all__ = ["PARAMETERS", "cut"]


def cut(search, longest):
    return max(0, search.cut_from_root.cut - search.walk.depth)
