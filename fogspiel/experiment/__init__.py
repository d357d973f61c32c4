"""Declared experiments: what is played or solved, how often, what was printed; run anywhere, stored for good.

A file of one's own has `from fogspiel.experiment import Matches, Scale`, and what else it needs of these names.
"""

from fogspiel.experiment.between import Between
from fogspiel.experiment.deals import EveryDeal, FixedDeals
from fogspiel.experiment.design import Curves, Experiment, Matches, Measurements, Scale
from fogspiel.experiment.printed import read_printed
from fogspiel.experiment.seating import against, every_pair, lineups, pairings, rotations, teams
from fogspiel.experiment.tuning import Tuning
from fogspiel.experiment.verdict import every, some

__all__ = [
    "Between",
    "Curves",
    "EveryDeal",
    "Experiment",
    "FixedDeals",
    "Matches",
    "Measurements",
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
