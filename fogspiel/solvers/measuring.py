"""What a sampling solver finds is measured on the unrolled game, where one was asked for or is cheap."""

from fogspiel.errors import SpecError, TooLarge
from fogspiel.game.needs import remembers
from fogspiel.solvers.clock import Clock
from fogspiel.solvers.response.response import MEASURED, far_too_large, form_of
from fogspiel.solvers.solver import Task
from fogspiel.solvers.until import Until
from fogspiel.tree.estimate import estimate
from fogspiel.tree.posg import OneSided
from fogspiel.tree.sequence import SequenceForm, sequence_form
from fogspiel.tree.tree import Tree, unroll

CHEAP = 1_000_000
"""Histories of the largest game, as estimated, that is unrolled though nobody asked for its tree: about a second."""


def measured_on(task: Task, measure: bool | None, until: Until | None, clock: Clock) -> tuple[SequenceForm | None, str]:
    """The sequence form for measuring; or None, and why there is none. Where players forget, values alone are measured
    on it. Unless `measure` says so, it may take a tenth of the time allowed, or half where it tells when to stop."""
    form, why = _unrolled(task, measure, clock, until is not None)
    if until is not None and (form is None or not form.tree.perfect_recall):
        why = why if form is None else f"{task.game.spec} {remembers(task.game)}"
        raise SpecError(f"{until.measure} cannot be a limit, since it is not measured: {why}")
    return form, why


def _unrolled(task: Task, measure: bool | None, clock: Clock, needed: bool) -> tuple[SequenceForm | None, str]:
    if measure is False or isinstance(task.source, OneSided):
        return None, "it was not asked for"
    if isinstance(task.source, Tree | SequenceForm) or measure:
        return form_of(task.source, memory=task.memory, progress=task.progress), ""
    size = estimate(task.game).histories
    if far_too_large(task.game) if needed else size > CHEAP:
        return None, f"to unroll {task.game.spec} for it, about {size:.0e} histories, is not cheap"
    try:
        limit = None if clock.allowed is None else max(clock.left / (2 if needed else 10), 0.0)
        most = MEASURED if needed else 2 * CHEAP  # an estimate may fall short
        return sequence_form(
            unroll(task.game, most=most, memory=task.memory, seconds=limit, progress=task.progress)
        ), ""
    except TooLarge as error:
        return None, f"{task.game.spec} is too large to unroll for it: {error.why}"
