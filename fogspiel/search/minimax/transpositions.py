"""A transposition table (Greenblatt et al. 1967): what is known of a node is found again by other lines, and in deeper
searches.

A value counts for its own depth only, so the table changes no result; the best move is also asked of the depth before,
which deepening has searched.
"""

from collections import namedtuple

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.index import place
from fogspiel.engine.kinds import Bytes, Record, Records
from fogspiel.engine.primitives import mix
from fogspiel.game.table import known_key, position, state_at
from fogspiel.search.minimax.parts import Part, best_known, entry_of, is_settled, recalled, remember

EMPTY, EXACT, LOWER, UPPER = range(4)
"""What a place of the table holds: nothing, a value, or a bound of one."""
JUDGED = 4
"""Added to that where the value rests on the horizon."""

Entry = np.dtype([("key", "u8"), ("value", "f8"), ("best", "i8")], align=True)
"""The key of a state and a depth, the value, and the best move."""

Places = np.dtype([("mask", "i8")], align=True)
"""How many places the table has, a power of two, less one."""

Found = namedtuple("Found", "name key slot")
"""The key of a state, the key of the state and a depth, and the place of that in the table."""


def find(search, at, name):
    key = mix(name, at.left)
    return Found(name, key, place(key, search.places.mask))


def by_state(game, search, at, who):
    return find(search, at, known_key(game, state_at(game, search.states, at.level), who))


def by_line(game, search, at, who):
    return find(search, at, at.line)


def by_position(game, search, at, who):
    return find(search, at, position(game, state_at(game, search.states, at.level)))


def holds(search, key, slot):
    # what a place holds is noted apart, in few bytes, which stay near the processor: of most places it is nothing
    return search.notes[slot] != EMPTY and search.table[slot].key == key


def suffices(search, entry, window):
    if not holds(search, entry.key, entry.slot):
        return False
    v = search.table[entry.slot].value
    held = search.notes[entry.slot] & 3
    return held == EXACT or (held == LOWER and v >= window.beta) or (held == UPPER and v <= window.alpha)


def recall(search, entry):
    search.counts.hits += 1
    search.counts.horizon += search.notes[entry.slot] // JUDGED
    return search.table[entry.slot].value


def best_of_depth(search, entry, at):
    """The best move at this depth."""
    return search.table[entry.slot].best if holds(search, entry.key, entry.slot) else -1


def best_of_depth_or_before(search, entry, at):
    """The best move at this depth, or at that before."""
    if holds(search, entry.key, entry.slot):
        return search.table[entry.slot].best
    shallower = mix(entry.name, at.left - 1)
    before = place(shallower, search.places.mask)
    return search.table[before].best if holds(search, shallower, before) else -1


def write_down(search, entry, window, v, best, judged):
    new = search.table[entry.slot]
    new.key, new.value, new.best = entry.key, v, best
    held = LOWER if v >= window.beta else UPPER if v <= window.alpha else EXACT
    search.notes[entry.slot] = held + JUDGED if search.counts.horizon > judged else held


_TABLE: dict[Function, Function] = {
    is_settled: suffices,
    recalled: recall,
    best_known: best_of_depth_or_before,
    remember: write_down,
}
_MEMORY = {
    "places": (Record(Places), lambda settings: np.array([(settings["table"] - 1,)], Places)),
    "table": (Records(Entry), lambda settings: np.zeros(settings["table"], Entry).view(np.recarray)),
    "notes": (Bytes, lambda settings: np.zeros(settings["table"], np.int8)),
}

STATES = Part("states", {entry_of: by_state, **_TABLE}, _MEMORY)
"""Lines that lead to the same state meet there."""

LINES = Part("lines", {entry_of: by_line, **_TABLE}, _MEMORY)
"""With sampling the line stands for the state, for another line's sample is not this line's: then the table helps after
a probe, and with the order of moves."""

POSITIONS = Part("positions", {entry_of: by_position, **_TABLE, best_known: best_of_depth}, _MEMORY)
"""Lines meet where the rest of the game is the same, which is searched to its end; so there is one depth."""
