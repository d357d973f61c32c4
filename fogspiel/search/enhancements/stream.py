"""Chance from streams of its own, for common random numbers and antithetic variates (Lanctot 2013, sec. 7.2 and 7.3).

A stream is a seed, made from the root and the number of a move's simulation; no outcomes are stored, and nothing but
chance uses it. It begins at the root, or with `begin_at=each` at every node of the tree: moves are then compared under
the same chance from there on, and those above only up to there. The thesis does so in Dominion, and found the root
alone to be better in Pig and Can't Stop.
"""

import numpy as np

from fogspiel.engine.primitives import next_word
from fogspiel.game.spec import Choice
from fogspiel.game.table import mix, sample
from fogspiel.search.hooks import hook

PARAMETERS = (
    Choice(
        "begin_at",
        "root",
        ("root", "each"),
        "where common and antithetic chance begins: at the root, or anew at each node of the tree",
    ),
)
RECORD = (("batch", "u8"), ("opened", "i8"))
"""What the seeds of this tree's streams are made from, and whether one is open."""


def memory(game, room):
    return {"dice": np.zeros(1, np.uint64)}


@hook
def pair(search, tries):
    """The number of a stream for a move that was tried so often."""
    return tries


@hook
def streamed(seed, move):
    """The seed of a move's stream."""
    return mix(seed, move)


@hook
def turn(game, search, s, i):
    """What a stream's outcome, search.moves[i], is replaced by."""


def begin(game, search):
    search.stream.opened = 0


def tried(search, key, slot):
    if search.walk.depth == 0 or search.stream.begin_at != 0:
        number = pair(search, slot.tries)
        search.dice[0] = streamed(mix(mix(search.stream.batch, key), number), slot.move)
        search.stream.opened = 1


def happen(game, search, s, n):
    i = sample(search.odds, 0, n, search.dice if search.stream.opened != 0 else search.rng)
    turn(game, search, s, i)
    return i


def plant(search):
    """A new tree has new streams."""
    search.stream.batch = next_word(search.rng)


def misfit(names):
    return (
        "" if "drawn" in names else "variates are for chance that is drawn as it comes, not proven, balanced or widened"
    )
