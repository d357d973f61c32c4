"""Value iteration for games of perfect information whose states may come back, such as Pig (Lanctot 2013, sec. 6.4).

The states that can be reached are collected once, each with its moves and where they lead; then values are swept until
none changes: the best for player 0 at its states, the worst at player 1's, the mean at chance's.
"""

import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from fogspiel.engine.index import FREE, enter, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Real, Reals
from fogspiel.engine.primitives import word_at
from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game.exploring import FINISHED, NODES, Explorer, Walk, add
from fogspiel.game.game import Game
from fogspiel.game.needs import LOOKS_THE_SAME, PERFECT_INFORMATION, refusal, require
from fogspiel.game.table import CHANCE, OVER, actor, chances, infoset, moves, payoff, state_in, state_key
from fogspiel.solvers.clock import Clock
from fogspiel.solvers.needs import KNOWN_STATES
from fogspiel.solvers.result import Solution
from fogspiel.solvers.solver import Task
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.tree import memory_limit


def solve_graph(task: Task, parameters: dict[str, Any]) -> Solution:
    graph = task.graph or explored(task.game, task.memory, task.progress)
    sweeps, best = sweep_all(graph, parameters["accuracy"])
    game, n = graph.game, graph.count
    walk = graph.walk
    decisions = np.flatnonzero(walk.who[:n] >= 0)
    count = walk.first[decisions + 1] - walk.first[decisions]
    starts = np.cumsum(count) - count
    edges = np.arange(int(count.sum())) + np.repeat(walk.first[decisions] - starts, count)
    prob = np.zeros(len(edges))
    prob[starts + best[decisions]] = 1.0
    strategy = Strategy.build(game, walk.who[decisions], walk.key[decisions], count, walk.move[edges], prob)
    value = float(walk.value[0])
    return Solution(strategy, (value, -value)[: game.players], None, iterations=int(sweeps), touched=int(sweeps) * n)


def state_values(game: Game, accuracy: float = 1e-12) -> dict[tuple[int, int], float]:
    """What every decision of the game is worth to player 0, by the player who takes it and its key."""
    graph = explored(game)
    sweep_all(graph, accuracy)
    walk = graph.walk
    at = np.flatnonzero(walk.who[: graph.count] >= 0)
    names = zip(walk.who[at].tolist(), walk.key[at].tolist(), strict=True)
    return dict(zip(names, walk.value[at].tolist(), strict=True))


def explored(
    game: Game, memory: int | None = None, progress: Callable[..., Any] | None = None, seconds: float | None = None
) -> "Graph":
    """The states of a game, or those found in about so many seconds (`whole` tells). Raises Unsuitable where players do
    not know them, as soon as that shows, or have more to agree about than who wins; TooLarge where they do not fit in
    so many bytes."""
    require(game, "value-iteration", KNOWN_STATES)
    graph = Graph(game, memory_limit() if memory is None else memory)
    graph.explore(progress, seconds=seconds)
    return graph


def sweep_all(graph: "Graph", accuracy: float) -> tuple[int, np.ndarray]:
    """Find the values of all states, to an accuracy that is a share of the largest payoff; returns how many sweeps it
    took, and the number of the best move in each state."""
    n = graph.count
    best = np.zeros(n, np.int32)
    walk = graph.walk
    accuracy *= float(np.abs(walk.value[:n]).max(initial=0.0))  # of payoffs: other values begin at 0
    sweeps = sweep(n, walk.who, walk.first, walk.target, walk.odds, walk.value, best, accuracy, 1_000_000)
    if sweeps < 0:
        raise Unsuitable(f"the values of {graph.game.spec} did not settle within a million sweeps")
    return sweeps, best


class Graph(Explorer):
    """The states that can be reached, in the order they were found, and the moves between them. `whole`: all of them
    were."""

    def __init__(self, game: Game, memory: int):
        super().__init__(game, STATES, memory)
        self.whole = False

    def too_large(self) -> TooLarge:
        return TooLarge(
            f"the states of {self.game.spec} do not fit in the memory allowed ({self.count:,} found so far); "
            "a sampling solver such as es-mccfr needs fewer, and a search (fogspiel agents) none"
        )

    def explore(
        self, progress: Callable[..., Any] | None, most: int | None = None, seconds: float | None = None
    ) -> None:
        """Find all states, and see that players know them; with `most`, stop when there is room for that many and see
        nothing; with `seconds`, stop where going on would probably take longer: room grows twofold, and so does the
        time."""
        clock = Clock(seconds)
        while True:
            status = self.go_on()
            if progress is not None:
                progress(self.count)
            late = 2 * clock.spent > (math.inf if seconds is None else seconds)
            if most is None and (late or status in (FINISHED, NODES)):
                self._require_known()
            self.whole = status == FINISHED
            if self.whole or late or (status == NODES and most is not None and self.s["room"][0] >= most):
                return
            self.more_room(status)

    def alike(self) -> np.ndarray:
        """Pairs of states, of those looked at so far, that are one to the player who moves there."""
        looked = int(self.s["next"][0])
        decisions = np.flatnonzero(self.walk.who[:looked] >= 0)
        key, actor = self.walk.key[decisions], self.walk.who[decisions]
        order = np.lexsort((key, actor))
        same = (key[order][1:] == key[order][:-1]) & (actor[order][1:] == actor[order][:-1])
        return decisions[np.stack([order[:-1][same], order[1:][same]], axis=1)]

    def _require_known(self) -> None:
        if len(self.alike()):
            raise refusal(self.game.spec, "value-iteration", PERFECT_INFORMATION, LOOKS_THE_SAME, "lp or cfr+")


def is_state(entry, state, words, pool):
    for k in range(words):
        if pool[(entry - 1) * words + k] != np.uint64(word_at(state, k)):
            return False
    return True


class _States:
    """States of perfect information, each found by its bytes."""

    NODE = MappingProxyType({"value": Reals})

    def begin(game, walk, state):
        enter(state_key(walk.s.words, state), 1, walk.index, walk.s.mask)
        return True

    def branches(game, walk, node, state):
        who = actor(game, state)
        walk.who[node] = who
        if who == CHANCE:
            return chances(game, state, walk.buffer, 0, walk.odds, walk.s.edges)
        if who == OVER:
            payoff(game, state, walk.pay, 0)
            walk.value[node] = walk.pay[0]
            return 0
        walk.key[node] = infoset(game, state, who)
        return moves(game, state, walk.buffer, 0)

    def arrive(game, walk, node, edge, state):
        words = walk.s.words
        at = find(state_key(words, state), walk.index, walk.s.mask, is_state, state, words, walk.pool)
        if walk.index[at] == FREE:
            walk.index[at] = add(walk) + 1
        return walk.index[at] - 1

    def word_of(walk, node):
        return state_key(walk.s.words, state_in(walk.pool, walk.s.words * node))


STATES = Walk("states", _States)


@kernel
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
    """Sweep in place, last state first, until no value changes by more than `accuracy`; returns how many sweeps, or
    -1."""
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
