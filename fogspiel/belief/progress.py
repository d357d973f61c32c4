"""`ISMCTS-progress` of Lisý 2014, sec. 3.2.3: states believed in are carried on to the player's next decision.

Each is continued by the player's own moves and by every way in which the others and chance may have moved, as long as
it agrees with the player's record, and is weighted by chance's probabilities and by a model of the others. Printed for
one move of the opponent between two decisions, it is here for any number of moves: a queue of states, in the order of
their depth, in which those that are alike are one.

What varies are parts. Without them others' moves are each as likely, nothing is inferred from what is seen, and nothing
is written down. Where a model of Python's is to be asked, the kernel stops (ASK) with what the others may do in a batch
of states, and goes on when their odds are filled in.

Who watches may be the player or the public (PUBLIC), to whom the player's own moves are others' moves, too. Beside its
weight a particle has one that no model has touched, for inference (`belief/inference.py`) and for what is possible at
all (`belief/exact.py`).
"""

from functools import cache

from fogspiel.belief.model import Rows, fill_in
from fogspiel.belief.particles import HERE, HIDDEN, SEEN, Queue, make_room, put, stage_of, state_of, take, weigh
from fogspiel.belief.record import LEFT, agrees
from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Int, Ints, Words
from fogspiel.engine.part import Part, PartKind, assembled
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    actor,
    always_at_once,
    chances,
    copies,
    copy_state,
    follow,
    moves,
    stage_goes_on,
)

DONE, ASK, FULL, TOO_MANY = range(4)


def foretell(game, queue, rows, here, s):
    """How likely another player is to make each move of a particle's state s: queue.odds[here.first : here.first +
    here.moves] says that all are alike, and may say more after this. Returns 1 where Python is to be asked, 0
    elsewhere."""
    return 0


def infer(queue):
    """The particles have come to an event, or to the decision."""


def has_room_for(queue, moves):
    """Whether there is room to write down that so many moves were made."""
    return True


def write_down(queue, new, old, move):
    """A particle was made of another by a move."""


class ByTable:
    """A table says it (`belief/model.py`)."""

    @staticmethod
    def foretell(game, queue, rows, here, s):
        """What the table says of another's moves; others move at random now and then."""
        if here.weight > 0.0:
            fill_in(game, s, here.actor, rows, here.first, here.moves, queue.moves, queue.odds)
            noise = queue.decision.noise
            for i in range(here.first, here.first + here.moves):
                queue.odds[i] = (1.0 - noise) * queue.odds[i] + noise / here.moves
        return 0


class ByPython:
    """Python is to be asked."""

    @staticmethod
    def foretell(game, queue, rows, here, s):
        return 1


MODEL = PartKind(
    "model",
    "how likely others' moves are",
    __name__,
    lambda: {"table": ByTable, "python": ByPython},
    stubs={"foretell": foretell},
)
INFERENCE = PartKind(
    "inference", "what is inferred from what is seen", __name__, stubs={"infer": infer, "weigh": weigh}
)
ANCESTRY = PartKind(
    "ancestry",
    "whether the moves that led to a particle are written down",
    __name__,
    stubs={"has_room_for": has_room_for, "write_down": write_down},
)


@cache
def progressing(*parts: Part) -> Kernel:
    """`progress`, with these parts."""
    return kernel(assembled(progress, parts), group="-".join(part.name for part in parts), alone=True)


def progress(game: Ints, queue: Queue, rows: Rows, rng: Words) -> Int:
    """Carry all particles on to the player's decision, and on the way from event to event where something is inferred
    from them (DONE); ASK, FULL where there is no room, TOO_MANY where a state has more moves than can be."""
    stand = queue.stand
    while True:
        status = carry_on(game, queue, rows, rng)
        if status != DONE:
            return status
        look_at_the_rest(game, queue)
        at_event = stand.to_event != 0
        if at_event or not is_to_be_seen(game, queue):
            infer(queue)
        if not at_event:
            return DONE
        look_further(queue)


def is_to_be_seen(game, queue):
    """Whether what others have chosen since the last event is pending at the decision."""
    if queue.decision.simultaneous == 0 or always_at_once(game, queue.decision.simultaneous):
        return queue.decision.simultaneous != 0
    for i in range(queue.stand.count):
        if queue.particles[i].actor == HERE:
            return has_begun_before(queue, i)
    return False


def has_begun_before(queue, number):
    """Whether moves are pending in a particle's state: its stage began in another."""
    first, half = queue.space.words * number, queue.space.half
    for i in range(first, first + half):
        if queue.rows[i] != queue.rows[i + half]:
            return True
    return False


def look_further(queue):
    """Set out for the next event, after the last for the decision."""
    stand = queue.stand
    for i in range(stand.count):
        queue.particles[i].choice = 0
    if stand.seen < queue.decision.recorded:
        stand.seen += 1
    else:
        stand.to_event = 0


def look_at_the_rest(game, queue):
    """Where there is no time to go on, tell those that have come from those that are left out."""
    stand = queue.stand
    for i in range(stand.head, stand.count):
        look_at(game, queue, i)
        if queue.particles[i].actor >= CHANCE:
            stand.short = 1


def carry_on(game, queue, rows, rng):
    """Deal with the queue until it is empty, or there is no time."""
    stand = queue.stand
    while stand.head < stand.count and stand.tried < queue.decision.most:
        if stand.head == stand.end:
            asked = look_ahead(game, queue, rows)
            if asked < 0:
                return TOO_MANY
            if asked > 0:
                return ASK
        while stand.head < stand.end:
            more = queue.particles[stand.head].moves
            if not has_room_for(queue, more):
                return FULL
            if stand.count + more < queue.space.room:
                spread(game, queue)
                stand.head += 1
            elif not make_room(queue, rng):
                return FULL
    return DONE


def look_ahead(game, queue, rows):
    """Who may do what in the states next in the queue, as many as there is room for. Others' moves are as likely as
    each other unless a model says more. Returns at how many decisions Python is to be asked, or -1 where a state has
    too many moves."""
    stand, player = queue.stand, queue.decision.player
    at = 0
    asked = 0
    while stand.end < stand.count and at + game[LIMIT] <= queue.space.width:
        here = queue.particles[stand.end]
        s = state_of(queue, stand.end)
        look_at(game, queue, stand.end)
        here.first = at
        here.moves = 0
        if here.actor == player and queue.decision.watcher == player:
            queue.moves[at] = queue.own[here.own]
            queue.odds[at] = 1.0
            here.moves = 1
        elif here.actor == CHANCE:
            here.moves = chances(game, s, queue.moves, at, queue.odds, at)
        elif here.actor >= 0:
            here.moves = moves(game, s, queue.moves, at)
            for i in range(min(here.moves, game[LIMIT])):
                queue.odds[at + i] = 1.0 / here.moves
            if here.moves <= game[LIMIT]:
                asked += foretell(game, queue, rows, here, s)
        if here.moves > game[LIMIT]:
            return -1
        at += here.moves
        stand.end += 1
    return asked


def look_at(game, queue, number):
    """Who is to move in a particle's state: HERE if it has come, OVER if it has come to the decision too soon."""
    decision, here = queue.decision, queue.particles[number]
    here.actor = actor(game, state_of(queue, number))
    decides = here.actor == decision.player and here.own == decision.played
    if here.known == queue.stand.seen and (queue.stand.to_event != 0 or decides):
        here.actor = HERE
    elif decides:
        here.actor = OVER


def spread(game, queue):
    """Continue the first state in the queue by each of its moves after which it agrees with the record."""
    stand, decision = queue.stand, queue.decision
    old = queue.particles[stand.head]
    chooses = old.moves > 1 and old.actor != CHANCE
    first, n = stand.count, 0
    for i in range(old.first, old.first + old.moves):
        if old.actor == CHANCE and queue.odds[i] == 0.0:
            continue
        stand.tried += 1
        s = state_of(queue, first + n)
        follow(game, s, state_of(queue, stand.head), queue.moves[i])
        known = agrees(game, s, decision.watcher, old.known, stand.seen, queue.keys)
        after = actor(game, s)
        if known == LEFT or after == OVER:
            continue
        pending = stage_goes_on(game, s, decision.simultaneous, old.actor, after)
        if decision.simultaneous != 0:
            copy_state(game, stage_of(queue, first + n), stage_of(queue, stand.head) if pending else s)
        new = queue.particles[first + n]
        new.weight = old.weight * queue.odds[i]
        new.plain = old.plain * plainly(game, queue, old.actor, i)
        new.known = known
        new.since = old.since if pending else known
        new.own = old.own + (1 if old.actor == decision.player else 0)
        new.choice = max(old.choice, (SEEN if known > old.known else HIDDEN) if chooses else 0)
        write_down(queue, new, old, queue.moves[i])
        n += 1
    for i in range(n):
        put(queue, stand.count, first + i)
        if old.actor != CHANCE:
            queue.particles[stand.count].plain /= n
        take(queue)


def plainly(game, queue, who, i):
    """How likely the i-th move is by chance alone; of another's, in how many ways it can be made."""
    if who == CHANCE:
        return queue.odds[i]
    if who == queue.decision.watcher:
        return 1.0
    return 1.0 * copies(game, state_of(queue, queue.stand.head), queue.moves[i])
