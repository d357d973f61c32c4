"""Particles in memory: states with weights, in a queue in the order of their depth, in which those that are alike are one (`belief/progress.py`)."""

import numpy as np

from fogspiel.engine.index import FREE, clear, enter, find
from fogspiel.engine.kinds import Bundle, Ints, Ints32, Reals, Record, Records
from fogspiel.engine.primitives import address_of, assign, copy_bytes
from fogspiel.game.table import OVER, mix

HERE = -4
"""In place of an actor: the decision at which the player is asked, or the event up to which the queue is to be dealt with."""

HIDDEN, SEEN = 1, 2
"""What a particle's last event tells of a choice of another's: one was made unseen on the way to it, or it is the choice."""

NOBODY, TABLE, PYTHON = range(3)
"""Who is asked how likely others are to make their moves: nobody, a table (`belief/rows.py`), or a function of Python's."""

Particle = np.dtype([
    ("weight", "f8"), ("plain", "f8"), ("hash", "u8"), ("known", "i8"), ("own", "i8"), ("since", "i8"), ("actor", "i8"), ("first", "i8"),
    ("moves", "i8"), ("choice", "i8"), ("way", "i8"),
], align=True)  # fmt: skip
"""A state's weight; its weight if others' moves told nothing but what they rule out: what a state had goes to those that agree with what was
seen after a move, each as likely, and as often as it can be made (rule `copies`); its hash; how many keys and own moves of the record are behind it, and how many keys were where its stage began; who is to
move, where in the queue's `moves` and `odds` its moves lie, and whether a choice of another's, HIDDEN or SEEN, has led here since the last event; where
in `ways` the way to it ends."""

Job = np.dtype([
    ("player", "i8"), ("watcher", "i8"), ("recorded", "i8"), ("seen", "i8"), ("played", "i8"), ("to_event", "i8"), ("simultaneous", "i8"),
    ("asks", "i8"), ("noise", "f8"), ("most", "i8"), ("width", "i8"), ("half", "i8"), ("words", "i8"), ("room", "i8"), ("limit", "i8"), ("mask", "i8"),
    ("count", "i8"), ("head", "i8"), ("end", "i8"), ("tried", "i8"), ("short", "i8"), ("steps", "i8"), ("most_steps", "i8"),
], align=True)  # fmt: skip
"""Whose decision is looked for and whose record it is, the player's or the public one; how many keys are recorded, and up to how many of them, and of
own moves, the queue is to be dealt with now; whether to stop as soon as these keys are seen; whether the game is simultaneous; who is asked, and how likely others
are to move at random whatever that says; the `most` moves to try; room for moves of a batch; words of a state and of a row; room for particles, up to what it may grow,
and the index's mask. Then `count` particles, of which those before `head` are dealt with and those before `end` have been looked at; how many moves
were tried; whether some that agree with the record were left out; and how many `steps` of ways are written down, with room for `most_steps`, -1 if none are to be."""

Inference = np.dtype([("infers", "i8"), ("tells", "i8"), ("first", "i8"), ("share", "f8"), ("boost", "f8")], align=True)
"""Whether to infer from events (`belief/observing.py`); from choices of which kind, HIDDEN or SEEN; whether this is before the first decision; what share of
the visits the player's last move had; and how many times the odds of what visits say count."""

Queue = Bundle(
    job=Record(Job), inference=Record(Inference), particles=Records(Particle), rows=Ints, index=Ints32, keys=Ints, own=Ints, moves=Ints, odds=Reals,
    ways=Ints, mass=Reals,
)  # fmt: skip
"""Particles, and for each a row of words: its state and, in simultaneous games, the state where its stage began. `keys` and `own` are the record. Two
numbers of `ways` are a step: the one before it, and the move made. `mass` is what particles count where some are left out."""


def state_of(queue, number):
    """The address of a particle's state."""
    return address_of(queue.rows) + 8 * queue.job.words * number


def stage_of(queue, number):
    """The address of the state in which its stage began."""
    return state_of(queue, number) + 8 * (queue.job.words - queue.job.half)


def put(queue, to, number):
    """Have a particle, and its row, stand in another place."""
    if number != to:
        assign(queue.particles[to], queue.particles[number])
        copy_bytes(state_of(queue, to), state_of(queue, number), 8 * queue.job.words)


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
    words = queue.job.words
    for i in range(words):
        if queue.rows[(entry - 1) * words + i] != queue.rows[number * words + i]:
            return False
    return True


def hash_row(queue, number):
    """A hash of a particle's state, where its stage began, and how far in the record it is."""
    words = queue.job.words
    key = mix(queue.particles[number].known, queue.particles[number].own)
    for i in range(number * words, (number + 1) * words):
        key = mix(key, queue.rows[i])
    return key


def enter_anew(queue):
    """Forget what is in the index, and enter all particles."""
    clear(queue.index, queue.job.mask)
    for i in range(queue.job.count):
        enter(queue.particles[i].hash, i + 1, queue.index, queue.job.mask)
