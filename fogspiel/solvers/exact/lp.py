"""Equilibria by linear programming, exact to the solver's tolerance (two players, zero sum).

The sequence-form program (Lanctot 2013, sec. 2.1.3): player 0 chooses a plan x to maximise what a best-responding
player 1 leaves it. With q[J] what player 0 can count on from player 1's information set J on, and the empty sequence
treated as a set of its own,

    maximise q[root]   subject to
        q[set of s] <= (A'x)[s] + sum of q[J] over the sets J after s,   for each sequence s of player 1
        x[parent of I] = sum of x over the actions of I,                 for each set I of player 0

and the multipliers of the first rows are player 1's plan.

HiGHS' tolerances are absolute, so payoffs are counted in the largest of them. What it finds is measured
(`is_equilibrium`). Where that falls short, as it may where payoffs are far apart, a small game is solved once more
without rounding (`solvers/exact/rational.py`), and a large one is refused.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from fogspiel.errors import Unsolved
from fogspiel.solvers.drive import HeldInterrupt
from fogspiel.solvers.exact.normal import normal_form
from fogspiel.solvers.exact.rational import exact_optimum, fits
from fogspiel.solvers.response.response import far_apart, is_equilibrium, plan_nash_conv
from fogspiel.solvers.result import Solution
from fogspiel.solvers.solver import Task
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.sequence import SequenceForm

TOLERANCE = 1e-10
"""HiGHS' tightest feasibility tolerance."""
NEGLIGIBLE = 1e-9
"""Plan entries below this are taken for zero."""
Sets = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Of each information set of a player, its first sequence, how many it has, and the sequence before it."""
Triples = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Entries of a matrix: rows, columns, values."""
LOWER, BASIC = (int(k) for k in (highspy.HighsBasisStatus.kLower, highspy.HighsBasisStatus.kBasic))


def solve_sequence_form(task: Task, parameters: dict[str, Any]) -> Solution:
    form = task.required_form
    return solution(form, lambda: clean(form, _solve(form, 0)))


def restricted_program(form: SequenceForm, plan: np.ndarray, player: int, p: float) -> np.ndarray:
    """The player's restricted Nash response to the opponent's part of a plan, as a behaviour strategy (rows of the
    opponent: its reply where it is free). With probability p the opponent follows the plan, so that the objective above
    is

        (1 - p) q[root] + p (what x gets against the plan).
    """
    mine = slice(form.begin[player], form.begin[player + 1])
    bonus = p * form.gradient(plan, player)[mine]
    return complete(form, clean(form, _solve(form, player, 1.0 - p, bonus)))


def solve_normal_form(task: Task, parameters: dict[str, Any]) -> Solution:
    """All pure strategies of both players as rows and columns of one matrix, solved as a one-shot game."""
    form = task.required_form
    normal = normal_form(form, parameters["most"])
    matrix = normal.payoff[0]
    m, n = matrix.shape
    # one information set a player, the empty sequence before it: the sequence form of a matrix
    one = lambda k: (np.array([1]), np.array([k]), np.array([0]))  # noqa: E731
    rows = np.concatenate([[0, 0], np.arange(1, n + 1) * m])
    columns = np.tile(np.arange(1, m + 1), n)

    def plan() -> np.ndarray:
        mixes = _program(m + 1, one(m), n + 1, one(n), rows, columns, matrix.T.ravel())
        return clean(form, normal.plan([np.maximum(mix[1:], 0) for mix in mixes]))

    return solution(form, plan)


def _solve(form: SequenceForm, player: int, weight: float = 1.0, bonus: np.ndarray | float = 0.0) -> np.ndarray:
    """Both players' plans, the player's being x in the program."""
    plans = _program(*_sides(form, player), weight, bonus)
    return np.concatenate(plans if player == 0 else plans[::-1])


def _sides(form: SequenceForm, player: int) -> tuple[Any, ...]:
    """What the whole form's program is made of, the player's plan being x in it."""
    other = 1 - player
    sets, begin = [slice(form.sets[p], form.sets[p + 1]) for p in (player, other)], form.begin
    sides = [
        (int(begin[p + 1] - begin[p]), (form.first[s] - begin[p], form.count[s], form.parent[s] - begin[p]))
        for p, s in zip((player, other), sets, strict=True)
    ]
    rows = form.rows[begin[other] : begin[other + 1] + 1]
    entries = slice(rows[0], rows[-1])
    columns, values = form.column[entries] - begin[player], -form.value[entries]
    return *sides[0], *sides[1], rows - rows[0], columns, values


@dataclass(frozen=True)
class Basis:
    """Of each column and row of a program, whether it is basic: HiGHS' numbers for it."""

    columns: np.ndarray
    rows: np.ndarray


def _program(*given: Any, **named: Any) -> tuple[np.ndarray, np.ndarray]:
    """Solve the program above: both plans. Arguments are those of `program`."""
    return optimum(program(*given, **named), given[0], given[2])[:2]


def program(
    n0: int,
    sets0: Sets,
    n1: int,
    sets1: Sets,
    rows: np.ndarray,
    columns: np.ndarray,
    values: np.ndarray,
    weight: float = 1.0,
    bonus: np.ndarray | float = 0.0,
) -> highspy.HighsLp:
    """The program above; sequences and sets of each player are numbered from 0. Columns are x, then q of the root and
    of player 1's sets; rows are those of player 1's sequences, of player 0's empty sequence, and of player 0's sets.
    What is maximised is `weight` times q[root] and `bonus` times x. Payoffs, which are `values` and the bonus, are
    counted in the largest of them, so that q is, too."""
    largest = max(np.abs(values).max(initial=0.0), np.abs(bonus).max(initial=0.0))
    scale = 2.0 ** np.frexp(largest)[1] if largest > 0 else 1.0
    values, bonus = values / scale, bonus / scale
    (first0, count0, parent0), (first1, count1, parent1) = sets0, sets1
    s0, s1 = len(first0), len(first1)
    q = n0  # columns: x (n0 of them), then q of the root, then q of player 1's sets
    of = np.zeros(n1, np.int64)  # the set (root: 0) that each of player 1's sequences belongs to
    of[np.repeat(first1, count1) + _within(count1)] = np.repeat(np.arange(1, s1 + 1), count1)
    flow = _triples(np.repeat(np.arange(s0), count0), np.repeat(first0, count0) + _within(count0), 1.0)
    parts = [
        _triples([n1], [0], 1.0),  # the empty sequence of player 0 has probability 1
        tuple(a + b for a, b in zip(flow, (n1 + 1, 0, 0.0), strict=True)),
        _triples(n1 + 1 + np.arange(s0), parent0, -1.0),
        (np.repeat(np.arange(n1), np.diff(rows)), columns, values),
        _triples(np.arange(n1), q + of, -1.0),
        _triples(parent1, q + 1 + np.arange(s1), 1.0),
    ]
    row, column, value = (np.concatenate([np.asarray(p[i]) for p in parts]) for i in range(3))
    order = np.lexsort((column, row))
    height, width = n1 + 1 + s0, n0 + 1 + s1
    model = highspy.HighsLp()
    model.num_col_, model.num_row_, model.sense_ = width, height, highspy.ObjSense.kMaximize
    cost = np.zeros(width)
    cost[:n0], cost[q] = bonus, weight
    model.col_cost_ = cost
    model.col_lower_ = np.where(np.arange(width) < n0, 0.0, -highspy.kHighsInf)
    model.col_upper_ = np.full(width, highspy.kHighsInf)
    bound = np.zeros(height)
    bound[n1] = 1.0
    model.row_lower_ = bound
    model.row_upper_ = np.where(np.arange(height) < n1, highspy.kHighsInf, bound)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.num_col_, model.a_matrix_.num_row_ = width, height
    model.a_matrix_.start_ = np.searchsorted(row[order], np.arange(height + 1)).astype(np.int32)
    model.a_matrix_.index_ = column[order].astype(np.int32)
    model.a_matrix_.value_ = value[order]
    return model


def optimum(
    model: highspy.HighsLp, n0: int, n1: int, start: Basis | None = None
) -> tuple[np.ndarray, np.ndarray, Basis]:
    """Both plans that solve a program, n0 and n1 sequences long, and its basis; sought from a basis `start`, where one
    is known."""
    solver = solved(model, start)
    answer, ended = solver.getSolution(), solver.getBasis()
    basis = Basis(*(np.array([int(k) for k in status], np.int64) for status in (ended.col_status, ended.row_status)))
    return np.array(answer.col_value)[:n0], np.abs(np.array(answer.row_dual)[:n1]), basis


def solved(model: highspy.HighsLp, start: Basis | None = None, *, interior: bool = False) -> highspy.Highs:
    """A solver that has solved a program, from a basis where one is known; `interior`: by an interior-point method, and
    on from there to a basis only where that is not precise."""
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("primal_feasibility_tolerance", TOLERANCE)
    solver.setOptionValue("dual_feasibility_tolerance", TOLERANCE)
    if interior:
        solver.setOptionValue("solver", "ipm")
        solver.setOptionValue("run_crossover", "choose")
        solver.setOptionValue("ipm_optimality_tolerance", TOLERANCE)
    solver.passModel(model)
    if start is not None:
        basis = highspy.HighsBasis()
        basis.col_status = [highspy.HighsBasisStatus(int(k)) for k in start.columns]
        basis.row_status = [highspy.HighsBasisStatus(int(k)) for k in start.rows]
        basis.valid = True
        solver.setBasis(basis)
    _run(solver)
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise Unsolved(
            f"the linear program was not solved: HiGHS says {solver.modelStatusToString(solver.getModelStatus())}"
        )
    return solver


def _run(solver: highspy.Highs) -> None:
    """Solve in a thread beside this one, which is left to hear Ctrl-C; HiGHS then stops at its next callback."""
    solver.HandleUserInterrupt = True
    done = threading.Event()

    def work() -> None:
        try:
            solver.solve()
        finally:
            done.set()

    with HeldInterrupt(always=True) as interrupt:
        threading.Thread(target=work, daemon=True).start()
        while not done.wait(0.1):
            if interrupt.held:
                solver.cancelSolve()
    if interrupt.held:
        raise KeyboardInterrupt


def _triples(row: Any, column: Any, value: float) -> Triples:
    row = np.asarray(row)
    return row, np.asarray(column), np.full(len(row), value)


def _within(count: np.ndarray) -> np.ndarray:
    """0, 1, ... count[0] - 1, 0, 1, ... count[1] - 1, and so on."""
    return np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)


def clean(form: SequenceForm, plan: np.ndarray) -> np.ndarray:
    """The exact plan near a program's answer: negligible entries zero, flow restored."""
    return form.plan(form.behaviour(np.where(plan < NEGLIGIBLE, 0.0, plan)))


def complete(form: SequenceForm, plan: np.ndarray, tremble: float = 1e-3) -> np.ndarray:
    """The plan's behaviour, and a sensible one where the plan never goes: a best response to opponents who tremble.

    A plan says nothing of the information sets its own moves avoid. There the player takes the best action against the
    others' plans mixed with a little uniform play, so that every set can be reached. The value of the profile stays the
    same.
    """
    behaviour, loose = form.behaviour(plan), form.uniform()
    above = plan[form.parent] <= 0
    off = np.zeros(form.sequences, bool)
    off[np.repeat(form.first, form.count) + _within(form.count)] = np.repeat(above, form.count)
    trembling = form.plan((1 - tremble) * behaviour + tremble * loose)
    for p in range(form.players):
        mine = slice(form.begin[p], form.begin[p + 1])
        best = form.best_response(trembling, p)[1]
        behaviour[mine] = np.where(off[mine], best[mine], behaviour[mine])
    return behaviour


def solution(form: SequenceForm, find: Callable[[], np.ndarray]) -> Solution:
    """The solution that a program's answer is, if that is an equilibrium; else, or where the program is given up, a
    small game is solved without rounding."""
    given_up = None
    try:
        plan = find()
        exact = is_equilibrium(form, plan)
    except Unsolved as error:
        given_up, exact = error, False
    if not exact:
        found = _without_rounding(form)
        if found is None:
            raise given_up or far_apart(
                form.tree.game.spec, "lp", "an algorithm that tells how far it got, such as cfr+"
            )
        plan = found
    behaviour = complete(form, plan)
    plan = form.plan(behaviour)
    value = tuple(form.values(plan).tolist())
    return Solution(Strategy.from_behaviour(form, behaviour), value, plan_nash_conv(form, plan), touched=form.tree.size)


def _without_rounding(form: SequenceForm) -> np.ndarray | None:
    """The plan that a small game's program has in whole numbers; None of a larger one."""
    sides = _sides(form, 0)
    n0, (first, *_), n1, (first1, count1, _) = sides[:4]
    model = program(*sides)
    if not fits(model, n1):
        return None
    sets = [np.array([0]), *(f + np.arange(n) for f, n in zip(first1, count1, strict=True))]
    plan = form.plan(form.behaviour(np.concatenate(exact_optimum(model, n0, n1, first, sets))))
    return plan if is_equilibrium(form, plan) else None
