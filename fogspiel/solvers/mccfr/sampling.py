"""Schemes that follow every action of the updating player, or all that a coin says: vanilla CFR, external sampling,
pure CFR, and average-strategy sampling."""

from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Number
from fogspiel.game.table import part, uniform
from fogspiel.solvers.mccfr.arena import AVERAGE, EXTRA, REGRET, STAMPED, column, header_of
from fogspiel.solvers.mccfr.kinds import DRAWS
from fogspiel.solvers.mccfr.node import increase, increase_all
from fogspiel.solvers.mccfr.traversal import (
    BRANCH,
    average,
    expected,
    find_node,
    follow_each,
    is_unreached,
    match_regrets,
    probability,
    reach_by_action,
    reach_by_sample,
    sample_once,
    sampled,
    strategy_at,
)


class External:
    """external sampling (Lanctot et al. 2009; Lanctot 2013, Algorithm 4): one action of each other player, every action
    of the updating one"""

    PARAMETERS = (PartOf("draws", "infosets", DRAWS, "for what an action of the others is drawn"),)
    ENUMERATES = True

    def at_decision(game, run, at, free, me):
        return branch(game, run, at, free, me, by_action)


def branch(game, run, at, free, me, reach):
    """At a node of the updating player: the value of every action that `reach` follows, and by how much it is
    regretted."""
    place = run.places[at]
    strategy_at(run, place)
    if place.node >= 0:
        average(run, place, place.mine, BRANCH)
    follow_each(game, run, at, free, me, place.n, reach)
    value = expected(run, place)
    learn(run, place, value)
    return value


def by_action(run, place, a, child, me):
    reach_by_action(place, probability(run, place, a), child, me)
    return -1.0 if is_unreached(child) else 1.0


def learn(run, place, value):
    """Add what each action of the updating player is worth more than the node: sampled regrets (Lanctot 2013, eq.
    4.20)."""
    n = place.n
    if place.node >= 0:
        regret = column(run.table, place.node, REGRET, n)
        increase_all(run.table, regret, n, place.theirs, run.work, place.top + n, value, run.rng)


class ByInfoset:
    """for each information set, once a traversal"""


class ByHistory:
    """for each history, as OpenSpiel does (Lanctot et al. 2019)"""

    def sample_other(game, run, place):
        strategy_at(run, place)
        return sampled(run, place, part(run.work, place.top, place.n, uniform(run.rng) * place.total))


class Pure:
    """pure CFR (Lanctot 2013, sec. 8.1): everyone plays a pure strategy, drawn from its own

    External sampling, in which a node is worth what the action drawn there is."""

    ENUMERATES = True

    def at_decision(game, run, at, free, me):
        place = run.places[at]
        strategy_at(run, place)
        picked = sample_once(run, place.key, place.n, place.top, place.total)
        if place.node >= 0:
            average(run, place, place.mine, picked)
        follow_each(game, run, at, free, me, place.n, by_action)
        value = run.work[place.top + place.n + picked]
        learn(run, place, value)
        return value


class AverageStrategy:
    """average-strategy sampling (Burch et al. 2012; Lanctot 2013, sec. 4.8.4): external sampling that follows each
    action of the updating player with a probability of its own; surely, if it is played often"""

    PARAMETERS = (
        Number("epsilon", 0.05, 1e-9, 1, "least probability of following an action"),
        Number("tau", 1000, 1, 1e12, "how fast good actions are followed for sure"),
        Number("beta", 1e6, 0, 1e12, "how long the average is not yet trusted"),
    )

    def at_decision(game, run, at, free, me):
        return branch(game, run, at, free, me, by_coin)


def by_coin(run, place, a, child, me):
    rho = followed(run, place, a)
    reach_by_sample(place, probability(run, place, a), rho, child, me)
    if is_unreached(child) or (rho < 1.0 and uniform(run.rng) >= rho):
        return -1.0
    return 1.0 / rho


def followed(run, place, a):
    """rho(I, a): how likely an action is followed."""
    own, n = run.sampling, place.n
    if place.node < 0:
        return 1.0
    mean = column(run.table, place.node, AVERAGE, n)
    total = own.beta
    for b in range(n):
        total += float(run.table.reals[mean + b])
    if total <= 0.0:
        return 1.0
    return min(1.0, max(own.epsilon, (own.beta + own.tau * float(run.table.reals[mean + a])) / total))


class Vanilla:
    """vanilla CFR as a walk over the rules (Lanctot 2013, Algorithm 1): every action of every player, with pruning

    The strategy must not change within a traversal, though an information set may be visited through several histories:
    what its regrets grow by is held back, in a column of its own, until it is visited in a later one."""

    HEADER, COLUMNS, ALONE, ENUMERATES = STAMPED, EXTRA + 1, True, True

    def at_decision(game, run, at, free, me):
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

    def sample_other(game, run, place):
        return BRANCH

    def averaged(game, run, me):
        return me


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
