"""Double-oracle alpha-beta search at work: a game solved, or one stage of it with a budget. The search itself is in `do_search.py`.

A game's strategy is found from the root on: wherever one of the players comes by its own strategy, whatever the other does, the stage is
solved. What the search has learnt is in its table, so that most of these stages cost little.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.errors import GameError, TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.matrix_game import simplex, strategies
from fogspiel.game.state import State
from fogspiel.solve.do_strategy import copy_entries, search, write_down
from fogspiel.solve.response import exploitability
from fogspiel.solve.result import Solution
from fogspiel.solve.solver import Task
from fogspiel.solve.stage_memory import (
    BLIND,
    CLOCK,
    DEEP,
    FOREVER,
    LINES,
    NO_MOVES,
    NODES,
    ROOM,
    TABLE,
    TOO_MANY,
    UNKNOWN,
    Cell,
    Entry,
    Line,
    Memory,
    Work,
    Written,
)
from fogspiel.solve.strategy import Strategy
from fogspiel.solve.suit import QUICK
from fogspiel.solve.value_iteration import hides_states
from fogspiel.tree.estimate import estimate
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import Tree, memory_limit

LEVELS = 1024
"""Moves, chance's included, that a line may have: the machine's stack must hold it."""
BETTER = 1e-12
"""What a best response must be worth more, as a share of the largest utility, to count."""
UNLIMITED = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Searched:
    """What one search found and cost. `value` is player 0's; `strategies` are both players' in the stage, a probability for each move,
    empty for one who does not move there; `depth` how many stages ahead it looked; `complete` tells that the horizon cut no line short;
    `deepest` is the longest line, chance's moves included; `hits` how many values the table knew."""

    value: float
    strategies: tuple[dict[int, float], dict[int, float]]
    depth: int
    nodes: int
    seconds: float
    complete: bool
    deepest: int
    hits: int


class DoubleOracleAlphaBeta:
    """A search of a game, and its memory. `table` is the least number of places in the transposition table; it grows up to `memory`
    bytes, unless `fixed`."""

    def __init__(self, game: Game, *, table: int = 1 << 14, memory: int | None = None, fixed: bool = False):
        self.game, self.memory, self.fixed = game, memory_limit() if memory is None else memory, fixed
        if game.players != 2 or not game.about.zero_sum:
            raise Unsuitable(
                f"double-oracle alpha-beta search is for zero-sum games of two players, and {game.spec} is not one; solve it with cfr+, "
                "or play it with mo-ismcts"
            )
        if hides_states(game):
            raise Unsuitable(
                f"in {game.spec} a player does not know the state (beyond the moves made at the same time), so double-oracle alpha-beta "
                "search does not apply; solve it with lp or cfr+, or play it with mo-ismcts"
            )
        low, high = game.about.utility or (-np.inf, np.inf)
        low, high = max(low, -high), min(high, -low)
        scale = max(abs(low), abs(high))
        self.work = np.zeros(1, Work)
        settings = {
            "low": low, "high": high, "better": BETTER * (scale if 0 < scale < np.inf else 1.0), "levels": LEVELS,
            "simultaneous": game.about.simultaneous, "most": UNLIMITED,
        }  # fmt: skip
        for name, setting in settings.items():
            self.work[name] = setting
        self._states = np.zeros(8 * LEVELS * -(-game.dtype.itemsize // 8), np.int8)
        self._pay, self._answer = np.zeros(max(game.players, game.max_moves)), np.zeros(2 * game.max_moves)
        self._stacks(8 * game.max_moves, 16)
        self._entries(1 << max(4, (table - 1).bit_length()))
        self._strategy(1 << 10, 1 << 12)

    def _stacks(self, room: int, wide: int) -> None:
        """Room for so many moves, and for matrices so wide."""
        cells = 4 * wide * wide + room
        self.work["room"], self.work["wide"], self.work["cells"] = room, wide, cells
        self._buffer = np.zeros(room + len(self.game.buffer()), np.int64)
        self._odds, self._cells = np.zeros(len(self._buffer)), _records(cells, Cell)
        self._matrix = {"matrix": np.zeros(wide**2), "mixes": strategies(wide, wide), "simplex": simplex(wide, wide)}

    def _entries(self, places: int) -> None:
        """A table of so many places, with what the one before knew; it may grow while there is memory."""
        old = getattr(self, "_table", None)
        self._table = _records(places, Entry)
        self.work["mask"] = places - 1
        grows = not self.fixed and 5 * places * Entry.itemsize <= self.memory
        self.work["allowed"] = places // 2 if grows else UNLIMITED
        if old is not None:
            self.work["entries"] = 0
            copy_entries(self.work, old, len(old), self._table)

    def _strategy(self, lines: int, moves: int) -> None:
        if lines * Line.itemsize + 16 * moves > self.memory:
            raise TooLarge(
                f"the strategy of {self.game.spec} does not fit in the memory allowed; a search needs none: fogspiel agents"
            )
        self.work["line_room"], self.work["move_room"] = lines, moves
        self._lines, self._moves, self._probabilities = (
            _records(lines, Line),
            np.zeros(moves, np.int64),
            np.zeros(moves),
        )

    def make_ready(self) -> None:
        """Have the code compiled and loaded, outside any clock."""
        self._begin(self.game.start())
        self.work["most"], self.work["depth"] = 0, 1
        self._run(search)

    def value(self, state: State, depth: int = FOREVER) -> float:
        """The value of a state to player 0, `depth` stages ahead."""
        self._begin(state)
        self.work["root"], self.work["depth"] = -1, depth
        found = self._run(search)
        self._explain(depth)
        return found

    def solve(self, progress: Callable[[int], None] | None = None) -> tuple[float, Strategy]:
        """The value of the game to player 0, and both players' strategies; `progress` hears how many nodes were visited."""
        self._begin(self.game.start())
        found = self._run(write_down, progress=progress)
        self._explain(FOREVER)
        lines, written = self._lines[: int(self.work["lines"][0])], int(self.work["written"][0])
        rows = [np.ascontiguousarray(lines[name]) for name in ("player", "key", "count")]
        return found, Strategy.build(self.game, *rows, self._moves[:written], self._probabilities[:written])

    def look(
        self, state: State, *, depth: int | None = None, nodes: int | None = None, seconds: float | None = None
    ) -> Searched:
        """Both players' strategies in a stage by iterative deepening, until the depth is reached, the budget is used up, or no line is left
        that the horizon cuts short. What a deepening that the budget cut short found is thrown away; the first is always finished.

        A game that has no rule `evaluate` is searched to its end at once, and a budget or depth that is too small for that is an error.
        """
        began = time.perf_counter()
        self.clear()
        self._begin(state)
        evaluated = "evaluate" in self.game.functions
        most = FOREVER if depth is None else depth
        done, v, strategies, complete = 0, 0.0, ({}, {}), False
        while done < most and not complete:
            d = done + 1 if evaluated else most
            bounded = done > 0 or not evaluated
            self.work["most"] = nodes if nodes and bounded else UNLIMITED
            left = None if seconds is None or not bounded else seconds - (time.perf_counter() - began)
            if left is not None and left <= 0:
                break
            self.work["horizon"], self.work["root"], self.work["depth"] = 0, 0, d
            found = self._run(search, left)
            if evaluated and done and self.work["stop"][0] in (NODES, CLOCK, DEEP):
                break
            self._explain(d)
            done, v, strategies = d, found, self._strategies()
            complete = self.work["horizon"][0] == 0
        counts = {n: int(self.work[n][0]) for n in ("nodes", "deepest", "hits")}
        return Searched(v, strategies, done, seconds=time.perf_counter() - began, complete=bool(complete), **counts)

    def _strategies(self) -> tuple[dict[int, float], dict[int, float]]:
        rows, columns = int(self.work["rows"][0]), int(self.work["columns"][0])
        parts = ((0, 0, rows), (rows, self.game.max_moves, columns))
        mixes = (
            dict(zip(self._buffer[m : m + n].tolist(), self._answer[a : a + n].tolist(), strict=True))
            for m, a, n in parts
        )
        return next(mixes), next(mixes)

    def clear(self) -> None:
        """Forget what is in the table."""
        self._table.view(np.int8)[:] = 0
        self.work["entries"] = 0

    def _begin(self, state: State) -> None:
        self._states[: len(state.data)] = state.data.view(np.int8)
        self.work["most"] = UNLIMITED
        for name in ("nodes", "serialized", "programs", "horizon", "deepest", "hits"):
            self.work[name] = 0

    def _run(
        self, work: Callable, seconds: float | None = None, progress: Callable[[int], None] | None = None
    ) -> float:
        """Do the work, with ever more room until it is done; what the table knows need not be searched again."""
        ends = None if seconds is None else time.perf_counter() + seconds
        while True:
            self.work["stop"], self.work["lines"], self.work["written"] = 0, 0, 0
            self.work["salt"] += 1
            found = self.game.finish(self._watched(work, ends, progress))
            stop = self.work["stop"][0]
            if stop == ROOM:
                self._stacks(2 * int(self.work["room"][0]), 2 * int(self.work["wide"][0]))
            elif stop == TABLE:
                self._entries(4 * len(self._table))
            elif stop == LINES:
                self._strategy(4 * len(self._lines), 4 * len(self._moves))
            else:
                return found

    def _watched(self, work: Callable, ends: float | None, progress: Callable[[int], None] | None) -> float:
        """Work in another thread, which the clock or Ctrl-C stops."""
        with ThreadPoolExecutor(1) as pool:
            task = pool.submit(work, self.game.table, self.work, *self._given(work))
            try:
                while True:
                    left = np.inf if ends is None else ends - time.perf_counter()
                    try:
                        return task.result(timeout=max(min(left, 0.1), 0.0))
                    except TimeoutError:
                        if progress is not None:
                            progress(int(self.work["nodes"][0]))
                        if left <= 0:
                            self.work["stop"] = CLOCK
                            return task.result()
            except BaseException:
                self.work["stop"] = CLOCK
                raise

    def _given(self, work: Callable) -> list[Bundled]:
        """The memory of a kernel, and where it writes a strategy down, if it does."""
        memory = Bundled(
            Memory, states=self._states, buffer=self._buffer, odds=self._odds, cells=self._cells, table=self._table,
            pay=self._pay, answer=self._answer, **self._matrix,
        )  # fmt: skip
        if work is not write_down:
            return [memory]
        return [memory, Bundled(Written, lines=self._lines, moves=self._moves, probabilities=self._probabilities)]

    def _explain(self, depth: int) -> None:
        """Raise what stopped the last search, if anything did."""
        stop, culprit, game = int(self.work["stop"][0]), int(self.work["culprit"][0]), self.game
        if stop == BLIND:
            raise Unsuitable(
                f"{game.name} has no rule evaluate, and a search {depth} stages ahead does not reach the end of the game"
            )
        if stop in (NODES, CLOCK):
            raise Unsuitable(
                f"{game.name} has no rule evaluate, and the budget does not allow a search to the end of the game"
            )
        if stop == DEEP:
            raise Unsuitable(f"{game.spec}: a line of the search passed {LEVELS:,} moves")
        if stop == UNKNOWN:
            raise Unsuitable(
                f"in {game.spec} a player knows some moves made at the same time, and not others; try lp or cfr+"
            )
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
    far = exploitability(task.source, strategy, memory=task.memory) if small else None
    return Solution(strategy, (v, -v), far, touched=int(searcher.work["nodes"][0]))
