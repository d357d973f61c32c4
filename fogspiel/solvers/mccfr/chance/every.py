"""Every outcome, as in vanilla CFR (Lanctot 2013, Algorithm 1)."""

from fogspiel.solvers.mccfr.following import follow_each, reach_by_outcome
from fogspiel.solvers.mccfr.parts import BRANCH, Part, at_chance, sample_chance


def stop(game, run, place, me):
    return BRANCH


def every(game, run, at, free, me):
    place = run.places[at]
    place.node = -1
    return follow_each(game, run, at, free, me, place.n, by_outcome)


def by_outcome(run, place, a, child, me):
    prob = run.work[place.top + a]
    reach_by_outcome(place, prob, child)
    return prob


EVERY = Part("every", {sample_chance: stop, at_chance: every})
