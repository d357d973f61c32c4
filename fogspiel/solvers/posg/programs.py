"""The stage games of a one-sided POSG as linear programs (Horák et al. 2023, sec. 5), and the hull of the upper bound.

Player 2 chooses a plan x, the probability of each column (state, action), to keep down what player 1 gets:

    minimise V   subject to
        V >= (reward of a) x + discount * sum of V[d] over the successors d of a,   for each action a of player 1
        sum of x over the columns of s = b(s),                                      for each state s

where V[d] is the bound's value of what is believed after d, with the probability of d in it. With the lower bound it is
the largest of vector . flows(x)[d] over the vectors; with the upper bound it is the least sum of weighted values of
points whose beliefs, so weighted, sum to flows(x)[d]. Few vectors and points matter, so that a program begins with few,
and those that others prove to be missing are put in until none is. Values are scaled by the largest, as the tolerances
of HiGHS are absolute. A program is kept for each partition, and begins where the last solution was.
"""

from collections.abc import Sequence
from typing import Any

import highspy
import numpy as np

from fogspiel.errors import Unsolved
from fogspiel.solvers.posg.bounds import Links, Lower, Upper
from fogspiel.solvers.posg.stage import Stage

TOLERANCE = 1e-9
MISSING = 1e-8
"""By how much a vector or a point must be better to be put in, relative to the largest value."""
ROOM = 200
"""Vectors or points that a program holds, beside those that its last solution rests on, before it is made anew with
these alone."""
INFINITE = highspy.kHighsInf
DUAL, PRIMAL = 1, 4
"""HiGHS' numbers for variants of the simplex method: the one to take after rows, and the one after columns were put
in."""


Entries = np.ndarray | list[int] | list[float]


class _Program:
    """A linear program of HiGHS': columns and rows are put in, the first rows' sides change, and it is solved again."""

    def __init__(self) -> None:
        self.solver: Any = highspy.Highs()  # its types lack methods that it has
        for option, value in (("output_flag", False), ("presolve", "off"), ("solver", "simplex"), ("threads", 1)):
            self.solver.setOptionValue(option, value)
        self._options(DUAL, TOLERANCE)

    def _options(self, method: int, tolerance: float) -> None:
        self.solver.setOptionValue("simplex_strategy", method)
        self.solver.setOptionValue("primal_feasibility_tolerance", tolerance)
        self.solver.setOptionValue("dual_feasibility_tolerance", tolerance)

    def columns(self, cost: np.ndarray, low: float, index: Sequence[Entries], entries: Sequence[Entries]) -> None:
        """Put in columns, of which each is at least `low`."""
        n, starts = len(cost), np.cumsum([0, *map(len, index)])
        self.solver.addCols(
            n,
            cost,
            np.full(n, low),
            np.full(n, INFINITE),
            int(starts[-1]),
            starts[:-1].astype(np.int32),
            np.concatenate([*index, []]).astype(np.int32),
            np.concatenate([*entries, []]),
        )

    def rows(self, n: int, high: float, index: Sequence[Entries], entries: Sequence[Entries]) -> None:
        """Put in rows, of which each is from 0 to `high`."""
        starts = np.cumsum([0, *map(len, index)])
        self.solver.addRows(
            n,
            np.zeros(n),
            np.full(n, high),
            int(starts[-1]),
            starts[:-1].astype(np.int32),
            np.concatenate([*index, []]).astype(np.int32),
            np.concatenate([*entries, []]),
        )

    def plan(self, stage: Stage) -> None:
        """Put in player 2's plan, and that the columns of each state come to its probability."""
        width, ends = stage.width, stage.columns[1:-1]
        self.columns(np.zeros(width), 0.0, [[]] * width, [[]] * width)
        self.rows(stage.states, 0.0, np.split(np.arange(width), ends), np.split(np.ones(width), ends))

    def sides(self, values: np.ndarray) -> None:
        """Set what the first rows are equal to."""
        n = len(values)
        self.solver.changeRowsBounds(n, np.arange(n, dtype=np.int32), values, values)

    def solve(self, method: int = DUAL) -> tuple[np.ndarray, np.ndarray]:
        """The columns' values, and the rows' prices."""
        solver, solved = self.solver, highspy.HighsModelStatus.kOptimal
        solver.setOptionValue("simplex_strategy", method)
        solver.run()
        if solver.getModelStatus() != solved:
            # from where it was it may lose its way: begin anew, and be content with less
            solver.clearSolver()
            self._options(DUAL, 1e-7)
            solver.run()
            self._options(DUAL, TOLERANCE)
        if solver.getModelStatus() != solved:
            status = solver.modelStatusToString(solver.getModelStatus())
            raise Unsolved(f"a stage game's linear program was not solved: HiGHS says {status}")
        found = solver.getSolution()
        return np.array(found.col_value), np.array(found.row_dual)


class LowerStage:
    """The stage game of a partition over the lower bound."""

    def __init__(self, lower: Lower, k: int):
        self.lower, self.k, self.stage = lower, k, lower.layout[k]
        self.reward = self.stage.reward / lower.scale
        self._make([(d, int(lower.active[to][0])) for d, to in enumerate(self.stage.to)])

    def _make(self, cuts: list[tuple[int, int]]) -> None:
        """Columns are x, V and the V[d]; rows are those of states, of actions, and cuts: V[d] is at least what a vector
        says."""
        stage, discount = self.stage, self.lower.discount
        width, successors = stage.width, len(stage.to)
        self.program = _Program()
        self.cuts: list[tuple[int, int]] = []
        self.known: set[tuple[int, int]] = set()
        self.program.plan(stage)
        self.program.columns(np.eye(1, 1 + successors)[0], -INFINITE, [[]] * (1 + successors), [[]] * (1 + successors))
        index, entries = [], []
        for a, reward in enumerate(self.reward):
            after = np.flatnonzero(stage.action == a)
            index.append(np.concatenate([np.arange(width + 1), width + 1 + after]))
            entries.append(np.concatenate([-reward, [1.0], np.full(len(after), -discount)]))
        self.program.rows(len(index), INFINITE, index, entries)
        self._cut(cuts)

    def _cut(self, cuts: list[tuple[int, int]]) -> None:
        index, entries = [], []
        for d, node in cuts:
            led = self.stage.led(d, self.lower.vector[node]) / self.lower.scale
            some = np.flatnonzero(led)
            index.append(np.append(some, self.stage.width + 1 + d))
            entries.append(np.append(-led[some], 1.0))
        self.program.rows(len(cuts), INFINITE, index, entries)
        self.cuts += cuts
        self.known.update(cuts)

    def solve(self, belief: np.ndarray) -> tuple[np.ndarray, np.ndarray, Links]:
        """Player 2's plan; how player 1 mixes its actions, and to which vectors it moves on."""
        stage, lower = self.stage, self.lower
        self.program.sides(belief)
        while True:
            values, prices = self.program.solve()
            plan, later = values[: stage.width], values[stage.width + 1 :]
            flows = stage.flows(plan)
            missing = []
            for d in stage.successors:
                active = lower.active[stage.to[d]]
                if len(active) == 1 and (d, int(active[0])) in self.known:
                    continue
                value, node = lower.best(stage.to[d], flows[stage.begin[d] : stage.begin[d + 1]])
                if value / lower.scale > later[d] + MISSING and (d, node) not in self.known:
                    missing.append((d, int(node)))
            if not missing:
                break
            self._cut(missing)
        answer = consistent(plan, belief, stage.columns), *self._moves(flows, np.maximum(prices[stage.states :], 0.0))
        if len(self.cuts) > ROOM + 4 * len(stage.to):
            first = stage.states + len(stage.reward)
            self._make([cut for cut, price in zip(self.cuts, prices[first:], strict=True) if price > TOLERANCE])
        return answer

    def _moves(self, flows: np.ndarray, prices: np.ndarray) -> tuple[np.ndarray, Links]:
        """The prices of the actions' rows are player 1's mix, and those of the cuts say where it moves on."""
        stage, lower = self.stage, self.lower
        actions = len(stage.reward)
        mix = np.where(prices[:actions] > TOLERANCE, prices[:actions], 0.0)
        mix = mix / mix.sum()
        some = np.flatnonzero(prices[actions:] > TOLERANCE)
        d, node = np.array([self.cuts[i] for i in some], np.int64).reshape(-1, 2).T
        weight, total = prices[actions:][some], np.bincount(d, prices[actions:][some], len(stage.to))
        silent = np.flatnonzero(total == 0)
        best = [lower.best(stage.to[e], flows[stage.begin[e] : stage.begin[e + 1]])[1] for e in silent]
        return mix, Links(
            np.append(d, silent),
            np.append(node, np.array(best, np.int64)),
            np.append(weight / total[d], np.ones(len(silent))),
        )


class UpperStage:
    """The stage game of a partition over the upper bound."""

    def __init__(self, upper: Upper, k: int):
        self.upper, self.k, self.stage = upper, k, upper.layout[k]
        self.reward = self.stage.reward / upper.scale
        self._make([])

    def _make(self, points: list[tuple[int, int]]) -> None:
        """Columns are x, V, the weights of the corners and those of the points; rows are those of states, of actions
        and of flows."""
        stage, width = self.stage, self.stage.width
        self.program = _Program()
        self.points: list[tuple[int, int]] = []
        self.known: set[tuple[int, int]] = set()
        self.program.plan(stage)
        self.program.columns(np.ones(1), -INFINITE, [[]], [[]])
        n = len(stage.reward)
        self.program.rows(n, INFINITE, [np.arange(width + 1)] * n, [np.append(-reward, 1.0) for reward in self.reward])
        ends = np.searchsorted(stage.flow, np.arange(1, stage.begin[-1]))
        self.program.rows(int(stage.begin[-1]), 0.0, np.split(stage.column, ends), np.split(-stage.odds, ends))
        for d, to in enumerate(stage.to):
            self._put([(d, int(self.upper.corner[to]) + i) for i in range(len(self.upper.corners[to]))])
        self._put(points)

    def _put(self, points: list[tuple[int, int]]) -> None:
        stage, upper = self.stage, self.upper
        first = stage.states + len(stage.reward)
        index, entries = [], []
        for d, node in points:
            some = np.flatnonzero(upper.belief[node])
            index.append(np.append(stage.states + stage.action[d], first + stage.begin[d] + some))
            entries.append(np.append(-upper.discount * upper.value[node] / upper.scale, upper.belief[node][some]))
        self.program.columns(np.zeros(len(points)), 0.0, index, entries)
        self.points += points
        self.known.update(points)

    def solve(self, belief: np.ndarray) -> tuple[np.ndarray, np.ndarray, Links]:
        """How player 1 mixes its actions; player 2's plan, and to which points it moves on."""
        stage, upper = self.stage, self.upper
        self.program.sides(belief)
        first, method = stage.states + len(stage.reward), DUAL
        while True:
            values, prices = self.program.solve(method)
            mix, method = np.maximum(prices[stage.states : first], 0.0), PRIMAL
            missing = []
            for d in stage.successors:
                to, price = stage.to[d], prices[first + stage.begin[d] : first + stage.begin[d + 1]]
                if len(upper.active[to]):
                    share = upper.discount * mix[stage.action[d]] / upper.scale
                    cost = share * upper.values[to] - upper.beliefs[to] @ price
                    i = cost.argmin()
                    if cost[i] < -MISSING and (d, int(upper.active[to][i])) not in self.known:
                        missing.append((d, int(upper.active[to][i])))
            if not missing:
                break
            self._put(missing)
        plan = consistent(values[: stage.width], belief, stage.columns)
        weight, corners = values[stage.width + 1 :], int(stage.begin[-1])
        some = corners + np.flatnonzero(weight[corners:] > TOLERANCE)
        to, node = np.array([self.points[i] for i in some], np.int64).reshape(-1, 2).T
        links = upper.completed(self.k, plan, Links(to, node, weight[some]))
        if len(self.points) - corners > ROOM + 4 * corners:
            self._make([self.points[i] for i in some])
        return mix / mix.sum(), plan, links


class Hull:
    """The lower convex hull of the points of a partition."""

    def __init__(self, upper: Upper, k: int):
        self.upper, self.k = upper, k
        self._make()

    def _make(self) -> None:
        corners = self.upper.corners[self.k]
        n = len(corners)
        self.program, self.in_it = _Program(), np.zeros(0, np.int64)
        self.program.rows(n, 0.0, [[]] * n, [[]] * n)
        self.program.columns(corners / self.upper.scale, 0.0, [[i] for i in range(n)], [[1.0]] * n)

    def value(self, belief: np.ndarray) -> float:
        self._solve(belief)
        return self.upper.scale * self.program.solver.getInfo().objective_function_value

    def weights(self, belief: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Nodes of the upper bound whose beliefs, so weighted, sum to a belief, and whose values to that of the
        hull."""
        weight = np.maximum(self._solve(belief), 0.0)
        corners = int(self.upper.corner[self.k]) + np.arange(len(belief))
        some = np.flatnonzero(weight)
        return np.append(corners, self.in_it)[some], weight[some]

    def _solve(self, belief: np.ndarray) -> np.ndarray:
        upper, k = self.upper, self.k
        if len(self.in_it) > ROOM + 2 * len(upper.active[k]):
            self._make()
        new = upper.active[k] > (self.in_it[-1] if len(self.in_it) else -1)
        if new.any():
            points = upper.beliefs[k][new]
            some = [np.flatnonzero(b) for b in points]
            self.program.columns(
                upper.values[k][new] / upper.scale, 0.0, some, [b[i] for b, i in zip(points, some, strict=True)]
            )
            self.in_it = np.append(self.in_it, upper.active[k][new])
        self.program.sides(belief)
        return self.program.solve()[0]


def consistent(plan: np.ndarray, belief: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The plan near a program's answer that gives each state exactly its probability."""
    plan = np.maximum(plan, 0.0)
    total = np.add.reduceat(plan, columns[:-1])
    many = np.diff(columns)
    share = np.where(total > 0, belief / np.where(total > 0, total, 1.0), 0.0)
    spread = np.where(total > 0, 0.0, belief / many)
    return plan * np.repeat(share, many) + np.repeat(spread, many)
