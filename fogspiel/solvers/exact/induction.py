"""Backward induction for zero-sum games in which nothing is hidden but the moves made at the same time (Lisý 2014, sec.
2.1.5).

Each stage is either one player's decision with everything known, or two simultaneous ones, which the rules play one
after the other without showing the first (in a game that says it is simultaneous, player 0 and then player 1, always).
Stages are solved from the end: a maximum, a minimum, or a matrix game. The answer is subgame-perfect.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Real, Reals
from fogspiel.game.matrix_game import Simplex, Strategies, matrix_game, saddle, simplex, strategies
from fogspiel.game.needs import KNOWN_STAGES, LOOKS_THE_SAME, refusal
from fogspiel.game.table import CHANCE, OVER
from fogspiel.solvers.registry import SOLVERS
from fogspiel.solvers.response.response import Position, far_apart, is_equilibrium, plan_nash_conv
from fogspiel.solvers.result import Solution
from fogspiel.solvers.solver import Task
from fogspiel.solvers.strategy import Strategy
from fogspiel.solvers.suit import instead, require_unrolled
from fogspiel.tree.sequence import SequenceForm, sequence_form
from fogspiel.tree.tree import Tree, unroll
from fogspiel.tree.unroll import HistoryArrays

INNER, TERMINAL, RANDOM, ALONE, TOGETHER = range(5)
"""What a history is: the second half of a stage, an end, a chance node, one player's decision, or a simultaneous
stage."""


ROUNDING = 1e-9
"""By how much values of stages, from linear programs, may differ that are the same, as a share of the largest
payoff."""

StageTree: Any = Bundle(histories=HistoryArrays, pay=Reals, members=Ints, first=Ints)
"""A tree's histories, what each terminal pays player 0, and of each information set how many histories are in it, and
its first action."""

Solved: Any = Bundle(span=Ints, role=Bytes, value=Reals, mixed=Bytes, prob=Reals)
"""What `Stages` has, the kind of each history as its `role`, and how many histories there are from each on, itself
among them."""


@dataclass(frozen=True)
class Stages:
    """`kind`, `value` (to player 0) and `mixed` of every history; `mixed` marks simultaneous stages without a saddle
    point. `prob` is a subgame-perfect probability for each of the tree's actions."""

    tree: Tree
    kind: np.ndarray
    value: np.ndarray
    mixed: np.ndarray
    prob: np.ndarray

    def count(self) -> list[tuple[int, int]]:
        """At each depth in stages, how many have a saddle point and how many must be mixed (Lisý 2014, sec. 4.1)."""
        history = self.tree.histories
        assert history is not None
        stage = (self.kind == ALONE) | (self.kind == TOGETHER)
        depth = np.zeros(len(stage), np.int64)
        count_stages(len(stage), history.parent, stage.astype(np.int8), depth)
        levels = range(int(depth[stage].max()) + 1 if stage.any() else 0)
        mixed = [[int(((depth == d) & stage & (self.mixed == m)).sum()) for m in (0, 1)] for d in levels]
        return [(without, with_) for without, with_ in mixed]


def stages(game: Position, memory: int | None = None, progress: Callable[..., Any] | None = None) -> Stages:
    """Solve every stage. Raises Unsuitable where a player does not know the state."""
    source = game.tree.game if isinstance(game, SequenceForm) else game.game if isinstance(game, Tree) else game
    tree = (
        game
        if isinstance(game, Tree) and game.histories
        else unroll(source, histories=True, memory=memory, progress=progress)
    )
    require_unrolled("backward-induction", SOLVERS["backward-induction"], tree, {})
    h = tree.histories
    assert h is not None
    n = tree.size
    members = np.append(np.bincount(h.infoset[h.infoset >= 0], minlength=max(len(tree.player), 1)), 0)
    pay = tree.pay[:, 0] / np.where(tree.reach > 0, tree.reach, 1.0)
    whole = Bundled(StageTree, histories=h.bundle, pay=pay, members=members, first=np.append(tree.first, 0))
    solved = Bundled(
        Solved,
        span=np.ones(n, np.int64),
        role=np.zeros(n, np.int8),
        value=np.zeros(n),
        mixed=np.zeros(n, np.int8),
        prob=np.zeros(max(len(tree.move), 1)),
    )
    widest = int(tree.count.max(initial=1))
    mixes, work = strategies(widest, widest), simplex(widest, widest)
    rounding = ROUNDING * float(np.abs(pay).max(initial=0.0))
    bad = induce(n, int(tree.game.always_at_once), whole, solved, np.zeros(widest**2), mixes, work, rounding)
    if bad >= 0:
        raise refusal(tree.game.spec, "backward-induction", KNOWN_STAGES, LOOKS_THE_SAME, instead(tree.game, tree))
    kind, value, mixed, prob = (solved.array(name) for name in ("role", "value", "mixed", "prob"))
    return Stages(tree, kind, value, mixed, prob[: len(tree.move)])


def solve_stages(task: Task, parameters: dict[str, Any]) -> Solution:
    found = stages(task.position, task.memory, task.progress)
    tree = found.tree
    strategy = Strategy.build(tree.game, tree.player, tree.key, tree.count, tree.move, found.prob)
    form = sequence_form(tree)
    plan = form.plan(strategy.on(form))
    if not is_equilibrium(form, plan):
        raise far_apart(tree.game.spec, "backward-induction", "lp, which solves small games without rounding")
    value = float(found.value[0])
    values = (value, -value)[: tree.game.players]
    return Solution(strategy, values, plan_nash_conv(form, plan), touched=tree.size)


@kernel
def induce(
    n: Int,
    simultaneous: Int,
    tree: StageTree,
    solved: Solved,
    matrix: Reals,
    mixes: Strategies,
    work: Simplex,
    rounding: Real,
) -> Int:
    """Solve all histories, last first (children follow their parents). Values that differ by no more than `rounding`
    count as equal where stages are told that need mixing. Returns a history that does not fit, or -1."""
    histories, members, first = tree.histories, tree.members, tree.first
    parent, actor, infoset, reach = histories.parent, histories.actor, histories.infoset, histories.reach
    span, kind, value, prob = solved.span, solved.role, solved.value, solved.prob
    for h in range(n - 1, -1, -1):
        if parent[h] >= 0:
            span[parent[h]] += span[h]
        if actor[h] == OVER:
            kind[h] = TERMINAL
            value[h] = tree.pay[histories.terminal[h]]
            continue
        end = h + span[h]
        if actor[h] == CHANCE:
            kind[h] = RANDOM
            c = h + 1
            while c < end:
                if kind[c] == INNER:
                    return c
                value[h] += reach[c] / reach[h] * value[c] if reach[h] > 0.0 else 0.0
                c += span[c]
            continue
        if members[infoset[h]] > 1 or (
            simultaneous != 0 and actor[h] == 1 and parent[h] >= 0 and actor[parent[h]] == 0
        ):
            kind[h] = INNER
            continue
        second = h + 1
        together = actor[second] >= 0 and actor[second] != actor[h] and kind[second] == INNER
        at = first[infoset[h]]
        if not together:
            kind[h] = ALONE
            sign = 1.0 if actor[h] == 0 else -1.0
            best = 0
            i = 0
            c = h + 1
            while c < end:
                if kind[c] == INNER:
                    return c
                if i == 0 or sign * value[c] > sign * value[h]:
                    value[h] = value[c]
                    best = i
                prob[at + i] = 0.0
                i += 1
                c += span[c]
            prob[at + best] = 1.0
            continue
        kind[h] = TOGETHER
        other = infoset[second]
        rows = 0
        c = h + 1
        columns = 0
        while c < end:
            if actor[c] != actor[second] or infoset[c] != other:
                return c
            g = c + 1
            columns = 0
            while g < c + span[c]:
                if kind[g] == INNER:
                    return g
                # payoffs to whoever moves first, so that it is the row player
                matrix[rows * (span_count(c, span)) + columns] = value[g] if actor[h] == 0 else -value[g]
                columns += 1
                g += span[g]
            rows += 1
            c += span[c]
        if members[other] != rows:
            return second
        solved.mixed[h] = 1 if saddle(rows, columns, matrix, 0, rounding) < 0 else 0
        v = matrix_game(rows, columns, matrix, 0, mixes, work)
        value[h] = v if actor[h] == 0 else -v
        for i in range(rows):
            prob[at + i] = mixes.row[i]
        for j in range(columns):
            prob[first[other] + j] = mixes.column[j]
    return -1


def span_count(c, span):
    """How many children history c has."""
    count = 0
    g = c + 1
    while g < c + span[c]:
        count += 1
        g += span[g]
    return count


@kernel
def count_stages(n: Int, parent: Ints32, stage: Bytes, depth: Ints) -> None:
    """depth[h]: how many stages lie before history h."""
    for h in range(1, n):
        depth[h] = depth[parent[h]] + stage[parent[h]]
