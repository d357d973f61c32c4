"""Room in a queue of particles: who is no longer wanted is left out and, where the others are too many, some of them.

They are left out at random, so that every state's weight stays what it was on average (Fearnhead and Clifford 2003, sec. 3.2).
"""

from fogspiel.belief.particle import HERE, enter_anew, put
from fogspiel.engine.kernel import inlined
from fogspiel.engine.primitives import uniform

LEFT_OUT = -1.0


def make_room(queue, rng):
    """Leave out what is dealt with and, if that is not enough and there can be no more room, some of the rest. Returns False where more room is
    to be taken."""
    job = queue.job
    keep_those(queue, is_alive)
    enough = 2 * job.count <= job.room
    if not enough and job.room >= job.limit:
        weigh(queue)
        leave_some_out(queue, job.room // 2, rng)
        job.short = 1
        enough = True
    enter_anew(queue)
    return enough


def pause(queue):
    """Keep those that have come to the event, or the decision, and have all of them still to be dealt with."""
    keep_those(queue, has_come)
    queue.job.head = 0
    queue.job.end = 0
    enter_anew(queue)


def is_alive(queue, i):
    return i >= queue.job.head or has_come(queue, i)


def has_come(queue, i):
    return queue.particles[i].actor == HERE


def is_kept(queue, i):
    return queue.mass[i] != LEFT_OUT


@inlined
def keep_those(queue, wanted):
    """Keep the particles that are wanted, in their order. The index is as it was before."""
    job = queue.job
    kept, dealt_with, looked_at = 0, 0, 0
    for i in range(job.count):
        if wanted(queue, i):
            put(queue, kept, i)
            dealt_with += i < job.head
            looked_at += i < job.end
            kept += 1
    job.count = kept
    job.head = dealt_with
    job.end = looked_at


def weigh(queue):
    """What particles count where some are left out: their weights and, where something is inferred, as much their weights `plain`."""
    n, plainly = queue.job.count, queue.inference.infers != 0
    weight, plain = 0.0, 0.0
    for i in range(n):
        weight += queue.particles[i].weight
        plain += queue.particles[i].plain
    weight, plain = max(weight, 1e-300), max(plain, 1e-300)
    for i in range(n):
        here = queue.particles[i]
        queue.mass[i] = here.weight / weight + here.plain / plain if plainly else here.weight


def leave_some_out(queue, most, rng):
    """Keep `most` particles, by their `mass`."""
    n = queue.job.count
    thin(queue.mass, n, most, rng)
    for i in range(n):
        here = queue.particles[i]
        here.weight *= queue.mass[i]
        here.plain *= queue.mass[i]
    keep_those(queue, is_kept)


def thin(mass, n, most, rng):
    """Which of n particles, more than `most`, to keep (Fearnhead and Clifford 2003, sec. 3.2): in place of what each counts comes what that is to be
    multiplied with, or LEFT_OUT.

    What counts more than a threshold stays; of the others, some are drawn in proportion to what they count, and count as much as the threshold. Where
    no more than `most` count at all, all of them are kept, and others fill up.
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
