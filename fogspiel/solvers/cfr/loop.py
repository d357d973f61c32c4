"""The loop of the CFR family (Lanctot 2013, Algorithm 1), compiled once for each choice of its parts.

It works on the sequence form, with all histories of an information set summed beforehand: a player's counterfactual
values are one product of the payoff table with the others' plans, then one bottom-up pass over its information sets;
one top-down pass gives the plan of the new strategy. Its parts (`engine/part.py`) are what an information set does with
the values of its actions (LEARNER), whether players update in turn (UPDATES), and whether the joint play is looked at.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Bundle, Int, Kind, Reals, Records
from fogspiel.engine.linking import annotated, linked
from fogspiel.engine.part import Part, PartKind, filled, kind_of
from fogspiel.solvers.cfr.joint import witness
from fogspiel.solvers.cfr.learners import LEARNERS
from fogspiel.tree.payoffs import FUSED, Table, products
from fogspiel.tree.sequence import Form

Step = np.dtype([("t", "i8"), ("positive", "f8"), ("negative", "f8"), ("decay", "f8")])
"""The t-th iteration: what positive regrets, negative ones and the average so far are multiplied by."""

Steps: Any = Records(Step)

LEARNED = {"regret": Reals, "strategy": Reals, "spread": Reals, "plan": Reals, "average": Reals, "seen": Reals}
"""For each sequence its regret, its probability, that of the plan, and the sum of the plans so far; for each
information set what its learner keeps (`spread`); and what was seen of the joint play, a sum discounted as the plans'
is (`solvers/cfr/joint.py`). The learner's parameters (`own`) and arrays come beside them."""

LEARNING: Any = "learned"
"""In the kernel: all that is learned, as `learned_kind` says."""

Scratch: Any = Bundle(cfv=Reals, gain=Reals, panel=Reals)
"""Each sequence's counterfactual value; its new regret, where it is shared, 0 between iterations; and what products
need."""


def learned_kind(own: Mapping[str, np.ndarray]) -> Kind:
    """What the loop learns with a learner that has these arrays, and a record."""
    return Bundle(**LEARNED, **{name: kind_of(array) for name, array in own.items()})


def loop(parts: Iterable[Part], learned: Kind) -> Kernel:
    """`iterate` with these parts; other values of their parameters are the same kernel."""
    return _loop(tuple(filled(parts).items()), learned)


@cache
def _loop(functions: tuple[tuple[Function, Function], ...], learned: Kind) -> Kernel:
    kinds = {**iterate.__annotations__, LEARNING: learned}
    return kernel(annotated(linked(iterate, dict(functions)), kinds), alone=True, fastmath=FUSED)


def iterate(iterations: Int, steps: Steps, form: Form, payoffs: Table, learned: LEARNING, scratch: Scratch) -> None:
    """So many iterations of CFR."""
    for i in range(iterations):
        see(steps[i], form, payoffs, learned, scratch)
        learn_all(steps[i], form, payoffs, learned, scratch)


def see(step, form, payoffs, learned, scratch):
    """Before an iteration."""


def learn_all(step, form, payoffs, learned, scratch):
    """An iteration."""
    raise NotImplementedError


def update(step, learned, i, first, count, value, expected):
    """What an information set does with the values of its actions (`solvers/cfr/learners.py`)."""
    raise NotImplementedError


class JointPlay:
    """what every sequence is worth is added up, for the average joint play"""

    def see(step, form, payoffs, learned, scratch):
        witness(step.decay, form, payoffs, learned.plan, learned.seen, scratch.cfv, scratch.panel)


class Alternating:
    """players update in turn: each learns against what those before it have learned"""

    def learn_all(step, form, payoffs, learned, scratch):
        for p in range(form.facts.players):
            evaluate(p, form, payoffs, learned, scratch)
            learn(p, step, form, learned, scratch)
            follow(p, step, form, learned)


class Simultaneous:
    """all learn from one profile"""

    def learn_all(step, form, payoffs, learned, scratch):
        players = form.facts.players
        for p in range(players):
            evaluate(p, form, payoffs, learned, scratch)
            learn(p, step, form, learned, scratch)
        for p in range(players):
            follow(p, step, form, learned)


LEARNER = PartKind(
    "learner",
    "what an information set does with the values of its actions",
    __name__,
    lambda: LEARNERS,
    stubs={"update": update},
    required=(("update",),),
    record="own",
)
UPDATES = PartKind(
    "updates",
    "whose strategies change in an iteration, and when",
    __name__,
    lambda: {"alternating": Alternating, "simultaneous": Simultaneous},
    stubs={"learn_all": learn_all},
    required=(("learn_all",),),
)
WITNESS = PartKind(
    "witness", "what is looked at before an iteration", __name__, lambda: {"joint": JointPlay}, stubs={"see": see}
)


def evaluate(p, form, payoffs, learned, scratch):
    """What each sequence of a player is worth against the others' plans, without what comes after it."""
    for s in range(form.begin[p], form.begin[p + 1]):
        scratch.cfv[s] = 0.0
    products(p, form.facts.players, payoffs, learned.plan, scratch.cfv, scratch.panel)


def learn(p, step, form, learned, scratch):
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
            update(step, learned, i, f, n, cfv, expected)
        else:
            for k in range(n):
                gain[leader_first[i] + k] += cfv[f + k] - expected
    if shared != 0:
        for i in range(low, high):
            f = first[i]
            if leader_first[i] == f:
                update(step, learned, i, f, count[i], gain, 0.0)
            for k in range(count[i]):
                gain[f + k] = 0.0
                strategy[f + k] = strategy[leader_first[i] + k]


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
