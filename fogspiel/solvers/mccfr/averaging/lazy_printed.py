"""Lazy-weighted averaging as first printed (Lanctot 2013, Algorithm 5): what waits at an action goes to whichever
information set comes next, so that its siblings lose it."""

import numpy as np

from fogspiel.engine.kinds import Reals
from fogspiel.game.table import PLAYERS
from fogspiel.solvers.mccfr.arena import EXTRA, LINKED, column
from fogspiel.solvers.mccfr.averaging.lineage import NEEDS
from fogspiel.solvers.mccfr.averaging.weighted import add_strategy
from fogspiel.solvers.mccfr.averaging.whose import everyone
from fogspiel.solvers.mccfr.parts import Part, average, begin_averaging, hand_down


def begin(game, run, me):
    for p in range(game[PLAYERS]):
        run.mass[p] = 0.0
    return everyone(game, run, me)


def printed(run, place, own, picked):
    """w + pi times the strategy; `run.mass` is what was pushed down to here."""
    add_strategy(run, place, run.mass[place.who] + own * place.q)


def push(run, place, own, picked, child):
    """What waits at the action followed goes down; what comes to the others waits there."""
    if place.node < 0:
        return
    reals, mass, who = run.table.reals, run.mass, place.who
    waiting = column(run.table, place.node, EXTRA, place.n)
    come = (mass[who] + own * place.q) / place.total
    mass[who] = mass[who] * run.work[place.top + picked] / place.total + float(reals[waiting + picked])
    reals[waiting + picked] = 0.0
    for a in range(place.n):
        if a != picked:
            reals[waiting + a] += come * run.work[place.top + a]


PRINTED = Part(
    "lazy-printed",
    {average: printed, hand_down: push, begin_averaging: begin},
    header=LINKED,
    columns=EXTRA + 1,
    needs=NEEDS,
    alone=True,
    memory={"mass": (Reals, lambda game, _: np.zeros(game.players))},
)
