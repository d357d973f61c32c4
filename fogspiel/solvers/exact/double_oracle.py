"""The double oracle on the sequence form (Bošanský, Kiekintveld, Lisý and Pěchouček 2014; two players, zero sum).

A game is often decided by few of its sequences. The *restricted game* has, at each information set, one action by
default and those that were worth adding: it starts with the first action everywhere, so that there is nothing to
decide. Again and again

1. its equilibrium is found by the sequence-form program (`solvers/exact/lp.py`), in which information sets with a
   single action are contracted;
2. each player's best response in the whole game to the other's equilibrium plan is found;
3. the actions by which a best response does better than those in the restricted game are added to it, at every
   information set that is in the restricted game then, not only at those that the response itself plays to,

until there are none. The value of the restricted game is then that of the whole one: best responses bound it from both
sides.

Since an information set always has its default action, plans of the restricted game are plans of the whole one, and the
restricted game only grows: the paper's temporary leaves, where play leaves the restricted game, are not needed. Its
pruning of branches that the other's plan never reaches is here that a response sums over the sequences that are played,
and that nothing is added where play never comes. Its bounds within a response would gain nothing: in small poker all
responses take 0.2% of the time, and programs nearly all the rest. What counts is that they are few, and so more is
added at a time than a response's own plan, which is what the paper adds: 108 programs in place of 302. Each starts from
the basis of the one before.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints32, Real, Reals
from fogspiel.solvers.exact.lp import BASIC, LOWER, Basis, clean, optimum, program, solution
from fogspiel.solvers.response.response import is_equilibrium
from fogspiel.solvers.result import Solution
from fogspiel.solvers.solver import Task
from fogspiel.tree.payoffs import ranges
from fogspiel.tree.sequence import SequenceForm

CLOSE = 1e-11
"""What best responses may gain, as a share of the largest utility, when nothing more is sought."""
BETTER = 1e-13
"""What an action must be worth more, as a share of the largest utility, to be added."""


@dataclass(frozen=True)
class Restricted:
    """A restricted game. `stands[s]` is the sequence that stands for s: s itself where its information set has a
    choice, else the one before; -1 where s is not allowed, or comes after one that is not. For each player, `sequences`
    are those that stand for themselves and `sets` the information sets with a choice, in the whole game's numbers;
    `place[s]` is where s is among its player's."""

    form: SequenceForm
    stands: np.ndarray
    sequences: tuple[np.ndarray, np.ndarray]
    sets: tuple[np.ndarray, np.ndarray]
    place: np.ndarray
    allowed: np.ndarray

    def side(self, player: int) -> tuple[int, tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """The player's number of sequences, and of each of its sets the first sequence, how many, and the one
        before."""
        form, mine = self.form, self.sets[player]
        owner = np.repeat(np.arange(len(form.first)), form.count)
        count = np.bincount(owner, self.allowed[ranges(form.first, form.count)], len(form.first)).astype(np.int64)[mine]
        before = self.place[self.stands[form.parent[mine]]]
        first = np.concatenate([[1], 1 + np.cumsum(count)[:-1]])[: len(mine)].astype(np.int64)
        return len(self.sequences[player]), (first, count, before)

    def payoffs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What player 0 gets: for each of player 1's sequences, a row of sequences of player 0 and values."""
        form, n0, n1 = self.form, len(self.sequences[0]), len(self.sequences[1])
        rows = np.arange(form.begin[1], form.begin[2])
        alive = rows[self.stands[rows] >= 0]
        entries = ranges(form.rows[alive], form.rows[alive + 1] - form.rows[alive])
        row = np.repeat(self.stands[alive], form.rows[alive + 1] - form.rows[alive])
        column = self.stands[form.column[entries]]
        kept = column >= 0
        cell = self.place[row[kept]] * n0 + self.place[column[kept]]
        cells, where = np.unique(cell, return_inverse=True)
        values = -np.bincount(where, form.value[entries][kept], len(cells)).astype(float)
        return np.searchsorted(cells, np.arange(n1 + 1) * n0), cells % n0, values

    def whole(self, plans: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Plans of the restricted game as a plan of the whole one."""
        out = np.zeros(self.form.sequences)
        for sequences, plan in zip(self.sequences, plans, strict=True):
            out[sequences] = plan
        return np.where(self.stands >= 0, out[self.stands], 0.0)


def restrict(form: SequenceForm, allowed: np.ndarray) -> Restricted:
    """The restricted game in which these sequences are allowed."""
    stands = np.full(form.sequences, -1, np.int32)
    stands[form.begin[:2]] = form.begin[:2]
    choice = np.zeros(max(len(form.first), 1), np.int8)
    contract(len(form.first), form.first, form.count, form.parent, allowed.astype(np.int8), stands, choice)
    own = stands == np.arange(form.sequences)
    sequences = tuple(form.begin[p] + np.flatnonzero(own[form.begin[p] : form.begin[p + 1]]) for p in range(2))
    sets = tuple(form.sets[p] + np.flatnonzero(choice[form.sets[p] : form.sets[p + 1]]) for p in range(2))
    place = np.zeros(form.sequences, np.int64)
    for mine in sequences:
        place[mine] = np.arange(len(mine))
    return Restricted(form, stands, sequences, sets, place, allowed)


class Programs:
    """The programs of growing restricted games, each started from where the one before ended.

    A sequence, or an information set, keeps its column and row from program to program. One that is new is entered as
    it was when it was contracted: a set's default action takes up all of what comes to it (player 0), or what it is
    worth is that of its default action (player 1); added actions are not played yet.
    """

    def __init__(self, form: SequenceForm):
        self.form = form
        new = [
            np.full(n, -1, np.int64) for n in (form.sequences, len(form.first) + 1, form.sequences, len(form.first) + 1)
        ]
        self.x, self.q, self.row, self.flow = new
        self.solved = False

    def solve(self, game: Restricted) -> tuple[np.ndarray, np.ndarray]:
        """Both players' plans of an equilibrium."""
        (n0, sets0), (n1, sets1) = game.side(0), game.side(1)
        model = program(n0, sets0, n1, sets1, *game.payoffs())
        x, y, basis = optimum(model, n0, n1, self._start(game) if self.solved else None)
        split = n0 + 1
        self.x[game.sequences[0]], self.q[-1], self.q[game.sets[1]] = (
            basis.columns[:n0],
            basis.columns[n0],
            basis.columns[split:],
        )
        self.row[game.sequences[1]], self.flow[-1], self.flow[game.sets[0]] = (
            basis.rows[:n1],
            basis.rows[n1],
            basis.rows[n1 + 1 :],
        )
        self.solved = True
        return x, y

    def _start(self, game: Restricted) -> Basis:
        x, q, row, flow = self.x.copy(), self.q.copy(), self.row.copy(), self.flow.copy()
        first = self.form.first
        fresh = game.sets[0][flow[game.sets[0]] < 0]
        x[first[fresh]], flow[fresh] = BASIC, LOWER
        x[x < 0] = LOWER
        fresh = game.sets[1][q[game.sets[1]] < 0]
        row[first[fresh]], q[fresh] = LOWER, BASIC
        row[row < 0] = BASIC
        return Basis(
            np.concatenate([x[game.sequences[0]], q[-1:], q[game.sets[1]]]),
            np.concatenate([row[game.sequences[1]], flow[-1:], flow[game.sets[0]]]),
        )


def solve_double_oracle(task: Task, parameters: dict[str, Any]) -> Solution:
    form = task.required_form
    allowed = np.zeros(form.sequences, bool)
    allowed[form.begin[:2]] = allowed[form.first] = True
    restricted, iterations = restrict(form, allowed), 0

    def grow() -> np.ndarray:
        """The equilibrium of a restricted game in which nothing is missing."""
        nonlocal restricted, allowed, iterations
        programs, scale = Programs(form), max(float(np.abs(form.tree.utility).max()), 1e-300)
        while True:
            iterations += 1
            plan = clean(form, restricted.whole(programs.solve(restricted)))
            added, gains = allowed.copy(), 0.0
            for p in range(2):
                best, reply = respond_within(form, plan, p, allowed, BETTER * scale)
                gains += best
                added |= reply
            if (added == allowed).all() or (gains <= CLOSE * scale and is_equilibrium(form, plan)):
                return plan
            allowed = added
            restricted = restrict(form, allowed)

    found = solution(form, grow)
    sizes = {
        "sequences": sum(map(len, restricted.sequences)),
        "sequences in all": form.sequences,
        "information sets": sum(map(len, restricted.sets)),
        "information sets in all": len(form.first),
    }
    return Solution(found.strategy, found.value, found.nash_conv, iterations, found.touched, sizes)


def respond_within(
    form: SequenceForm, plan: np.ndarray, player: int, allowed: np.ndarray, better: float
) -> tuple[float, np.ndarray]:
    """What a best response to the other's plan gets, and its actions: those that it plays, and those at other
    information sets of the restricted game. Allowed actions are preferred, unless another is worth more by `better`.
    Only sequences that the other plays are looked at."""
    other = 1 - player
    played = form.begin[other] + np.flatnonzero(plan[form.begin[other] : form.begin[other + 1]])
    count = form.rows[played + 1] - form.rows[played]
    entries = ranges(form.rows[played], count)
    loss = form.value[entries] * np.repeat(plan[played], count)
    worth = -np.bincount(form.column[entries], loss, form.sequences).astype(float)
    reply = np.zeros(form.sequences, np.int8)
    respond(
        form.sets[player],
        form.sets[player + 1],
        form.first,
        form.count,
        form.parent,
        allowed.astype(np.int8),
        better,
        worth,
        reply,
        np.zeros_like(reply),
    )
    return float(worth[form.begin[player]]), reply.astype(bool)


@kernel
def contract(
    sets: Int, first: Ints32, count: Ints32, parent: Ints32, allowed: Bytes, stands: Ints32, choice: Bytes
) -> None:
    """Top-down: what stands for each sequence, and which information sets have a choice. Empty sequences stand for
    themselves."""
    for i in range(sets):
        if stands[parent[i]] < 0:
            continue
        open_ = 0
        for s in range(first[i], first[i] + count[i]):
            open_ += allowed[s]
        choice[i] = 1 if open_ > 1 else 0
        for s in range(first[i], first[i] + count[i]):
            if allowed[s] != 0:
                stands[s] = s if open_ > 1 else stands[parent[i]]


@kernel
def respond(
    low: Int,
    high: Int,
    first: Ints32,
    count: Ints32,
    parent: Ints32,
    allowed: Bytes,
    better: Real,
    worth: Reals,
    reply: Bytes,
    inside: Bytes,
) -> None:
    """Bottom-up the best actions; then top-down those that are kept, and the sequences that are `inside` with them:
    allowed or kept, and after one that is."""
    for i in range(high - 1, low - 1, -1):
        best = first[i]
        for s in range(first[i], first[i] + count[i]):
            # the default action is the first, and allowed
            if allowed[s] != 0 and worth[s] > worth[best]:
                best = s
        within = worth[best]
        for s in range(first[i], first[i] + count[i]):
            if allowed[s] == 0 and worth[s] > within + better and worth[s] > worth[best]:
                best = s
        reply[best] = 1
        worth[parent[i]] += worth[best]
    for i in range(low, high):
        # empty sequences have no set of their own
        above = parent[i]
        reached = above < first[low] or inside[above] != 0
        for s in range(first[i], first[i] + count[i]):
            reply[s] = reply[s] if reached else 0
            inside[s] = 1 if reached and (allowed[s] != 0 or reply[s] != 0) else 0
