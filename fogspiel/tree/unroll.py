"""Walk every history of a game once, depth first, in machine code, and write down what is met.

The walk keeps its own stack, so that it can stop at any history: to make room, to show progress, to obey Ctrl-C or a
memory limit. Information sets are told apart by the player's key *and* by the player's own last sequence; with perfect
recall the second follows from the first, without it the walk yields the coarsest perfect-recall refinement (Lanctot
2013, ch. 5). Where the game has a rule `abstract`, its key is written down with each information set.
"""

import numpy as np

from fogspiel.engine.index import enter_all, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Reals, Record, Words
from fogspiel.engine.primitives import address_of
from fogspiel.game.table import (
    ABSTRACT,
    CHANCE,
    LIMIT,
    OVER,
    PLAYERS,
    SIZE,
    actor,
    chances,
    copy_state,
    infoset,
    mix,
    moves,
    payoff,
    play,
    situation,
)

FINISHED, PAUSED, STACK, INFOSETS, ACTIONS, TERMINALS, HISTORIES, TOO_MANY, NO_MOVES, DIFFER, NOBODY = range(11)
"""Why the walk stopped: the end, the budget, one of five kinds of room used up, or one of four mistakes in the rules."""

Walk = np.dtype([
    ("depth", "i8"), ("deepest", "i8"), ("histories", "i8"), ("chance_nodes", "i8"), ("infosets", "i8"), ("actions", "i8"),
    ("terminals", "i8"), ("stop_at", "i8"), ("keep", "i8"), ("stack_room", "i8"), ("buffer_room", "i8"), ("infoset_room", "i8"),
    ("action_room", "i8"), ("terminal_room", "i8"), ("history_room", "i8"), ("mask", "i8"), ("culprit", "i8"),
    ("lowest", "f8"), ("highest", "f8"), ("imbalance", "f8"),
], align=True)  # fmt: skip
"""Where the walk stands. `keep` tells whether every history is written down; `imbalance` is the largest |sum of payoffs|."""


@kernel
def walk(
    game: Ints, w: Record(Walk), states: Bytes, buffer: Ints, odds: Reals, frame: Ints, reach: Reals, last: Ints32,
    set_player: Bytes, set_key: Words, set_first: Ints, set_count: Ints32, set_parent: Ints32, set_members: Ints32, set_situation: Words, index: Ints32, action_move: Ints,
    terminal_last: Ints32, terminal_reach: Reals, terminal_pay: Reals,
    history_parent: Ints32, history_actor: Bytes, history_infoset: Ints32, history_move: Ints, history_reach: Reals, history_terminal: Ints32,
) -> Int:  # fmt: skip
    """Go on with the walk until it ends or must stop; returns why.

    `frame` holds five numbers a level of the stack: actor, moves, moves done, first position in `buffer`, and the
    information set; `reach` is chance's contribution to the history's probability, `last` each player's last action.
    """
    players = game[PLAYERS]
    size = game[SIZE]
    base = address_of(states)
    while True:
        d = w.depth
        if frame[5 * d + 2] == frame[5 * d + 1]:
            if d == 0:
                return FINISHED
            w.depth = d - 1
            continue
        here = frame[5 * d + 3]
        c = d + 1
        top = here + frame[5 * d + 1]
        if w.histories >= w.stop_at:
            return PAUSED
        if c + 1 >= w.stack_room or top + game[LIMIT] > w.buffer_room:
            return STACK
        if w.infosets >= w.infoset_room:
            return INFOSETS
        if w.actions + game[LIMIT] > w.action_room:
            return ACTIONS
        if w.terminals >= w.terminal_room:
            return TERMINALS
        if w.keep != 0 and w.histories >= w.history_room:
            return HISTORIES
        i = frame[5 * d + 2]
        frame[5 * d + 2] = i + 1
        s = base + c * size
        copy_state(game, s, base + d * size)
        for p in range(players):
            last[c * players + p] = last[d * players + p]
        reach[c] = reach[d]
        above = frame[5 * d]
        if d > 0:
            play(game, s, buffer[here + i])
            if above == CHANCE:
                reach[c] = reach[d] * odds[here + i]
            else:
                last[c * players + above] = set_first[frame[5 * d + 4]] + i
        h = w.histories
        w.histories = h + 1
        w.deepest = max(w.deepest, d)
        who = actor(game, s)
        found = -1
        if who == OVER:
            z = w.terminals
            w.terminals = z + 1
            payoff(game, s, terminal_pay, z * players)
            total = 0.0
            for p in range(players):
                u = terminal_pay[z * players + p]
                total += u
                w.lowest = min(w.lowest, u)
                w.highest = max(w.highest, u)
                terminal_pay[z * players + p] = u * reach[c]
                terminal_last[z * players + p] = last[c * players + p]
            w.imbalance = max(w.imbalance, abs(total))
            terminal_reach[z] = reach[c]
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
            if who >= 0:
                key = infoset(game, s, who)
                parent = last[c * players + who]
                hashed = mix(mix(key, who), parent)
                at = find(hashed, index, w.mask, is_set, key, who, parent, set_key, set_player, set_parent)
                found = index[at] - 1
                if found < 0:
                    found = w.infosets
                    index[at] = found + 1
                    w.infosets = found + 1
                    set_player[found] = who
                    set_key[found] = key
                    set_parent[found] = parent
                    if game[ABSTRACT] != 0:
                        set_situation[found] = situation(game, s, who)
                    set_first[found] = w.actions
                    set_count[found] = n
                    for a in range(n):
                        action_move[w.actions + a] = buffer[top + a]
                    w.actions += n
                else:
                    same = set_count[found] == n
                    for a in range(min(n, set_count[found])):
                        same = same and action_move[set_first[found] + a] == buffer[top + a]
                    if not same:
                        w.culprit = found
                        return DIFFER
                set_members[found] += 1
            frame[5 * c] = who
            frame[5 * c + 1] = n
            frame[5 * c + 2] = 0
            frame[5 * c + 3] = top
            frame[5 * c + 4] = found
            w.depth = c
        if w.keep != 0:
            frame[5 * c + 5 * w.stack_room] = h
            history_parent[h] = frame[5 * d + 5 * w.stack_room] if d > 0 else -1
            history_actor[h] = who
            history_infoset[h] = found
            history_move[h] = buffer[here + i] if d > 0 else -1
            history_reach[h] = reach[c]
            history_terminal[h] = w.terminals - 1 if who == OVER else -1


def is_set(entry, key, who, parent, set_key, set_player, set_parent):
    i = entry - 1
    return set_key[i] == np.uint64(key) and set_parent[i] == parent and set_player[i] == who


def hash_of(i, set_key, set_player, set_parent):
    return mix(mix(set_key[i], set_player[i]), set_parent[i])


@kernel
def enter_sets(infosets: Int, index: Ints32, mask: Int, set_key: Words, set_player: Bytes, set_parent: Ints32) -> None:
    """Enter every information set in another index."""
    enter_all(infosets, index, mask, hash_of, set_key, set_player, set_parent)
