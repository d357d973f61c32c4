"""Local learners: what an information set does with the values of its actions (Lanctot 2013, sec. 2.2.2).

A learner is one plain function, `update`, which is linked into the loop of the CFR family (`solvers/cfr/loop.py`):

    update(step, rate, learned, i, first, count, value, expected)

Information set i has the actions `first` to `first + count - 1`, whose counterfactual values in this iteration are in
`value`; `expected` is the value of the strategy just played. The function adds what is new to `learned.regret`, of
which it first keeps the shares `step.positive` and `step.negative`, and writes the next strategy to `learned.strategy`,
which still holds the last one. `learned.spread[i]`, 0 at first and never negative, is a number that it may keep;
`step.t` is the number of the iteration, and `rate` the learner's own setting. What actions are worth is only known up
to a number that is the same for all of them: where information sets share a strategy, `value` has regrets and
`expected` is 0.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fogspiel.solvers.cfr.learners.giga import giga
from fogspiel.solvers.cfr.learners.hedge import hedge
from fogspiel.solvers.cfr.learners.lagrangian import lagrangian_hedging
from fogspiel.solvers.cfr.learners.regret_matching import (
    predictive_regret_matching,
    regret_matching,
    regret_matching_plus,
)
from fogspiel.solvers.cfr.learners.weighted_majority import weighted_majority


@dataclass(frozen=True)
class Learner:
    """`setting` names the parameter that it is given as its rate; empty, it has none."""

    about: str
    update: Callable[..., Any]
    setting: str = ""


LEARNERS: dict[str, Learner] = {
    "rm": Learner("regret matching", regret_matching),
    "rm+": Learner("regret matching+", regret_matching_plus),
    "prm+": Learner("predictive regret matching+", predictive_regret_matching),
    "hedge": Learner("Hedge", hedge, "eta"),
    "rwm": Learner("randomized weighted majority", weighted_majority, "eta"),
    "giga": Learner("generalized infinitesimal gradient ascent", giga, "eta"),
    "lagrangian": Learner("Lagrangian hedging", lagrangian_hedging, "degree"),
}
