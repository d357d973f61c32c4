"""What is followed where chance moves. A part is `sample_chance`, which draws an outcome or says BRANCH, and
`at_chance`, which follows several."""

from fogspiel.solvers.mccfr.chance.common import COMMON
from fogspiel.solvers.mccfr.chance.every import EVERY
from fogspiel.solvers.mccfr.chance.one import ONE
from fogspiel.solvers.mccfr.chance.paired import PAIRED
from fogspiel.solvers.mccfr.chance.public import PUBLIC

__all__ = ["COMMON", "EVERY", "ONE", "PAIRED", "PUBLIC"]
