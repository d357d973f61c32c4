"""Of pure strategies: how often each action was drawn."""

from fogspiel.solvers.mccfr.arena import AVERAGE, column
from fogspiel.solvers.mccfr.averaging.weighted import nothing
from fogspiel.solvers.mccfr.averaging.whose import is_averaged
from fogspiel.solvers.mccfr.node import increase
from fogspiel.solvers.mccfr.parts import Part, average, hand_down


def counts(run, place, own, picked):
    if is_averaged(run, place.who):
        increase(run.table, column(run.table, place.node, AVERAGE, place.n) + picked, own, run.rng)


COUNTS = Part("counts", {average: counts, hand_down: nothing})
