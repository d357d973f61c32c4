"""A minimax search at work: which games it takes, budgets, iterative deepening, the account of a decision.

The recursion itself is in `minimax.py`.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.errors import FogspielError, GameError, TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.needs import AT_MOST_TWO, IN_TURN, PERFECT_INFORMATION, UTILITIES, ZERO_SUM, require
from fogspiel.game.state import State
from fogspiel.search import minimax

LEVELS = 1024
"""Moves, chance's included, that a line may have: the machine's stack must hold it."""

USUAL_NODES = 100_000
"""The budget of a decision for which neither depth, nodes nor seconds are set."""

UNLIMITED = np.iinfo(np.int64).max

PRUNING = {
    "nothing": minimax.NOTHING, "alpha-beta": minimax.ALPHA_BETA, "star1": minimax.STAR1, "star2": minimax.STAR2,
}  # fmt: skip


@dataclass(frozen=True)
class Lookahead:
    """What one search found and cost. `value` is the utility it expects for the player to move; `depth` how many decisions
    ahead it looked; `complete` tells that no line was cut short by the horizon; `deepest` is the longest line, chance's
    moves included; `hits` how many values the transposition table knew."""

    move: int
    value: float
    depth: int
    nodes: int
    seconds: float
    complete: bool
    deepest: int
    hits: int

    @property
    def speed(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"nodes_per_second": self.speed}


class Minimax:
    """Search with a kind of `pruning` (a key of PRUNING) and, if `width` is not 0, so many sampled outcomes at chance nodes.

    `table` is the least number of places in the transposition table, 0 for none. `seed` decides the samples. With `endless` the end of the
    game is the only horizon, states count as seen whatever the game hides, and what the table knows is kept from one search to the next.
    With `alone` depth counts player 0's decisions; at depth 0 what follows right after a move of its is judged.
    """

    def __init__(
        self, game: Game, pruning: str, *, width: int = 0, table: int = 1 << 16, seed: int = 0, endless: bool = False, mistakes: float = 0,
        alone: bool = False,
    ):  # fmt: skip
        self.game, self.seed, self.endless, self.alone = game, seed, endless, alone
        what = "minimax" if endless else f"{pruning} search" if pruning != "nothing" else "expectimax"
        require(game, what, (AT_MOST_TWO, ZERO_SUM), instead="mcts")
        require(game, what, (IN_TURN if endless else PERFECT_INFORMATION,), instead="mo-ismcts")
        if PRUNING[pruning] >= minimax.STAR1:
            require(game, what, (UTILITIES,))
        low, high = game.about.utility or (-np.inf, np.inf)
        if game.players == 2:
            low, high = max(low, -high), min(high, -low)
        self.work = np.zeros(1, minimax.Work)
        places = 1 << (table - 1).bit_length() if table else 0
        for name, setting in {
            "pruning": PRUNING[pruning], "width": width, "low": low, "high": high, "levels": LEVELS, "mask": places - 1,
            "endless": endless, "mistakes": mistakes, "alone": alone,
        }.items():  # fmt: skip
            self.work[name] = setting
        self._level = 8 * -(-game.dtype.itemsize // 8)
        self._roots, self._best = np.zeros((0, self._level), np.int8), np.zeros(0, np.int64)
        n = max(places, 1)
        self._table = Bundled(
            minimax.Transpositions, keys=np.zeros(n, np.uint64), values=np.zeros(n), hints=np.zeros(n, np.int64), notes=np.full(n, -1),
        )  # fmt: skip
        self._stack = Bundled(
            minimax.Stack, states=np.zeros(LEVELS * self._level, np.int8), buffer=np.zeros(0, np.int64), odds=np.zeros(0), lower=np.zeros(0),
            upper=np.zeros(0),
        )  # fmt: skip
        self._scratch = Bundled(
            minimax.Scratch, rng=np.zeros(1, np.uint64), pay=np.zeros(max(game.players, game.max_moves))
        )
        self._make_room(8 * (game.max_moves + width))

    def _make_room(self, room: int) -> None:
        """For so many moves and outcomes of the nodes on a line."""
        self.work["room"] = room
        n = room + len(self.game.buffer())
        self._stack.buffer = np.zeros(n, np.int64)
        self._stack.odds, self._stack.lower, self._stack.upper = np.zeros((3, n))

    def make_ready(self) -> None:
        """Have the code compiled and loaded, outside any clock."""
        self._begin(self.game.start().data[None])
        self.work["most"] = 0
        self._search(1)

    def value(self, state: State, depth: int, *, alpha: float = -np.inf, beta: float = np.inf) -> float:
        """The value of a state to player 0, `depth` decisions ahead. Below the window it is an upper bound, above it a lower."""
        if not alpha < beta:
            raise FogspielError(f"the window from {alpha} to {beta} is empty")
        self._begin(state.data[None])
        self.work["alpha"], self.work["beta"] = max(alpha, self.work["low"][0]), min(beta, self.work["high"][0])
        if self.work["alpha"] >= self.work["beta"]:
            # no value can lie inside the window, so its side of the range is all that is asked for
            return float(self.work["low" if beta <= self.work["low"][0] else "high"][0])
        found = self._search(depth)
        self._explain(depth)
        return found

    def look(
        self, state: State, *, depth: int | None = None, nodes: int | None = None, seconds: float | None = None
    ) -> Lookahead:
        """The best move by iterative deepening, until the depth is reached, the budget is used up, or no line is left that the
        horizon cuts short. What a deepening cut short by the budget found is thrown away; the first is always finished.

        A game that has no rule `evaluate` is searched to its end at once, and a budget or depth that is too small for that
        is an error.
        """
        if depth is None and nodes is None and seconds is None:
            nodes = USUAL_NODES
        began = time.perf_counter()
        self._begin(state.data[None])
        self.work["alpha"], self.work["beta"] = self.work["low"], self.work["high"]
        evaluated = "evaluate" in self.game.functions and not self.endless
        most = LEVELS if depth is None else depth
        done, found, best = 0, 0.0, 0
        first = (0 if self.alone else 1) if evaluated else most
        for d in range(first, most + 1):
            deeper = d > first or not evaluated
            self.work["alone"] = self.alone and d > 0
            if deeper:
                self.work["most"] = nodes or UNLIMITED
            left = seconds - (time.perf_counter() - began) if seconds is not None and deeper else None
            if left is not None and left <= 0:
                break
            self.work["horizon"] = 0
            v = self._search(max(d, 1), left)
            if self.work["stop"][0] in (minimax.NODES, minimax.CLOCK, minimax.DEEP) and d > first:
                break
            self._explain(d)
            done, found, best = d, v, int(self._best[0])
            if self.work["horizon"][0] == 0:
                break
        counts = {name: int(self.work[name][0]) for name in ("nodes", "deepest", "hits")}
        own = found if state.actor == 0 else -found
        complete = bool(self.work["horizon"][0] == 0 and self.work["stop"][0] == 0)
        return Lookahead(best, own, done, seconds=time.perf_counter() - began, complete=complete, **counts)

    def best_moves(self, states: np.ndarray, nodes: int) -> list[int]:
        """The best move in each of some states, whose bytes are rows, searched to the end of the game: as `look` finds it, without its account."""
        self._begin(states)
        self.work["alpha"], self.work["beta"], self.work["most"] = self.work["low"], self.work["high"], nodes
        self._search(LEVELS)
        self._explain(LEVELS)
        return self._best.tolist()

    def _begin(self, states: np.ndarray) -> None:
        """Prepare to search states, whose bytes are rows."""
        self._roots, self._best = np.zeros((len(states), self._level), np.int8), np.full(len(states), -1)
        self._roots[:, : states.shape[1]] = states.view(np.int8)
        if not self.endless:
            self._table.array("notes")[:] = -1
        self.work["roots"], self.work["seed"], self.work["most"] = len(states), self.seed, UNLIMITED
        for name in ("nodes", "horizon", "deepest", "hits"):
            self.work[name] = 0

    def _search(self, depth: int, seconds: float | None = None) -> float:
        self.work["depth"], self.work["stop"] = depth, 0
        before = self.work["nodes"].copy()
        while True:
            bounded = seconds is None and self.work["most"][0] < UNLIMITED
            found = self.game.finish(self._run() if bounded else self._run_watched(seconds))
            if self.work["stop"][0] != minimax.ROOM:
                return found
            self._make_room(2 * int(self.work["room"][0]))
            self.work["stop"], self.work["nodes"] = 0, before

    def _run(self) -> float:
        return minimax.search(
            self.game.table, self.work, self._roots, self._best, self._stack, self._scratch, self._table
        )

    def _run_watched(self, seconds: float | None) -> float:
        """Search in another thread, which the clock or Ctrl-C stops."""
        with ThreadPoolExecutor(1) as pool:
            task = pool.submit(self._run)
            try:
                return task.result(timeout=seconds)
            except TimeoutError:
                self.work["stop"] = minimax.CLOCK
                return task.result()
            except BaseException:
                self.work["stop"] = minimax.CLOCK
                raise

    def _explain(self, depth: int) -> None:
        """Raise what stopped the last search, if anything did."""
        stop, culprit = int(self.work["stop"][0]), int(self.work["culprit"][0])
        if stop == minimax.BLIND:
            raise Unsuitable(
                f"{self.game.name} has no rule evaluate, and a search of depth {depth} does not reach the end of the game"
            )
        if stop in (minimax.NODES, minimax.CLOCK):
            if self.endless:
                raise TooLarge(
                    f"{self.game.spec} is too large for minimax: the budget does not allow a search to its end"
                )
            raise Unsuitable(
                f"{self.game.name} has no rule evaluate, and the budget does not allow a search to the end of the game"
            )
        if stop == minimax.DEEP:
            raise Unsuitable(f"{self.game.spec}: a line of the search passed {LEVELS:,} moves; give it a smaller depth")
        if stop == minimax.TOO_MANY:
            raise self.game.too_many_moves(culprit)
        if stop == minimax.NO_MOVES:
            raise GameError(f"{self.game.name}: a state that is not over has no moves")
