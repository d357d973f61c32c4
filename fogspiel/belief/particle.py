"""Particles in memory: states with weights, in a queue in the order of their depth, in which those that are alike are
one (`belief/progress.py`)."""

from typing import Any

import numpy as np

from fogspiel.engine.index import FREE, clear, enter, find
from fogspiel.engine.kinds import Bundle, Ints, Ints32, Reals, Record, Records
from fogspiel.engine.primitives import assign, copy_bytes
from fogspiel.game.table import OVER, mix, mix_words, state_in

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

Asked = np.dtype(
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

Space = np.dtype(
    [
        ("width", "i8"),
        ("half", "i8"),
        ("words", "i8"),
        ("room", "i8"),
        ("limit", "i8"),
        ("mask", "i8"),
    ],
    align=True,
)
"""Room for moves of a batch; words of a state and of a row; room for particles, up to what it may grow, and the index's
mask."""

Stand = np.dtype(
    [
        ("seen", "i8"),
        ("to_event", "i8"),
        ("count", "i8"),
        ("head", "i8"),
        ("end", "i8"),
        ("tried", "i8"),
        ("short", "i8"),
    ],
    align=True,
)
"""Up to how many keys of the record the queue is to be dealt with now, and whether to stop as soon as these are seen;
`count` particles, of which those before `head` are dealt with and those before `end` have been looked at; how many
moves were tried; and whether some that agree with the record were left out."""

Inference = np.dtype([("tells", "i8"), ("first", "i8"), ("share", "f8"), ("boost", "f8")], align=True)
"""For `belief/observing.py`: from choices of which kind to infer, HIDDEN or SEEN; whether this is before the first
decision; what share of the visits the player's last move had; and how many times the odds of what visits say count."""

Step = np.dtype([("before", "i8"), ("move", "i8")], align=True)
"""A step of a way: the one before it, or -1, and the move made."""

Ways = np.dtype([("steps", "i8"), ("room", "i8")], align=True)
"""For `belief/ancestry.py`: steps that are written down, and room for them."""

Queue: Any = Bundle(
    asked=Record(Asked),
    space=Record(Space),
    stand=Record(Stand),
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
