"""Monte Carlo CFR on the rules of a game (Lanctot 2013, Algorithm 2): the loop, and the way down by what is sampled.

A traversal visits some of the histories below a state and returns an estimate, right on average, of what the updating
player gets there. Three numbers go down with it: `q`, the probability with which the traversal came here, and the
reaches of the updating player and of the others, both divided by `q`: apart they would vanish in a long game. The
probability of what is enumerated rather than sampled divides `q`. At a node of player p all schemes then agree: regrets
grow by (reach of the others / q) (estimate of the action - estimate of the node), and averages by (reach of p / q)
times the strategy. What a scheme does not sample it leaves out of both, so chance cancels.

Where something is learned, branches or is averaged, the loop calls what its parts put in for the first functions below
(`engine/part.py`; `kinds.py` says what parts may have beside them). All are given the `game`, or `run`, or both: the
table, the place where the traversal has come, scratch memory, and the records and arrays of the parts (`frames.py`).

Forced moves are made without a look at the table: of the information sets of goofspiel with five cards, four of five
have one.
"""

from typing import Any

import numpy as np

from fogspiel.engine.kernel import inlined
from fogspiel.engine.kinds import Int, Ints
from fogspiel.engine.primitives import next_word
from fogspiel.game.table import (
    CHANCE,
    LEVELS,
    LIMIT,
    OVER,
    PLAYERS,
    ROOT,
    copy_state,
    look,
    mix,
    packed_at,
    part,
    step,
    uniform,
    unit,
)
from fogspiel.solvers.mccfr.arena import compare, foresee, locate, lookup
from fogspiel.solvers.mccfr.frames import AHEAD, DEEP, FULL, MANY, is_deep
from fogspiel.solvers.mccfr.node import FAR, matching

BRANCH = -1
"""In place of an action that was sampled: the traversal is to stop here and follow several, or learn from one."""

START = np.int64(1)
"""The place where a traversal starts, after that of the root. (A plain 1 would be compiled as a case of its own.)"""

LOOKS = 31
"""One in so many traversals compares moves with those of the same node before, and all compare their number. (A prime,
so that all players' turns come.)"""

RUN: Any = "run"
"""In a kernel for both widths: memory, as `frames.run_memory` makes it."""

# --- what parts put in


def at_decision(game, run, at, free, me):
    """An estimate of what `me` gets from a player's place on, `run.places[at]`, learning on the way. Places from `free`
    on are not in use."""
    raise NotImplementedError


def sample_other(game, run, place):
    """The action of a player that is not the updating one, sampled, with what is to be kept in mind of it; or BRANCH.
    As it stands: the same at every history of an information set."""
    strategy_at(run, place)
    return sampled(run, place, sample_once(run, place.key, place.n, place.top, place.total))


def averaged(game, run, me):
    """Whose averages grow in a traversal that updates `me`; -1: everyone's. As it stands: where others are sampled and
    learn, theirs; of several others, the next one's."""
    return (me + 1) % game[PLAYERS]


def is_mine(place, me):
    """Where outcome sampling learns: whether the player is `me`. As it stands: nobody else learns there."""
    return True


def sample_chance(game, run, place, me):
    """The outcome of chance; or BRANCH."""
    raise NotImplementedError


def at_chance(game, run, at, free, me):
    """An estimate, as `at_decision`, where chance moves and `sample_chance` said BRANCH."""
    return 0.0


def average(run, place, own, picked):
    """Add the strategy at a place to the average of its node, whose player reaches it with `own`; `picked` was sampled,
    if anything."""
    raise NotImplementedError


def hand_down(run, place, own, picked, child):
    """An action is followed: tell the next place what averages there will want to know. `child` may be the same record
    as `place`."""


def begin_average(game, run):
    """Before a traversal."""


def begin(run, me):
    """Before a traversal: whether `me` is updated at all."""
    return True


def is_held(run, who):
    """Whether a player is held to a fixed strategy in this traversal."""
    return False


def sample_fixed(game, run, place):
    """The action of a player that is held to a fixed strategy."""
    return 0


def baseline(run, place, a):
    """What an action is taken to bring the player at a place."""
    raise NotImplementedError


def learn_baseline(run, place, a, found):
    """An action has brought that player so much."""


# --- the loop


def iterate(game: Ints, run: RUN, iterations: Int, traversals: Int) -> None:
    """So many iterations of so many traversals: one for each player, or one in all if a sample updates both; fewer
    where the table should grow before the next. The root, in places[0], is looked at once."""
    root, walk, counts, pool = run.places[0], run.walk, run.counts, run.table.pool
    root.n = look(game, game[ROOT], run.moves, 0, run.work, 0, root)
    for _ in range(iterations):
        for me in range(traversals):
            traverse(game, run, me)
        if walk.status > FULL:
            return
        counts.done += 1
        if walk.status != 0 or pool.used > pool.soon:
            return


def traverse(game, run, me):
    """One traversal, from the root."""
    walk = run.walk
    walk.word = next_word(run.rng)
    run.counts.visit += 1
    walk.looks = int(run.counts.visit % LOOKS == 0)
    walk.averaged = averaged(game, run, me)
    if not begin(run, me):
        return
    begin_average(game, run)
    root, start = run.places[0], run.places[START]
    start.who, start.key, start.n = root.who, root.key, root.n
    start.state, start.top, start.level = packed_at(game, run.states, 0), 0, 0
    start.mine, start.theirs, start.q = 1.0, 1.0, 1.0
    start.last_0, start.last_1 = -1, -1
    copy_state(game, start.state, game[ROOT])
    descend(game, run, start, 2 * root.n, me)
    if start.who != OVER:
        estimate(game, run, START, START + 1, me)


@inlined
def descend(game, run, place, room, me):
    """Down from a place by what is sampled and not learned from, to the end of the game or to where there is something
    to estimate. The moves met on the way are written from `room` on."""
    touched = 0
    while True:
        who, n = place.who, place.n
        touched += 1
        if who == OVER:
            break
        if n > game[LIMIT] or place.level >= LEVELS:
            walk = run.walk
            walk.status, walk.count = MANY if n > game[LIMIT] else DEEP, n
            place.who, run.work[place.top + me] = OVER, 0.0
            break
        place.level += 1
        if n == 1:
            # there is nothing to learn about a forced move, if it is forced wherever the player knows the same
            picked = 0
            if who != CHANCE and run.walk.looks:
                lookup(run.table, place.key, who, n)
        elif who == CHANCE:
            picked = sample_chance(game, run, place, me)
        elif is_held(run, who):
            picked = sample_fixed(game, run, place)
        elif who == me:
            picked = BRANCH
        else:
            picked = sample_other(game, run, place)
        if picked == BRANCH:
            if who != CHANCE:
                foresee(run.table, place.key, who)
            break
        state, move = place.state, run.moves[place.top + picked]
        place.n = step(game, state, state, move, run.moves, room, run.work, room, place)
        place.top = room
    run.counts.touched += touched


def estimate(game, run, at, free, me):
    """An estimate of what `me` gets from a place on. Places from `free` on are not in use."""
    highest = run.places[free - 1]
    if is_deep(game, highest.top + 2 * highest.n):
        run.walk.status = DEEP
    if (
        run.walk.status > FULL
    ):  # what is wrong is told when the traversal ends, and there would be no end to one that went on
        return 0.0
    if run.places[at].who == CHANCE:
        return at_chance(game, run, at, free, me)
    return at_decision(game, run, at, free, me)


# --- steps that parts share: the strategy at a place, actions drawn from it, and the estimates of its children


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


def sampled(run, place, picked):
    """What is to be kept in mind of an action that another player's strategy was sampled for."""
    if place.node >= 0:
        average(run, place, place.theirs, picked)
    hand_down(run, place, place.theirs, picked, place)
    # the reach of the others is multiplied by what it is divided by
    prob = probability(run, place, picked)
    place.mine, place.q = min(place.mine / prob, FAR), place.q * prob
    return picked
