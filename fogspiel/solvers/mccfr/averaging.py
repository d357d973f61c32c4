"""How average strategies are kept under sampling (Lanctot 2013, sec. 4.4): `average` adds to a node, and `hand_down`
tells the places below. Of averages that lag behind, `owed` says what a node has missed."""

from functools import cache

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.kernel import Kernel
from fogspiel.engine.kinds import Int, Reals
from fogspiel.engine.linking import linked
from fogspiel.game.needs import AT_MOST_TWO, NO_ABSTRACTION, PERFECT_RECALL
from fogspiel.game.table import PLAYERS
from fogspiel.solvers.mccfr.arena import (
    AVERAGE,
    EXTRA,
    LINKED,
    TABLE,
    actions,
    bundle,
    column,
    header_of,
    of_width,
    width,
)
from fogspiel.solvers.mccfr.node import increase, increase_all, matching


class Weighted:
    """stochastically weighted: a visit counts the reach of the node's player, divided by the probability of the
    visit"""

    def average(run, place, own, picked):
        if is_averaged(run, place.who):
            add_strategy(run, place, own)


def is_averaged(run, who):
    return run.walk.averaged < 0 or run.walk.averaged == who


def add_strategy(run, place, weight):
    """Add the present strategy, so many times, to the average."""
    mean = column(run.table, place.node, AVERAGE, place.n)
    increase_all(run.table, mean, place.n, weight * place.scale, run.work, place.top, 0.0, run.rng)


class Counts:
    """of pure strategies: how often each action was drawn"""

    FOR = ("pure",)

    def average(run, place, own, picked):
        if is_averaged(run, place.who):
            increase(run.table, column(run.table, place.node, AVERAGE, place.n) + picked, own, run.rng)


# --- the tree of a player's own information sets: each is known by the average of the action that leads to it

OWN_TREE = (AT_MOST_TWO, PERFECT_RECALL, NO_ABSTRACTION)
"""Information sets are such a tree where nobody forgets; a place remembers the last actions of two players."""


def hand_down(run, place, own, picked, child):
    """Where the average of each player's last action lies."""
    child.last_0, child.last_1 = place.last_0, place.last_1
    if place.node < 0:
        return
    last = column(run.table, place.node, AVERAGE, place.n) + picked
    if place.who == 0:
        child.last_0 = last
    else:
        child.last_1 = last


def last_action(place):
    """Of the player who moves: where the average of its last action lies; -1 before the first."""
    return place.last_0 if place.who == 0 else place.last_1


class Optimistic:
    """optimistic: the present reach is taken to have held since the last visit"""

    HEADER, NEEDS, ALONE, FOR = LINKED, OWN_TREE, True, ("external", "outcome")
    hand_down = hand_down

    def average(run, place, own, picked):
        if not is_averaged(run, place.who):
            return
        header = header_of(run.table, place.node)
        now = (run.counts.done + 1) & 0x7FFFFFFF
        weight = own * place.q * (now - header.stamp)
        header.stamp = now
        header.parent = last_action(place)
        add_strategy(run, place, weight)

    def owed(header, here, come, done):
        return here * (done - int(header.stamp))


class Lazy:
    """lazy, in the exact form: what has come to the parent's action since the last visit, while the strategy here was
    the one it is now"""

    HEADER, NEEDS, ALONE, FOR = LINKED, OWN_TREE, True, ("outcome",)
    hand_down = hand_down

    def average(run, place, own, picked):
        header, before = header_of(run.table, place.node), last_action(place)
        total = float(run.table.reals[before]) if before >= 0 else float(run.counts.visit)
        weight = total - float(header.seen)
        header.seen, header.parent = total, before
        add_strategy(run, place, weight)

    def owed(header, here, come, done):
        return come - float(header.seen)


class LazyPrinted:
    """lazy as first printed (Lanctot 2013, Algorithm 5): what waits at an action goes to whichever information set
    comes next, so that its siblings lose it"""

    HEADER, COLUMNS, NEEDS, ALONE, FOR = LINKED, EXTRA + 1, OWN_TREE, True, ("outcome",)

    def memory(game, room):
        return {"mass": np.zeros(game.players)}

    def begin_average(game, run):
        for p in range(game[PLAYERS]):
            run.mass[p] = 0.0

    def average(run, place, own, picked):
        # w + pi times the strategy; the mass is what was pushed down to here
        add_strategy(run, place, run.mass[place.who] + own * place.q)

    def hand_down(run, place, own, picked, child):
        # what waits at the action followed goes down; what comes to the others waits there
        if place.node < 0:
            return
        reals, mass, who = run.table.reals, run.mass, place.who
        waiting = column(run.table, place.node, EXTRA, place.n)
        come = (mass[who] + own * place.q) / place.total
        mass[who] = mass[who] * run.work[place.top + picked] / place.total + float(reals[waiting + picked])
        reals[waiting + picked] = 0.0
        for a in range(place.n):
            if a != picked:
                reals[waiting + a] += come * run.work[place.top + a]


@cache
def catching_up(missed: Function) -> dict[bool, Kernel]:
    """Kernels that bring averages up to date, for both widths of words, where an information set has missed what
    `missed` says."""
    function = linked(catch_up, {owed: missed})
    return {single: of_width(function, single, {TABLE: bundle(single)}) for single in (True, False)}


def catch_up(table: TABLE, visits: Int, done: Int, out: Reals, reach: Reals, weights: Reals) -> None:
    """Averages as they would be if every information set were visited now. `out` and `reach` have an element for each
    word of the table; nodes come after those of the same player before them."""
    node = 0
    while node < table.pool.used:
        header = header_of(table, node)
        parent = int(header.parent)
        here = reach[parent] if parent >= 0 else 1.0
        come = out[parent] if parent >= 0 else float(visits)
        weight = owed(header, here, come, done)
        remaining(table, node, weight, here, out, reach, weights)
        node += width(table.pool, actions(table, node))


def owed(header, here, come, done):
    """How often the present strategy of a node is to be added for what it missed since its last visit, after so many
    iterations: its player reaches it with `here`, and the average of the action before it is `come`."""
    raise NotImplementedError


def remaining(table, node, weight, here, out, reach, weights):
    """A node's averages with the present strategy added so many times, and the reach of its actions where it is reached
    with `here`."""
    n = actions(table, node)
    begin = column(table, node, AVERAGE, n)
    scale = 1.0 / matching(table, node, n, weights, 0)
    for a in range(n):
        out[begin + a] = float(table.reals[begin + a]) + weight * weights[a] * scale
        reach[begin + a] = here * weights[a] * scale
