"""Vanilla CFR as a walk over the rules (Lanctot 2013, Algorithm 1): every action of every player is followed, with
pruning.

The strategy must not change within a traversal, though an information set may be visited through several histories:
what its regrets grow by is held back, in a column of its own, until it is visited in a later one.
"""

from fogspiel.solvers.mccfr.arena import EXTRA, REGRET, STAMPED, column, header_of
from fogspiel.solvers.mccfr.averaging.whose import updating_player
from fogspiel.solvers.mccfr.following import (
    expected,
    find_node,
    follow_each,
    is_unreached,
    match_regrets,
    probability,
    reach_by_action,
)
from fogspiel.solvers.mccfr.node import increase, increase_all
from fogspiel.solvers.mccfr.parts import BRANCH, Part, at_decision, average, begin_averaging, sample_other


def vanilla(game, run, at, free, me):
    """The value of every action; at a node of the updating player, its regret."""
    place = run.places[at]
    find_node(run, place)
    if place.node >= 0:
        settle(run, place)
    match_regrets(run, place)
    if place.node >= 0:
        average(run, place, place.mine if place.who == me else place.theirs, BRANCH)
    follow_each(game, run, at, free, me, place.n, by_action)
    value = expected(run, place)
    if place.node >= 0 and place.who == me:
        held_back, n = column(run.table, place.node, EXTRA, place.n), place.n
        increase_all(run.table, held_back, n, place.theirs, run.work, place.top + n, value, run.rng)
    return value


def by_action(run, place, a, child, me):
    """Pruned where neither the updating player nor the others come (Lanctot 2013, sec. 2.2.2)."""
    reach_by_action(place, probability(run, place, a), child, me)
    return -1.0 if is_unreached(child) else 1.0


def settle(run, place):
    """Add the increments held back in earlier traversals."""
    table, n = run.table, place.n
    visit = run.counts.visit & 0x7FFFFFFF
    header = header_of(table, place.node)
    if header.stamp == visit:
        return
    header.stamp = visit
    regret, held_back = column(table, place.node, REGRET, n), column(table, place.node, EXTRA, n)
    for a in range(n):
        by = float(table.reals[held_back + a])
        if by != 0.0:
            increase(table, regret + a, by, run.rng)
            table.reals[held_back + a] = 0.0


def stop(game, run, place):
    """Nobody's action is sampled."""
    return BRANCH


VANILLA = Part(
    "vanilla",
    {at_decision: vanilla, sample_other: stop, begin_averaging: updating_player},
    header=STAMPED,
    columns=EXTRA + 1,
    alone=True,
    enumerates=True,
)
