"""A person's own parts of CFR are tried un-compiled before they are used."""

from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import Kernel
from fogspiel.engine.kinds import Bundle, Reals, Record, Records
from fogspiel.engine.part import Part
from fogspiel.errors import PartError
from fogspiel.game.parts import place
from fogspiel.game.watch import CallWatch
from fogspiel.search.plain import PlainSearch
from fogspiel.solvers.cfr.loop import Step
from fogspiel.solvers.cfr.schedules import FACTORS, factors
from fogspiel.solvers.parts import call, silent, told
from fogspiel.solvers.solver import is_plan
from fogspiel.tree.sequence import SequenceForm

SETS = 64
"""Information sets at which a learner is tried."""
AT_ONCE = Bundle(step=Record(Step), value=Reals)


def try_schedule(schedule: Part) -> None:
    """Raise PartError where a schedule of a person's own is none in the first iterations, or in far ones."""
    if not schedule.own:
        return
    written = [f for n, f in schedule.written.items() if n in FACTORS]
    for t in (np.arange(1.0, 33.0), np.array([1e4, 1e9])):
        try:
            with told(*written), silent(), np.errstate(all="ignore"):
                found = factors(schedule, t)
        except (TypeError, ValueError) as error:
            raise PartError(f"{place(written[0])} must return a factor for each t: {error}") from error
        for name, factor in found.items():
            if not np.all((factor >= 0) & np.isfinite(factor)):
                at = t[~((factor >= 0) & np.isfinite(factor))][0]
                raise PartError(
                    f"{place(schedule.written[name])} must return factors of at least 0; at t = {at:g} one is not"
                )


def try_learner(learner: Part, learned: Bundled, form: SequenceForm) -> None:
    """Raise PartError where a learner of a person's own fails, or leaves something other than a strategy, at some of
    the information sets of this game."""
    if not learner.own or not len(form.first):
        return
    copies = {name: learned.array(name).copy() for name, _ in learned.kind.members}
    scratch = Bundled(AT_ONCE, step=np.ones(1, Step), value=np.zeros(form.sequences))
    seen, shown = PlainSearch(Bundled(learned.kind, **copies), "learned"), PlainSearch(scratch)
    step, value, strategy, regret = scratch.array("step"), scratch.array("value"), copies["strategy"], copies["regret"]
    rng, scale = np.random.default_rng(1), max(np.abs(form.tree.utility).max(), 1e-6)
    update = learner.written["update"]
    sets = {int(i) for i in np.linspace(0, len(form.first) - 1, SETS)} | {int(form.count.argmax())}
    with silent():
        for t in range(1, 4):
            step["t"] = t
            for i in sorted(sets):
                first, count = int(form.first[i]), int(form.count[i])
                here = slice(first, first + count)
                value[here] = 0.0 if t == 2 else scale * rng.uniform(-1, 1, count)
                call(update, shown.step, seen, i, first, count, shown.value, float(strategy[here] @ value[here]))
                at = f"an information set of {count} actions"
                if not np.all(strategy[here] >= 0) or abs(strategy[here].sum() - 1) > 1e-6:
                    raise PartError(
                        f"{place(update)} must leave probabilities that sum to one in learned.strategy; at {at} they "
                        f"are {', '.join(f'{x:g}' for x in strategy[here])}"
                    )
                if not np.all(np.isfinite(regret[here])):
                    raise PartError(f"{place(update)} leaves regrets at {at} that are no numbers")


def try_updates(updates: Part, loop: Kernel, arguments: tuple[Any, ...]) -> None:
    """Raise PartError where whose strategies change, by a person's own part, fails in a few iterations of a small
    game. `arguments`: those of the loop."""
    iterations, steps, *bundles = arguments
    names = ("form", "payoffs", "learned", "scratch")
    shown = [PlainSearch(bundle, name) for bundle, name in zip(bundles, names, strict=True)]
    rows = PlainSearch(Bundled(Bundle(steps=Records(Step)), steps=steps)).steps
    with silent(), told(*updates.written.values()):
        CallWatch().watched(loop.plain)(iterations, rows, *shown)
    strategy = bundles[2].array("strategy")
    if not np.all(np.isfinite(strategy) & (strategy >= 0)):
        raise PartError(f"{place(updates.written['learn_all'])} leaves strategies that are none")


def own_plan(average: Part, cfr: Any) -> np.ndarray:
    """Every player's plan, by an average of a person's own."""
    form, function = cfr.form, average.written["plan"]
    with told(function):
        found = function(cfr)
    good = isinstance(found, np.ndarray) and found.shape == (form.sequences,) and found.dtype.kind == "f"
    if not good or not is_plan(form, found):
        raise PartError(
            f"{place(function)} must return a plan, an array of {form.sequences} reals, as cfr.form.plan does"
        )
    return found
