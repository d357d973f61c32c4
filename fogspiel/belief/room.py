"""Room in a queue of particles: who is no longer wanted is left out and, where the others are too many, some of them.

They are left out at random, so that every state's weight stays what it was on average (Fearnhead and Clifford 2003,
sec. 3.2).
"""

from fogspiel.belief.hooks import weigh
from fogspiel.belief.particle import HERE, Queue, enter_anew, put
from fogspiel.engine.kernel import inlined, kernel
from fogspiel.engine.primitives import uniform

LEFT_OUT = -1.0


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
