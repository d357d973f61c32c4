"""Monte Carlo CFR on the rules of a game (Lanctot 2013, Algorithm 2): the loop, and the way down by what is sampled.

A traversal visits some of the histories below a state and returns an estimate, right on average, of what the updating
player gets there. Three numbers go down with it: `q`, the probability with which the traversal came here, and the
reaches of the updating player and of the others, both divided by `q`: apart they would vanish in a long game. The
probability of what is enumerated rather than sampled divides `q`. At a node of player p all schemes then agree: regrets
grow by (reach of the others / q) (estimate of the action - estimate of the node), and averages by (reach of p / q)
times the strategy. What a scheme does not sample it leaves out of both, so chance cancels.

Forced moves are made without a look at the table: of the information sets of goofspiel with five cards, four of five
have one.
"""

from typing import Any

import numpy as np

from fogspiel.engine.kernel import inlined
from fogspiel.engine.kinds import Int, Ints
from fogspiel.engine.primitives import next_word
from fogspiel.game.table import CHANCE, LEVELS, LIMIT, OVER, ROOT, copy_state, look, packed_at, step
from fogspiel.solvers.mccfr.arena import foresee, lookup
from fogspiel.solvers.mccfr.frames import DEEP, FULL, MANY, is_deep
from fogspiel.solvers.mccfr.parts import (
    BRANCH,
    at_chance,
    at_decision,
    begin,
    begin_averaging,
    is_held,
    sample_chance,
    sample_fixed,
    sample_other,
)

START = np.int64(1)
"""The place where a traversal starts, after that of the root. (A plain 1 would be compiled as a case of its own.)"""

LOOKS = 31
"""One in so many traversals compares moves with those of the same node before, and all compare their number. (A prime,
so that all players' turns come.)"""

RUN: Any = "run"
"""In a kernel for both widths: memory, as `frames.run_memory` makes it."""


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
    if not begin(run, me):
        return
    walk.averaged = begin_averaging(game, run, me)
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
