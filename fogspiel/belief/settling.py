"""Particles that have come to the player's decision: what is believed in there, as states where its stage began, each
once, with probabilities."""

from fogspiel.belief.particle import Queue, enter_anew, put, stage_of, state_of, take
from fogspiel.belief.room import has_come, keep_those, leave_some_out
from fogspiel.engine.index import clear
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Real, Words
from fogspiel.game.table import copy_state, infoset


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
        key = infoset(game, state_of(queue, stand.count), queue.asked.watcher)
        new.known = queue.asked.recorded
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
        for i in range(stand.count):
            queue.mass[i] = queue.particles[i].weight
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
