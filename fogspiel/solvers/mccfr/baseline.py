"""Baselines (VR-MCCFR, Schmid et al. 2019): outcome sampling in which the estimate of an action is what it brought so
far, corrected where it was sampled."""

from fogspiel.game.needs import AT_MOST_TWO, ZERO_SUM
from fogspiel.solvers.mccfr.arena import EXTRA, column
from fogspiel.solvers.mccfr.averaging.whose import next_player
from fogspiel.solvers.mccfr.external import learn
from fogspiel.solvers.mccfr.following import (
    expected,
    explore,
    follow_one,
    probability,
    reach_by_sample,
    sample_once,
    strategy_at,
)
from fogspiel.solvers.mccfr.node import bounded, kept
from fogspiel.solvers.mccfr.outcome import explored
from fogspiel.solvers.mccfr.parts import Part, at_decision, average, begin_averaging, sample_other
from fogspiel.solvers.mccfr.vanilla import stop


def baseline(game, run, at, free, me):
    """At any player's node: others sample from their strategies, and what is below them is corrected as well."""
    place, child, mine = run.places[at], run.places[free], run.places[at].who == me
    strategy_at(run, place)
    if mine:
        picked = explore(run.settings.epsilon, place.n, run.work, place.top, place.total, run.rng)
    else:
        picked = sample_once(run, place.key, place.n, place.top, place.total)
    if place.node >= 0:
        average(run, place, place.mine if mine else place.theirs, picked)
    sigma = probability(run, place, picked)
    prob = explored(run, place, sigma) if mine else sigma
    reach_by_sample(place, sigma, prob, child, me)
    value = follow_one(game, run, at, free, me, picked)
    if place.node < 0:
        return bounded(sigma * (value / prob)) if mine else value
    correct(run, place, picked, prob, value, 1.0 if mine else -1.0)
    value = expected(run, place)
    if mine:
        learn(run, place, value)
    return value


def correct(run, place, picked, prob, value, sign):
    """The estimates of a place's actions, from baselines that are kept for its own player; the one sampled learns."""
    reals, work, estimates = run.table.reals, run.work, place.top + place.n
    begin = column(run.table, place.node, EXTRA, place.n)
    for a in range(place.n):
        work[estimates + a] = sign * float(reals[begin + a])
    guess = work[estimates + picked]
    work[estimates + picked] = bounded(guess + (value - guess) / prob)
    reals[begin + picked] = kept(run.table, sign * (guess + run.settings.rate * (value - guess)))


BASELINE = Part(
    "baseline",
    {at_decision: baseline, sample_other: stop, begin_averaging: next_player},
    columns=EXTRA + 1,
    needs=(AT_MOST_TWO, ZERO_SUM),
)
