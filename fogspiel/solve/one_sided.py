"""Bounded one-sided games, exactly and small: by what the player who sees little knows, and the state (Veselý 2024; Horák et al. 2023).

One player sees everything, the state and all that the other knows: its own past tells it nothing more. So of all histories with the same
information set I of the other player and the same state s one is enough. With r a plan of the player who sees little, and v(I, s) what
the other gets from there on, weighed by r,

    minimise v(start)   subject to   v(I, s) >= sum over b of [ r(I b) * payoff + v(I b o, s') ],    for each (I, s) and each move a of the other
                                     r(the sequence before I) = sum of r(I b) over b,                for each I

where (a, b) in s pays, shows o and leads to s', on average. The multipliers of the first rows are the other player's plan.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import highspy
import numpy as np

from fogspiel.engine.primitives import mix
from fogspiel.errors import Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.horizon import uninformed
from fogspiel.game.markov import END, MarkovGame, explore_states, require_endless
from fogspiel.game.state import State
from fogspiel.solve.lp import NEGLIGIBLE, solved
from fogspiel.solve.result import Solution
from fogspiel.solve.solver import Task
from fogspiel.solve.strategy import Strategy
from fogspiel.tree.payoffs import ranges

MOST_HISTORIES = 100_000
"""The player who sees everything has an information set for every history; with more than this it is given no strategy."""
INTERIOR = 5_000
"""Programs with more rows than this are solved by an interior-point method."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """A bounded one-sided game as pairs (I, s), in the order of rounds. `nodes` has them as states; those at the horizon have no moves.

    `blind` is the player who sees little. `inside[n]` is the information set of pair n, -1 at the horizon; set i has the sequences
    `first[i]` to `first[i + 1]` and comes after sequence `before[i]`, -1 at the start. The moves of the player who sees all in pair n are the
    rows `rows[n]` to `rows[n + 1]`. Transition e is from pair `source[e]` by row `row[e]` and sequence `sequence[e]`, and the player who sees all is
    paid `pays[e]`.
    """

    game: Game
    nodes: MarkovGame
    blind: int
    inside: np.ndarray
    first: np.ndarray
    before: np.ndarray
    rows: np.ndarray
    source: np.ndarray
    row: np.ndarray
    sequence: np.ndarray
    pays: np.ndarray

    @property
    def sequences(self) -> int:
        return int(self.first[-1])

    @property
    def sign(self) -> int:
        """What player 0 is paid is that times what the player who sees all is paid."""
        return 1 if self.blind == 1 else -1

    @cached_property
    def example(self) -> np.ndarray:
        """A pair of each information set."""
        return np.unique(self.inside, return_index=True)[1][-len(self.before) :]

    @cached_property
    def keys(self) -> np.ndarray:
        """The key that the player who sees little has in each of its information sets."""
        return decision_keys(self.game, self.nodes.bytes[self.example], self.blind)

    @cached_property
    def moves(self) -> np.ndarray:
        """The move that each sequence ends with."""
        at, count = self.nodes.at[self.blind], np.diff(self.first)
        return self.nodes.move[self.blind][ranges(at[self.example], count)]

    def uniform(self) -> np.ndarray:
        """A behaviour, which is a probability for each sequence if its information set is reached: every move as likely."""
        count = np.diff(self.first)
        return np.repeat(1.0 / count, count)

    def behaviour(self, strategy: Strategy) -> np.ndarray:
        """The behaviour of a strategy of this game, or of one that differs from it in what it pays."""
        out = self.uniform()
        for i, prob in strategy.found(self.blind, self.keys):
            span = slice(self.first[i], self.first[i + 1])
            out[span] = [prob[move] for move in self.moves[span].tolist()]
        return out

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        """The product of a behaviour's probabilities down each sequence."""
        plan = behaviour.copy()
        for i, before in enumerate(self.before.tolist()):
            if before >= 0:
                plan[self.first[i] : self.first[i + 1]] *= plan[before]
        return plan

    @cached_property
    def rounds(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The pairs of each round and the transitions from them, the first round first."""
        deep, found = np.full(self.nodes.count, -1), []
        here = np.flatnonzero(self.nodes.start > 0)
        while len(here := here[self.inside[here] >= 0]):
            deep[here] = len(found)
            edges = np.flatnonzero(deep[self.source] == len(found))
            found.append((here, edges))
            here = np.unique(self.nodes.target[edges])
            here = here[here != END]
        return found

    def response(self, behaviour: np.ndarray, beyond: np.ndarray | None = None) -> np.ndarray:
        """What the player who sees all gets from each pair on, if it answers a behaviour of the other as best it can; `beyond`: what it
        gets from the pairs at the horizon on, beside what the game pays there."""
        value = np.zeros(self.nodes.count) if beyond is None else beyond.copy()
        for here, edges in reversed(self.rounds):
            target, p = self.nodes.target[edges], self.nodes.probability[edges]
            then = self.pays[edges] + np.where(target == END, 0.0, value[target])
            gets = np.bincount(self.row[edges], behaviour[self.sequence[edges]] * p * then, int(self.rows[-1]))
            many = np.diff(self.rows)[here]
            value[here] = np.maximum.reduceat(gets[ranges(self.rows[here], many)], np.cumsum(many) - many)
        return value

    def paid_beyond(self, beyond: np.ndarray) -> "Pairs":
        """The same, where the player who sees all is paid this at the horizon, too."""
        target = self.nodes.target
        return replace(self, pays=self.pays + np.where(target == END, 0.0, beyond[target]))

    def locate(self, states: np.ndarray) -> np.ndarray:
        """The pairs that states of the game, in which a round begins, belong to."""
        markov, infoset = self.game.functions["markov"], self.game.functions["infoset"]
        place = {key: n for n, key in enumerate(self.nodes.key.tolist())}
        at = [data.ctypes.data for data in states]
        return np.array([place[mix(mix(mix(markov(a), 0), infoset(a, self.blind)), 0)] for a in at], np.int64)

    def answer(self, own: np.ndarray) -> float:
        """The least that the player who sees all gets by a behaviour of its own, a probability for each row."""
        reach = self.nodes.start.copy()
        for _, edges in self.rounds:
            target = self.nodes.target[edges]
            flow = reach[self.source[edges]] * own[self.row[edges]] * self.nodes.probability[edges]
            np.add.at(reach, target[target != END], flow[target != END])
        flow = reach[self.source] * own[self.row] * self.nodes.probability
        gets, total = np.bincount(self.sequence, flow * self.pays, self.sequences), 0.0
        for i in range(len(self.before) - 1, -1, -1):
            least = gets[self.first[i] : self.first[i + 1]].min()
            if self.before[i] >= 0:
                gets[self.before[i]] += least
            else:
                total += least
        return float(total)


def pairs_of(game: Game) -> Pairs:
    """The pairs of a bounded game. Raises Unsuitable unless one of its players sees everything, and the other does not."""
    require_endless(game)
    blind = uninformed(explore_states(game, lumped=True))
    if blind is None:
        raise Unsuitable(
            f"{game.spec} is not one-sided: both players see everything, or neither does (rule observe); try lp"
        )
    nodes = explore_states(game, believer=blind)
    live = np.diff(nodes.at[0]) > 0
    infoset = game.functions["infoset"]
    known = np.array([infoset(data.ctypes.data, blind) for data in nodes.bytes[live]], np.uint64)
    _, example, place = np.unique(known, return_index=True, return_inverse=True)
    order = np.argsort(example)
    inside = np.full(nodes.count, -1)
    inside[live] = np.argsort(order)[place]
    rows, columns = (np.diff(at) for at in nodes.at)
    mine, theirs = (rows, columns) if blind == 1 else (columns, rows)
    first = np.concatenate([[0], np.cumsum(theirs[np.flatnonzero(live)[example[order]]])])
    row_at = np.concatenate([[0], np.cumsum(mine)])
    row, sequence = row_at[nodes.source] + nodes.choice[1 - blind], first[inside[nodes.source]] + nodes.choice[blind]
    before = np.full(len(order), -1)
    onward = np.flatnonzero((nodes.target != END) & (inside[nodes.target] >= 0))
    before[inside[nodes.target[onward]]] = sequence[onward]
    pays = nodes.gain if blind == 1 else -nodes.gain
    return Pairs(game, nodes, blind, inside, first, before, row_at, nodes.source, row, sequence, pays)


def decision_keys(game: Game, states: np.ndarray, player: int) -> np.ndarray:
    """The keys that a player has where it moves in rounds that begin in these states."""
    found = []
    for data in states:
        state = State(game, data)
        if player == 1:
            state.play(state.moves()[0])
        found.append(state.key(player))
    return np.array(found, np.uint64)


def solve_pairs(pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """Both players' behaviours in equilibrium: a probability for each sequence, and for each row."""
    s, live = pairs.sequences, np.flatnonzero(pairs.inside >= 0)
    column = np.full(pairs.nodes.count, -1)
    column[live] = s + np.arange(len(live))
    rows, sets = int(pairs.rows[-1]), len(pairs.before)
    owner = np.repeat(np.arange(pairs.nodes.count), np.diff(pairs.rows))
    edge = np.arange(len(pairs.row))
    onward = edge[(pairs.nodes.target != END) & (column[pairs.nodes.target] >= 0)]
    later = np.flatnonzero(pairs.before >= 0)
    p = pairs.nodes.probability
    parts = [
        (np.arange(rows), column[owner], np.ones(rows)),
        (pairs.row[onward], column[pairs.nodes.target[onward]], -p[onward]),
        (pairs.row, pairs.sequence, -p * pairs.pays),
        (rows + np.repeat(np.arange(sets), np.diff(pairs.first)), np.arange(s), np.ones(s)),
        (rows + later, pairs.before[later], -np.ones(len(later))),
    ]
    at, to, value = (np.concatenate([np.asarray(part[i]) for part in parts]) for i in range(3))
    width, height = s + len(live), rows + sets
    cell, place = np.unique(at * width + to, return_inverse=True)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = width, height
    model.col_cost_ = np.concatenate([np.zeros(s), pairs.nodes.start[live]])
    model.col_lower_ = np.concatenate([np.zeros(s), np.full(len(live), -highspy.kHighsInf)])
    model.col_upper_ = np.full(width, highspy.kHighsInf)
    flow = (pairs.before < 0).astype(float)
    model.row_lower_ = np.concatenate([np.zeros(rows), flow])
    model.row_upper_ = np.concatenate([np.full(rows, highspy.kHighsInf), flow])
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.num_col_, model.a_matrix_.num_row_ = width, height
    model.a_matrix_.start_ = np.searchsorted(cell // width, np.arange(height + 1)).astype(np.int32)
    model.a_matrix_.index_ = (cell % width).astype(np.int32)
    model.a_matrix_.value_ = np.bincount(place, value, len(cell))
    answer = solved(model, interior=height > INTERIOR).getSolution()
    plan, own = np.array(answer.col_value)[:s], np.abs(np.array(answer.row_dual)[:rows])
    return _normalised(plan, pairs.first), _normalised(own, pairs.rows)


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
    value = pairs.sign * (low + high) / 2
    return Solution(strategy_of(pairs, behaviour, own), (value, -value), high - low, touched=len(pairs.row))


def strategy_of(pairs: Pairs, behaviour: np.ndarray, own: np.ndarray) -> Strategy:
    """Behaviours as a strategy. The player who sees all has an information set for every history; where these are too many it has none
    in the strategy."""
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
