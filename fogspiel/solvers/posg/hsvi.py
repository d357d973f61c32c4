"""Heuristic search value iteration for one-sided POSGs (Horák, Bošanský and Pěchouček 2017; Horák et al. 2023,
Algorithm 3).

The value is bounded from both sides (`solvers/posg/bounds.py`). An iteration is a trial. It begins with the initial
belief and solves the stage game there over each of the bounds, which may improve it. Each player then acts by the bound
that flatters it: player 1 by the upper, player 2 by the lower. Of the beliefs that may follow, the trial goes on to the
one whose excess, times its probability, is largest:

    excess(b, t) = upper(b) - lower(b) - rho(t),   rho(0) = epsilon,   rho(t + 1) = (rho(t) - 2 delta D) / discount

Where no excess is positive it turns back, and improves the bounds once more on its way. Here epsilon is a share of the
gap that is left at the initial belief, so that a run may be stopped at any gap. A trial in which a linear program is
not solved is made once more with new programs; if that fails, too, the run ends with the bounds that it has.
"""

import contextlib
from typing import Any

import numpy as np

from fogspiel.errors import Unsolved
from fogspiel.solvers.posg.bounds import first_bounds
from fogspiel.solvers.posg.controllers import Controllers
from fogspiel.solvers.posg.files import read_nodes, write_nodes
from fogspiel.solvers.posg.programs import Hull, LowerStage, UpperStage
from fogspiel.solvers.result import nonnegative
from fogspiel.solvers.solver import Solver, whole
from fogspiel.tree.posg import OneSided

IMPROVED = 1e-9
"""By how much a bound must improve for a new vector or point."""
DEEPEST = 1000
"""Stages of a trial at most: where the discount is near 1, what is excused grows slowly."""
NEGLIGIBLE = 1e-8
"""States and successors less likely than this are not followed."""


class HSVI(Solver):
    """Bounds of the value that close in on it, and the strategies that keep them."""

    cheap = True

    def __init__(self, posg: OneSided, parameters: dict[str, Any]):
        super().__init__(posg, None)
        self.posg = posg
        self.share, self.neighbourhood = parameters["share"], parameters["neighbourhood"]
        self.lower, self.upper = first_bounds(posg)
        self.programs: dict[int, tuple[LowerStage, UpperStage, Hull]] = {}
        most, least = max(v.max() for v in self.upper.corners), min(v.min() for v in self.lower.vector)
        self.delta = float(most - least) / 2
        self.reply = self._first_reply()

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            if not (self._solved_trial() or self._solved_trial()):
                self.stuck = True
                return
            self.iterations += 1

    def _solved_trial(self) -> bool:
        try:
            self._trial()
        except Unsolved:
            self.programs.clear()  # what the trial added to the bounds before holds
            return False
        return True

    def _first_reply(self) -> tuple[float, tuple[np.ndarray, np.ndarray]]:
        """The upper bound at the initial belief, and the nodes that player 2 begins with, weighted."""
        k, belief = self.posg.start, self.posg.belief
        return float(self.upper.corners[k] @ belief), (int(self.upper.corner[k]) + np.arange(len(belief)), belief)

    def _find_reply(self) -> tuple[float, tuple[np.ndarray, np.ndarray]]:
        """The same now; what was found before holds, too."""
        with contextlib.suppress(Unsolved):
            hull = self._at(self.posg.start)[2]
            self.reply = hull.value(self.posg.belief), hull.weights(self.posg.belief)
        return self.reply

    @property
    def bounds(self) -> tuple[float, float]:
        low, high = self.lower.value(self.posg.start, self.posg.belief), self._find_reply()[0]
        return (low, high) if self.posg.sign > 0 else (-high, -low)

    def measure(self) -> float | None:
        """The gap between the bounds, which exceeds what best responses to both players' strategies gain."""
        low, high = self.bounds
        return nonnegative(high - low)

    def answer(self) -> Controllers:  # type: ignore[override]  # a game without an end has other strategies
        posg = self.posg
        _, first = self.lower.best(posg.start, posg.belief)
        return Controllers(posg, self.lower, self.upper, int(first), *self._find_reply()[1])

    def values(self) -> tuple[float, ...]:
        return ()

    def _trial(self) -> None:
        k, belief, discount = self.posg.start, self.posg.belief, self.posg.discount
        low, high = self._bounds(k, belief)
        rho = self.share * (high - low)
        # with a larger D the excess excused would shrink with the depth
        lost = min(2 * self.delta * self.neighbourhood, (1 - discount) * rho / 2)
        way: list[tuple[int, np.ndarray]] = []
        then: tuple[int, np.ndarray] | None = (k, belief)
        while then is not None and len(way) < DEEPEST:
            k, belief = then
            way.append(then)
            plan, mix = self._improve(k, belief)
            rho = (rho - lost) / discount if discount > 0 else np.inf
            then = self._most_excess(k, plan, mix, rho)
        for k, belief in reversed(way[:-1]):
            self._improve(k, belief)

    def _improve(self, k: int, belief: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Solve the stage game over both bounds, and add to each what was found. Returns player 2's plan over the lower
        bound, and player 1's mix over the upper."""
        below, above, hull = self._at(k)
        plan, own, links = below.solve(belief)
        if self.lower.kept(k, own, links) @ belief > self.lower.value(k, belief) + IMPROVED:
            self.lower.add(k, own, links)
        mix, reply, links = above.solve(belief)
        if self.upper.given(k, reply, links) < hull.value(belief) - IMPROVED:
            self.upper.add(k, belief, reply, links)
        return plan, mix

    def _most_excess(self, k: int, plan: np.ndarray, mix: np.ndarray, rho: float) -> tuple[int, np.ndarray] | None:
        """The successor to go on to, as its partition and belief; None where no excess is positive."""
        stage = self.lower.layout[k]
        flows = stage.flows(plan)
        most, found = 0.0, None
        for d in stage.successors:
            flow = flows[stage.begin[d] : stage.begin[d + 1]]
            likely = mix[stage.action[d]] * flow.sum()
            if likely > NEGLIGIBLE:
                belief = np.where(flow > NEGLIGIBLE * flow.sum(), flow, 0.0)
                belief /= belief.sum()
                low, high = self._bounds(int(stage.to[d]), belief)
                if likely * (high - low - rho) > most:
                    most, found = likely * (high - low - rho), (int(stage.to[d]), belief)
        return found

    def _bounds(self, k: int, belief: np.ndarray) -> tuple[float, float]:
        return self.lower.value(k, belief), self._at(k)[2].value(belief)

    def _at(self, k: int) -> tuple[LowerStage, UpperStage, Hull]:
        """The linear programs of a partition, made when they are first asked for."""
        if k not in self.programs:
            self.programs[k] = LowerStage(self.lower, k), UpperStage(self.upper, k), Hull(self.upper, k)
        return self.programs[k]

    def snapshot(self) -> dict[str, Any]:
        """The nodes of both players. What they bound is found again from them; where the linear programs stood is not
        kept."""
        return {"iterations": self.iterations} | write_nodes(self.lower, self.upper)

    def restore(self, snapshot: dict[str, Any]) -> None:
        if "iterations" not in snapshot:
            raise ValueError("iterations is missing")
        self.iterations = whole(snapshot["iterations"], "iterations")
        self.lower, self.upper = first_bounds(self.posg)
        read_nodes(self.lower, self.upper, snapshot)
        self.programs.clear()
        self.reply = self._first_reply()
