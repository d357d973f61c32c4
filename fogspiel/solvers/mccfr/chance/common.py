"""Common chance sampling (Lanctot 2013, sec. 7.5): every outcome that only the updating player sees; of the others one,
the same below whatever the updating player was dealt."""

from fogspiel.solvers.mccfr.chance.every import every
from fogspiel.solvers.mccfr.chance.public import EVERYBODY, is_seen
from fogspiel.solvers.mccfr.following import sample_once
from fogspiel.solvers.mccfr.parts import BRANCH, Part, at_chance, sample_chance


def common(game, run, place, me):
    if is_seen(game, run, place, me) and not is_seen(game, run, place, EVERYBODY):
        return BRANCH
    return sample_once(run, place.level, place.n, place.top, 1.0)


COMMON = Part("common", {sample_chance: common, at_chance: every})
