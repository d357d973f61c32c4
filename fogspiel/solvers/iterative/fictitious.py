"""Fictitious play: best responses to the average of all that was played before."""

from typing import Any

import numpy as np

from fogspiel.solvers.exact.normal import normal_form
from fogspiel.solvers.solver import Solver, is_plan
from fogspiel.tree.sequence import SequenceForm


class ExtensiveFictitiousPlay(Solver):
    """Full-width extensive-form fictitious play (Heinrich, Lanctot and Silver 2015, Algorithm 1) with step size 1 / (t
    + 1).

    Averaging plans is the same as mixing whole strategies, so this is Brown's process without the normal form.
    """

    arrays = ("average",)

    form: SequenceForm

    def __init__(self, form: SequenceForm, parameters: dict[str, Any]):
        super().__init__(form.tree.game, form)
        self.average = form.plan(form.uniform())

    @property
    def touched_each(self) -> int:
        return self.form.tree.size * self.form.players

    def advance(self, iterations: int) -> None:
        form = self.form
        for _ in range(iterations):
            self.iterations += 1
            response = np.ones(form.sequences)
            for p in range(form.players):
                mine = slice(form.begin[p], form.begin[p + 1])
                response[mine] = form.best_response(self.average, p)[1][mine]
            self.average += (form.plan(response) - self.average) / (self.iterations + 1)

    def plan(self) -> np.ndarray:
        return self.average.copy()

    def flaw(self) -> str:
        return "" if is_plan(self.form, self.average) else "average is no plan"


class FictitiousPlay(Solver):
    """Brown's fictitious play (1951) on the normal form: simultaneous, ties to the first best row, starting from row
    0."""

    arrays = ("played0", "played1")

    form: SequenceForm

    def __init__(self, form: SequenceForm, parameters: dict[str, Any]):
        super().__init__(form.tree.game, form)
        self.normal = normal_form(form, parameters["most"])
        self.played0, self.played1 = (np.zeros(n) for n in self.normal.payoff[0].shape)
        self.played0[0] = self.played1[0] = 1.0

    @property
    def touched_each(self) -> int:
        return self.form.tree.size * self.form.players

    def advance(self, iterations: int) -> None:
        first, second = self.normal.payoff
        for _ in range(iterations):
            row, column = np.argmax(first @ self.played1), np.argmax(self.played0 @ second)
            self.played0[row] += 1
            self.played1[column] += 1
        self.iterations += iterations

    def plan(self) -> np.ndarray:
        return self.normal.plan([self.played0 / self.played0.sum(), self.played1 / self.played1.sum()])

    def flaw(self) -> str:
        for played in (self.played0, self.played1):
            if not np.all((played >= 0) & (played == np.floor(played))) or played.sum() != self.iterations + 1:
                return "the strategies played are not as many as the iterations"
        return ""
