"""Counterfactual regret minimization and its variants: one loop, small policies.

Every variant keeps, for each (information set, action), a regret, and follows it with a local learner. They differ in
how fast old regrets and old strategies are forgotten, in whether regrets are cut off at zero, and in whether the next
regret is predicted. At iteration t a variant gives three factors:

* `positive`, `negative`: what positive and negative regrets are multiplied by before the new regret is added;
* `decay`: what the average strategy so far is multiplied by before the current strategy is added.

The loop works on the sequence form, for any number of players: a player's counterfactual values are one product of the
payoff table with the others' plans, then one bottom-up pass over its information sets; one top-down pass gives the plan
of the new strategy (Lanctot 2013, sec. 2.2.2, Algorithm 1, with all histories of an information set summed beforehand).

In an abstraction, information sets that must share a strategy add up their regrets in the first of them; plans, values
and the full average strategy are those of the whole game (Lanctot 2013, ch. 5).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.errors import SpecError
from fogspiel.game.menu import Menu, Word, collected, menus_of
from fogspiel.game.needs import Asks, Need
from fogspiel.game.spec import Choice, Number, Parameter, Whole
from fogspiel.solvers.cfr.joint import JointPlay, joint_play, room
from fogspiel.solvers.cfr.learners import LEARNERS
from fogspiel.solvers.cfr.loop import UPDATES, Learned, Scratch, Step, loop
from fogspiel.solvers.needs import ONCE_IN_EACH, SEQUENCE_FORM, SHARED_RECALL, UNROLLS
from fogspiel.solvers.solver import Solver, is_plan
from fogspiel.tree.payoffs import PANEL, ranges
from fogspiel.tree.sequence import SequenceForm

FULL, ABSTRACT, SNAPSHOT = "full", "abstract", "snapshot"

BATCH = 1 << 16
"""Iterations whose factors are computed together: they take memory, too."""


@dataclass(frozen=True)
class Schedule:
    """The factors of iterations t = 1, 2, ...; each function takes an array of t."""

    positive: Callable[[np.ndarray], np.ndarray]
    negative: Callable[[np.ndarray], np.ndarray]
    decay: Callable[[np.ndarray], np.ndarray]


Exponent = float | Callable[[np.ndarray], np.ndarray]
"""A number, or a function of t."""


def discounting(alpha: Exponent, beta: Exponent, gamma: Exponent) -> Schedule:
    """Discounted CFR (Brown and Sandholm 2019): after iteration t, positive regrets are multiplied by
    t^alpha / (t^alpha + 1), negative ones by t^beta / (t^beta + 1), and the average by (t / (t + 1))^gamma.

    Each exponent is a number or a function of t.
    """

    def factor(exponent: Exponent) -> Callable[[np.ndarray], np.ndarray]:
        return lambda t: _discount(t - 1.0, _at(exponent, t - 1.0))

    return Schedule(factor(alpha), factor(beta), lambda t: ((t - 1.0) / t) ** _at(gamma, t - 1.0))


def averaging(gamma: Exponent) -> Schedule:
    """Regrets are never discounted; iteration t counts t^gamma in the average."""
    return discounting(math.inf, math.inf, gamma)


def _at(exponent: Exponent, t: np.ndarray) -> float | np.ndarray:
    return exponent(t) if callable(exponent) else exponent


def _discount(t: np.ndarray, exponent: float | np.ndarray) -> np.ndarray:
    """t^e / (t^e + 1) as 1 / (1 + t^-e), which also holds at e = plus or minus infinity; 1 before the first
    iteration."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        power = np.where(
            np.isposinf(exponent), 0.0, np.where(np.isneginf(exponent), np.inf, t ** -np.asarray(exponent, float))
        )
        return np.where(t > 0, 1.0 / (1.0 + power), 1.0)


_UPDATES = Choice("updates", "alternating", tuple(UPDATES), "players update in turn, or all from one profile")
_AVERAGE = Number("gamma", 1, 0, 100, "iteration t counts t^gamma in the average strategy")
_SETTINGS = {
    "eta": Number(
        "eta",
        0,
        0,
        1e9,
        "rate of hedge, of rwm (below 1), or of giga at its first step; 0: one that fits the values met",
    ),
    "degree": Number(
        "degree", 0, 0, 1000, "of lagrangian's potential, at least 2, which is regret matching; 0: 2 ln(actions)"
    ),
}
_LEARNER = Menu(
    Choice("learner", "rm", tuple(LEARNERS), "local learner: " + ", ".join(x.about for x in LEARNERS.values())),
    {name: Word((_SETTINGS[x.setting],) if x.setting else ()) for name, x in LEARNERS.items()},
)
_KINDS_OF_AVERAGE = Menu(
    Choice(
        "average",
        FULL,
        (FULL, ABSTRACT, SNAPSHOT),
        "the average strategy: of each information set, of each that an abstraction knows, or of a few iterations",
    ),
    {
        FULL: Word(),
        ABSTRACT: Word(),
        SNAPSHOT: Word((Whole("snapshots", 32, 1, 10**6, "iterations that average=snapshot keeps"),)),
    },
)
_HORIZON = Whole("horizon", 1000, 1, 10**12, "iterations over which the schedule runs")


@dataclass(frozen=True)
class Variant:
    """One member of the family: what can be asked of it, what that makes of the loop, and what it needs of a game."""

    about: str
    offers: tuple[Parameter | Menu, ...]
    schedule: Callable[[dict[str, Any]], Schedule]
    learner: str = "rm"
    needs: tuple[Need, ...] = SEQUENCE_FORM
    asks: Asks = field(default_factory=dict)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return collected(self.offers)

    @property
    def menus(self) -> tuple[Menu, ...]:
        return menus_of(self.offers)


def _scheduled(first: float, change: float, horizon: int) -> Callable[[np.ndarray], np.ndarray]:
    """first + change * t / horizon, which stops changing at the horizon."""
    return lambda t: first + change * np.minimum(t / horizon, 1.0)


VARIANTS: dict[str, Variant] = {
    "cfr": Variant(
        "counterfactual regret minimization (Zinkevich et al. 2007)",
        (_LEARNER, _UPDATES, _KINDS_OF_AVERAGE),
        lambda _: averaging(0),
        needs=(UNROLLS, ONCE_IN_EACH),
        asks={"average": {FULL: (SHARED_RECALL,), SNAPSHOT: (SHARED_RECALL,)}},
    ),
    "cfr+": Variant(
        "CFR+ (Tammelin 2014): regrets cut at zero, later iterations count more",
        (_AVERAGE, _UPDATES),
        lambda p: averaging(p["gamma"]),
        "rm+",
    ),
    "linear-cfr": Variant(
        "linear CFR (Brown and Sandholm 2019): iteration t counts t",
        (_UPDATES,),
        lambda _: discounting(1, 1, 1),
    ),
    "dcfr": Variant(
        "discounted CFR (Brown and Sandholm 2019)",
        (
            Number("alpha", 1.5, -math.inf, math.inf, "exponent for positive regrets"),
            Number("beta", 0, -math.inf, math.inf, "exponent for negative regrets"),
            Number("gamma", 2, 0, 100, "exponent for the average strategy"),
            _UPDATES,
        ),
        lambda p: discounting(p["alpha"], p["beta"], p["gamma"]),
    ),
    "pcfr+": Variant(
        "predictive CFR+ (Farina et al. 2021): the last regret predicts the next",
        (Number("gamma", 2, 0, 100, _AVERAGE.about), _UPDATES),
        lambda p: averaging(p["gamma"]),
        "prm+",
    ),
    "hs-dcfr": Variant(
        "DCFR with hyperparameter schedules (Zhang et al. 2024): alpha 1 to 4, beta -1 to -3, gamma 30 to 25",
        (Number("gamma", 30, 6, 100, "where gamma starts; it ends 5 lower"), _HORIZON, _UPDATES),
        lambda p: discounting(
            _scheduled(1, 3, p["horizon"]), _scheduled(-1, -2, p["horizon"]), _scheduled(p["gamma"], -5, p["horizon"])
        ),
    ),
    "hs-pcfr+": Variant(
        "PCFR+ with a hyperparameter schedule (Zhang et al. 2024): gamma 30 to 25",
        (Number("gamma", 30, 6, 100, "where gamma starts; it ends 5 lower"), _HORIZON, _UPDATES),
        lambda p: averaging(_scheduled(p["gamma"], -5, p["horizon"])),
        "prm+",
    ),
}


class CFR(Solver):
    """A variant at work on a game. Its answer is the average strategy; where that may be no equilibrium, it also keeps
    what the average joint play needs (`solvers/cfr/joint.py`)."""

    arrays: tuple[str, ...] = ("regret", "strategy", "current", "average", "spread")

    form: SequenceForm

    def __init__(self, form: SequenceForm, variant: Variant, parameters: dict[str, Any]):
        super().__init__(form.tree.game, form)
        self.learner, self.schedule = parameters.get("learner", variant.learner), variant.schedule(parameters)
        self.updates = parameters["updates"]
        self.rate = _rate(self.learner, parameters)
        self.regret, self.average = np.zeros(form.sequences), np.zeros(form.sequences)
        self.strategy = form.uniform()
        self.current = form.plan(self.strategy)
        self.spread = np.zeros(max(len(form.first), 1))
        self.averaging = parameters.get("average", FULL)
        self.seen = np.zeros(1)
        if not form.tree.opposed:
            self.arrays, self.seen = (*self.arrays, "seen"), room(form)
        if self.averaging == SNAPSHOT:
            self.arrays = (*self.arrays, "kept", "rank")
            self.kept, self.rank = np.zeros((parameters["snapshots"], form.sequences)), np.ones(parameters["snapshots"])

    @property
    def touched_each(self) -> int:
        """Histories that one iteration touches when it walks the tree: once a player if they update in turn."""
        return self.form.tree.size * (self.form.players if self.updates == "alternating" else 1)

    def advance(self, iterations: int) -> None:
        for done in range(0, max(iterations, 1), BATCH):
            self._advance(min(iterations - done, BATCH))

    def _advance(self, iterations: int) -> None:
        """Each iteration has a random rank, the same in every run; the profiles of the lowest ranks are the
        snapshots."""
        done = 0
        if self.averaging == SNAPSHOT:
            rank = np.random.Generator(np.random.PCG64(0).advance(self.iterations)).random(iterations)
            for t in np.flatnonzero(rank < self.rank.max()).tolist():
                worst = self.rank.argmax()
                if rank[t] < self.rank[worst]:
                    self._iterate(t - done)
                    self.kept[worst], self.rank[worst], done = self.current, rank[t], t
        self._iterate(iterations - done)

    def _iterate(self, iterations: int) -> None:
        t = np.arange(self.iterations + 1, self.iterations + iterations + 1, dtype=float)
        steps = np.zeros(iterations, Step)
        steps["t"] = t
        for name, factor in vars(self.schedule).items():
            steps[name] = factor(t)
        form = self.form
        learned = Bundled(
            Learned,
            regret=self.regret,
            strategy=self.strategy,
            spread=self.spread,
            plan=self.current,
            average=self.average,
            seen=self.seen,
        )
        shared = form.sequences if form.tree.shared else 1
        scratch = Bundled(Scratch, cfv=np.zeros(form.sequences), gain=np.zeros(shared), panel=np.zeros(PANEL))
        iterate = loop(self.learner, self.updates, witnessed="seen" in self.arrays)
        iterate(iterations, steps, self.rate, form.bundle, form.payoffs.bundle, learned, scratch)
        self.iterations += iterations

    def joint_play(self) -> JointPlay | None:
        return joint_play(self.form, self.seen, float(self.average[0])) if "seen" in self.arrays else None

    def plan(self) -> np.ndarray:
        form = self.form
        if self.averaging == SNAPSHOT:
            taken = self.rank < 1
            return self.kept[taken].mean(axis=0) if taken.any() else form.plan(form.uniform())
        average = abstract_average(form, self.average) if self.averaging == ABSTRACT else self.average
        return form.plan(form.behaviour(average))

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
        if self.averaging == SNAPSHOT:
            if not np.all((self.rank >= 0) & (self.rank <= 1)):
                return "rank is not from 0 to 1"
            if not all(is_plan(form, plan) for plan in self.kept[self.rank < 1]):
                return "kept has rows that are no plans"
        return ""


def _rate(learner: str, parameters: dict[str, Any]) -> float:
    """The learner's own setting, 0 where it has none. Raises SpecError for one with which it would not learn."""
    setting = LEARNERS[learner].setting
    value = float(parameters.get(setting, 0.0))
    if learner == "rwm" and value >= 1:
        raise SpecError(f"eta must be below 1 for learner=rwm, which multiplies weights by 1 - eta; it is {value:g}")
    if setting == "degree" and 0 < value < 2:
        raise SpecError(f"degree must be at least 2 (or 0, for a degree that fits), not {value:g}")
    return value


def abstract_average(form: SequenceForm, average: np.ndarray) -> np.ndarray:
    """Sums of plans, added up over the histories of each abstract information set (Lanctot 2013, eq. 5.2)."""
    mine, leader = ranges(form.first, form.count), ranges(form.first[form.leader], form.count)
    weight = np.repeat(form.tree.members[form.origin], form.count)
    out = average.copy()
    out[mine] = np.bincount(leader, weight * average[mine], form.sequences)[leader]
    return out
