"""`ISMCTS-progress` of Lisý 2014, sec. 3.2.3: states believed in are carried on to the player's next decision.

Each is continued by the player's own moves and by every way in which the others and chance may have moved, as long as it agrees with the
player's record, and is weighted by chance's probabilities and by a model of the others. Printed for one move of the opponent between two
decisions, it is here for any number of moves: a queue of states, in the order of their depth, in which those that are alike are one.

Where a model of Python's is to be asked, the kernel stops (ASK) with what the others may do in a batch of states, and goes on when their odds are filled in.

Who watches may be the player or the public (PUBLIC), to whom the player's own moves are others' moves, too. Beside its weight a particle has
one that no model has touched, for inference (`belief/inference.py`) and for what is possible at all (`belief/possible.py`).
"""

from fogspiel.belief.agreement import LEFT, agrees
from fogspiel.belief.observing import observe
from fogspiel.belief.particle import (
    HERE,
    HIDDEN,
    NOBODY,
    PYTHON,
    SEEN,
    TABLE,
    Queue,
    enter_anew,
    put,
    stage_of,
    state_of,
    take,
)
from fogspiel.belief.room import has_come, keep_those, leave_some_out, make_room, pause
from fogspiel.belief.rows import Rows, fill_in
from fogspiel.engine.index import clear
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Real, Words
from fogspiel.game.table import CHANCE, LIMIT, OVER, actor, chances, copies, copy_state, follow, infoset, moves

DONE, ASK, FULL, TOO_MANY = range(4)


@kernel
def progress(game: Ints, queue: Queue, rows: Rows, mask: Int, rng: Words) -> Int:
    """Carry all particles on to the player's decision, and on the way from event to event where something is inferred from them (DONE); ASK, FULL where
    there is no room, TOO_MANY where a state has more moves than can be."""
    job = queue.job
    while True:
        status = carry_on(game, queue, rows, mask, rng)
        if status != DONE:
            return status
        look_at_the_rest(game, queue)
        at_event = job.to_event != 0
        # in a simultaneous game, what is pending since the last event is still to be seen
        if queue.inference.infers != 0 and (at_event or job.simultaneous == 0):
            pause(queue)
            observe(queue)
        if not at_event:
            return DONE
        look_further(queue)


def look_further(queue):
    """Set out for the next event, after the last for the decision."""
    job = queue.job
    for i in range(job.count):
        queue.particles[i].choice = 0
    if job.seen < job.recorded:
        job.seen += 1
    else:
        job.to_event = 0


def look_at_the_rest(game, queue):
    """Where there is no time to go on, tell those that have come from those that are left out."""
    job = queue.job
    for i in range(job.head, job.count):
        look_at(game, queue, i)
        if queue.particles[i].actor >= CHANCE:
            job.short = 1


def carry_on(game, queue, rows, mask, rng):
    """Deal with the queue until it is empty, or there is no time."""
    job = queue.job
    while job.head < job.count and job.tried < job.most:
        if job.head == job.end:
            asked = look_ahead(game, queue, rows, mask)
            if asked < 0:
                return TOO_MANY
            if asked > 0:
                return ASK
        while job.head < job.end:
            more = queue.particles[job.head].moves
            if job.most_steps >= 0 and job.steps + more > job.most_steps:
                return FULL
            if job.count + more < job.room:
                spread(game, queue)
                job.head += 1
            elif not make_room(queue, rng):
                return FULL
    return DONE


@kernel
def settle(game: Ints, queue: Queue, most: Int, spare: Int, rng: Words) -> None:
    """Keep those that have come to the player's decision: where their stage began, each state once; no more than `most`, less what is to be spared; with
    probabilities for weights. Where something was inferred, these are by the weights `plain`."""
    job = queue.job
    keep_those(queue, has_come)
    arrived = job.count
    clear(queue.index, job.mask)
    job.count = 0
    job.head = -1
    for i in range(arrived):
        put(queue, job.count, i)
        copy_state(game, state_of(queue, job.count), stage_of(queue, job.count))
        new = queue.particles[job.count]
        if queue.inference.infers != 0:
            new.weight = new.plain
        new.choice = 0
        new.known = new.since
        take(queue)
    normalize(queue, most, spare, rng)


@kernel
def admit(game: Ints, queue: Queue, n: Int, share: Real, most: Int, rng: Words) -> None:
    """Take in n particles, which were written after the last, each state once, as far in the record as what the watcher knows there: each as likely,
    and together with this share."""
    job = queue.job
    first = job.count
    for i in range(first):
        queue.particles[i].weight *= 1.0 - share
    job.head = -1
    for i in range(first, first + n):
        put(queue, job.count, i)
        new = queue.particles[job.count]
        new.weight = share / n if first > 0 else 1.0
        key = infoset(game, state_of(queue, job.count), job.watcher)
        new.known = job.recorded
        while new.known > 1 and queue.keys[new.known - 1] != key:
            new.known -= 1
        new.since = new.known
        take(queue)
    normalize(queue, most, 0, rng)


@kernel
def enter_all(queue: Queue) -> None:
    """Enter all particles in an index that is new."""
    enter_anew(queue)


@kernel
def keep_arrived(queue: Queue) -> None:
    """Keep those that have come to the decision."""
    pause(queue)


def normalize(queue, most, spare, rng):
    """Have no more than `most` particles, less what is to be spared, and weights that are probabilities."""
    job = queue.job
    if job.count > most:
        job.short = 1
    if job.count > most - spare:
        for i in range(job.count):
            queue.mass[i] = queue.particles[i].weight
        leave_some_out(queue, most - spare, rng)
        enter_anew(queue)
    job.head = 0
    job.end = 0
    total = 0.0
    for i in range(job.count):
        total += queue.particles[i].weight
    for i in range(job.count):
        here = queue.particles[i]
        here.weight = here.weight / total if total > 0.0 else 1.0 / job.count
        here.plain = here.weight


def look_ahead(game, queue, rows, mask):
    """Who may do what in the states next in the queue, as many as there is room for. Others' moves are as likely as each other unless a model
    says more. Returns at how many decisions Python is to be asked, or -1 where a state has too many moves."""
    job = queue.job
    at = 0
    asked = 0
    while job.end < job.count and at + game[LIMIT] <= job.width:
        here = queue.particles[job.end]
        s = state_of(queue, job.end)
        look_at(game, queue, job.end)
        here.first = at
        here.moves = 0
        if here.actor == job.player and job.watcher == job.player:
            queue.moves[at] = queue.own[here.own]
            queue.odds[at] = 1.0
            here.moves = 1
        elif here.actor == CHANCE:
            here.moves = chances(game, s, queue.moves, at, queue.odds, at)
        elif here.actor >= 0:
            here.moves = moves(game, s, queue.moves, at)
            for i in range(min(here.moves, game[LIMIT])):
                queue.odds[at + i] = 1.0 / here.moves
            if job.asks == TABLE and here.weight > 0.0 and here.moves <= game[LIMIT]:
                fill_in(game, s, here.actor, rows, mask, at, here.moves, queue.moves, queue.odds)
            asked += job.asks == PYTHON
        if here.moves > game[LIMIT]:
            return -1
        at += here.moves
        job.end += 1
    return asked


def look_at(game, queue, number):
    """Who is to move in a particle's state: HERE if it has come, OVER if it has come to the decision too soon."""
    job, here = queue.job, queue.particles[number]
    here.actor = actor(game, state_of(queue, number))
    decides = here.actor == job.player and here.own == job.played
    if here.known == job.seen and (job.to_event != 0 or decides):
        here.actor = HERE
    elif decides:
        here.actor = OVER


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
        if job.simultaneous != 0:
            copy_state(game, stage_of(queue, first + n), stage_of(queue, job.head) if pending else s)
        new = queue.particles[first + n]
        new.weight = old.weight * modelled(queue, old, i)
        new.plain = old.plain * plainly(game, queue, old.actor, i)
        new.known = known
        new.since = old.since if pending else known
        new.own = old.own + (1 if old.actor == job.player else 0)
        new.choice = max(old.choice, (SEEN if known > old.known else HIDDEN) if chooses else 0)
        if job.most_steps >= 0:
            new.way = write_down(queue, old.way, queue.moves[i])
        n += 1
    for i in range(n):
        put(queue, job.count, first + i)
        if old.actor != CHANCE:
            queue.particles[job.count].plain /= n
        take(queue)


def modelled(queue, old, i):
    """How likely the i-th move of a particle is; others move at random now and then."""
    job = queue.job
    if old.actor == CHANCE or old.actor == job.watcher or job.asks == NOBODY:
        return queue.odds[i]
    return (1.0 - job.noise) * queue.odds[i] + job.noise / old.moves


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
