"""Average-strategy sampling (Burch et al. 2012; Lanctot 2013, sec. 4.8.4): external sampling that follows each action
of the updating player with a probability of its own; surely, if it is played often."""

from fogspiel.game.table import uniform
from fogspiel.solvers.mccfr.arena import AVERAGE, column
from fogspiel.solvers.mccfr.external import SAMPLED_OTHERS, branch
from fogspiel.solvers.mccfr.following import is_unreached, probability, reach_by_sample
from fogspiel.solvers.mccfr.parts import Part, at_decision


def average_strategy(game, run, at, free, me):
    return branch(game, run, at, free, me, by_chance)


def by_chance(run, place, a, child, me):
    rho = followed(run, place, a)
    reach_by_sample(place, probability(run, place, a), rho, child, me)
    if is_unreached(child) or (rho < 1.0 and uniform(run.rng) >= rho):
        return -1.0
    return 1.0 / rho


def followed(run, place, a):
    """rho(I, a): how likely an action is followed."""
    settings, n = run.settings, place.n
    if place.node < 0:
        return 1.0
    mean = column(run.table, place.node, AVERAGE, n)
    total = settings.beta
    for b in range(n):
        total += float(run.table.reals[mean + b])
    if total <= 0.0:
        return 1.0
    return min(1.0, max(settings.epsilon, (settings.beta + settings.tau * float(run.table.reals[mean + a])) / total))


AVERAGE_STRATEGY = Part("average-strategy", {at_decision: average_strategy, **SAMPLED_OTHERS})
