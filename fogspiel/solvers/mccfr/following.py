"""Steps that schemes share: the strategy at a place, actions drawn from it, and the estimates of its children."""

from fogspiel.engine.kernel import inlined
from fogspiel.game.table import OVER, mix, packed_at, part, step, uniform, unit
from fogspiel.solvers.mccfr.arena import compare, locate
from fogspiel.solvers.mccfr.frames import AHEAD, FULL
from fogspiel.solvers.mccfr.node import FAR, matching
from fogspiel.solvers.mccfr.parts import hand_down
from fogspiel.solvers.mccfr.traversal import descend, estimate


def strategy_at(run, place):
    """Regret matching at a place (Lanctot 2013, eq. 2.18): the weights of its actions into work[place.top:], their sum
    into place.total."""
    find_node(run, place)
    match_regrets(run, place)


def find_node(run, place):
    """The information set at a place, in the table: made if need be, negative if there is no room for it."""
    node = place.node = locate(run.table, place.key, place.who, place.n, run.moves, place.top)
    if node == -1:
        run.walk.status = FULL
    elif run.walk.looks and node >= 0:
        compare(run.table, node, place.key, place.who, place.n, run.moves, place.top)


def match_regrets(run, place):
    place.total = matching(run.table, place.node, place.n, run.work, place.top)
    place.scale = 1.0 / place.total


def probability(run, place, a):
    """The present strategy's, of an action."""
    return run.work[place.top + a] * place.scale


def sample_once(run, key, n, top, total):
    """One of n drawn by the weights in work[top:], whose sum is `total`: the same for the same key during a whole
    traversal.

    So two histories that an opponent cannot tell apart meet with the same action (Lanctot 2013, sec. 4.3), without
    anything being stored.
    """
    return part(run.work, top, n, unit(mix(run.walk.word, key)) * total)


def explore(epsilon, n, weights, top, total, rng):
    """An action drawn from the strategy, or with probability epsilon from all alike."""
    x = uniform(rng)
    if x < epsilon:
        return min(int(x * (n / epsilon)), n - 1)
    return part(weights, top, n, (x - epsilon) * (total / (1.0 - epsilon)))


def expected(run, place):
    """The value of the present strategy, if work[place.top + place.n:] holds what its actions are worth."""
    n, top, work = place.n, place.top, run.work
    value = 0.0
    for a in range(n):
        value += work[top + a] * work[top + n + a]
    return value * place.scale


def follow_each(game, run, at, free, me, count, reach):
    """The first `count` children of a place: an estimate of each to work[place.top + place.n:]; returns their sum.

    `reach(run, place, a, child, me)` writes the child's reaches and `q`, and returns by what its estimate is
    multiplied; negative, it is not followed, and its estimate is 0. Some children at a time are looked at, then walked.
    """
    place, work = run.places[at], run.work
    highest = run.places[free - 1]
    above, estimates = highest.top + 2 * highest.n, place.top + place.n
    value, a = 0.0, 0
    while a < count:
        end, room = free, above
        while a < count and end < free + AHEAD:
            child = run.places[end]
            factor = reach(run, place, a, child, me)
            if factor < 0.0:
                work[estimates + a] = 0.0
            else:
                # the last one may use up the state
                state = place.state if a == count - 1 else packed_at(game, run.states, end)
                enter(game, run, place, a, child, state, room, me)
                work[estimates + a] = factor
                if child.who == OVER:
                    work[estimates + a] = factor * work[room + me]
                    value += work[estimates + a]
                else:
                    room += 2 * child.n
                    end += 1
            a += 1
        for i in range(free, end):
            found = estimate(game, run, i, end, me)
            k = estimates + run.places[i].action
            work[k] *= found
            value += work[k]
    return value


def follow_one(game, run, at, free, me, a):
    """An estimate of what `me` gets by one action of a place; the child, places[free], has its reaches and `q`
    already."""
    place, highest, child = run.places[at], run.places[free - 1], run.places[free]
    room = highest.top + 2 * highest.n
    enter(game, run, place, a, child, place.state, room, me)
    if child.who == OVER:
        return run.work[room + me]
    return estimate(game, run, free, free + 1, me)


@inlined
def enter(game, run, place, a, child, state, room, me):
    """Make `child` the place after an action, and go down from there as far as it is only sampled."""
    child.state, child.top, child.level, child.action = state, room, place.level, a
    child.n = step(game, state, place.state, run.moves[place.top + a], run.moves, room, run.work, room, child)
    hand_down(run, place, place.mine if place.who == me else place.theirs, a, child)
    descend(game, run, child, room, me)


@inlined
def reach_by_action(place, by, child, me):
    """The reaches of a child by an action that is followed for sure and played with probability `by`."""
    child.mine, child.theirs, child.q = place.mine, place.theirs, place.q
    if place.who == me:
        child.mine = place.mine * by
    else:
        child.theirs = place.theirs * by


@inlined
def reach_by_sample(place, by, prob, child, me):
    """The same by an action that is sampled with probability `prob`, by which both reaches are divided."""
    inverse = 1.0 / prob
    child.mine, child.theirs, child.q = place.mine * inverse, place.theirs * inverse, place.q * prob
    if place.who == me:
        child.mine = place.mine * (by * inverse)
    else:
        child.theirs = place.theirs * (by * inverse)
    if child.mine > FAR or child.theirs > FAR:
        child.mine, child.theirs = min(child.mine, FAR), min(child.theirs, FAR)


@inlined
def reach_by_outcome(place, prob, child):
    """The same by an outcome of chance that is enumerated."""
    child.mine, child.theirs, child.q = place.mine * prob, place.theirs * prob, place.q / prob


@inlined
def is_unreached(child):
    return child.mine == 0.0 and child.theirs == 0.0
