"""Double-oracle alpha-beta search at work: a game solved, or one stage of it with a budget. The search itself is in
`do_search.py`.

A game's strategy is found from the root on: wherever one of the players comes by its own strategy, whatever the other
does, the stage is solved. What the search has learnt is in its table, so that most of these stages cost little.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.closure import Function
from fogspiel.engine.kinds import Bundle
from fogspiel.engine.notice import working_time
from fogspiel.errors import GameError, TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.matrix_game import simplex, strategies
from fogspiel.game.needs import KNOWN_STAGES, refusal, require, rule
from fogspiel.game.state import State
from fogspiel.game.view import view_type
from fogspiel.search.minimax.line_end import BLIND, CLOCK, DEEP, LEVELS, NO_MOVES, NODES, ROOM, TOO_MANY, own_evaluation
from fogspiel.solvers.needs import SIMULTANEOUS
from fogspiel.solvers.response.response import far_apart, is_equilibrium, measurable, plan_nash_conv
from fogspiel.solvers.result import Solution
from fogspiel.solvers.simultaneous.do_strategy import copy_entries, search, write_down
from fogspiel.solvers.simultaneous.stage_memory import (
    FOREVER,
    LINES,
    TABLE,
    UNKNOWN,
    Asked,
    Cell,
    Counts,
    Entry,
    Line,
    Memory,
    Room,
    Stand,
    Written,
)
from fogspiel.solvers.solver import Task
from fogspiel.solvers.strategy import Strategy
from fogspiel.solvers.suit import QUICK, instead
from fogspiel.tree.estimate import estimate
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import Tree, memory_limit

BETTER = 1e-12
"""What a best response must be worth more, as a share of the largest utility, to count."""
UNLIMITED = np.iinfo(np.int64).max
HURRIED = 100_000
"""Nodes that a search which has to come to the end of the game may visit however short the time is: before that there
is nothing to go by."""
WAIT, TICK = 0.1, 1e-3
"""Seconds after which it is looked how far a search is: mostly, and when its time is over."""


@dataclass(frozen=True)
class Searched:
    """What one search found and cost. `value` is player 0's; `strategies` are both players' in the stage, a probability
    for each move, empty for one who does not move there; `depth` how many stages ahead it looked; `complete` tells that
    the horizon cut no line short; `deepest` is the longest line, chance's moves included; `hits` how many values the
    table knew."""

    value: float
    strategies: tuple[dict[int, float], dict[int, float]]
    depth: int
    nodes: int
    seconds: float
    complete: bool
    deepest: int
    hits: int


class Evaluation(Protocol):
    """What judges states at the horizon in place of the game's rule `evaluate` (`search/at_horizon.py`)."""

    def memory(self, game: Game, pay: np.ndarray) -> Bundled:
        """What it works with; it writes to `pay`."""
        raise NotImplementedError

    run: Callable[[], float]

    def link(self, game: Game, loop: Function, search: Bundled) -> None:
        """Link it into a search, which is then `run`."""
        raise NotImplementedError

    def try_from(self, state: np.ndarray) -> None:
        """Try it, if it has not been tried, in games from a state, of which these are the bytes."""
        raise NotImplementedError

    def begin(self, seed: int) -> None:
        """A search begins that knows nothing of those before it."""
        raise NotImplementedError


class DoubleOracleAlphaBeta:
    """A search of a game, and its memory. `table` is the least number of places in the transposition table; it grows up
    to `memory` bytes, unless `fixed`. With an `evaluation` it does not grow, and stages are looked at, but no game is
    solved; `seed` is for that."""

    def __init__(
        self,
        game: Game,
        *,
        table: int = 1 << 14,
        memory: int | None = None,
        fixed: bool = False,
        evaluation: Evaluation | None = None,
    ):
        self.game, self.memory = game, memory_limit() if memory is None else memory
        self.evaluation, self.seed, self.fixed = evaluation, 0, fixed or evaluation is not None
        require(game, "do-alpha-beta", SIMULTANEOUS)
        low, high = game.about.utility or (-np.inf, np.inf)
        low, high = max(low, -high), min(high, -low)
        scale = max(abs(low), abs(high))
        records = {
            "asked": np.zeros(1, Asked),
            "room": np.zeros(1, Room),
            "stand": np.zeros(1, Stand),
            "counts": np.zeros(1, Counts),
        }
        # NumPy would take long to reach these
        self.asked, self.room, self.stand, self.counts = (
            view_type(record.dtype).from_buffer(record.data) for record in records.values()
        )
        self.asked.low, self.asked.high, self.asked.most = low, high, UNLIMITED
        self.asked.better = BETTER * (scale if 0 < scale < np.inf else 1.0)
        self.asked.simultaneous = game.always_at_once
        pay, judging = np.zeros(max(game.players, game.max_moves)), {}
        kind = Memory
        if evaluation is not None:
            judging["judging"] = evaluation.memory(game, pay)
            kind = Bundle(**dict(Memory.members), judging=judging["judging"].kind)
        self.search = Bundled(
            kind,
            **records,
            **judging,
            **self._stacks(8 * game.max_moves, 16),
            table=self._table(1 << max(4, (table - 1).bit_length())),
            states=np.zeros(8 * LEVELS * -(-game.dtype.itemsize // 8), np.int8),
            pay=pay,
            answer=np.zeros(2 * game.max_moves),
        )
        self._strategy(1 << 10, 1 << 12)
        self._search: Callable[..., float] = search
        if evaluation is not None:
            evaluation.link(game, search.plain, self.search)
            self._search = lambda *_: evaluation.run()

    def _stacks(self, moves: int, wide: int) -> dict[str, Any]:
        """Room for so many moves, and for matrices so wide."""
        room, n = self.room, moves + len(self.game.buffer())
        room.moves, room.wide, room.cells = moves, wide, 4 * wide * wide + moves
        return {
            "moves": np.zeros(n, np.int64),
            "odds": np.zeros(n),
            "cells": _records(room.cells, Cell),
            "matrix": np.zeros(wide**2),
            "mixes": strategies(wide, wide),
            "simplex": simplex(wide, wide),
        }

    def _table(self, places: int) -> np.recarray:
        """A table of so many places; it may grow while there is memory."""
        grows = not self.fixed and 5 * places * Entry.itemsize <= self.memory
        self.room.mask, self.room.entries = places - 1, places // 2 if grows else UNLIMITED
        return _records(places, Entry)

    def _grow_table(self) -> None:
        """What the table knows is copied to a larger one."""
        old = self.search.table
        self.search.table = self._table(4 * len(old))
        self.counts.entries = 0
        copy_entries(self.search, old, len(old))

    def _strategy(self, lines: int, moves: int) -> None:
        if lines * Line.itemsize + 16 * moves > self.memory:
            raise TooLarge(
                f"the strategy of {self.game.spec} does not fit in the memory allowed; a search needs none: fogspiel "
                "agents"
            )
        self.room.lines, self.room.written = lines, moves
        self.written = Bundled(
            Written, lines=_records(lines, Line), moves=np.zeros(moves, np.int64), probabilities=np.zeros(moves)
        )

    def make_ready(self) -> None:
        """Have the code compiled and loaded, outside any clock."""
        self._begin(self.game.start())
        self.asked.most, self.asked.depth = 0, 1
        self._run(self._search)

    def value(self, state: State, depth: int = FOREVER) -> float:
        """The value of a state to player 0, `depth` stages ahead."""
        self._begin(state)
        self.stand.root, self.asked.depth = -1, depth
        found = self._run(self._search)
        self._explain(depth)
        return found

    def solve(self, progress: Callable[[int], None] | None = None) -> tuple[float, Strategy]:
        """The value of the game to player 0, and both players' strategies; `progress` hears how many nodes were
        visited."""
        self._begin(self.game.start())
        found = self._run(write_down, progress=progress)
        self._explain(FOREVER)
        lines, out = self.written.lines[: self.counts.lines], self.written
        player, key, count = (np.ascontiguousarray(lines[name]) for name in ("player", "key", "count"))
        moves, probabilities = (column[: self.counts.written] for column in (out.moves, out.probabilities))
        return found, Strategy.build(self.game, player, key, count, moves, probabilities)

    def look(
        self, state: State, *, depth: int | None = None, nodes: int | None = None, seconds: float | None = None
    ) -> Searched:
        """Both players' strategies in a stage by iterative deepening, until the depth is reached, the budget is used
        up, or no line is left that the horizon cuts short. What a deepening that the budget cut short found is thrown
        away; the first is always finished.

        A game that nothing evaluates is searched to its end at once, and a budget or depth that is too small for that
        is an error. Of time there is always enough for HURRIED nodes.
        """
        began = working_time()
        self.clear()
        self._begin(state)
        evaluated = self.evaluation is not None or "evaluate" in self.game.functions
        most = FOREVER if depth is None else depth
        done, v, complete = 0, 0.0, False
        strategies: tuple[dict[int, float], dict[int, float]] = {}, {}
        while done < most and not complete:
            d = done + 1 if evaluated else most
            bounded = done > 0 or not evaluated
            self.asked.most = nodes if nodes and bounded else UNLIMITED
            left = None if seconds is None or not bounded else seconds - (working_time() - began)
            if done and left is not None and left <= 0:
                break
            self.counts.horizon, self.stand.root, self.asked.depth = 0, 0, d
            found = self._run(self._search, left, least=0 if done else HURRIED)
            if evaluated and done and self.stand.stop in (NODES, CLOCK, DEEP):
                break
            self._explain(d)
            done, v, strategies = d, found, self._strategies()
            complete = self.counts.horizon == 0
        counts = {name: getattr(self.counts, name) for name in ("nodes", "deepest", "hits")}
        return Searched(v, strategies, done, seconds=working_time() - began, complete=complete, **counts)

    def _strategies(self) -> tuple[dict[int, float], dict[int, float]]:
        rows, columns = self.stand.rows, self.stand.columns
        parts = ((0, 0, rows), (rows, self.game.max_moves, columns))
        moves, answer = self.search.moves, self.search.answer
        mixes = (dict(zip(moves[m : m + n].tolist(), answer[a : a + n].tolist(), strict=True)) for m, a, n in parts)
        return next(mixes), next(mixes)

    def clear(self) -> None:
        """Forget what is in the table, and what an evaluation remembers."""
        if self.evaluation is not None:
            self.evaluation.begin(self.seed)
        self.search.table.view(np.int8)[:] = 0
        self.counts.entries = 0

    def _begin(self, state: State) -> None:
        if self.evaluation is not None:
            self.evaluation.try_from(state.data)
        self.search.states[: len(state.data)] = state.data.view(np.int8)
        self.asked.most = UNLIMITED
        for name in ("nodes", "serialized", "programs", "horizon", "deepest", "hits"):
            setattr(self.counts, name, 0)

    def _run(
        self,
        work: Callable[..., Any],
        seconds: float | None = None,
        progress: Callable[[int], None] | None = None,
        least: int = 0,
    ) -> float:
        """Do the work, with ever more room until it is done; what the table knows need not be searched again. The clock
        does not stop it before so many nodes."""
        ends = None if seconds is None else working_time() + seconds
        while True:
            self.stand.stop = self.counts.lines = self.counts.written = 0
            self.asked.run += 1
            found = self.game.finish(self._watched(work, ends, progress, least))
            stop, room = self.stand.stop, self.room
            if stop == ROOM:
                for name, array in self._stacks(2 * room.moves, 2 * room.wide).items():
                    setattr(self.search, name, array)
            elif stop == TABLE:
                self._grow_table()
            elif stop == LINES:
                self._strategy(4 * room.lines, 4 * room.written)
            else:
                return found

    def _watched(
        self, work: Callable[..., Any], ends: float | None, progress: Callable[[int], None] | None, least: int
    ) -> float:
        """Work in another thread, which the clock or Ctrl-C stops."""
        with ThreadPoolExecutor(1) as pool:
            task = pool.submit(work, self.game.table, self.search, *[self.written] * (work is write_down))
            try:
                while True:
                    left = np.inf if ends is None else ends - working_time()
                    try:
                        return task.result(timeout=max(min(left, WAIT), TICK))
                    except TimeoutError:
                        if progress is not None:
                            progress(self.counts.nodes)
                        if left <= 0 and self.counts.nodes >= least:
                            self.stand.stop = CLOCK
                            return task.result()
            except BaseException:
                self.stand.stop = CLOCK
                raise

    def _explain(self, depth: int) -> None:
        """Raise what stopped the last search, if anything did."""
        stop, culprit, game = self.stand.stop, self.stand.culprit, self.game
        if stop == BLIND:
            told = f"has none, and a search {depth} stages ahead does not reach the end of the game"
            raise refusal(game.spec, "do-alpha-beta", rule("evaluate"), told, own_evaluation("do-alpha-beta"))
        if stop in (NODES, CLOCK):
            told = "has none, and the budget does not allow a search to the end of the game"
            raise refusal(game.spec, "do-alpha-beta", rule("evaluate"), told, own_evaluation("do-alpha-beta"))
        if stop == DEEP:
            raise Unsuitable(f"{game.spec}: a line of the search passed {LEVELS:,} moves")
        if stop == UNKNOWN:
            told = "shows a player some moves made at the same time, and not others"
            raise refusal(game.spec, "do-alpha-beta", KNOWN_STAGES, told, instead(game))
        if stop == TOO_MANY:
            raise game.too_many_moves(culprit)
        if stop == NO_MOVES:
            raise GameError(f"{game.name}: a state that is not over has no moves")


def _records(count: int, dtype: np.dtype) -> np.recarray:
    return np.zeros(count, dtype).view(np.recarray)


def solve_simultaneous(task: Task, parameters: dict[str, Any]) -> Solution:
    searcher = DoubleOracleAlphaBeta(task.game, memory=task.memory)
    v, strategy = searcher.solve(task.progress)
    small = isinstance(task.source, Tree | SequenceForm) or estimate(task.game).histories <= QUICK
    small &= task.game.about.perfect_recall  # the states are known, whatever is forgotten of the way there
    far = None
    if small and (form := measurable(task.position, "auto", task.memory)) is not None:
        plan = form.plan(strategy.on(form))
        if not is_equilibrium(form, plan):
            raise far_apart(task.game.spec, "do-alpha-beta", "lp, which solves small games without rounding")
        far = plan_nash_conv(form, plan)
    return Solution(strategy, (v, -v), far, touched=searcher.counts.nodes)
