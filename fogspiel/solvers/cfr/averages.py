"""What the CFR family answers: the average strategy of each information set, of each that an abstraction knows, or of
the profiles of a few iterations. Functions of Python's, which are not compiled.

`plan(cfr)`: every player's plan so far. `watch(cfr, iterations)`, a generator: it yields after how many of the next
iterations it wants to be asked again, and has `cfr` at that time. `memory(game, room)`: arrays that it keeps there.
`unsound(cfr)`: what keeps those of a checkpoint from being so, or nothing.
"""

import numpy as np

from fogspiel.engine.part import PartKind
from fogspiel.game.spec import Whole
from fogspiel.solvers.needs import SHARED_RECALL
from fogspiel.solvers.solver import is_plan
from fogspiel.tree.payoffs import ranges
from fogspiel.tree.sequence import SequenceForm


def plan(cfr):
    raise NotImplementedError


def watch(cfr, iterations):
    return ()


class Full:
    """of each information set"""

    NEEDS = (SHARED_RECALL,)

    def plan(cfr):
        return cfr.form.plan(cfr.form.behaviour(cfr.average))


class Abstract:
    """of each information set that an abstraction knows (Lanctot 2013, eq. 5.2)"""

    def plan(cfr):
        return cfr.form.plan(cfr.form.behaviour(abstract_average(cfr.form, cfr.average)))


class Snapshots:
    """of the profiles of a few iterations

    Each iteration has a random rank, the same in every run; the profiles of the lowest ranks are the snapshots."""

    PARAMETERS = (Whole("snapshots", 32, 1, 10**6, "iterations whose profiles are kept"),)
    NEEDS = (SHARED_RECALL,)

    def memory(game, room):
        snapshots = room.own.snapshots
        return {"kept": np.zeros((snapshots, room.form.sequences)), "rank": np.ones(snapshots)}

    def watch(cfr, iterations):
        rank = np.random.Generator(np.random.PCG64(0).advance(cfr.iterations)).random(iterations)
        for t in np.flatnonzero(rank < cfr.rank.max()).tolist():
            worst = cfr.rank.argmax()
            if rank[t] < cfr.rank[worst]:
                yield t
                cfr.kept[worst], cfr.rank[worst] = cfr.current, rank[t]

    def plan(cfr):
        taken = cfr.rank < 1
        return cfr.kept[taken].mean(axis=0) if taken.any() else cfr.form.plan(cfr.form.uniform())

    def unsound(cfr):
        if not np.all((cfr.rank >= 0) & (cfr.rank <= 1)):
            return "rank is not from 0 to 1"
        if not all(is_plan(cfr.form, plan) for plan in cfr.kept[cfr.rank < 1]):
            return "kept has rows that are no plans"
        return ""


AVERAGE = PartKind(
    "cfr-average",
    "what the average is taken of",
    __name__,
    lambda: {"full": Full, "abstract": Abstract, "snapshot": Snapshots},
    stubs={"plan": plan, "watch": watch},
    required=(("plan",),),
    idle=frozenset({"plan", "watch"}),
)


def abstract_average(form: SequenceForm, average: np.ndarray) -> np.ndarray:
    """Sums of plans, added up over the histories of each abstract information set (Lanctot 2013, eq. 5.2)."""
    mine, leader = ranges(form.first, form.count), ranges(form.first[form.leader], form.count)
    weight = np.repeat(form.tree.members[form.origin], form.count)
    out = average.copy()
    out[mine] = np.bincount(leader, weight * average[mine], form.sequences)[leader]
    return out
