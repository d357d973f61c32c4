"""A node is what the searching player knows, at others' decisions too: SO-ISMCTS+POM (Whitehouse 2014, sec. 6.3.1).

What others do there is told apart by what the searcher sees of it; which of the moves that look the same is made is
left to a draw.
"""

import numpy as np

from fogspiel.game.state import advance
from fogspiel.game.table import actor, always_at_once, copy_state, infoset, mix, pick, play, stage_goes_on, state_at
from fogspiel.search.nodes import slots_of

RECORD = (("known", "i8"), ("veiled", "i8"))
"""What the searcher knew when the stage began; whether moves of the present decision are told apart by what it sees of
them."""


def memory(game, room):
    return {"names": game.buffer(), "child": np.zeros(game.dtype.itemsize + 64, np.int8)}


def stage_begins(game, search, s):
    search.seen.known = infoset(game, s, search.asked.searcher)


def key_of(game, search, s, who):
    known = infoset(game, s, who) if who == search.asked.searcher else search.seen.known
    return mix(known, who)


def slots_for(game, search, s, node, who, n):
    search.seen.veiled = who != search.asked.searcher and not in_a_stage(game, search, s, who)
    if search.seen.veiled == 0:
        return slots_of(search, node, n, search.moves)
    return slots_of(search, node, seen_moves(game, search, s, n), search.names)


def meant(search, who, name, n):
    """One of the n moves that the searcher gives the same name, each as likely."""
    if search.seen.veiled == 0:
        return name
    picked = 0
    alike = 0
    for i in range(n):
        if search.labels[i] == name:
            alike += 1
            if alike == 1 or pick(search.rng, alike) == 0:
                picked = search.moves[i]
    return picked


def in_a_stage(game, search, s, who):
    """Whether others choose at the same time: nobody sees the moves before all have chosen."""
    if search.asked.simultaneous == 0:
        return False
    if always_at_once(game, search.asked.simultaneous) or search.walk.pending != 0:
        return True
    child = state_at(game, search.child, 0)
    copy_state(game, child, s)
    play(game, child, search.moves[0])
    return stage_goes_on(game, child, search.asked.simultaneous, who, actor(game, child))


def seen_moves(game, search, s, n):
    """What the searcher knows after each of another player's n moves, into search.labels; each different one once, into
    search.names. Returns how many those are."""
    labels, names = search.labels, search.names
    child = state_at(game, search.child, 0)
    m = 0
    for i in range(n):
        copy_state(game, child, s)
        play(game, child, search.moves[i])
        labels[i] = infoset(game, child, search.asked.searcher)
        names[m] = labels[i]
        first = 0
        while names[first] != labels[i]:
            first += 1
        m += first == m
    return m


def label(search, state, searcher, move):
    if state.actor == searcher or search.game.always_at_once:
        return move
    after = state.copy()
    advance(after, move)
    if state.stage is not state or after.stage is not after:
        return move
    key = after.key(searcher)
    return key - (1 << 64) if key >= 1 << 63 else key
