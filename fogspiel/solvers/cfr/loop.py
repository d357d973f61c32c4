"""The loop of the CFR family (Lanctot 2013, Algorithm 1), compiled once for each choice of its parts.

It works on the sequence form, with all histories of an information set summed beforehand. What an information set does
with the values of its actions, `update`, is the learner's (`solvers/cfr/learners`); whether players update in turn is
one of UPDATES.
"""

from functools import cache
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Bundle, Int, Real, Reals, Records
from fogspiel.engine.linking import linked
from fogspiel.solvers.cfr.joint import witness
from fogspiel.solvers.cfr.learners import LEARNERS
from fogspiel.tree.payoffs import FUSED, Table, products
from fogspiel.tree.sequence import Form

Step = np.dtype([("t", "i8"), ("positive", "f8"), ("negative", "f8"), ("decay", "f8")])
"""The t-th iteration: what positive regrets, negative ones and the average so far are multiplied by."""

Steps: Any = Records(Step)

Learned: Any = Bundle(regret=Reals, strategy=Reals, spread=Reals, plan=Reals, average=Reals, seen=Reals)
"""For each sequence its regret, its probability, that of the plan, and the sum of the plans so far; for each
information set what its learner keeps (`spread`); and what was seen of the joint play, a sum discounted as the plans'
is (`solvers/cfr/joint.py`)."""

Scratch: Any = Bundle(cfv=Reals, gain=Reals, panel=Reals)
"""Each sequence's counterfactual value; its new regret, where it is shared, 0 between iterations; and what products
need."""


@cache
def loop(learner: str, updates: str, *, witnessed: bool) -> Kernel:
    """`iterate`, with the learner and the updates of these names; if `witnessed`, the joint play is added to what was
    seen of it."""
    parts: dict[Function, Function] = {
        update: LEARNERS[learner].update,
        learn_all: UPDATES[updates],
        see: see_joint_play if witnessed else see_nothing,
    }
    return kernel(linked(iterate, parts), group=f"{learner}-{updates}{'-witnessed' * witnessed}", fastmath=FUSED)


def iterate(
    iterations: Int, steps: Steps, rate: Real, form: Form, payoffs: Table, learned: Learned, scratch: Scratch
) -> None:
    """So many iterations of CFR, with the learner's own setting, `rate`."""
    for i in range(iterations):
        see(steps[i], form, payoffs, learned, scratch)
        learn_all(steps[i], rate, form, payoffs, learned, scratch)


def see(step, form, payoffs, learned, scratch):
    """Before an iteration: `see_joint_play`, or nothing."""
    raise NotImplementedError


def see_joint_play(step, form, payoffs, learned, scratch):
    witness(step.decay, form, payoffs, learned.plan, learned.seen, scratch.cfv, scratch.panel)


def see_nothing(step, form, payoffs, learned, scratch):
    pass


def learn_all(step, rate, form, payoffs, learned, scratch):
    """An iteration, by one of UPDATES."""
    raise NotImplementedError


def alternating(step, rate, form, payoffs, learned, scratch):
    """Players update in turn: each learns against what those before it have learned."""
    for p in range(form.facts.players):
        evaluate(p, form, payoffs, learned, scratch)
        learn(p, step, rate, form, learned, scratch)
        follow(p, step, form, learned)


def simultaneous(step, rate, form, payoffs, learned, scratch):
    """All learn from one profile."""
    players = form.facts.players
    for p in range(players):
        evaluate(p, form, payoffs, learned, scratch)
        learn(p, step, rate, form, learned, scratch)
    for p in range(players):
        follow(p, step, form, learned)


UPDATES = {"alternating": alternating, "simultaneous": simultaneous}


def evaluate(p, form, payoffs, learned, scratch):
    """What each sequence of a player is worth against the others' plans, without what comes after it."""
    for s in range(form.begin[p], form.begin[p + 1]):
        scratch.cfv[s] = 0.0
    products(p, form.facts.players, payoffs, learned.plan, scratch.cfv, scratch.panel)


def learn(p, step, rate, form, learned, scratch):
    """Bottom-up: the value of each information set, the regret of each action, and the strategy that follows from it.

    Information sets that share a strategy first add up what is new, since the old strategy is in use until all have
    done.
    """
    first, count, parent = form.first, form.count, form.parent
    leader_first, shared = form.leader_first, form.facts.shared
    strategy, cfv, gain = learned.strategy, scratch.cfv, scratch.gain
    low, high = form.sets[p], form.sets[p + 1]
    for i in range(high - 1, low - 1, -1):
        f = first[i]
        n = count[i]
        expected = 0.0
        for a in range(f, f + n):
            expected += strategy[a] * cfv[a]
        cfv[parent[i]] += expected
        if shared == 0:
            update(step, rate, learned, i, f, n, cfv, expected)
        else:
            for k in range(n):
                gain[leader_first[i] + k] += cfv[f + k] - expected
    if shared != 0:
        for i in range(low, high):
            f = first[i]
            if leader_first[i] == f:
                update(step, rate, learned, i, f, count[i], gain, 0.0)
            for k in range(count[i]):
                gain[f + k] = 0.0
                strategy[f + k] = strategy[leader_first[i] + k]


def update(step, rate, learned, i, first, count, value, expected):
    """The learner's: see `solvers/cfr/learners`."""
    raise NotImplementedError


def follow(p, step, form, learned):
    """Top-down: the plan just played enters the average, and gives way to that of the new strategy."""
    first, count, parent = form.first, form.count, form.parent
    strategy, plan, average = learned.strategy, learned.plan, learned.average
    decay, root = step.decay, form.begin[p]
    average[root] = average[root] * decay + plan[root]
    for i in range(form.sets[p], form.sets[p + 1]):
        above = plan[parent[i]]
        for a in range(first[i], first[i] + count[i]):
            average[a] = average[a] * decay + plan[a]
            plan[a] = above * strategy[a]
