"""What the search of simultaneous moves (`do_search.py`) holds in memory, and the moves of one stage.

A level of `states` is a state, padded to whole words. `moves`, `odds` and `cells` are stacks: what belongs to a stage lies above what
belongs to the stages that led to it. The transposition table has WAYS places for an entry.
"""

import numpy as np

from fogspiel.engine.kinds import Bundle, Bytes, Ints, Reals, Records
from fogspiel.engine.primitives import address_of
from fogspiel.game.matrix_game import Simplex, Strategies
from fogspiel.game.table import CHANCE, LIMIT, SIZE, actor, copy_state, follow, infoset, mix, moves, play, state_key

NODES, CLOCK, BLIND, DEEP, ROOM, TABLE, LINES, TOO_MANY, NO_MOVES, UNKNOWN = range(1, 11)
"""Why a search stopped before its end: its nodes or its time are used up, it stands at the horizon of a game without `evaluate`, the
line is too long, the stacks, the table or the strategy need more room, one of two mistakes in the rules, or a player does not know the
state."""
FOREVER = 1 << 40
"""Stages to go, where there is no horizon."""
WAYS = 4
"""Places of the table where an entry may be."""

Work = np.dtype([
    ("low", "f8"), ("high", "f8"), ("better", "f8"), ("simultaneous", "i8"), ("depth", "i8"), ("most", "i8"), ("levels", "i8"),
    ("room", "i8"), ("cells", "i8"), ("wide", "i8"), ("mask", "i8"), ("allowed", "i8"), ("line_room", "i8"), ("move_room", "i8"),
    ("salt", "i8"), ("stop", "i8"), ("culprit", "i8"), ("nodes", "i8"), ("serialized", "i8"), ("programs", "i8"), ("horizon", "i8"),
    ("deepest", "i8"), ("hits", "i8"), ("entries", "i8"), ("lines", "i8"), ("written", "i8"),
    ("root", "i8"), ("first", "i8"), ("rows", "i8"), ("columns", "i8"),
], align=True)  # fmt: skip
"""What to search and how it went. `low` and `high` bound the values; a best response must be `better` by so much to count; `most` nodes
may be visited; `mask` is the size of the table less one, and with more than `allowed` entries it is too small. `nodes` were visited in all,
`serialized` of them in serialized games; `programs` matrix games were solved; `horizon` counts values that came from the game's rule
`evaluate`, or rest on such; `hits` what the table knew. The strategies of the stage on level `root` are wanted: there, `first` moves first,
and player 0 has `rows` moves, player 1 `columns`, 0 where only one of them moves."""

Entry = np.dtype([("key", "u8"), ("low", "f8"), ("high", "f8"), ("hint", "i8"), ("judged", "i8")], align=True)
"""What the table knows of a value: bounds, the best move of whoever shows its choices, and whether it rests on `evaluate`."""

Cell = np.dtype([("low", "f8"), ("high", "f8")], align=True)
"""Bounds of the value after a joint move, or after an outcome of chance."""

Line = np.dtype([("key", "u8"), ("player", "i8"), ("count", "i8")], align=True)
"""An information set of the strategy that is written down, and how many moves it has."""

Memory = Bundle(
    states=Bytes, buffer=Ints, odds=Reals, cells=Records(Cell), table=Records(Entry), pay=Reals, answer=Reals,
    matrix=Reals, mixes=Strategies, simplex=Simplex,
)  # fmt: skip
"""The stacks, the table, payoffs, the strategies of the root's players, and a matrix game: its strategies, and what it is solved in."""

Written = Bundle(lines=Records(Line), moves=Ints, probabilities=Reals)
"""A strategy that is written down: its information sets, and one after another their moves and the moves' probabilities."""


def words_of(game):
    return (game[SIZE] + 7) // 8


def state_at(game, states, level):
    """The address of the state on a level."""
    return address_of(states) + 8 * words_of(game) * level


def position(game, state, who):
    """A key of a state: of what whoever moves there knows, which is all; where it is chance, of its bytes."""
    return mix(state_key(words_of(game), state), CHANCE) if who == CHANCE else mix(infoset(game, state, who), who)


def entry_key(position, kind, left):
    """The key of a kind of value of a position, with so many stages to go."""
    # in a function of its own: Numba cannot link functions that call each other if some make keys, and others do not
    return np.uint64(mix(mix(position, int(kind)), int(left)))


def place(w, table, key):
    """Where the table has a key or may have it: in an empty place, else in place of another."""
    base = int(key) & w.mask
    for i in range(WAYS):
        if table[base ^ i].key == key or table[base ^ i].key == np.uint64(0):
            return base ^ i
    return base


def shallower_hint(w, table, position, kind, left):
    """The best move of the search that was a stage less deep, or -1."""
    if left < FOREVER:
        key = entry_key(position, kind, left - 1)
        entry = table[place(w, table, key)]
        if entry.key == key:
            return entry.hint
    return -1


def remember(w, table, key, low, high, hint, judged):
    entry = table[place(w, table, key)]
    w.entries += entry.key == np.uint64(0)
    entry.key = key
    entry.low = low
    entry.high = high
    entry.hint = hint
    entry.judged = judged


def beginning(depth):
    """The first level, with so many stages to go."""
    # literals would be of another type than the numbers of the levels after it
    zero = np.int64(0)
    return zero, zero + depth, zero, zero


def beyond(at, moves, cells):
    """Where the level after a stage is, which takes so much room."""
    level, left, first, cell = at
    return level + 1, left - 1 if left < FOREVER else left, first + moves, cell + cells


def follow_one(game, states, level, move):
    """Write the state after a move on the next level."""
    follow(game, state_at(game, states, level + 1), state_at(game, states, level), move)


def follow_both(game, states, level, who, row, column):
    """Write the state after a joint move on the next level; `who` is asked first."""
    child = state_at(game, states, level + 1)
    copy_state(game, child, state_at(game, states, level))
    play(game, child, row if who == 0 else column)
    play(game, child, column if who == 0 else row)


def stage_moves(game, w, states, buffer, at, who):
    """Write the moves of a stage, player 0's before player 1's, and return how many each has; 0 where only the other moves."""
    level, _, first, _ = at
    s = state_at(game, states, level)
    child = state_at(game, states, level + 1)
    mine = moves(game, s, buffer, first)
    if mine > game[LIMIT] or mine < 1:
        w.stop = TOO_MANY if mine > 0 else NO_MOVES
        w.culprit = mine
        return 0, 0
    theirs = 0
    if mine > 1:
        follow(game, child, s, buffer[first])
        after = actor(game, child)
        if after == 1 - who and unaware(game, w, s, child, buffer, first, mine, after):
            theirs = moves(game, child, buffer, first + mine)
            if theirs > game[LIMIT] or theirs < 1:
                w.stop = TOO_MANY if theirs > 0 else NO_MOVES
                w.culprit = theirs
    if who == 0:
        return mine, theirs
    for i in range(mine):
        buffer[first + mine + theirs + i] = buffer[first + i]
    for i in range(theirs):
        buffer[first + i] = buffer[first + mine + i]
    for i in range(mine):
        buffer[first + theirs + i] = buffer[first + mine + theirs + i]
    return theirs, mine


def unaware(game, w, s, child, buffer, first, n, after):
    """Whether player `after` moves next without knowing which of n moves was made: after all of them, or else after none."""
    if w.simultaneous != 0:
        return after == 1
    key = infoset(game, child, after)
    alike = 1
    for i in range(1, n):
        follow(game, child, s, buffer[first + i])
        alike += actor(game, child) == after and infoset(game, child, after) == key
    if 1 < alike < n:
        w.stop = UNKNOWN
    return alike == n


def in_order(i, begin):
    """Of 0, 1, 2, ... the i-th, if `begin` comes first."""
    return begin if i == 0 else i - 1 if i <= begin else i


def index_of(buffer, first, n, move):
    """Where a move is among n, or 0."""
    for i in range(n):
        if buffer[first + i] == move:
            return i
    return 0


def admit(buffer, order, inside, new):
    """Let a move into the restricted game, if there is one to let in; how many are inside."""
    if new < 0:
        return inside
    for i in range(new, inside, -1):
        held = buffer[order + i]
        buffer[order + i] = buffer[order + i - 1]
        buffer[order + i - 1] = held
    return inside + 1


def promise(odds, cells, at, stage, player, mine, left_out):
    """What a move is worth to the player at best against the other's strategy, by the bounds of its cells; and without one of them."""
    first, cell = at[2:]
    _, rows, columns = stage
    total = rest = 0.0
    for k in range(columns if player == 0 else rows):
        p = odds[first + (1 - player) * rows + k]
        if p > 0.0:
            v = cells[cell + mine * columns + k].high if player == 0 else cells[cell + k * columns + mine].low
            total += p * v
            rest += p * v if k != left_out else 0.0
    return total, rest
