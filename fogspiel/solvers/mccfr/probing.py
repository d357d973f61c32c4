"""Probing (Gibson et al. 2012; Lanctot 2013, sec. 4.8.3): outcome sampling that looks once at every other action,
too."""

import numpy as np

from fogspiel.engine.kinds import Reals
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
from fogspiel.solvers.mccfr.arena import lookup
from fogspiel.solvers.mccfr.external import SAMPLED_OTHERS, learn
from fogspiel.solvers.mccfr.following import expected, explore, follow_one, probability, reach_by_sample, strategy_at
from fogspiel.solvers.mccfr.node import matching
from fogspiel.solvers.mccfr.outcome import explored
from fogspiel.solvers.mccfr.parts import Part, at_decision, average


def probing(game, run, at, free, me):
    """At a node of the updating player: one action is followed, and what the others bring is probed."""
    place, highest, child = run.places[at], run.places[free - 1], run.places[free]
    strategy_at(run, place)
    picked = explore(run.settings.epsilon, place.n, run.work, place.top, place.total, run.rng)
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
    # every action has an estimate, so that none is divided by how likely it is sampled
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


PROBING = Part(
    "probing",
    {at_decision: probing, **SAMPLED_OTHERS},
    memory={"pay": (Reals, lambda game, _: np.zeros(max(game.players, 8)))},
)
