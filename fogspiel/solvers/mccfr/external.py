"""External sampling (Lanctot et al. 2009; Lanctot 2013, Algorithm 4): one action of each other player, every action of
the updating one."""

from fogspiel.game.table import part, uniform
from fogspiel.solvers.mccfr.arena import REGRET, column
from fogspiel.solvers.mccfr.averaging.whose import next_player
from fogspiel.solvers.mccfr.following import (
    expected,
    follow_each,
    is_unreached,
    probability,
    reach_by_action,
    sample_once,
    strategy_at,
)
from fogspiel.solvers.mccfr.node import FAR, increase_all
from fogspiel.solvers.mccfr.parts import BRANCH, Part, at_decision, average, begin_averaging, hand_down, sample_other


def external(game, run, at, free, me):
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


def sample_action(game, run, place):
    """At another player's node: an action drawn from its strategy, which is added to its average. The same at every
    history of an information set."""
    strategy_at(run, place)
    return sampled(run, place, sample_once(run, place.key, place.n, place.top, place.total))


def sample_anew(game, run, place):
    """The same, but drawn for each history alone, as OpenSpiel does (Lanctot et al. 2019)."""
    strategy_at(run, place)
    return sampled(run, place, part(run.work, place.top, place.n, uniform(run.rng) * place.total))


def sampled(run, place, picked):
    if place.node >= 0:
        average(run, place, place.theirs, picked)
    hand_down(run, place, place.theirs, picked, place)
    # the reach of the others is multiplied by what it is divided by
    prob = probability(run, place, picked)
    place.mine, place.q = min(place.mine / prob, FAR), place.q * prob
    return picked


SAMPLED_OTHERS = {sample_other: sample_action, begin_averaging: next_player}
"""What other schemes take from here."""

EXTERNAL = Part("external", {at_decision: external, **SAMPLED_OTHERS}, enumerates=True)
BY_HISTORY = Part("external-by-history", {**EXTERNAL.functions, sample_other: sample_anew}, enumerates=True)
