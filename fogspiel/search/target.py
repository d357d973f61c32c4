"""What online outcome sampling aims at: histories that pass through what the searching player has seen.

The target is the player's record, the keys it has seen one after another, and it is reached where the player is to move
with all of them seen. `leads` tells whether a state can still get there: a depth-first search over the rules that keeps
to the record. It has `tries` moves for a new target, and `each` more for every iteration, so that no iteration waits
for it long. What was found out is remembered by the moves from the root, so that an iteration pays for a history only
once. A search that was cut short counts as a yes; such an iteration may miss the target, and its weights are right all
the same.
"""

import numpy as np

from fogspiel.belief.record import agrees
from fogspiel.engine.index import FREE, enter, find
from fogspiel.game.table import CHANCE, OVER, actor, chances, copy_state, mix, moves, packed_at, play, state_at

Aim = np.dtype(
    [
        ("seen", "i8"),
        ("watcher", "i8"),
        ("searcher", "i8"),
        ("tries", "i8"),
        ("each", "i8"),
        ("levels", "i8"),
        ("mask", "i8"),
    ],
    align=True,
)
"""What is asked: to pass through `seen` keys (0: no target) of `watcher` (a player, or PUBLIC), who is told by
`searcher`'s turn that they are complete. The look ahead has `tries` moves for a new target and `each` more for every
iteration; `levels` and `mask` are the room of its stack and memory."""

LookAhead = np.dtype([("left", "i8"), ("known", "i8")], align=True)
"""Where the look ahead stands: the tries that there are still, and how much is remembered. How often it was cut short
is in search.counts."""

Frame = np.dtype(
    [
        ("count", "i8"),
        ("done", "i8"),
        ("first", "i8"),
        ("agreed", "i8"),
        ("history", "u8"),
    ],
    align=True,
)
"""A place of the look ahead: how many moves it has and how many were tried, where they begin in search.ahead, with how
many keys it agrees, and the moves from the root, hashed."""

NO, YES, UNKNOWN = 0, 1, -1


def after(game, search, s, agreed):
    """How many of the recorded keys a history agrees with, given that it agreed with `agreed` before its last move;
    LEFT if it has left the record, more than there are where it has passed through the target."""
    aim = search.aim
    if aim.seen == 0 or agreed < 0 or agreed > aim.seen:
        return agreed
    return agrees(game, s, aim.watcher, agreed, aim.seen, search.keys_seen)


def recall(search, history):
    """What is remembered of a history: NO, YES or UNKNOWN. Its lowest bit makes room for the answer."""
    name = np.uint64(history) >> np.uint64(1)
    entry = search.answers[find(name, search.answers, search.aim.mask, is_of, name)]
    return UNKNOWN if entry == FREE else int(entry & np.uint64(1))


def is_of(entry, name):
    return entry >> np.uint64(1) == name


def remember(search, history, answer):
    """Nothing more is remembered once the memory is half full."""
    if 2 * search.look_ahead.known > search.aim.mask or recall(search, history) != UNKNOWN:
        return
    name = np.uint64(history) >> np.uint64(1)
    enter(name, name << np.uint64(1) | np.uint64(answer), search.answers, search.aim.mask)
    search.look_ahead.known += 1


def leads(game, search, s, agreed, history):
    """Whether the state at s, which agrees with `agreed` keys after the moves hashed in `history`, can reach the
    target."""
    aim, look_ahead, frames, stack = search.aim, search.look_ahead, search.frames, search.stack
    copy_state(game, packed_at(game, stack, 0), s)
    frames[0].first = 0
    frames[0].agreed = agreed
    frames[0].history = history
    depth = 0
    fresh = True
    while True:
        frame, here, child = frames[depth], packed_at(game, stack, depth), packed_at(game, stack, depth + 1)
        if fresh:
            fresh = False
            if arrive(game, search, here, frame):
                for d in range(depth + 1):
                    remember(search, frames[d].history, YES)
                return True
        if frame.done == frame.count:
            remember(search, frame.history, NO)
            if depth == 0:
                return False
            depth -= 1
            continue
        if look_ahead.left == 0 or depth + 1 == aim.levels:
            search.counts.given_up += 1
            return True
        look_ahead.left -= 1
        move = search.ahead[frame.first + frame.done]
        frame.done += 1
        copy_state(game, child, here)
        play(game, child, move)
        ahead = after(game, search, child, frame.agreed)
        if ahead >= 0:
            depth += 1
            fresh = True
            frames[depth].first = frame.first + frame.count
            frames[depth].agreed = ahead
            frames[depth].history = mix(frame.history, move)


def arrive(game, search, s, frame):
    """List the moves of a place that the look ahead has come to, unless it is known where they lead; whether that is
    the target."""
    who = actor(game, s)
    answer = recall(search, frame.history)
    if answer == YES or (who == search.aim.searcher and frame.agreed == search.aim.seen):
        return True
    frame.count = 0
    frame.done = 0
    if answer == UNKNOWN and who == CHANCE:
        frame.count = chances(game, s, search.ahead, frame.first, search.ahead_odds, frame.first)
    elif answer == UNKNOWN and who != OVER:
        frame.count = moves(game, s, search.ahead, frame.first)
    return False


def in_target(game, search, s, move, agreed, history):
    """Whether a move from the state at s keeps the target within reach."""
    then = mix(history, move)
    answer = recall(search, then)
    if answer != UNKNOWN:
        return answer == YES
    child = state_at(game, search.child, 0)
    copy_state(game, child, s)
    play(game, child, move)
    ahead = after(game, search, child, agreed)
    if ahead < 0:
        remember(search, then, NO)
        return False
    return leads(game, search, child, ahead, then)
