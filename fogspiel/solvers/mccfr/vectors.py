"""The vectors of public chance sampling (Johanson et al. 2012), over what a player may hold: reach, strategy, and
counterfactual values.

All lie in one array, `run.vectors`, as a stack: a public state on the way takes what it needs of what is free, and what
is below it comes after.
"""

import numpy as np

from fogspiel.engine.primitives import part_of
from fogspiel.game.table import LIMIT

ROOM = 1 << 22
"""Reals in all vectors of a traversal."""

Public = np.dtype(
    [
        ("who", "i8"),
        ("key", "i8"),
        ("n", "i8"),
        ("first", "i8"),
        ("prob", "i8"),
        ("mine", "i8"),
        ("theirs", "i8"),
        ("value", "i8"),
        ("sigma", "i8"),
        ("free", "i8"),
        ("both", "f8"),
        ("twice", "f8"),
    ],
    align=True,
)
"""A public state on the way: who moves, the key with the deal that is carried, how many moves there are and where they
begin in `moves`. Where vectors begin in `vectors`: the probabilities of what player 0 may hold, then player 1; the
reach of each outcome of the updating player by its own actions, and of the other's; what each outcome of the updating
player is worth; the strategy, a row for each action with an element for each outcome of the player to move; and what is
free. Of a pair of outcomes the probability is `both` times the product of theirs, less `twice` times the one's if they
are the same card of one deck."""


def has_room(game, public, vectors):
    """Whether so many more vectors can be taken."""
    return public.free + vectors * game[LIMIT] <= ROOM


def take(public, count):
    """Where a vector of so many elements begins, or several one after the other, that nobody else has taken."""
    begin = public.free
    public.free = begin + count
    return begin


def vector(run, begin):
    """The vector that begins there."""
    return part_of(run.vectors, begin)


def row(begin, a, count):
    """Where that of an action begins, of vectors with `count` elements, one for each action."""
    return begin + a * count


def held_by(run, public, player):
    """The probabilities of what a player may hold."""
    return vector(run, public.prob + player * int(run.outcomes[0]))


def nodes_of(run, public):
    """Room for a node of the table for each outcome of the player to move, beside its strategy."""
    return part_of(run.nodes, public.sigma)
