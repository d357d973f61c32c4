"""Public chance sampling (Johanson et al. 2012; Lanctot 2013, sec. 4.8.2): one outcome of what everybody sees, every
outcome of the rest."""

from fogspiel.game.table import follow, infoset, sample, state_at
from fogspiel.solvers.mccfr.chance.every import every
from fogspiel.solvers.mccfr.parts import BRANCH, Part, at_chance, sample_chance

EVERYBODY = -1
"""In place of a player: what everybody knows."""


def public(game, run, place, me):
    return sample(run.work, place.top, place.n, run.rng) if is_seen(game, run, place, EVERYBODY) else BRANCH


def is_seen(game, run, place, who):
    """Whether a player can tell the outcomes at a place apart, judged by the first two."""
    state = state_at(game, run.spare, 0)
    follow(game, state, place.state, run.moves[place.top])
    seen = infoset(game, state, who)
    follow(game, state, place.state, run.moves[place.top + 1])
    return infoset(game, state, who) != seen


PUBLIC = Part("public", {sample_chance: public, at_chance: every})
