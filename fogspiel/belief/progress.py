"""`ISMCTS-progress` of Lisý 2014, sec. 3.2.3: states believed in are carried on to the player's next decision.

Each is continued by the player's own moves and by every way in which the others and chance may have moved, as long as it agrees with the
player's record, and is weighted by chance's probabilities and by a model of the others. Printed for one move of the opponent between two
decisions, it is here for any number of moves: a queue of states, in the order of their depth, in which those that are alike are one.

Where a model is to be asked, the kernel stops (ASK) with what the others may do in a batch of states, and goes on when their odds are filled in.

Who watches may be the player or the public (PUBLIC), to whom the player's own moves are others' moves, too. Beside its weight a particle has
one that no model has touched, for inference (`belief/inference.py`) and for what is possible at all (`belief/possible.py`).
"""

import numpy as np

from fogspiel.belief.agreement import LEFT, agrees
from fogspiel.engine.index import FREE, clear, enter, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Int, Ints, Ints32, Reals, Record, Records
from fogspiel.engine.primitives import address_of, assign, copy_bytes
from fogspiel.game.table import CHANCE, LIMIT, OVER, actor, chances, copies, copy_state, follow, infoset, mix, moves

DONE, ASK, FULL, TOO_MANY = range(4)

HERE = -4
"""In place of an actor: the decision at which the player is asked, or the event up to which the queue is to be dealt with."""

HIDDEN, SEEN = 1, 2
"""What a particle's last event tells of a choice of another's: one was made unseen on the way to it, or it is the choice."""

Particle = np.dtype([
    ("weight", "f8"), ("plain", "f8"), ("hash", "u8"), ("known", "i8"), ("own", "i8"), ("since", "i8"), ("actor", "i8"), ("first", "i8"),
    ("moves", "i8"), ("choice", "i8"), ("way", "i8"),
], align=True)  # fmt: skip
"""A state's weight; its weight if others' moves told nothing but what they rule out: what a state had goes to those that agree with what was
seen after a move, each as likely, and as often as it can be made (rule `copies`); its hash; how many keys and own moves of the record are behind it, and how many keys were where its stage began; who is to
move, where in the queue's `moves` and `odds` its moves lie, and whether a choice of another's, HIDDEN or SEEN, has led here since the last event; where
in `ways` the way to it ends."""

Job = np.dtype([
    ("player", "i8"), ("watcher", "i8"), ("seen", "i8"), ("played", "i8"), ("to_event", "i8"), ("simultaneous", "i8"), ("asks", "i8"),
    ("most", "i8"), ("width", "i8"), ("half", "i8"), ("room", "i8"), ("mask", "i8"), ("count", "i8"), ("head", "i8"), ("end", "i8"), ("tried", "i8"),
    ("steps", "i8"), ("most_steps", "i8"),
], align=True)  # fmt: skip
"""Whose decision is looked for and whose record it is, the player's or the public one; how many keys and own moves it has; whether to stop as soon
as the keys are seen; whether the game is simultaneous and whether a model is asked; the `most` moves to try; room for moves of a batch, words of a state, room for particles and the index's mask. Then `count` particles, of which those before `head`
are dealt with and those before `end` have been looked at; how many moves were tried; and how many `steps` of ways are written down, with room for
`most_steps`, -1 if none are to be."""

Queue = Bundle(
    job=Record(Job), particles=Records(Particle), rows=Ints, index=Ints32, keys=Ints, own=Ints, moves=Ints, odds=Reals, ways=Ints,
)  # fmt: skip
"""Particles, and for each a row of 2 * `half` words: its state, and the state where its stage began. `keys` and `own` are the record. Two numbers
of `ways` are a step: the one before it, and the move made."""


@kernel
def progress(game: Ints, queue: Queue) -> Int:
    """Deal with the queue until it is empty (DONE); ASK, FULL where there is no room, TOO_MANY where a state has more moves than can be."""
    job = queue.job
    while job.head < job.count and job.tried < job.most:
        if job.head == job.end:
            asked = look_ahead(game, queue)
            if asked < 0:
                return TOO_MANY
            if asked > 0 and job.asks != 0:
                return ASK
        while job.head < job.end:
            more = queue.particles[job.head].moves
            if job.count + more >= job.room or (job.most_steps >= 0 and job.steps + more > job.most_steps):
                return FULL
            spread(game, queue)
            job.head += 1
    return DONE


@kernel
def collect(game: Ints, queue: Queue, found: Queue) -> None:
    """Take those that have come to the player's decision into an empty queue: where their stage began, each state once."""
    found.job.head = -1
    for i in range(queue.job.count):
        old = queue.particles[i]
        if old.actor == HERE:
            new = found.particles[found.job.count]
            copy_state(game, state_of(found, found.job.count), stage_of(queue, i))
            copy_state(game, stage_of(found, found.job.count), stage_of(queue, i))
            new.weight = old.weight
            new.plain = old.plain
            new.choice = 0
            new.known = old.since
            new.since = old.since
            new.own = old.own
            take(found)
    found.job.head = 0


@kernel
def admit(game: Ints, queue: Queue, n: Int) -> None:
    """Take in the n particles that were written after the last, each state once, as far in the record as what the watcher knows there."""
    job = queue.job
    first = job.count
    for i in range(n):
        bring(queue, first + i)
        new = queue.particles[job.count]
        key = infoset(game, state_of(queue, job.count), job.watcher)
        new.known = job.seen
        while new.known > 1 and queue.keys[new.known - 1] != key:
            new.known -= 1
        new.since = new.known
        take(queue)


@kernel
def keep(queue: Queue, n: Int, picked: Ints, factors: Reals) -> None:
    """Move these particles, in their order, to the front of the queue, their weights times these factors, and enter them in the index anew."""
    clear(queue.index, queue.job.mask)
    for i in range(n):
        here = queue.particles[i]
        if picked[i] != i:
            assign(here, queue.particles[picked[i]])
            copy_bytes(state_of(queue, i), state_of(queue, picked[i]), 16 * queue.job.half)
        here.weight *= factors[i]
        here.plain *= factors[i]
        enter(here.hash, i + 1, queue.index, queue.job.mask)


def look_ahead(game, queue):
    """Who may do what in the states next in the queue, as many as there is room for. Others' moves are as likely as each other until a model
    says more. Returns how many decisions others have there, or -1 where a state has too many moves."""
    job = queue.job
    at = 0
    asked = 0
    while job.end < job.count and at + game[LIMIT] <= job.width:
        here = queue.particles[job.end]
        s = state_of(queue, job.end)
        here.actor = actor(game, s)
        here.first = at
        here.moves = 0
        if job.to_event != 0 and here.known == job.seen:
            here.actor = HERE
        elif here.actor == job.player and here.own == job.played:
            if here.known == job.seen:
                here.actor = HERE
        elif here.actor == job.player and job.watcher == job.player:
            queue.moves[at] = queue.own[here.own]
            queue.odds[at] = 1.0
            here.moves = 1
        elif here.actor == CHANCE:
            here.moves = chances(game, s, queue.moves, at, queue.odds, at)
        elif here.actor != OVER:
            here.moves = moves(game, s, queue.moves, at)
            for i in range(min(here.moves, game[LIMIT])):
                queue.odds[at + i] = 1.0 / here.moves
            asked += 1
        if here.moves > game[LIMIT]:
            return -1
        at += here.moves
        job.end += 1
    return asked


def spread(game, queue):
    """Continue the first state in the queue by each of its moves after which it agrees with the record."""
    job = queue.job
    old = queue.particles[job.head]
    chooses = old.moves > 1 and old.actor != CHANCE
    first, n = job.count, 0
    for i in range(old.first, old.first + old.moves):
        if old.actor == CHANCE and queue.odds[i] == 0.0:
            continue
        job.tried += 1
        s = state_of(queue, first + n)
        follow(game, s, state_of(queue, job.head), queue.moves[i])
        known = agrees(game, s, job.watcher, old.known, job.seen, queue.keys)
        after = actor(game, s)
        if known == LEFT or after == OVER:
            continue
        # a stage lasts while the next to move has a higher number (`State.stage`)
        pending = job.simultaneous != 0 and old.actor >= 0 and after > old.actor
        copy_state(game, stage_of(queue, first + n), stage_of(queue, job.head) if pending else s)
        new = queue.particles[first + n]
        new.weight = old.weight * queue.odds[i]
        new.plain = old.plain * plainly(game, queue, old.actor, i)
        new.known = known
        new.since = old.since if pending else known
        new.own = old.own + (1 if old.actor == job.player else 0)
        new.choice = max(old.choice, (SEEN if known > old.known else HIDDEN) if chooses else 0)
        if job.most_steps >= 0:
            new.way = write_down(queue, old.way, queue.moves[i])
        n += 1
    for i in range(n):
        bring(queue, first + i)
        if old.actor != CHANCE:
            queue.particles[job.count].plain /= n
        take(queue)


def plainly(game, queue, who, i):
    """How likely the i-th move is by chance alone; of another's, in how many ways it can be made."""
    if who == CHANCE:
        return queue.odds[i]
    return 1.0 * copies(game, state_of(queue, queue.job.head), queue.moves[i]) if who != queue.job.watcher else 1.0


def write_down(queue, way, move):
    """One more step of a way; returns where."""
    job = queue.job
    queue.ways[2 * job.steps] = way
    queue.ways[2 * job.steps + 1] = move
    job.steps += 1
    return job.steps - 1


def bring(queue, number):
    """Have a particle, and its row, stand after the last."""
    last = queue.job.count
    if number != last:
        assign(queue.particles[last], queue.particles[number])
        copy_bytes(state_of(queue, last), state_of(queue, number), 16 * queue.job.half)


def take(queue):
    """Take in the particle after the last; one that is like another still to be dealt with adds its weight to that."""
    job = queue.job
    new = queue.particles[job.count]
    new.actor = OVER
    new.hash = hash_row(queue, job.count)
    at = find(new.hash, queue.index, job.mask, is_like, queue, job.count)
    if queue.index[at] != FREE:
        like = queue.particles[queue.index[at] - 1]
        if queue.index[at] - 1 > job.head or like.actor == HERE:
            like.weight += new.weight
            like.plain += new.plain
            like.choice = max(like.choice, new.choice)
            return
    queue.index[at] = job.count + 1
    job.count += 1


def is_like(entry, queue, number):
    one, other = queue.particles[entry - 1], queue.particles[number]
    if one.hash != other.hash or one.known != other.known or one.own != other.own:
        return False
    words = 2 * queue.job.half
    for i in range(words):
        if queue.rows[(entry - 1) * words + i] != queue.rows[number * words + i]:
            return False
    return True


def hash_row(queue, number):
    """A hash of a particle's state, where its stage began, and how far in the record it is."""
    job = queue.job
    key = mix(queue.particles[number].known, queue.particles[number].own)
    begin = number * 2 * job.half
    for i in range(begin, begin + (2 * job.half if job.simultaneous != 0 else job.half)):
        key = mix(key, queue.rows[i])
    return key


def state_of(queue, number):
    """The address of a particle's state."""
    return address_of(queue.rows) + 16 * queue.job.half * number


def stage_of(queue, number):
    """The address of the state in which its stage began."""
    return state_of(queue, number) + 8 * queue.job.half
