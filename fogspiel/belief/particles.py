"""Particles in memory: states with weights, in a queue in the order of their depth, in which those that are alike are
one (`belief/progress.py`).

Who is no longer wanted is left out and, where the others are too many, some of them: at random, so that every state's
weight stays what it was on average (Fearnhead and Clifford 2003, sec. 3.2).
"""

from typing import Any

import numpy as np

from fogspiel.engine.index import FREE, clear, enter, find
from fogspiel.engine.kernel import inlined, kernel
from fogspiel.engine.kinds import Bundle, Int, Ints, Ints32, Real, Reals, Record, Records, Words
from fogspiel.engine.primitives import assign, copy_bytes, uniform
from fogspiel.game.table import OVER, copy_state, infoset, mix, mix_words, state_in

HERE = -4
"""In place of an actor: the decision at which the player is asked, or the event up to which the queue is to be dealt
with."""

HIDDEN, SEEN = 1, 2
"""What a particle's last event tells of a choice of another's: one was made unseen on the way to it, or it is the
choice."""

Particle = np.dtype(
    [
        ("weight", "f8"),
        ("plain", "f8"),
        ("hash", "u8"),
        ("known", "i8"),
        ("own", "i8"),
        ("since", "i8"),
        ("actor", "i8"),
        ("first", "i8"),
        ("moves", "i8"),
        ("choice", "i8"),
        ("way", "i8"),
    ],
    align=True,
)
"""A state's weight; its weight if others' moves told nothing but what they rule out: what a state had goes to those
that agree with what was seen after a move, each as likely, and as often as it can be made (rule `copies`); its hash;
how many keys and own moves of the record are behind it, and how many keys were where its stage began; who is to move,
where in the queue's `moves` and `odds` its moves lie, and whether a choice of another's, HIDDEN or SEEN, has led here
since the last event; where in `ways` the way to it ends."""

Decision = np.dtype(
    [
        ("player", "i8"),
        ("watcher", "i8"),
        ("recorded", "i8"),
        ("played", "i8"),
        ("simultaneous", "i8"),
        ("noise", "f8"),
        ("most", "i8"),
    ],
    align=True,
)
"""Whose decision is looked for and whose record it is, the player's or the public one; how many keys and own moves are
recorded; whether the game is simultaneous; how likely others are to move at random whatever a model says; and the
`most` moves to try."""

QueueSpace = np.dtype([(name, "i8") for name in ("width", "half", "words", "room", "limit", "mask")])
"""Room for moves of a batch; words of a state and of a row; room for particles, up to what it may grow, and the index's
mask."""

QueueState = np.dtype([(name, "i8") for name in ("seen", "to_event", "count", "head", "end", "tried", "short")])
"""Up to how many keys of the record the queue is to be dealt with now, and whether to stop as soon as these are seen;
`count` particles, of which those before `head` are dealt with and those before `end` have been looked at; how many
moves were tried; and whether some that agree with the record were left out."""

Inference = np.dtype([("tells", "i8"), ("first", "i8"), ("share", "f8"), ("boost", "f8")], align=True)
"""For `belief/inference.py`: from choices of which kind to infer, HIDDEN or SEEN; whether this is before the first
decision; what share of the visits the player's last move had; and how many times the odds of what visits say count."""

Step = np.dtype([("before", "i8"), ("move", "i8")], align=True)
"""A step of a way: the one before it, or -1, and the move made."""

Ways = np.dtype([("steps", "i8"), ("room", "i8")], align=True)
"""For `belief/exact.py`: steps that are written down, and room for them."""

Queue: Any = Bundle(
    decision=Record(Decision),
    space=Record(QueueSpace),
    stand=Record(QueueState),
    inference=Record(Inference),
    written=Record(Ways),
    particles=Records(Particle),
    rows=Ints,
    index=Ints32,
    keys=Ints,
    own=Ints,
    moves=Ints,
    odds=Reals,
    ways=Records(Step),
    mass=Reals,
)
"""Particles, and for each a row of words: its state and, in simultaneous games, the state where its stage began. `keys`
and `own` are the record, `ways` all steps that are written down. `mass` is what particles count where some are left
out."""


def state_of(queue, number):
    """A particle's state."""
    return state_in(queue.rows, queue.space.words * number)


def stage_of(queue, number):
    """The state in which its stage began."""
    return state_in(queue.rows, queue.space.words * (number + 1) - queue.space.half)


def put(queue, to, number):
    """Have a particle, and its row, stand in another place."""
    if number != to:
        assign(queue.particles[to], queue.particles[number])
        copy_bytes(state_of(queue, to), state_of(queue, number), 8 * queue.space.words)


def take(queue):
    """Take in the particle after the last; one that is like another still to be dealt with adds its weight to that."""
    stand = queue.stand
    new = queue.particles[stand.count]
    new.actor = OVER
    new.hash = hash_row(queue, stand.count)
    at = find(new.hash, queue.index, queue.space.mask, is_like, queue, stand.count)
    if queue.index[at] != FREE:
        like = queue.particles[queue.index[at] - 1]
        if queue.index[at] - 1 > stand.head or like.actor == HERE:
            like.weight += new.weight
            like.plain += new.plain
            like.choice = max(like.choice, new.choice)
            return
    queue.index[at] = stand.count + 1
    stand.count += 1


def is_like(entry, queue, number):
    one, other = queue.particles[entry - 1], queue.particles[number]
    if one.hash != other.hash or one.known != other.known or one.own != other.own:
        return False
    words = queue.space.words
    for i in range(words):
        if queue.rows[(entry - 1) * words + i] != queue.rows[number * words + i]:
            return False
    return True


def hash_row(queue, number):
    """A hash of a particle's state, where its stage began, and how far in the record it is."""
    here = queue.particles[number]
    return mix_words(mix(here.known, here.own), state_of(queue, number), queue.space.words)


def enter_anew(queue):
    """Forget what is in the index, and enter all particles."""
    clear(queue.index, queue.space.mask)
    for i in range(queue.stand.count):
        enter(queue.particles[i].hash, i + 1, queue.index, queue.space.mask)


LEFT_OUT = -1.0


def weigh(queue):
    """What particles count where some are left out, to queue.mass: their weights."""
    for i in range(queue.stand.count):
        queue.mass[i] = queue.particles[i].weight


def make_room(queue, rng):
    """Leave out what is dealt with and, if that is not enough and there can be no more room, some of the rest. Returns
    False where more room is to be taken."""
    stand, space = queue.stand, queue.space
    keep_those(queue, is_alive)
    enough = 2 * stand.count <= space.room
    if not enough and space.room >= space.limit:
        weigh(queue)
        leave_some_out(queue, space.room // 2, rng)
        stand.short = 1
        enough = True
    enter_anew(queue)
    return enough


def pause(queue):
    """Keep those that have come to the event, or the decision, and have all of them still to be dealt with."""
    keep_those(queue, has_come)
    queue.stand.head = 0
    queue.stand.end = 0
    enter_anew(queue)


@kernel
def enter_all(queue: Queue) -> None:
    """Enter all particles in an index that is new."""
    enter_anew(queue)


@kernel
def keep_arrived(queue: Queue) -> None:
    """Keep those that have come to the decision."""
    pause(queue)


def is_alive(queue, i):
    return i >= queue.stand.head or has_come(queue, i)


def has_come(queue, i):
    return queue.particles[i].actor == HERE


def is_kept(queue, i):
    return queue.mass[i] != LEFT_OUT


@inlined
def keep_those(queue, wanted):
    """Keep the particles that are wanted, in their order. The index is as it was before."""
    stand = queue.stand
    kept, dealt_with, looked_at = 0, 0, 0
    for i in range(stand.count):
        if wanted(queue, i):
            put(queue, kept, i)
            dealt_with += i < stand.head
            looked_at += i < stand.end
            kept += 1
    stand.count = kept
    stand.head = dealt_with
    stand.end = looked_at


def leave_some_out(queue, most, rng):
    """Keep `most` particles, by their `mass`."""
    n = queue.stand.count
    thin(queue.mass, n, most, rng)
    for i in range(n):
        here = queue.particles[i]
        here.weight *= queue.mass[i]
        here.plain *= queue.mass[i]
    keep_those(queue, is_kept)


def thin(mass, n, most, rng):
    """Which of n particles, more than `most`, to keep (Fearnhead and Clifford 2003, sec. 3.2): in place of what each
    counts comes what that is to be multiplied with, or LEFT_OUT.

    What counts more than a threshold stays; of the others, some are drawn in proportion to what they count, and count
    as much as the threshold. Where no more than `most` count at all, all of them are kept, and others fill up.
    """
    weighty, total = 0, 0.0
    for i in range(n):
        weighty += mass[i] > 0.0
        total += mass[i]
    if weighty <= most:
        fill_up(mass, n, most - weighty, n - weighty, rng)
        return
    threshold, sure = total / most, 0
    above, rest = parted(mass, n, threshold)
    # by rounding, as many as there is room for may count more than what they all count over their number
    while sure < above < most:
        sure = above
        threshold = rest / (most - sure)
        above, rest = parted(mass, n, threshold)
    # systematic: the line of all others is cut at equal distances
    start, length, before = uniform(rng), 0.0, 0
    for i in range(n):
        if mass[i] > threshold:
            mass[i] = 1.0
        else:
            length += mass[i]
            below = int(length / threshold + start)
            mass[i] = threshold / mass[i] if below > before else LEFT_OUT
            before = below


def parted(mass, n, threshold):
    """How many count more than a threshold, and how much the others count together."""
    above, rest = 0, 0.0
    for i in range(n):
        if mass[i] > threshold:
            above += 1
        else:
            rest += mass[i]
    return above, rest


def fill_up(mass, n, wanted, idle, rng):
    """Keep all that count, and so many of the idle ones, at equal distances."""
    start, taken, passed = uniform(rng), 0, 0
    for i in range(n):
        if mass[i] > 0.0:
            mass[i] = 1.0
        else:
            kept = taken < wanted and int((taken + start) * idle / wanted) == passed
            mass[i] = 1.0 if kept else LEFT_OUT
            taken += kept
            passed += 1


@kernel
def settle(game: Ints, queue: Queue) -> None:
    """Keep those that have come to the player's decision: where their stage began, each state once."""
    stand = queue.stand
    keep_those(queue, has_come)
    arrived = stand.count
    clear(queue.index, queue.space.mask)
    stand.count = 0
    stand.head = -1
    for i in range(arrived):
        put(queue, stand.count, i)
        copy_state(game, state_of(queue, stand.count), stage_of(queue, stand.count))
        new = queue.particles[stand.count]
        new.choice = 0
        new.known = new.since
        take(queue)


@kernel
def admit(game: Ints, queue: Queue, n: Int, share: Real) -> None:
    """Take in n particles, which were written after the last, each state once, as far in the record as what the watcher
    knows there: each as likely, and together with this share."""
    stand = queue.stand
    first = stand.count
    for i in range(first):
        queue.particles[i].weight *= 1.0 - share
    stand.head = -1
    for i in range(first, first + n):
        put(queue, stand.count, i)
        new = queue.particles[stand.count]
        new.weight = share / n if first > 0 else 1.0
        key = infoset(game, state_of(queue, stand.count), queue.decision.watcher)
        new.known = queue.decision.recorded
        while new.known > 1 and queue.keys[new.known - 1] != key:
            new.known -= 1
        new.since = new.known
        take(queue)


@kernel
def normalize(queue: Queue, most: Int, spare: Int, rng: Words) -> None:
    """Have no more than `most` particles, less what is to be spared, and weights that are probabilities."""
    stand = queue.stand
    if stand.count > most:
        stand.short = 1
    if stand.count > most - spare:
        weigh(queue)
        leave_some_out(queue, most - spare, rng)
        enter_anew(queue)
    stand.head = 0
    stand.end = 0
    total = 0.0
    for i in range(stand.count):
        total += queue.particles[i].weight
    for i in range(stand.count):
        here = queue.particles[i]
        here.weight = here.weight / total if total > 0.0 else 1.0 / stand.count
        here.plain = here.weight
