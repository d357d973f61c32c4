"""Histories that agree with a player's record, for kernels: found depth-first in random order (`belief/replay.py`), and
where one of them forks."""

from typing import Any

import numpy as np

from fogspiel.belief.agreement import LEFT, agrees
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Reals, Record, Records, Words
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    ROOT,
    actor,
    chances,
    copy_state,
    infoset,
    moves,
    packed_at,
    play,
    uniform,
)

FOUND, NONE, GAVE_UP, TOO_SMALL, TOO_MANY = range(5)

ANYONE = -3
"""Whoever is to move, or nobody: a state to draw need only agree with the record."""

Asked = np.dtype(
    [
        ("player", "i8"),
        ("wanted", "i8"),
        ("seen", "i8"),
        ("played", "i8"),
        ("level", "i8"),
        ("most", "i8"),
    ]
)
"""What to replay: whose record, of how many keys `seen` and own moves `played`, and who is `wanted` to move in the
state to find; whether what chance may do is all equally likely; and the `most` moves to try."""

Space = np.dtype([("levels", "i8"), ("width", "i8")])
"""The room there is: frames (`levels`) and moves (`width`)."""

Walk = np.dtype([("depth", "i8"), ("onward", "i8")])
"""Where replaying stands: the depth that was come to, in the end that of the state found, and whether to go onward from
there to the next that fits."""

Counts = np.dtype([("tried", "i8")])
"""What was counted: the moves tried."""

Frame = np.dtype(
    [
        ("left", "i8"),
        ("first", "i8"),
        ("known", "i8"),
        ("made", "i8"),
        ("actor", "i8"),
        ("move", "i8"),
    ]
)
"""A point of the history: moves left to try, the first of them in the buffer, keys seen and own moves made before,
whose turn it is, and the move made."""

Fork = np.dtype([("event", "i8"), ("depth", "i8"), ("move", "i8")])
Forks: Any = Records(Fork)
"""Another move that would have caused the same event: the event's number, how many moves come before it, and the
move."""

Work: Any = Bundle(
    asked=Record(Asked),
    space=Record(Space),
    walk=Record(Walk),
    counts=Record(Counts),
    keys=Ints,
    own=Ints,
    when=Ints,
    frames=Records(Frame),
    stack=Bytes,
    buffer=Ints,
    odds=Reals,
    rng=Words,
)


@kernel
def replay(game: Ints, work: Work) -> Int:
    """Depth-first with random order. Where there is not enough room it returns TOO_SMALL, and goes on when called with
    more."""
    asked, space, walk, counts, frames = work.asked, work.space, work.walk, work.counts, work.frames
    depth = walk.depth
    fresh = walk.onward == 0
    if not fresh:
        walk.onward = 0
        frames[depth].left = 0
    elif depth == 0:
        start = packed_at(game, work.stack, 0)
        copy_state(game, start, game[ROOT])
        if infoset(game, start, asked.player) != work.keys[0]:
            return NONE
        root = frames[0]
        root.left, root.first, root.known, root.made = 0, 0, 1, 0
    while True:
        at = frames[depth]
        s = packed_at(game, work.stack, depth)
        walk.depth = depth
        if fresh:
            at.actor = actor(game, s)
            complete = at.made == asked.played and at.known == asked.seen
            if complete and (at.actor == asked.wanted or asked.wanted == ANYONE):
                return FOUND
            if depth + 1 >= space.levels or at.first + game[LIMIT] > space.width:
                return TOO_SMALL
            at.left = continuations(game, work, s, at)
            if at.left > game[LIMIT]:
                return TOO_MANY
            fresh = False
        if at.left == 0:
            if depth == 0:
                return NONE
            depth -= 1
            continue
        if counts.tried >= asked.most:
            return GAVE_UP
        counts.tried += 1
        at.move = take(work, at)
        child = packed_at(game, work.stack, depth + 1)
        copy_state(game, child, s)
        play(game, child, at.move)
        after = frames[depth + 1]
        after.known = agrees(game, child, asked.player, at.known, asked.seen, work.keys)
        if after.known != LEFT and in_time(work, at, after):
            after.made = at.made + (at.actor == asked.player)
            after.first = at.first + at.left
            depth += 1
            fresh = True


def continuations(game, work, s, at):
    """What may be done in a state, by whoever's turn it is; how much there is of it."""
    asked, buffer, odds = work.asked, work.buffer, work.odds
    if at.actor == OVER or (at.actor == asked.player and at.made == asked.played):
        return 0
    if at.actor == asked.player:
        buffer[at.first] = work.own[at.made]
        odds[at.first] = 1.0
        due = work.when[at.made]
        return 1 if due < 0 or due >> 1 == at.known else 0
    if at.actor == CHANCE:
        n = chances(game, s, buffer, at.first, odds, at.first)
        if n > game[LIMIT]:
            return n
        n = possible(n, at.first, buffer, odds)
        if asked.level == 0:
            return n
    else:
        n = moves(game, s, buffer, at.first)
    for i in range(n):
        odds[at.first + i] = 1.0
    return n


def possible(n, at, buffer, odds):
    """Leave out what chance does with probability 0; how many outcomes remain."""
    kept = 0
    for i in range(n):
        if odds[at + i] > 0.0:
            buffer[at + kept] = buffer[at + i]
            odds[at + kept] = odds[at + i]
            kept += 1
    return kept


def take(work, at):
    """One of the moves left, by weight, which leaves them."""
    buffer, odds, first, n = work.buffer, work.odds, at.first, at.left
    total = 0.0
    for i in range(n):
        total += odds[first + i]
    x = uniform(work.rng) * total
    i = 0
    while i < n - 1 and x >= odds[first + i]:
        x -= odds[first + i]
        i += 1
    picked = buffer[first + i]
    buffer[first + i] = buffer[first + n - 1]
    odds[first + i] = odds[first + n - 1]
    at.left = n - 1
    return picked


def in_time(work, at, after):
    """Whether a move leaves the next of the player's own where it was made: it changes the key as then, or comes
    before."""
    if at.made == work.asked.played or work.when[at.made] < 0:
        return True
    due = work.when[at.made]
    if at.actor == work.asked.player:
        return after.known - at.known == due & 1
    return after.known <= due >> 1


@kernel
def forks(game: Ints, player: Int, length: Int, line: Ints, stack: Bytes, buffer: Ints, odds: Reals, out: Forks) -> Int:
    """For each event of the history `line` that is not `player`'s own move: the other moves that give the player the
    same key. `stack` has room for two states. Returns how many there are."""
    s, child = packed_at(game, stack, 0), packed_at(game, stack, 1)
    copy_state(game, s, game[ROOT])
    before = infoset(game, s, player)
    events, count = 0, 0
    for depth in range(length):
        who = actor(game, s)
        copy_state(game, child, s)
        play(game, child, line[depth])
        key = infoset(game, child, player)
        if who != player and key != before:
            if who == CHANCE:
                n = possible(chances(game, s, buffer, 0, odds, 0), 0, buffer, odds)
            else:
                n = moves(game, s, buffer, 0)
            for i in range(n):
                if buffer[i] != line[depth]:
                    copy_state(game, child, s)
                    play(game, child, buffer[i])
                    if infoset(game, child, player) == key:
                        fork = out[count]
                        fork.event, fork.depth, fork.move = events, depth, buffer[i]
                        count += 1
        if who == player or key != before:
            events += 1
        play(game, s, line[depth])
        before = key
    return count
