"""What is followed where chance moves. A part is `sample_chance`, which draws an outcome or says BRANCH, and `at_chance`, which follows several."""

from fogspiel.solve.sampling.chance.common import COMMON
from fogspiel.solve.sampling.chance.every import EVERY
from fogspiel.solve.sampling.chance.one import ONE
from fogspiel.solve.sampling.chance.paired import PAIRED
from fogspiel.solve.sampling.chance.public import PUBLIC

__all__ = ["COMMON", "EVERY", "ONE", "PAIRED", "PUBLIC"]
