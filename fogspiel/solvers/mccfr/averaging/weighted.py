"""Stochastically-weighted averaging (Lanctot 2013, sec. 4.4): a visit counts the reach of the node's player, divided by
the probability of the visit."""

from fogspiel.solvers.mccfr.arena import AVERAGE, column
from fogspiel.solvers.mccfr.averaging.whose import is_averaged
from fogspiel.solvers.mccfr.node import increase_all
from fogspiel.solvers.mccfr.parts import Part, average, hand_down


def weighted(run, place, own, picked):
    if is_averaged(run, place.who):
        add_strategy(run, place, own)


def add_strategy(run, place, weight):
    """Add the present strategy, so many times, to the average."""
    mean = column(run.table, place.node, AVERAGE, place.n)
    increase_all(run.table, mean, place.n, weight * place.scale, run.work, place.top, 0.0, run.rng)


def nothing(run, place, own, picked, child):
    """What is below needs to know of nothing."""


WEIGHTED = Part("weighted", {average: weighted, hand_down: nothing})
