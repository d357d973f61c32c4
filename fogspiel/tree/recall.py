"""Imperfect recall: what an abstraction, or a game whose players forget, has in common with the full game."""

import numpy as np

from fogspiel.tree.tree import Tree


def strictly_informative(tree: Tree) -> bool:
    """Whether no history passes an information set of the abstraction twice (Lanctot 2013, eq. 5.1)."""
    if tree.tied is None:
        return True
    owner = np.repeat(np.arange(len(tree.count)), tree.count)
    above = tree.parent.copy()
    while (above >= 0).any():
        later = np.flatnonzero(above >= 0)
        earlier = owner[above[later]]
        if (tree.tied[earlier] == tree.tied[later]).any():
            return False
        above[later] = tree.parent[earlier]
    return True
