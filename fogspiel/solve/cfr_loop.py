"""The loop of the CFR family (Lanctot 2013, Algorithm 1), compiled once for each local learner.

It works on the sequence form, with all histories of an information set summed beforehand. What an information set does with the
values of its actions, `update`, is the learner's (`solve/learners`).
"""

from functools import cache

import numpy as np

from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Bundle, Int, Real, Reals, Records
from fogspiel.engine.linking import linked
from fogspiel.solve.joint import witness
from fogspiel.solve.learners import LEARNERS
from fogspiel.tree.payoffs import FUSED, Table, products
from fogspiel.tree.sequence import Form

Step = np.dtype([("t", "i8"), ("positive", "f8"), ("negative", "f8"), ("decay", "f8")])
"""The t-th iteration: what positive regrets, negative ones and the average so far are multiplied by."""

Learned = Bundle(regret=Reals, strategy=Reals, spread=Reals, plan=Reals, average=Reals, seen=Reals)
"""For each sequence its regret, its probability, that of the plan, and the sum of the plans so far; for each information set what its learner
keeps (`spread`); and what was seen of the joint play, a sum discounted as the plans' is (`solve/joint.py`)."""

Scratch = Bundle(cfv=Reals, gain=Reals, panel=Reals)
"""Each sequence's counterfactual value; its new regret, where it is shared, 0 between iterations; and what products need."""


@cache
def loop(learner: str) -> Kernel:
    """`iterate`, with the learner of this name."""
    return kernel(linked(iterate, {update: LEARNERS[learner].update}), group=learner, fastmath=FUSED)


def iterate(
    iterations: Int, steps: Records(Step), rate: Real, alternating: Int, witnessed: Int, form: Form, payoffs: Table, learned: Learned,
    scratch: Scratch,
) -> None:  # fmt: skip
    """So many iterations of CFR, with the learner's own setting, `rate`. If `witnessed`, the joint play is added to what was seen of it."""
    players = form.facts.players
    for i in range(iterations):
        step = steps[i]
        if witnessed != 0:
            witness(step.decay, form, payoffs, learned.plan, learned.seen, scratch.cfv, scratch.panel)
        for p in range(players):
            for s in range(form.begin[p], form.begin[p + 1]):
                scratch.cfv[s] = 0.0
            products(p, players, payoffs, learned.plan, scratch.cfv, scratch.panel)
            learn(p, step, rate, form, learned, scratch)
            if alternating != 0:
                follow(p, step, form, learned)
        if alternating == 0:
            for p in range(players):
                follow(p, step, form, learned)


def learn(p, step, rate, form, learned, scratch):
    """Bottom-up: the value of each information set, the regret of each action, and the strategy that follows from it.

    Information sets that share a strategy first add up what is new, since the old strategy is in use until all have done.
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
    """The learner's: see `solve/learners`."""
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
