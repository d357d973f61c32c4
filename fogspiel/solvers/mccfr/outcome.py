"""Outcome sampling (Lanctot et al. 2009; Lanctot 2013, Algorithm 3): one history, on which the updating player
explores."""

from fogspiel.game.needs import AT_MOST_TWO, ZERO_SUM
from fogspiel.solvers.mccfr.arena import REGRET, column
from fogspiel.solvers.mccfr.averaging.whose import everyone
from fogspiel.solvers.mccfr.external import SAMPLED_OTHERS
from fogspiel.solvers.mccfr.following import explore, follow_one, probability, reach_by_sample, strategy_at
from fogspiel.solvers.mccfr.node import bounded, increase, increase_alike
from fogspiel.solvers.mccfr.parts import Part, at_decision, average, begin_averaging, sample_other
from fogspiel.solvers.mccfr.vanilla import stop


def alternating(game, run, at, free, me):
    """At a node of the updating player; those of the others are only sampled."""
    return outcome(game, run, at, free, me, True)


def parallel(game, run, at, free, me):
    """One sample updates both players, and both explore."""
    return outcome(game, run, at, free, me, run.places[at].who == me)


def outcome(game, run, at, free, me, mine):
    """Follow one action, and regret the others, which are taken to bring nothing (Lanctot 2013, eqs. 4.12 and 4.15)."""
    place, child = run.places[at], run.places[free]
    strategy_at(run, place)
    picked = explore(run.settings.epsilon, place.n, run.work, place.top, place.total, run.rng)
    if place.node >= 0:
        average(run, place, place.mine if mine else place.theirs, picked)
    sigma = probability(run, place, picked)
    prob = explored(run, place, sigma)
    reach_by_sample(place, sigma, prob, child, me)
    found = bounded(follow_one(game, run, at, free, me, picked) / prob)
    value = sigma * found
    if place.node >= 0:
        weight = place.theirs if mine else -place.mine
        regret, n = column(run.table, place.node, REGRET, place.n), place.n
        increase_alike(run.table, regret, n, -weight * value, run.rng)
        increase(run.table, regret + picked, weight * found, run.rng)
    return value


def explored(run, place, sigma):
    """How likely an action is sampled where the strategy plays it with probability `sigma`."""
    epsilon = run.settings.epsilon
    return epsilon / place.n + (1.0 - epsilon) * sigma


OUTCOME = Part("outcome", {at_decision: alternating, **SAMPLED_OTHERS})
PARALLEL = Part(
    "outcome-parallel",
    {at_decision: parallel, sample_other: stop, begin_averaging: everyone},
    needs=(AT_MOST_TWO, ZERO_SUM),
    both=True,
)
