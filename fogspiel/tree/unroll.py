"""Walk every history of a game once, depth first, in machine code, and write down what is met.

The walk keeps its own stack, so that it can stop at any history: to make room, to show progress, to obey Ctrl-C or a
memory limit. Information sets are told apart by the player's key *and* by the player's own last sequence; with perfect
recall the second follows from the first, without it the walk yields the coarsest perfect-recall refinement (Lanctot
2013, ch. 5). Where the game has a rule `abstract`, its key is written down with each information set.
"""

from typing import Any

import numpy as np

from fogspiel.engine.index import enter_all, find
from fogspiel.engine.kernel import inlined, kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Reals, Record, Records, Words
from fogspiel.game.table import (
    ABSTRACT,
    CHANCE,
    LIMIT,
    OVER,
    PLAYERS,
    actor,
    chances,
    copy_state,
    infoset,
    mix,
    moves,
    packed_at,
    payoff,
    play,
    situation,
)

DEEPEST = 1 << 17
"""Levels that the walk's stack may have: a game that is deeper has cycles, most likely."""

FINISHED, PAUSED, STACK, INFOSETS, ACTIONS, TERMINALS, HISTORIES, TOO_MANY, NO_MOVES, DIFFER, NOBODY = range(11)
"""Why the walk stopped: the end, the budget, one of five kinds of room used up, or one of four mistakes in the
rules."""

Walk = np.dtype(
    [
        ("depth", "i8"),
        ("deepest", "i8"),
        ("histories", "i8"),
        ("chance_nodes", "i8"),
        ("infosets", "i8"),
        ("actions", "i8"),
        ("terminals", "i8"),
        ("stop_at", "i8"),
        ("keep", "i8"),
        ("stack_room", "i8"),
        ("buffer_room", "i8"),
        ("infoset_room", "i8"),
        ("action_room", "i8"),
        ("terminal_room", "i8"),
        ("history_room", "i8"),
        ("mask", "i8"),
        ("culprit", "i8"),
        ("lowest", "f8"),
        ("highest", "f8"),
        ("imbalance", "f8"),
    ],
    align=True,
)
"""Where the walk stands. `keep` tells whether every history is written down; `imbalance` is the largest |sum of
payoffs|."""

Frame = np.dtype(
    [
        ("actor", "i8"),
        ("moves", "i8"),
        ("done", "i8"),
        ("first", "i8"),
        ("infoset", "i8"),
        ("history", "i8"),
        ("reach", "f8"),
    ],
    align=True,
)
"""A history on the stack: who moves there, how many moves there are and how many of them are done, where they begin in
`buffer`, the information set (-1: chance's), the history's number, and what chance contributes to its probability."""

Walking: Any = Record(Walk)

Stack: Any = Bundle(states=Bytes, frames=Records(Frame), last=Ints32, buffer=Ints, odds=Reals)
"""The histories from the root to where the walk stands. `last` is each player's last action at each of them, -1 before
the first; `buffer` has their moves, and `odds` the probabilities of chance's."""

Infosets: Any = Bundle(
    player=Bytes,
    key=Words,
    first=Ints,
    count=Ints32,
    parent=Ints32,
    members=Ints32,
    situation=Words,
    move=Ints,
    index=Ints32,
)
"""Information sets and their actions (`Tree`), and an index of them."""

Terminals: Any = Bundle(last=Ints32, reach=Reals, pay=Reals)
"""The ends (`Tree`)."""

HistoryArrays: Any = Bundle(parent=Ints32, actor=Bytes, infoset=Ints32, move=Ints, reach=Reals, terminal=Ints32)
"""Every history, if it is kept (`tree.Histories`)."""


@kernel
def walk(game: Ints, w: Walking, stack: Stack, sets: Infosets, terminals: Terminals, histories: HistoryArrays) -> Int:
    """Go on with the walk until it ends or must stop; returns why."""
    players = game[PLAYERS]
    states, buffer, odds, last = stack.states, stack.buffer, stack.odds, stack.last
    while True:
        d = w.depth
        above = stack.frames[d]
        i = above.done
        if i == above.moves:
            if d == 0:
                return FINISHED
            w.depth = d - 1
            continue
        top = above.first + above.moves
        lacking = short_of(game, w, top)
        if lacking != FINISHED:
            return lacking
        above.done = i + 1
        at = above.first + i
        c = d + 1
        s = packed_at(game, states, c)
        copy_state(game, s, packed_at(game, states, d))
        for p in range(players):
            last[c * players + p] = last[d * players + p]
        reach = above.reach
        if d > 0:
            play(game, s, buffer[at])
            if above.actor == CHANCE:
                reach *= odds[at]
            else:
                last[c * players + above.actor] = sets.first[above.infoset] + i
        h = w.histories
        w.histories = h + 1
        w.deepest = max(w.deepest, d)
        who = actor(game, s)
        found = -1
        if who == OVER:
            write_terminal(game, w, s, reach, c, last, terminals)
        else:
            if who >= players or who < OVER:
                w.culprit = who
                return NOBODY
            if who == CHANCE:
                n = chances(game, s, buffer, top, odds, top)
                w.chance_nodes += 1
            else:
                n = moves(game, s, buffer, top)
            if n > game[LIMIT] or n < 1:
                w.culprit = n
                return TOO_MANY if n > 0 else NO_MOVES
            here = stack.frames[c]
            here.actor, here.moves, here.done, here.first, here.history, here.reach = who, n, 0, top, h, reach
            if who != CHANCE:
                found = infoset_of(game, w, s, here, last[c * players + who], buffer, sets)
                if found < 0:
                    return DIFFER
            here.infoset = found
            w.depth = c
        if w.keep != 0:
            histories.parent[h] = above.history
            histories.actor[h] = who
            histories.infoset[h] = found
            histories.move[h] = buffer[at] if d > 0 else -1
            histories.reach[h] = reach
            histories.terminal[h] = w.terminals - 1 if who == OVER else -1


@inlined
def short_of(game, w, top):
    """What keeps the walk from going on to a child: the budget, or room; FINISHED if nothing does. Its moves would
    begin at `top`."""
    if w.histories >= w.stop_at:
        return PAUSED
    if w.depth + 2 >= w.stack_room or top + game[LIMIT] > w.buffer_room:
        return STACK
    if w.infosets >= w.infoset_room:
        return INFOSETS
    if w.actions + game[LIMIT] > w.action_room:
        return ACTIONS
    if w.terminals >= w.terminal_room:
        return TERMINALS
    if w.keep != 0 and w.histories >= w.history_room:
        return HISTORIES
    return FINISHED


@inlined
def write_terminal(game, w, s, reach, level, last, terminals):
    """The payoffs of state s, times what chance contributes to its probability, and the players' last actions."""
    players, pay = game[PLAYERS], terminals.pay
    z = w.terminals
    w.terminals = z + 1
    payoff(game, s, pay, z * players)
    total = 0.0
    for p in range(players):
        u = pay[z * players + p]
        total += u
        w.lowest = min(w.lowest, u)
        w.highest = max(w.highest, u)
        pay[z * players + p] = u * reach
        terminals.last[z * players + p] = last[level * players + p]
    w.imbalance = max(w.imbalance, abs(total))
    terminals.reach[z] = reach


@inlined
def infoset_of(game, w, s, here, parent, buffer, sets):
    """The information set of state s, after the player's action `parent`, new or not; -1 if it was met with other
    moves."""
    who, n, first = here.actor, here.moves, here.first
    key = infoset(game, s, who)
    at = find(mix(mix(key, who), parent), sets.index, w.mask, is_set, key, who, parent, sets)
    found = sets.index[at] - 1
    if found < 0:
        found = w.infosets
        sets.index[at] = found + 1
        w.infosets = found + 1
        sets.player[found] = who
        sets.key[found] = key
        sets.parent[found] = parent
        if game[ABSTRACT] != 0:
            sets.situation[found] = situation(game, s, who)
        sets.first[found] = w.actions
        sets.count[found] = n
        for a in range(n):
            sets.move[w.actions + a] = buffer[first + a]
        w.actions += n
    else:
        same = sets.count[found] == n
        for a in range(min(n, sets.count[found])):
            same = same and sets.move[sets.first[found] + a] == buffer[first + a]
        if not same:
            w.culprit = found
            return -1
    sets.members[found] += 1
    return found


def is_set(entry, key, who, parent, sets):
    i = entry - 1
    return sets.key[i] == np.uint64(key) and sets.parent[i] == parent and sets.player[i] == who


def hash_of(i, sets):
    return mix(mix(sets.key[i], sets.player[i]), sets.parent[i])


@kernel
def enter_sets(infosets: Int, mask: Int, sets: Infosets) -> None:
    """Enter every information set in another index."""
    enter_all(infosets, sets.index, mask, hash_of, sets)
