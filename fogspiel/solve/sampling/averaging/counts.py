"""Of pure strategies: how often each action was drawn."""

from fogspiel.solve.arena import AVERAGE, column
from fogspiel.solve.node import increase
from fogspiel.solve.sampling.averaging.weighted import nothing
from fogspiel.solve.sampling.averaging.whose import is_averaged
from fogspiel.solve.sampling.parts import Part, average, hand_down


def counts(run, place, own, picked):
    if is_averaged(run, place.who):
        increase(run.table, column(run.table, place.node, AVERAGE, place.n) + picked, own, run.rng)


COUNTS = Part("counts", {average: counts, hand_down: nothing})
