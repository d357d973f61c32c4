"""Best responses by walking the rules, for games that do not unroll: walks (`solvers/response/best_response.py`) with
the room that they take."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.errors import GameError, TooLarge, Unsuitable
from fogspiel.game.needs import PERFECT_RECALL, require
from fogspiel.game.table import LEVELS
from fogspiel.solvers.mccfr.arena import MOVE, REGRET
from fogspiel.solvers.mccfr.table import Table
from fogspiel.solvers.policy import Policy
from fogspiel.solvers.response.best_response import (
    DEEP,
    FULL,
    JOINED,
    MANY,
    NOBODY,
    NONE,
    Asked,
    Limits,
    Progress,
    Walk,
    noting,
    passes,
    vectors,
)
from fogspiel.solvers.strategy import Strategy, likeliest
from fogspiel.tree.tree import memory_limit

EVERY = 1 << 30
"""More decisions than a game has: a pass that deep only counts them."""
JOINS = "the strategy is of an abstraction, in which a best response cannot be written down"


class Walker:
    """Walks of a game in which others follow a policy. `memory` bounds, in bytes, what a walk holds beside that."""

    def __init__(self, policy: Policy, memory: int | None = None, progress: Callable[[int], None] | None = None):
        game = policy.game
        self.game, self.progress = game, progress
        self.memory = memory_limit() if memory is None else memory
        self.policy = policy
        self.touched = self.sets = self.most = 0
        self._breadth = 16 * game.max_moves + 64 * LEVELS
        moves = self._breadth + len(game.buffer())
        self._scratch = {
            "scratch": np.zeros((LEVELS + 2) * game.dtype.itemsize, np.int8),
            "buffer": np.zeros(moves, np.int64),
            "odds": np.zeros(moves),
            "pay": np.zeros(max(game.players, 8)),
        }

    def values(self) -> tuple[float, ...]:
        """Every player's expected utility when all follow the strategy."""
        table = self._table(0)
        return tuple(self._do(vectors, self._room(p, NOBODY, 0), table) for p in range(self.game.players))

    def best_response(self, player: int, method: str, keep: bool = False) -> tuple[float, Strategy | None]:
        """The player's best utility; with `keep`, the response too, as a strategy of this player alone.

        `method` is vectors, passes, or auto: vectors, and passes where there is no room for those.
        """
        require(self.game, "a walk for best responses", (PERFECT_RECALL,))
        if method == "passes":
            return self._by_passes(player, keep)
        situations = self.policy.situations
        table = self._table(self.memory // 2 if keep else 0)
        walk = self._room(player, player, self.memory // 2 if keep else self.memory)
        try:
            value = self._do(noting if keep else vectors, walk, table)
        except TooLarge:
            if method != "auto" or (keep and situations):
                raise
            return self._by_passes(player, keep)
        return value, self._response(table, situations) if keep else None

    def _by_passes(self, player: int, keep: bool) -> tuple[float, Strategy | None]:
        if keep and self.policy.situations:
            raise Unsuitable(f"{JOINS}: use method=vectors or method=tree")
        table, walk = self._table(self.memory), self._room(player, player, 0)
        walk.asked.depth = EVERY
        self._do(passes, walk, table)
        for depth in range(int(walk.progress.deepest), -2, -1) if walk.progress.deepest >= 0 else (-1,):
            walk.asked.depth = depth
            value = self._do(passes, walk, table)
        self.sets += table.nodes
        return value, self._response(table) if keep else None

    def _table(self, memory: int) -> Table:
        return Table(max(memory, 1 << 14), single=False, whole=True)

    def _room(self, player: int, responder: int, memory: int) -> Bundled:
        """What is asked, with room for vectors of states in so much memory."""
        size = self.game.dtype.itemsize
        states = memory // (size + 24)
        progress = np.zeros(1, Progress)
        progress["deepest"] = -1
        try:
            # address space, which takes memory only as it is used
            held = {"states": np.empty(states * size + 1, np.int8), "reach": np.empty(states + 1)}
            held |= {"keys": np.empty(states + 1, np.int64), "order": np.empty(states + 1, np.int64)}
        except MemoryError:
            raise TooLarge(f"there is no room for vectors of {memory:,} bytes; ask for less memory") from None
        asked, limits = np.array([(player, responder, 0)], Asked), np.array([(LEVELS, self._breadth, states)], Limits)
        return Bundled(Walk, asked=asked, limits=limits, progress=progress, **self._scratch, **held)

    def _do(self, kernel: Callable[..., Any], walk: Bundled, table: Table) -> float:
        """Run a kernel in a thread beside this one, which is left to hear Ctrl-C and to tell how far it is."""
        progress = walk.progress
        progress.touched = 0
        answer = []

        def work() -> None:
            answer.append(kernel(self.game.table, walk, self.policy.known, table.bundle))

        thread = Thread(target=work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.1)
                if self.progress is not None and progress.touched:
                    self.progress(self.touched + int(progress.touched))
        except BaseException:
            progress.stop = 1
            thread.join()
            raise
        self.touched += int(progress.touched)
        self.sets += int(progress.sets)
        self.most = max(self.most, int(progress.most))
        self.policy.finish()
        table.require_alike(self.game)
        self._complain(int(progress.status), int(progress.count))
        return answer[0]

    def _complain(self, status: int, count: int) -> None:
        spec = self.game.spec
        if status == FULL:
            raise TooLarge(
                f"{spec} is too large for an exact best response in {self.memory:,} bytes; allow more memory, or "
                "estimate it (fogspiel bound)"
            )
        if status == DEEP:
            raise TooLarge(
                f"{spec} has a history of more than {LEVELS:,} moves, or with too many choices on its way, for a "
                "best response"
            )
        if status == JOINED:
            raise Unsuitable(f"{JOINS}: use method=tree")
        if status == MANY:
            raise self.game.too_many_moves(count)
        if status == NONE:
            raise GameError(f"{spec}: a state that is not over has no moves (run fogspiel check {self.game.written})")

    def _response(self, table: Table, situations: bool = False) -> Strategy:
        """The best action of every information set in the table."""
        rows = table.contents()
        count, first = rows["count"], rows["first"]
        move, worth = table.column(MOVE, count, first), table.column(REGRET, count, first)
        best = likeliest(count, worth)
        return Strategy.build(self.game, rows["player"], rows["key"], count, move, best, situations)
