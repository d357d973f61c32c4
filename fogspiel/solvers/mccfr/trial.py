"""A person's own parts of Monte Carlo CFR are tried un-compiled before they are used, in a few iterations."""

import math
from typing import Any

import numpy as np

from fogspiel.engine.linking import linked
from fogspiel.search.plain import PlainSearch
from fogspiel.search.trial import Trial, compiled
from fogspiel.solvers.mccfr.averaging import catch_up, catching_up, owed
from fogspiel.solvers.mccfr.traversal import BRANCH
from fogspiel.solvers.parts import call, silent

MEMORY = 1 << 22
"""Bytes of the table of a trial."""


class Traversals(Trial):
    """Iterations one by one."""

    apart, does = frozenset({"owed"}), "this solver"

    def __init__(self, solver: Any):
        self.traversals = solver.traversals
        (worker,) = solver.workers
        super().__init__(solver.game, worker.kernel.plain, solver.parts, [p for p in solver.parts if p.own])
        self.memory = worker.memory

    def try_out(self) -> None:
        try:
            with silent():
                self._do(PlainSearch(self.memory, "run"))
        finally:
            for scope, name, function in self.unwatched:
                scope[name] = function

    def _simulate(self, run: PlainSearch) -> int:
        self.whole(self.table, run, 1, self.traversals)
        self.game.finish()
        return int(run.walk.status)

    def _before(self, hook: str, given: tuple[Any, ...]) -> bytes:
        return b""

    def _flaw(self, hook: str, given: tuple[Any, ...], out: Any, before: bytes) -> str:
        if hook in ("sample_other", "sample_chance"):
            n = given[2].n
            if not isinstance(out, int | np.integer) or not (out == BRANCH or 0 <= out < n):
                return f"returns {out} where a position from 0 to {n - 1} is expected, or BRANCH"
        if hook == "averaged" and (not isinstance(out, int | np.integer) or not -1 <= out < self.game.players):
            return f"returns {out} where a player is expected, or -1"
        if hook in ("at_decision", "at_chance", "baseline") and not _finite(out):
            return f"returns {out} where a finite number is expected"
        if hook == "average":
            run, at = given[:2]
            if not np.all(np.isfinite(_averages(run, at))):
                return "leaves an average that is no number"
        return ""


def _finite(out: Any) -> bool:
    return isinstance(out, float | int | np.floating | np.integer) and math.isfinite(out)


def _averages(run: Any, at: Any) -> list[float]:
    from fogspiel.solvers.mccfr.arena import AVERAGE, column

    begin = column(run.table, at.node, AVERAGE, at.n)
    return [run.table.reals[a] for a in range(begin, begin + at.n)]


def try_parts(small: Any) -> None:
    """Raise PartError where a part of a person's own cannot be used. `small`: the solver with a small table, which is
    thrown away."""
    Traversals(small).try_out()
    lagging = small.averaging
    if lagging.own and lagging.has("owed"):
        missed = lagging.space.owed
        table, words = PlainSearch(small.table.bundle, "table"), small.table.used
        worker = small.workers[0]
        with silent():
            call(
                linked(catch_up, {owed: missed}),
                table,
                worker.visits,
                small.iterations,
                np.zeros(words),
                np.zeros(words),
                np.zeros(small.game.max_moves),
            )


def compile_parts(solver: Any) -> None:
    """Compile a solver with parts of a person's own. Raises PartError where one of them cannot be."""
    compiled(solver.workers[0].kernel, [p for p in solver.parts if p.own])
    if solver.averaging.own and solver.averaging.has("owed"):
        compiled(catching_up(solver.averaging.space.owed)[solver.table.single], [solver.averaging])
