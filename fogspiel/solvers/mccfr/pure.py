"""Pure CFR (Lanctot 2013, sec. 8.1): everyone plays a pure strategy, drawn from its own."""

from fogspiel.solvers.mccfr.external import SAMPLED_OTHERS, by_action, learn
from fogspiel.solvers.mccfr.following import follow_each, sample_once, strategy_at
from fogspiel.solvers.mccfr.parts import Part, at_decision, average


def pure(game, run, at, free, me):
    """External sampling, in which a node is worth what the action drawn there is."""
    place = run.places[at]
    strategy_at(run, place)
    picked = sample_once(run, place.key, place.n, place.top, place.total)
    if place.node >= 0:
        average(run, place, place.mine, picked)
    follow_each(game, run, at, free, me, place.n, by_action)
    value = run.work[place.top + place.n + picked]
    learn(run, place, value)
    return value


PURE = Part("pure", {at_decision: pure, **SAMPLED_OTHERS}, enumerates=True)
