"""What the search of simultaneous moves (`stage_search.py`) holds in memory, its table, and why it may stop.

A level of `states` is a state, padded to whole words. `moves`, `odds` and `cells` are stacks: what belongs to a stage
lies above what belongs to the stages that led to it. The transposition table has WAYS places for an entry.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from fogspiel.engine.kinds import Bundle, Bytes, Ints, Reals, Record, Records
from fogspiel.game.matrix_game import Simplex, Strategies
from fogspiel.game.table import mix
from fogspiel.search.minimax.line_end import NO_MOVES

TABLE, LINES, UNKNOWN = range(NO_MOVES + 1, NO_MOVES + 4)
"""Why a search stopped, beside what else may stop one (`line_end.py`): the table or the strategy need more room, or a
player does not know the state."""
FOREVER = 1 << 40
"""Stages to go, where there is no horizon."""
NOBODY = 2
"""Of the two players."""
WAYS = 4
"""Places of the table where an entry may be."""

Asked = np.dtype(
    [
        ("low", "f8"),
        ("high", "f8"),
        ("better", "f8"),
        ("simultaneous", "i8"),
        ("depth", "i8"),
        ("most", "i8"),
        ("run", "i8"),
    ],
    align=True,
)
"""What to search: `low` and `high` bound the values; a best response must be `better` by so much to count; whether the
game says that stages are of simultaneous moves; `most` nodes may be visited, `depth` stages ahead; and the number of
this run."""

Room = np.dtype(
    [
        ("moves", "i8"),
        ("cells", "i8"),
        ("wide", "i8"),
        ("mask", "i8"),
        ("entries", "i8"),
        ("lines", "i8"),
        ("written", "i8"),
    ],
    align=True,
)
"""How much fits: moves and cells on the stacks, the side of a matrix game; the size of the table less one, and the
entries with which it is too small; information sets of a strategy that is written down, and their moves."""

Stand = np.dtype(
    [
        ("stop", "i8"),
        ("culprit", "i8"),
        ("root", "i8"),
        ("first", "i8"),
        ("rows", "i8"),
        ("columns", "i8"),
    ],
    align=True,
)
"""Where the search stands: why it was given up, 0 if it was not, and how many moves a state had if that is why. The
strategies of the stage on level `root` are wanted: there, `first` moves first, and player 0 has `rows` moves, player 1
`columns`, 0 where only one of them moves."""

Counts = np.dtype(
    [
        ("nodes", "i8"),
        ("serialized", "i8"),
        ("programs", "i8"),
        ("horizon", "i8"),
        ("deepest", "i8"),
        ("hits", "i8"),
        ("entries", "i8"),
        ("lines", "i8"),
        ("written", "i8"),
    ],
    align=True,
)
"""Nodes visited, `serialized` of them in serialized games; matrix games solved; values that came from the horizon, or
rest on such; the level of the longest line; what the table knew; and how much is in the table, and of the strategy that
is written down."""

Entry = np.dtype([("key", "u8"), ("low", "f8"), ("high", "f8"), ("hint", "i8"), ("judged", "i8")], align=True)
Table: Any = Records(Entry)
"""What the table knows of a value: bounds, the best move of whoever shows its choices, and whether it rests on the
horizon."""

Cell = np.dtype([("low", "f8"), ("high", "f8")], align=True)
"""Bounds of the value after a joint move, or after an outcome of chance."""

Line = np.dtype([("key", "u8"), ("player", "i8"), ("count", "i8")], align=True)
"""An information set of the strategy that is written down, and how many moves it has."""

Memory: Any = Bundle(
    asked=Record(Asked),
    room=Record(Room),
    stand=Record(Stand),
    counts=Record(Counts),
    states=Bytes,
    moves=Ints,
    odds=Reals,
    cells=Records(Cell),
    table=Table,
    pay=Reals,
    answer=Reals,
    matrix=Reals,
    mixes=Strategies,
    simplex=Simplex,
)
"""The records, the stacks, the table, payoffs, the strategies of the root's players, and a matrix game: its strategies,
and what it is solved in."""

Written: Any = Bundle(lines=Records(Line), moves=Ints, probabilities=Reals)
"""A strategy that is written down: its information sets, and one after another their moves and the moves'
probabilities."""

Place = namedtuple("Place", "level left first cell shown")
"""Where a node is: the level of its state, how many stages may be searched from it, where its moves and its cells may
be written, and the player whose choices are shown to the other in the game that is searched, or NOBODY."""

Stage = namedtuple("Stage", "who rows columns")
"""A stage of both players': who is asked first, and how many moves player 0 and player 1 have."""


def beginning(depth):
    """The first level, with so many stages to go."""
    # literals would be of another type than the numbers of the levels after it
    zero = np.int64(0)
    return Place(zero, zero + depth, zero, zero, zero + NOBODY)


def beyond(at, moves, cells):
    """Where the level after a stage is, which takes so much room."""
    left = at.left - 1 if at.left < FOREVER else at.left
    return Place(at.level + 1, left, at.first + moves, at.cell + cells, at.shown)


def showing(at, player):
    """The same place in the game in which this player's choices are shown to the other."""
    return Place(at.level, at.left, at.first, at.cell, player)


def entry_key(state, shown, left):
    """The key of the value of a state, in the game in which this player's choices are shown, with so many stages to
    go."""
    # in a function of its own: Numba cannot link functions that call each other if some make keys, and others do not
    return np.uint64(mix(mix(state, int(shown)), int(left)))


def place(search, key):
    """Where the table has a key or may have it: in an empty place, else in place of another."""
    base = int(key) & search.room.mask
    for i in range(WAYS):
        if search.table[base ^ i].key == key or search.table[base ^ i].key == np.uint64(0):
            return base ^ i
    return base


def shallower_hint(search, state, at):
    """The best move of the search that was a stage less deep, or -1."""
    if at.left < FOREVER:
        key = entry_key(state, at.shown, at.left - 1)
        entry = search.table[place(search, key)]
        if entry.key == key:
            return entry.hint
    return -1


def remember(search, key, low, high, hint, judged):
    entry = search.table[place(search, key)]
    search.counts.entries += entry.key == np.uint64(0)
    entry.key = key
    entry.low = low
    entry.high = high
    entry.hint = hint
    entry.judged = judged
