"""Value iteration for games of perfect information whose states may come back, such as Pig (Lanctot 2013, sec. 6.4).

The states that can be reached are collected once, each with its moves and where they lead; then values are swept until none
changes: the best for player 0 at its states, the worst at player 1's, the mean at chance's.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from fogspiel.engine.index import FREE, enter, enter_all, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Real, Reals, Record, Words
from fogspiel.engine.primitives import address_of, whole_at
from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    ROOT,
    actor,
    chances,
    copy_state,
    infoset,
    moves,
    payoff,
    play,
    state_key,
)
from fogspiel.solve.clock import Clock
from fogspiel.solve.result import Solution
from fogspiel.solve.solver import Task
from fogspiel.solve.strategy import Strategy
from fogspiel.tree.tree import memory_limit

Search = np.dtype(
    [("states", "i8"), ("edges", "i8"), ("next", "i8"), ("room", "i8"), ("edge_room", "i8"), ("mask", "i8")], align=True
)
FINISHED, STATES, EDGES, TOO_MANY = range(4)


def solve_graph(task: Task, parameters: dict[str, Any]) -> Solution:
    graph = task.graph or explored(task.game, task.memory, task.progress)
    sweeps, best = sweep_all(graph, parameters["accuracy"])
    game, n = graph.game, graph.count
    decisions = np.flatnonzero(graph.actor[:n] >= 0)
    count = graph.first[decisions + 1] - graph.first[decisions]
    starts = np.cumsum(count) - count
    edges = np.arange(int(count.sum())) + np.repeat(graph.first[decisions] - starts, count)
    prob = np.zeros(len(edges))
    prob[starts + best[decisions]] = 1.0
    strategy = Strategy.build(game, graph.actor[decisions], graph.key[decisions], count, graph.move[edges], prob)
    value = float(graph.value[0])
    return Solution(strategy, (value, -value)[: game.players], None, iterations=int(sweeps), touched=int(sweeps) * n)


def state_values(game: Game, accuracy: float = 1e-12) -> dict[tuple[int, int], float]:
    """What every decision of the game is worth to player 0, by the player who takes it and its key."""
    graph = explored(game)
    sweep_all(graph, accuracy)
    at = np.flatnonzero(graph.actor[: graph.count] >= 0)
    names = zip(graph.actor[at].tolist(), graph.key[at].tolist(), strict=True)
    return dict(zip(names, graph.value[at].tolist(), strict=True))


def explored(
    game: Game, memory: int | None = None, progress: Callable | None = None, seconds: float | None = None
) -> "Graph":
    """The states of a game, or those found in about so many seconds (`whole` tells). Raises Unsuitable where players do not know them,
    as soon as that shows, or have more to agree about than who wins; TooLarge where they do not fit in so many bytes."""
    if game.players > 2 or not (game.about.zero_sum or game.players == 1):
        raise Unsuitable(
            f"value iteration is for zero-sum games of at most two players, and {game.spec} is not one; try cfr+"
        )
    graph = Graph(game, memory_limit() if memory is None else memory)
    graph.explore(progress, seconds=seconds)
    return graph


def hides_states(game: Game, most: int = 1 << 14) -> bool:
    """Whether a player of a game of perfect recall is seen not to know the state, beyond a move made at the same time: among the first
    states of the game, two that are one to it and do not come, by another player's moves, from the same state."""
    graph = Graph(game, memory_limit())
    graph.explore(None, most)
    before: dict[int, set[int]] = {}
    for i in np.flatnonzero(graph.actor[: int(graph.s["next"][0])] >= 0).tolist():
        for t in graph.target[graph.first[i] : graph.first[i + 1]].tolist():
            before.setdefault(t, set()).add(i)
    return any(before.get(a, set()).isdisjoint(before.get(b, set())) for a, b in graph.alike().tolist())


def sweep_all(graph: "Graph", accuracy: float) -> tuple[int, np.ndarray]:
    """Find the values of all states; returns how many sweeps it took, and the number of the best move in each state."""
    n = graph.count
    best = np.zeros(n, np.int32)
    sweeps = sweep(n, graph.actor, graph.first, graph.target, graph.odds, graph.value, best, accuracy, 1_000_000)
    if sweeps < 0:
        raise Unsuitable(f"the values of {graph.game.spec} did not settle within a million sweeps")
    return sweeps, best


class Graph:
    """The states that can be reached, in the order they were found, and the moves between them. `whole`: all of them were."""

    def __init__(self, game: Game, memory: int):
        self.game, self.memory, self.whole = game, memory, False
        self.s = np.zeros(1, Search)
        self.words = -(-game.dtype.itemsize // 8)
        self._states(1 << 12)
        self._edges((1 << 14) + game.max_moves)

    @property
    def count(self) -> int:
        return int(self.s["states"][0])

    def _grow(self, names: tuple[tuple[str, str, int], ...], room: int) -> None:
        if room * sum(np.dtype(k).itemsize * w for _, k, w in names) > self.memory:
            raise TooLarge(
                f"the states of {self.game.spec} do not fit in the memory allowed ({self.count:,} found so far); "
                "a sampling solver such as es-mccfr needs fewer, and a search (fogspiel agents) none"
            )
        for name, kind, width in names:
            new = np.zeros(room * width + 4096, kind)
            old = getattr(self, name, new[:0])
            new[: len(old)] = old
            setattr(self, name, new)

    def _states(self, room: int) -> None:
        self._grow(
            (("pool", "u8", self.words), ("actor", "i1", 1), ("first", "i8", 1), ("key", "u8", 1), ("value", "f8", 1)),
            room,
        )
        self.s["room"], self.s["mask"] = room, 4 * room - 1
        self.index = np.zeros(4 * room, np.int32)
        enter_states(self.count, self.index, 4 * room - 1, self.words, self.pool)

    def _edges(self, room: int) -> None:
        self._grow((("target", "i4", 1), ("odds", "f8", 1), ("move", "i8", 1)), room)
        self.s["edge_room"] = room

    def explore(self, progress: Callable | None, most: int | None = None, seconds: float | None = None) -> None:
        """Find all states, and see that players know them; with `most`, stop when there is room for that many and see nothing; with
        `seconds`, stop where going on would probably take longer: room grows twofold, and so does the time."""
        clock = Clock(seconds)
        scratch = np.zeros(self.words, np.uint64)
        buffer, pay = self.game.buffer(), np.zeros(self.game.max_moves + 2)
        while True:
            status = self.game.finish(explore(
                self.game.table, self.s, self.words, self.pool, self.index, self.actor, self.first, self.key, self.value,
                self.target, self.odds, self.move, scratch, buffer, pay,
            ))  # fmt: skip
            if progress is not None:
                progress(self.count)
            late = 2 * clock.spent > (math.inf if seconds is None else seconds)
            if most is None and (late or status in (FINISHED, STATES)):
                self._require_known()
            self.whole = status == FINISHED
            if self.whole or late or (status == STATES and most is not None and self.s["room"][0] >= most):
                return
            if status == TOO_MANY:
                raise self.game.too_many_moves(self.game.max_moves + 1)
            if status == STATES:
                self._states(2 * int(self.s["room"][0]))
            else:
                self._edges(2 * int(self.s["edge_room"][0]))

    def alike(self) -> np.ndarray:
        """Pairs of states, of those looked at so far, that are one to the player who moves there."""
        looked = int(self.s["next"][0])
        decisions = np.flatnonzero(self.actor[:looked] >= 0)
        key, actor = self.key[decisions], self.actor[decisions]
        order = np.lexsort((key, actor))
        same = (key[order][1:] == key[order][:-1]) & (actor[order][1:] == actor[order][:-1])
        return decisions[np.stack([order[:-1][same], order[1:][same]], axis=1)]

    def _require_known(self) -> None:
        if len(self.alike()):
            raise Unsuitable(
                f"in {self.game.spec} a player does not know the state, so value iteration does not apply; try lp or cfr+"
            )


def is_state(entry, state, words, pool):
    for k in range(words):
        if pool[(entry - 1) * words + k] != np.uint64(whole_at(state, k)):
            return False
    return True


def key_of(i, words, pool):
    return state_key(words, address_of(pool) + 8 * words * i)


@kernel(once=True)
def enter_states(count: Int, index: Ints32, mask: Int, words: Int, pool: Words) -> None:
    enter_all(count, index, mask, key_of, words, pool)


@kernel(once=True)
def explore(
    game: Ints, s: Record(Search), words: Int, pool: Words, index: Ints32, who: Bytes, first: Ints, key: Words, value: Reals,
    target: Ints32, odds: Reals, move: Ints, scratch: Words, buffer: Ints, pay: Reals,
) -> Int:  # fmt: skip
    """Breadth first: take the next state found, write down its moves, and enter the states they lead to."""
    child = address_of(scratch)
    base = address_of(pool)
    for k in range(words):
        scratch[k] = 0
    if s.states == 0:
        copy_state(game, base, game[ROOT])
        enter(state_key(words, base), 1, index, s.mask)
        s.states = 1
    while s.next < s.states:
        i = s.next
        if s.states + game[LIMIT] > s.room:
            return STATES
        if s.edges + game[LIMIT] > s.edge_room:
            return EDGES
        here = base + 8 * words * i
        first[i] = s.edges
        who[i] = actor(game, here)
        n = 0
        if who[i] == OVER:
            payoff(game, here, pay, 0)
            value[i] = pay[0]
        elif who[i] == CHANCE:
            n = chances(game, here, buffer, 0, odds, s.edges)
        else:
            n = moves(game, here, buffer, 0)
            key[i] = infoset(game, here, who[i])
        if n > game[LIMIT]:
            return TOO_MANY
        for m in range(n):
            copy_state(game, child, here)
            play(game, child, buffer[m])
            at = find(state_key(words, child), index, s.mask, is_state, child, words, pool)
            if index[at] == FREE:
                for k in range(words):
                    pool[s.states * words + k] = scratch[k]
                s.states += 1
                index[at] = s.states
            target[s.edges + m] = index[at] - 1
            move[s.edges + m] = buffer[m]
        s.edges += n
        s.next = i + 1
        first[i + 1] = s.edges
    return FINISHED


@kernel(once=True)
def sweep(
    n: Int,
    actor: Bytes,
    first: Ints,
    target: Ints32,
    odds: Reals,
    value: Reals,
    best: Ints32,
    accuracy: Real,
    most: Int,
) -> Int:
    """Sweep in place, last state first, until no value changes by more than `accuracy`; returns how many sweeps, or -1."""
    for t in range(most):
        change = 0.0
        for i in range(n - 1, -1, -1):
            if actor[i] == OVER:
                continue
            old = value[i]
            if actor[i] == CHANCE:
                v = 0.0
                for e in range(first[i], first[i + 1]):
                    v += odds[e] * value[target[e]]
            else:
                sign = 1.0 if actor[i] == 0 else -1.0
                v = value[target[first[i]]]
                best[i] = 0
                for e in range(first[i] + 1, first[i + 1]):
                    if sign * value[target[e]] > sign * v:
                        v = value[target[e]]
                        best[i] = e - first[i]
            value[i] = v
            change = max(change, abs(v - old))
        if change <= accuracy:
            return t + 1
    return -1
