"""Declared experiments: what is played or solved, how often, what was printed; run anywhere, stored for good.

A file of one's own has `from fogspiel.experiment import Matches, Scale`, and what else it needs of these names.
"""

from typing import TYPE_CHECKING, Never

from fogspiel.errors import SpecError
from fogspiel.experiment.candidates import Range
from fogspiel.experiment.deals import EveryDeal, FixedDeals
from fogspiel.experiment.design import Curves, Experiment, Matches, Measurements, Scale
from fogspiel.experiment.printed import read_printed
from fogspiel.experiment.seating import against, every_pair, lineups, pairings, rotations, teams
from fogspiel.experiment.tuning import Tuning
from fogspiel.experiment.verdict import every, some

__all__ = [
    "Curves",
    "EveryDeal",
    "Experiment",
    "FixedDeals",
    "Matches",
    "Measurements",
    "Range",
    "Scale",
    "Tuning",
    "against",
    "every",
    "every_pair",
    "lineups",
    "pairings",
    "read_printed",
    "rotations",
    "some",
    "teams",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Never:
        if name == "Between":
            raise SpecError("what was called Between is Range: Range(0.1, 4.0, log=True)")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
