"""A transposition table (Greenblatt et al. 1967): what is known of a node is found again by other lines, and in deeper
searches.

A value counts for its own depth only, so the table changes no result; the best move is also asked of the depth before,
which deepening has searched.
"""

from collections import namedtuple

import numpy as np

from fogspiel.engine.index import place
from fogspiel.engine.primitives import mix
from fogspiel.game.table import known_key, position, state_at

EMPTY, EXACT, LOWER, UPPER = range(4)
"""What a place of the table holds: nothing, a value, or a bound of one."""

JUDGED = 4
"""Added to that where the value rests on the horizon."""

Entry = np.dtype([("key", "u8"), ("value", "f8"), ("best", "i8")], align=True)
"""The key of a state and a depth, the value, and the best move."""

Found = namedtuple("Found", "name key slot")
"""The key of a state, the key of the state and a depth, and the place of that in the table."""


def find(search, at, name):
    key = mix(name, at.left)
    return Found(name, key, place(key, search.places.mask))


def holds(search, key, slot):
    # what a place holds is noted apart, in few bytes, which stay near the processor: of most places it is nothing
    return search.notes[slot] != EMPTY and search.table[slot].key == key


class States:
    """Lines that lead to the same state meet there."""

    RECORD = (("mask", "i8"),)
    """How many places the table has, a power of two, less one."""

    def memory(game, room):
        return {
            "table": np.zeros(room.nodes, Entry).view(np.recarray),
            "notes": np.zeros(room.nodes, np.int8),
            "mask": room.nodes - 1,
        }

    def entry_of(game, search, at, who):
        return find(search, at, known_key(game, state_at(game, search.states, at.level), who))

    def is_settled(search, entry, window):
        if not holds(search, entry.key, entry.slot):
            return False
        v = search.table[entry.slot].value
        held = search.notes[entry.slot] & 3
        return held == EXACT or (held == LOWER and v >= window.beta) or (held == UPPER and v <= window.alpha)

    def recalled(search, entry):
        search.counts.hits += 1
        search.counts.horizon += search.notes[entry.slot] // JUDGED
        return search.table[entry.slot].value

    def best_known(search, entry, at):
        """The best move at this depth, or at that before."""
        if holds(search, entry.key, entry.slot):
            return search.table[entry.slot].best
        shallower = mix(entry.name, at.left - 1)
        before = place(shallower, search.places.mask)
        return search.table[before].best if holds(search, shallower, before) else -1

    def remember(search, entry, window, v, best, judged):
        new = search.table[entry.slot]
        new.key, new.value, new.best = entry.key, v, best
        held = LOWER if v >= window.beta else UPPER if v <= window.alpha else EXACT
        search.notes[entry.slot] = held + JUDGED if search.counts.horizon > judged else held


class Lines(States):
    """With sampling the line stands for the state, for another line's sample is not this line's: then the table helps
    after a probe, and with the order of moves."""

    def entry_of(game, search, at, who):
        return find(search, at, at.line)


class Positions(States):
    """Lines meet where the rest of the game is the same, which is searched to its end; so there is one depth."""

    def entry_of(game, search, at, who):
        return find(search, at, position(game, state_at(game, search.states, at.level)))

    def best_known(search, entry, at):
        """The best move at this depth."""
        return search.table[entry.slot].best if holds(search, entry.key, entry.slot) else -1
