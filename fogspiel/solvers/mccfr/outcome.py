"""Schemes that follow one history: outcome sampling, the same with probes of the other actions, and with baselines."""

import numpy as np

from fogspiel.game.needs import AT_MOST_TWO, ZERO_SUM
from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Number
from fogspiel.game.table import (
    CHANCE,
    OVER,
    actor,
    chances,
    follow,
    moves,
    part,
    payoff,
    play,
    situation,
    state_at,
    uniform,
)
from fogspiel.solvers.mccfr.arena import EXTRA, REGRET, column, lookup
from fogspiel.solvers.mccfr.kinds import BASELINE, UPDATED
from fogspiel.solvers.mccfr.node import bounded, increase, increase_alike, kept, matching
from fogspiel.solvers.mccfr.sampling import learn
from fogspiel.solvers.mccfr.traversal import (
    BRANCH,
    average,
    baseline,
    expected,
    explore,
    follow_one,
    is_mine,
    learn_baseline,
    probability,
    reach_by_sample,
    sample_once,
    strategy_at,
)

EPSILON = Number("epsilon", 0.6, 0, 1, "exploration at the updating player's nodes")


class Outcome:
    """outcome sampling (Lanctot et al. 2009; Lanctot 2013, Algorithm 3): one history, on which the updating player
    explores

    The action that is followed is estimated; the others are taken to bring nothing (Lanctot 2013, eqs. 4.12, 4.15)."""

    PARAMETERS = (EPSILON, PartOf("updates", "alternating", UPDATED, "whom a sample updates"))

    def at_decision(game, run, at, free, me):
        place, child = run.places[at], run.places[free]
        mine = is_mine(place, me)
        strategy_at(run, place)
        picked = explore(run.sampling.epsilon, place.n, run.work, place.top, place.total, run.rng)
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
    epsilon = run.sampling.epsilon
    return epsilon / place.n + (1.0 - epsilon) * sigma


class Alternating:
    """one player, whose turn it is"""


class Parallel:
    """both players, who both explore"""

    NEEDS = (AT_MOST_TWO, ZERO_SUM)
    BOTH = True

    def sample_other(game, run, place):
        return BRANCH

    def averaged(game, run, me):
        return -1

    def is_mine(place, me):
        return place.who == me


class Probing:
    """probing (Gibson et al. 2012; Lanctot 2013, sec. 4.8.3): outcome sampling that looks once at every other action

    Every action has an estimate then, so that none is divided by how likely it is sampled."""

    PARAMETERS = (EPSILON,)

    def memory(game, room):
        return {"pay": np.zeros(max(game.players, 8))}

    def at_decision(game, run, at, free, me):
        place, highest, child = run.places[at], run.places[free - 1], run.places[free]
        strategy_at(run, place)
        picked = explore(run.sampling.epsilon, place.n, run.work, place.top, place.total, run.rng)
        if place.node >= 0:
            average(run, place, place.mine, picked)
        n, top = place.n, place.top
        for a in range(n):
            if a != picked:
                state = state_at(game, run.spare, 0)
                follow(game, state, place.state, run.moves[top + a])
                run.work[top + n + a] = probe(game, run, state, me, highest.top + 2 * highest.n)
        sigma = probability(run, place, picked)
        reach_by_sample(place, sigma, explored(run, place, sigma), child, me)
        run.work[top + n + picked] = follow_one(game, run, at, free, me, picked)
        value = expected(run, place)
        learn(run, place, value)
        return value


def probe(game, run, state, me, top):
    """Play to the end by the present strategies; what `me` gets."""
    buffer, work = run.moves, run.work
    while True:
        run.counts.touched += 1
        who = actor(game, state)
        if who == OVER:
            payoff(game, state, run.pay, 0)
            return run.pay[me]
        total = 1.0
        if who == CHANCE:
            n = chances(game, state, buffer, top, work, top)
        else:
            n = moves(game, state, buffer, top)
            node = lookup(run.table, situation(game, state, who), who, n)
            total = matching(run.table, node, n, work, top)
        play(game, state, buffer[top + part(work, top, n, uniform(run.rng) * total)])


class Corrected:
    """VR-MCCFR (Schmid et al. 2019): outcome sampling in which the estimate of an action is a baseline, corrected where
    the action was sampled

    Others sample from their strategies, and what is below them is corrected as well."""

    PARAMETERS = (EPSILON, PartOf("baseline", "learned", BASELINE, "what an action is taken to bring"))
    NEEDS = (AT_MOST_TWO, ZERO_SUM)

    def at_decision(game, run, at, free, me):
        place, child, mine = run.places[at], run.places[free], run.places[at].who == me
        strategy_at(run, place)
        if mine:
            picked = explore(run.sampling.epsilon, place.n, run.work, place.top, place.total, run.rng)
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

    def sample_other(game, run, place):
        return BRANCH


def correct(run, place, picked, prob, value, sign):
    """The estimates of a place's actions, from baselines, which are for its own player; that of the one sampled
    learns."""
    work, estimates = run.work, place.top + place.n
    for a in range(place.n):
        work[estimates + a] = sign * baseline(run, place, a)
    guess = work[estimates + picked]
    work[estimates + picked] = bounded(guess + (value - guess) / prob)
    learn_baseline(run, place, picked, sign * value)


class Learned:
    """what the action brought so far, the last most"""

    PARAMETERS = (Number("rate", 0.5, 1e-9, 1, "how fast baselines learn"),)
    COLUMNS = EXTRA + 1

    def baseline(run, place, a):
        return float(run.table.reals[column(run.table, place.node, EXTRA, place.n) + a])

    def learn_baseline(run, place, a, found):
        at = column(run.table, place.node, EXTRA, place.n) + a
        guess = float(run.table.reals[at])
        run.table.reals[at] = kept(run.table, guess + run.baseline.rate * (found - guess))


class Zero:
    """nothing, as in outcome sampling"""

    def baseline(run, place, a):
        return 0.0
