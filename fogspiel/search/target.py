"""What online outcome sampling aims at: histories that pass through what the searching player has seen.

The target is the player's record, the keys it has seen one after another, and it is reached where the player is to move with all
of them seen. `leads` tells whether a state can still get there: a depth-first search over the rules that keeps to the record, at
most `tries` moves at a time. What was found out is remembered by the moves from the root, so that an iteration pays for a history
only once. A search that was cut short counts as a yes; such an iteration may miss the target, and its weights are right all the same.
"""

import numpy as np

from fogspiel.belief.agreement import agrees
from fogspiel.engine.index import FREE, enter, find
from fogspiel.engine.primitives import address_of
from fogspiel.game.table import CHANCE, LIMIT, OVER, SIZE, actor, chances, copy_state, mix, moves, play

Aim = np.dtype([
    ("seen", "i8"), ("watcher", "i8"), ("searcher", "i8"), ("tries", "i8"), ("levels", "i8"), ("mask", "i8"), ("known", "i8"), ("given_up", "i8"),
], align=True)  # fmt: skip
"""`seen` keys (0: no target) of `watcher` (a player, or PUBLIC), who is told by `searcher`'s turn that they are complete. `levels`
and `mask` are the room of the search's stack and memory, `known` how much is remembered, `given_up` how often it was cut short."""

NO, YES, UNKNOWN = 0, 1, -1


def after(game, s, aim, agreed, keys_seen):
    """How many of the recorded keys a history agrees with, given that it agreed with `agreed` before its last move; LEFT if it has
    left the record, more than there are where it has passed through the target."""
    if aim.seen == 0 or agreed < 0 or agreed > aim.seen:
        return agreed
    return agrees(game, s, aim.watcher, agreed, aim.seen, keys_seen)


def recall(history, aim, memory):
    """What is remembered of a history: NO, YES or UNKNOWN. Its lowest bit makes room for the answer."""
    name = np.uint64(history) >> np.uint64(1)
    entry = memory[find(name, memory, aim.mask, is_of, name)]
    return UNKNOWN if entry == FREE else int(entry & np.uint64(1))


def is_of(entry, name):
    return entry >> np.uint64(1) == name


def remember(history, answer, aim, memory):
    """Nothing more is remembered once the memory is half full."""
    if 2 * aim.known > aim.mask:
        return
    name = np.uint64(history) >> np.uint64(1)
    enter(name, name << np.uint64(1) | np.uint64(answer), memory, aim.mask)
    aim.known += 1


def leads(game, s, agreed, history, aim, keys_seen, memory, stack, frames, trails, buffer, odds):
    """Whether the state at s, which agrees with `agreed` keys after the moves hashed in `history`, can reach the target.

    A frame: moves, moves done, the first of them in `buffer`, keys agreed with.
    """
    size = game[SIZE]
    base = address_of(stack)
    copy_state(game, base, s)
    frames[2] = 0
    frames[3] = agreed
    trails[0] = np.uint64(history)
    depth = 0
    fresh = True
    tried = 0
    while True:
        f = 4 * depth
        here = base + depth * size
        if fresh:
            fresh = False
            who = actor(game, here)
            answer = recall(trails[depth], aim, memory)
            if answer == YES or (who == aim.searcher and frames[f + 3] == aim.seen):
                for d in range(depth + 1):
                    if recall(trails[d], aim, memory) == UNKNOWN:
                        remember(trails[d], YES, aim, memory)
                return True
            frames[f] = 0
            frames[f + 1] = 0
            if answer == UNKNOWN and who == CHANCE:
                frames[f] = chances(game, here, buffer, frames[f + 2], odds, frames[f + 2])
            elif answer == UNKNOWN and who != OVER:
                frames[f] = moves(game, here, buffer, frames[f + 2])
        if frames[f + 1] == frames[f]:
            if recall(trails[depth], aim, memory) == UNKNOWN:
                remember(trails[depth], NO, aim, memory)
            if depth == 0:
                return False
            depth -= 1
            continue
        if tried == aim.tries or depth + 1 == aim.levels or frames[f] > game[LIMIT]:
            aim.given_up += 1
            return True
        tried += 1
        move = buffer[frames[f + 2] + frames[f + 1]]
        frames[f + 1] += 1
        copy_state(game, here + size, here)
        play(game, here + size, move)
        ahead = after(game, here + size, aim, frames[f + 3], keys_seen)
        if ahead >= 0:
            depth += 1
            fresh = True
            frames[f + 6] = frames[f + 2] + frames[f]
            frames[f + 7] = ahead
            trails[depth] = mix(trails[depth - 1], move)


def in_target(game, s, child, move, agreed, history, aim, keys_seen, memory, stack, frames, trails, buffer, odds):
    """Whether a move from the state at s keeps the target within reach; `child` has room for a state."""
    then = mix(history, move)
    answer = recall(then, aim, memory)
    if answer != UNKNOWN:
        return answer == YES
    copy_state(game, child, s)
    play(game, child, move)
    ahead = after(game, child, aim, agreed, keys_seen)
    if ahead < 0:
        remember(then, NO, aim, memory)
        return False
    return leads(game, child, ahead, then, aim, keys_seen, memory, stack, frames, trails, buffer, odds)
