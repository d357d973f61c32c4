"""Counterfactual regret minimization and its variants: one loop, made of parts.

Every variant keeps, for each (information set, action), a regret, and follows it with a local learner. Variants differ
in their learners (`solvers/cfr/learners.py`), in how fast old regrets and strategies are forgotten
(`solvers/cfr/schedules.py`), and in what the answer is an average of (`solvers/cfr/averages.py`). `cfr` takes any of
these; the other names stand for a schedule and a learner that go together.

In an abstraction, information sets that must share a strategy add up their regrets in the first of them; plans, values
and the full average strategy are those of the whole game (Lanctot 2013, ch. 5).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.part import Part
from fogspiel.game.needs import Need
from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Parameter
from fogspiel.search.trial import compiled
from fogspiel.solvers.cfr.averages import AVERAGE
from fogspiel.solvers.cfr.joint import JointPlay, joint_play, room
from fogspiel.solvers.cfr.loop import LEARNER, UPDATES, WITNESS, Scratch, Step, learned_kind, loop
from fogspiel.solvers.cfr.schedules import SCHEDULE, factors
from fogspiel.solvers.cfr.trial import own_plan, try_learner, try_schedule, try_updates
from fogspiel.solvers.needs import ONCE_IN_EACH, SEQUENCE_FORM, UNROLLS
from fogspiel.solvers.parts import memory_of, require_settings
from fogspiel.solvers.solver import Solver, is_plan
from fogspiel.tree.payoffs import PANEL, ranges
from fogspiel.tree.sequence import SequenceForm, sequence_form

BATCH = 1 << 16
"""Iterations whose factors are computed together: they take memory, too."""

PARTS = (
    PartOf("learner", "rm", LEARNER, "local learner"),
    PartOf("updates", "alternating", UPDATES, "players update in turn, or all from one profile"),
    PartOf("average", "full", AVERAGE, "the average strategy: of what"),
    PartOf("schedule", "uniform", SCHEDULE, "how fast old regrets and strategies are forgotten"),
)


@dataclass(frozen=True)
class Variant:
    """One member of the family: what can be asked of it, its schedule and learner where that is not the person's
    choice, and what it needs of a game. Parameters of the schedule are its own."""

    about: str
    parameters: tuple[Parameter | PartOf, ...] = PARTS
    schedule: str = "uniform"
    learner: str = "rm"
    needs: tuple[Need, ...] = SEQUENCE_FORM

    def parts(self, values: Mapping[str, Any]) -> dict[str, Part]:
        """Of each kind the part that these values of parameters stand for."""
        usual = {"schedule": self.schedule, "learner": self.learner}
        made = {p.name: values.get(p.name) or p.read(usual.get(p.name, p.usual)) for p in PARTS}
        own = {name: value for name, value in values.items() if not isinstance(value, Part)}
        return made | {"schedule": replace(made["schedule"], values=(*made["schedule"].values, *own.items()))}


def preset(about: str, schedule: str, learner: str = "rm", own: Iterable[str] = ()) -> Variant:
    """CFR with a schedule and a learner; the parameters of the schedule with these names are its own."""
    made = SCHEDULE_OF.read(schedule)
    mine = [replace(p, default=made.settings[p.name]) for p in made.parameters if p.name in own]
    return Variant(about, (*mine, UPDATES_OF), schedule, learner)


_, UPDATES_OF, _, SCHEDULE_OF = PARTS

VARIANTS: dict[str, Variant] = {
    "cfr": Variant("counterfactual regret minimization (Zinkevich et al. 2007)", needs=(UNROLLS, ONCE_IN_EACH)),
    "cfr+": preset(
        "CFR+ (Tammelin 2014): regrets cut at zero, later iterations count more", "polynomial", "rm+", ["gamma"]
    ),
    "linear-cfr": preset(
        "linear CFR (Brown and Sandholm 2019): iteration t counts t", "discounted(alpha=1,beta=1,gamma=1)"
    ),
    "dcfr": preset("discounted CFR (Brown and Sandholm 2019)", "discounted", own=["alpha", "beta", "gamma"]),
    "pcfr+": preset(
        "predictive CFR+ (Farina et al. 2021): the last regret predicts the next",
        "polynomial(gamma=2)",
        "prm+",
        ["gamma"],
    ),
    "hs-dcfr": preset(
        "DCFR with hyperparameter schedules (Zhang et al. 2024): alpha 1 to 4, beta -1 to -3, gamma 30 to 25",
        "hs-discounted",
        own=["gamma", "horizon"],
    ),
    "hs-pcfr+": preset(
        "PCFR+ with a hyperparameter schedule (Zhang et al. 2024): gamma 30 to 25",
        "hs-polynomial",
        "prm+",
        ["gamma", "horizon"],
    ),
}


class CFR(Solver):
    """A variant at work on a game. Its answer is the average strategy; where that may be no equilibrium, it also keeps
    what the average joint play needs (`solvers/cfr/joint.py`)."""

    form: SequenceForm
    arrays: tuple[str, ...] = ("regret", "strategy", "current", "average", "spread")

    def __init__(self, form: SequenceForm, variant: Variant, parameters: Mapping[str, Any], *, tried: bool = False):
        super().__init__(form.tree.game, form)
        chosen = variant.parts(parameters)
        self.learner, self.schedule, self.averaging = chosen["learner"], chosen["schedule"], chosen["average"]
        self.alternates = chosen["updates"].name == "alternating"
        for part in (self.learner, self.schedule):
            require_settings(part)
        self.regret, self.average = np.zeros(form.sequences), np.zeros(form.sequences)
        self.strategy = form.uniform()
        self.current = form.plan(self.strategy)
        self.spread = np.zeros(max(len(form.first), 1))
        self.seen = np.zeros(1)
        looking = []
        if not form.tree.opposed:
            self.arrays, self.seen, looking = (*self.arrays, "seen"), room(form), [WITNESS.part("joint")]
        self.members = self._memory(self.learner)
        self._memory(self.averaging)
        self.loop = loop([self.learner, chosen["updates"], *looking], learned_kind(self.members))
        if mine := [part for part in chosen.values() if part.own and not tried]:
            try_schedule(self.schedule)
            try_learner(self.learner, self._learned(), form)
            if chosen["updates"].own:
                small = CFR(sequence_form("kuhn"), variant, parameters, tried=True)
                try_updates(chosen["updates"], small.loop, small.arguments(2))
            compiled(self.loop, [part for part in mine if part.functions])

    def _memory(self, part: Part) -> dict[str, np.ndarray]:
        """The arrays of a part, which are a part of the state, and its record."""
        found = memory_of(part, self.form.tree.game, dir(self), "learned", self.form)
        vars(self).update(found)
        self.arrays = (*self.arrays, *(name for name in found if name != part.record_name))
        return found

    @property
    def touched_each(self) -> int:
        """Histories that one iteration touches when it walks the tree: once a player if they update in turn."""
        return self.form.tree.size * (self.form.players if self.alternates else 1)

    def advance(self, iterations: int) -> None:
        for done in range(0, max(iterations, 1), BATCH):
            self._advance(min(iterations - done, BATCH))

    def _advance(self, iterations: int) -> None:
        done = 0
        for t in self.averaging.tells("watch", _none)(self, iterations):
            self._iterate(t - done)
            done = t
        self._iterate(iterations - done)

    def _learned(self) -> Bundled:
        given = {"regret": self.regret, "strategy": self.strategy, "spread": self.spread, "plan": self.current}
        given |= {"average": self.average, "seen": self.seen} | {name: getattr(self, name) for name in self.members}
        return Bundled(self.loop.arguments[-2], **given)

    def _iterate(self, iterations: int) -> None:
        self.loop(*self.arguments(iterations))
        self.iterations += iterations

    def arguments(self, iterations: int) -> tuple[Any, ...]:
        """What the loop is given for so many iterations."""
        t = np.arange(self.iterations + 1, self.iterations + iterations + 1, dtype=float)
        steps = np.zeros(iterations, Step)
        steps["t"] = t
        for name, factor in factors(self.schedule, t).items():
            steps[name] = factor
        form = self.form
        shared = form.sequences if form.tree.shared else 1
        scratch = Bundled(Scratch, cfv=np.zeros(form.sequences), gain=np.zeros(shared), panel=np.zeros(PANEL))
        return iterations, steps, form.bundle, form.payoffs.bundle, self._learned(), scratch

    def joint_play(self) -> JointPlay | None:
        return joint_play(self.form, self.seen, float(self.average[0])) if "seen" in self.arrays else None

    def plan(self) -> np.ndarray:
        if not self.averaging.own:
            return self.averaging.space.plan(self)
        return own_plan(self.averaging, self)

    def flaw(self) -> str:
        form, owner = self.form, np.repeat(np.arange(len(self.form.first)), self.form.count)
        sums = np.bincount(owner, self.strategy[ranges(form.first, form.count)], len(form.first))
        if not np.all(self.strategy >= 0) or not np.allclose(sums, 1):
            return "strategy has probabilities that do not sum to one"
        if not np.allclose(self.current, form.plan(self.strategy)):
            return "current is not the plan of strategy"
        weight = float(self.average[0])  # of all iterations, the last of which counts 1
        if not np.all(self.spread >= 0):
            return "spread is below 0"
        if not (weight > 0.5 and is_plan(form, self.average / weight) if self.iterations else not self.average.any()):
            return "average is no sum of plans"
        if "seen" in self.arrays and not np.all(
            np.abs(self.seen) <= weight * (1e-6 + 1.000001 * np.abs(form.tree.utility).max())
        ):
            return "seen has more than there is to get"
        return self.averaging.tells("unsound", _none)(self)


def _none(*_: Any) -> str:
    return ""
