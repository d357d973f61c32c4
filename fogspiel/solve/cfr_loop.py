"""The loop of the CFR family (Lanctot 2013, Algorithm 1), compiled once for each local learner.

It works on the sequence form, with all histories of an information set summed beforehand. What an information set does with the
values of its actions, `update`, is the learner's (`solve/learners`).
"""

from functools import cache

from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Int, Ints, Ints32, Real, Reals
from fogspiel.engine.linking import linked
from fogspiel.solve.joint import witness
from fogspiel.solve.learners import LEARNERS
from fogspiel.tree.payoffs import FUSED, products


@cache
def loop(learner: str) -> Kernel:
    """`iterate`, with the learner of this name."""
    return kernel(linked(iterate, {update: LEARNERS[learner].update}), group=learner, fastmath=FUSED)


def iterate(
    iterations: Int, done: Int, alternating: Int, rate: Real, positive: Reals, negative: Reals, decay: Reals,
    sets: Ints, begin: Ints, first: Ints32, count: Ints32, parent: Ints32, shared: Int, leader: Ints32,
    players: Int, blocks: Ints, row_start: Ints, row: Ints32, column_start: Ints, column: Ints32, value_start: Ints, value: Reals,
    regret: Reals, strategy: Reals, plan: Reals, average: Reals, spread: Reals, cfv: Reals, gain: Reals, panel: Reals,
    witnessed: Int, seen: Reals,
) -> None:  # fmt: skip
    """So many iterations of CFR, after `done` others. `leader` is the first sequence of the information set whose strategy is shared.

    Scratch: `cfv`, each sequence's counterfactual value, `gain`, all 0, and `panel`. If `witnessed`, the average joint play is kept
    in `seen`.
    """
    for t in range(iterations):
        if witnessed != 0:
            witness(
                decay[t], players, begin, blocks, row_start, row, column_start, column, value_start, value, plan, cfv, panel, seen
            )  # fmt: skip
        for p in range(players):
            for s in range(begin[p], begin[p + 1]):
                cfv[s] = 0.0
            products(p, players, blocks, row_start, row, column_start, column, value_start, value, plan, cfv, panel)
            learn(
                done + t + 1,
                rate,
                positive[t],
                negative[t],
                sets[p],
                sets[p + 1],
                first,
                count,
                parent,
                shared,
                leader,
                cfv,
                gain,
                regret,
                strategy,
                spread,
            )
            if alternating != 0:
                follow(decay[t], begin[p], sets[p], sets[p + 1], first, count, parent, strategy, plan, average)
        if alternating == 0:
            for p in range(players):
                follow(decay[t], begin[p], sets[p], sets[p + 1], first, count, parent, strategy, plan, average)


def learn(
    t, rate, positive, negative, low, high, first, count, parent, shared, leader, cfv, gain, regret, strategy, spread
):  # fmt: skip
    """Bottom-up: the value of each information set, the regret of each action, and the strategy that follows from it.

    Information sets that share a strategy first add up what is new, since the old strategy is in use until all have done.
    """
    for i in range(high - 1, low - 1, -1):
        f = first[i]
        n = count[i]
        expected = 0.0
        for a in range(f, f + n):
            expected += strategy[a] * cfv[a]
        cfv[parent[i]] += expected
        if shared == 0:
            update(i, f, n, t, rate, positive, negative, cfv, expected, regret, strategy, spread)
        else:
            for k in range(n):
                gain[leader[i] + k] += cfv[f + k] - expected
    if shared != 0:
        for i in range(low, high):
            f = first[i]
            if leader[i] == f:
                update(i, f, count[i], t, rate, positive, negative, gain, 0.0, regret, strategy, spread)
            for k in range(count[i]):
                gain[f + k] = 0.0
                strategy[f + k] = strategy[leader[i] + k]


def update(i, first, count, t, rate, positive, negative, value, expected, regret, strategy, spread):
    """The learner's: see `solve/learners`."""
    raise NotImplementedError


def follow(decay, root, low, high, first, count, parent, strategy, plan, average):
    """Top-down: the plan just played enters the average, and gives way to that of the new strategy."""
    average[root] = average[root] * decay + plan[root]
    for i in range(low, high):
        above = plan[parent[i]]
        for a in range(first[i], first[i] + count[i]):
            average[a] = average[a] * decay + plan[a]
            plan[a] = above * strategy[a]
