"""Bounded one-sided games, exactly and small: a program over information sets and states (`solvers/posg/pairs.py`;
Veselý 2024; Horák et al. 2023).

With r a plan of the player who sees little, and v(I, s) what the other gets from there on, weighed by r,

    minimise v(start)   subject to
        v(I, s) >= sum over b of [ r(I b) * payoff + v(I b o, s') ],    for each (I, s) and each move a of the other
        r(the sequence before I) = sum of r(I b) over b,                for each I

where (a, b) in s pays, shows o and leads to s', on average. The multipliers of the first rows are the other player's
plan.

A large program is made smaller first. In information sets after which nothing is decided, dominated moves are left out:
b, if another pays no more whatever the state and the other's move; a, if another pays no less whatever b. Then what
plays the same part is made one (`solvers/posg/folding.py`), as mirrored positions of a board. Payoffs that are NEAR
each other count as equal in all of this; what is found is measured in the game as it is.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from fogspiel.game.markov import END, explore_states
from fogspiel.solvers.exact.lp import NEGLIGIBLE
from fogspiel.solvers.posg.folding import Program, folded
from fogspiel.solvers.posg.pairs import Pairs, decision_keys, pairs_of
from fogspiel.solvers.response.response import far_apart
from fogspiel.solvers.result import Solution
from fogspiel.solvers.solver import Task
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.payoffs import ranges

MOST_HISTORIES = 100_000
"""The player who sees everything has an information set for every history; with more than this it is given no
strategy."""
LARGE = 5_000
"""Programs with more rows than this are made smaller, and solved by an interior-point method."""
NEAR = 1e-8
"""Payoffs that differ by less than this share of the largest count as equal: worths at the horizon are no more
exact."""
EXACT = 1e-6
"""By how much what both strategies are sure of may differ, as a share of the largest payoff in every round."""
CELLS = 1 << 24
"""Comparisons of moves made at once."""


def solve_pairs(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """Both players' behaviours in equilibrium: a probability for each sequence, and for each row."""
    s, rows = pairs.sequences, int(pairs.rows[-1])
    program = _program(pairs)
    x, multiplier = _solved_small(pairs, program) if len(program.least) > LARGE else program.solve()
    return _normalised(x[:s], pairs.first), _normalised(multiplier[:rows], pairs.rows)


def _solved_small(pairs: Pairs, program: Program) -> tuple[np.ndarray, np.ndarray]:
    """A program solved after it was made smaller."""
    program = replace(
        program, value=_joined(program.value, (program.row < pairs.rows[-1]) & (program.column < pairs.sequences))
    )
    idle = _dominated(pairs, program)
    small = folded(program.without(*idle))
    multiplier, x = (np.zeros(len(mask)) for mask in idle)
    x[~idle[1]], multiplier[~idle[0]] = small.unfolded(*small.program.solve(interior=True))
    return x, multiplier


def _program(pairs: Pairs) -> Program:
    """The program above: columns are sequences, then pairs before the horizon; rows are those of pairs, then one for
    each set."""
    s, live = pairs.sequences, np.flatnonzero(pairs.inside >= 0)
    column = np.full(pairs.nodes.count, -1)
    column[live] = s + np.arange(len(live))
    rows, sets = int(pairs.rows[-1]), len(pairs.before)
    owner = np.repeat(np.arange(pairs.nodes.count), np.diff(pairs.rows))
    onward = pairs.onward
    later = np.flatnonzero(pairs.before >= 0)
    p = pairs.nodes.probability
    largest = float(np.abs(pairs.pays).max(initial=0.0))
    pays = pairs.pays / 2.0 ** np.frexp(largest)[1]  # HiGHS' tolerances are absolute
    parts = [
        (np.arange(rows), column[owner], np.ones(rows)),
        (pairs.row[onward], column[pairs.nodes.target[onward]], -p[onward]),
        (pairs.row, pairs.sequence, -p * pays),
        (rows + np.repeat(np.arange(sets), np.diff(pairs.first)), np.arange(s), np.ones(s)),
        (rows + later, pairs.before[later], -np.ones(len(later))),
    ]
    at, to, value = (np.concatenate([np.asarray(part[i]) for part in parts]) for i in range(3))
    cell, place = np.unique(at * (s + len(live)) + to, return_inverse=True)
    return Program(
        cost=np.concatenate([np.zeros(s), pairs.nodes.start[live]]),
        free=np.arange(s + len(live)) >= s,
        least=np.concatenate([np.zeros(rows), (pairs.before < 0).astype(float)]),
        equal=np.arange(rows + sets) >= rows,
        row=cell // (s + len(live)),
        column=cell % (s + len(live)),
        value=np.bincount(place, value, len(cell)),
    )


def _joined(entries: np.ndarray, paid: np.ndarray) -> np.ndarray:
    """Entries, where those that are payoffs, by a mask, are the least of all that a chain of small steps joins."""
    known, place = np.unique(entries[paid], return_inverse=True)
    begins = np.diff(known, prepend=-np.inf) > NEAR * np.abs(known).max()
    out = entries.copy()
    out[paid] = known[begins][np.cumsum(begins) - 1][place]
    return out


def _dominated(pairs: Pairs, program: Program) -> tuple[np.ndarray, np.ndarray]:
    """Which rows and which columns of the program are dominated moves in sets after which nothing is decided. Of moves
    that are alike none dominates, so that positions that mirror each other still do."""
    rows, columns = np.zeros(len(program.least), bool), np.zeros(len(program.cost), bool)
    owner = np.repeat(np.arange(pairs.nodes.count), np.diff(pairs.rows))
    for members, sequences, pays in _last_games(pairs, program, pairs.inside[owner]):
        kept = _undominated(pays, owner[members])
        rows[members[~kept[0]]] = True
        columns[sequences[~kept[1]]] = True
    return rows, columns


def _last_games(
    pairs: Pairs, program: Program, inside: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The information sets after which nothing is decided, those with as many rows and sequences together: of each its
    rows, its sequences, and what a row is paid against a sequence. `inside` is the information set of each row."""
    last = np.ones(len(pairs.before), bool)
    last[pairs.inside[pairs.source[pairs.onward]]] = False
    entry = np.flatnonzero((program.row < len(inside)) & (program.column < pairs.sequences))
    entry = entry[np.argsort(inside[program.row[entry]], kind="stable")]
    member = np.argsort(inside, kind="stable")
    entries, height = (np.bincount(inside[of], minlength=len(last)) for of in (program.row[entry], member))
    first_entry, first = np.cumsum(entries) - entries, np.cumsum(height) - height
    place = np.empty(len(member), np.int64)
    place[member] = np.arange(len(member)) - first[inside[member]]
    width = np.diff(pairs.first)
    for m, n in np.unique(np.stack([height[last], width[last]]), axis=1).T.tolist():
        alike = np.flatnonzero(last & (height == m) & (width == n))
        for sets in np.array_split(alike, -(-len(alike) * m * n * max(m, n) // CELLS)):
            e, which = entry[ranges(first_entry[sets], entries[sets])], np.repeat(np.arange(len(sets)), entries[sets])
            pays = np.zeros((len(sets), m, n))
            pays[which, place[program.row[e]], program.column[e] - pairs.first[sets][which]] = -program.value[e]
            yield member[first[sets][:, None] + np.arange(m)], pairs.first[sets][:, None] + np.arange(n), pays


def _undominated(pays: np.ndarray, owner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of games in which who moves a row, owned by a state, is paid `pays[game, row, column]`, and who moves a column
    pays it: the rows and the columns left when dominated ones are removed again and again. Rows dominate only those of
    the same state."""
    rows, columns = np.ones(pays.shape[:2], bool), np.ones((len(pays), pays.shape[2]), bool)
    same, left = owner[:, :, None] == owner[:, None, :], -1
    less: Any
    more: Any
    while left != (left := int(rows.sum() + columns.sum())):
        less = ((pays[:, :, :, None] <= pays[:, :, None, :]) | ~rows[:, :, None, None]).all(1)
        columns &= ~(less & ~less.transpose(0, 2, 1) & columns[:, :, None]).any(1)
        more = ((pays[:, :, None, :] >= pays[:, None, :, :]) | ~columns[:, None, None, :]).all(3) & same
        rows &= ~(more & ~more.transpose(0, 2, 1) & rows[:, :, None]).any(1)
    return rows, columns


def _normalised(plan: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Shares within the groups that begin at `first`; equal where all is next to nothing."""
    plan = np.where(plan < NEGLIGIBLE, 0.0, plan)
    count = np.diff(first)
    group = np.repeat(np.arange(len(count)), count)
    total = np.bincount(group, plan, len(count))
    return np.where(total[group] > 0, plan / np.maximum(total[group], 1e-300), 1.0 / np.maximum(count[group], 1))


def solve_one_sided(task: Task, parameters: dict[str, Any]) -> Solution:
    """The compact program of a bounded one-sided game."""
    pairs = pairs_of(task.game)
    behaviour, own = solve_pairs(pairs)
    high = float(pairs.response(behaviour) @ pairs.nodes.start)
    low = pairs.answer(own)
    if high - low > EXACT * float(np.abs(pairs.pays).max(initial=0.0)) * len(pairs.rounds):
        raise far_apart(task.game.spec, "lp-one-sided", "an algorithm that tells how far it got, such as cfr+")
    value = pairs.sign * (low + high) / 2
    return Solution(strategy_of(pairs, behaviour, own), (value, -value), high - low, touched=len(pairs.row))


def strategy_of(pairs: Pairs, behaviour: np.ndarray, own: np.ndarray) -> Strategy:
    """Behaviours as a strategy. The player who sees all has an information set for every history; where these are too
    many it has none in the strategy."""
    informed = 1 - pairs.blind
    player, count = np.full(len(pairs.keys), pairs.blind), np.diff(pairs.first)
    key, move, prob = pairs.keys, pairs.moves, behaviour
    if _histories(pairs) <= MOST_HISTORIES:
        nodes = explore_states(pairs.game, believer=informed)
        live = np.flatnonzero(np.diff(nodes.at[0]) > 0)
        pair = pairs.locate(nodes.bytes[live])
        many = np.diff(pairs.rows)[pair]
        player = np.concatenate([player, np.full(len(live), informed)])
        key = np.concatenate([key, decision_keys(pairs.game, nodes.bytes[live], informed)])
        count = np.concatenate([count, many])
        move = np.concatenate([move, nodes.move[informed][ranges(nodes.at[informed][live], many)]])
        prob = np.concatenate([prob, own[ranges(pairs.rows[pair], many)]])
    return Strategy.build(pairs.game, player, key, count, move, prob)


def _histories(pairs: Pairs) -> float:
    """How many histories there are before the horizon."""
    many = (pairs.nodes.start > 0).astype(float)
    for _, edges in pairs.rounds:
        target = pairs.nodes.target[edges]
        np.add.at(many, target[target != END], many[pairs.source[edges]][target != END])
    return float(many.sum())
