"""One outcome, drawn with its probability, which cancels (Lanctot 2013, sec. 4.2)."""

from fogspiel.game.table import sample
from fogspiel.solvers.mccfr.parts import Part, at_chance, sample_chance


def one(game, run, place, me):
    return sample(run.work, place.top, place.n, run.rng)


def never(game, run, at, free, me):
    """An outcome has been drawn wherever chance moves."""
    return 0.0


ONE = Part("one", {sample_chance: one, at_chance: never})
