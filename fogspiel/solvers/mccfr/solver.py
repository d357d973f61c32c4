"""The sampling solvers: Monte Carlo CFR with a table that grows, and restricted Nash responses.

They run on the rules, never on a tree, so a game may have any size. The NashConv of what they find is measured
where the game can be unrolled for that.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from threading import Thread
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.kernel import Kernel
from fogspiel.engine.kinds import Kind
from fogspiel.engine.linking import linked
from fogspiel.engine.notice import working_time
from fogspiel.engine.part import Part, filled, kind_of
from fogspiel.engine.primitives import MASK
from fogspiel.errors import FogspielError, GameError, SpecError, TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.parts import parts_in
from fogspiel.game.table import LEVELS
from fogspiel.solvers.mccfr import frames
from fogspiel.solvers.mccfr.arena import AVERAGE, EXTRA, KEYED, MOVE, of_width
from fogspiel.solvers.mccfr.averaging import catching_up
from fogspiel.solvers.mccfr.frames import MEMBERS, run_kind, run_memory
from fogspiel.solvers.mccfr.kinds import OPPONENTS
from fogspiel.solvers.mccfr.opponents import Fixed
from fogspiel.solvers.mccfr.schemes import SCHEMES, require_together
from fogspiel.solvers.mccfr.soundness import table_flaw
from fogspiel.solvers.mccfr.table import Table
from fogspiel.solvers.mccfr.traversal import RUN, iterate
from fogspiel.solvers.mccfr.trial import MEMORY as TRIED
from fogspiel.solvers.mccfr.trial import compile_parts, try_parts
from fogspiel.solvers.parts import memory_of, require_settings
from fogspiel.solvers.solver import Solver, require_arrays, whole
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import memory_limit

FIRST_TRIED = 1 << 18
"""Words of a table with which the making of a strategy is tried first: of a smaller one it takes no time to speak
of."""
CAUTION = 1.25
"""What is allowed for its taking longer in proportion where a table is larger."""


def loop(parts: Iterable[Part], single: bool, memory: Mapping[str, np.ndarray]) -> Kernel:
    """`iterate` with these parts, which have this memory, for tables of this width. Other values of parameters are the
    same kernel."""
    kinds = tuple((name, kind_of(array)) for name, array in memory.items())
    return _loop(tuple(filled(parts).items()), single, kinds)


@cache
def _loop(
    functions: tuple[tuple[Function, Function], ...], single: bool, members: tuple[tuple[str, Kind], ...]
) -> Kernel:
    return of_width(linked(iterate, dict(functions)), single, {RUN: run_kind(single, dict(members))})


class Sampling(Solver):
    """Monte Carlo CFR. An iteration is a traversal for each player. With one thread it is deterministic. Whether the
    game suits it is for the caller to ask (`solvers/suit.py`)."""

    game: Game

    def __init__(
        self,
        game: Game,
        name: str,
        parameters: Mapping[str, Any],
        *,
        form: SequenceForm | None = None,
        seed: int = 0,
        memory: int | None = None,
        threads: int = 1,
        held: Fixed | None = None,
        tried: bool = False,
    ):
        super().__init__(game, form)
        scheme = SCHEMES[name]
        chosen = scheme.parts(parameters)
        self.sampling, self.averaging = chosen["sampling"], chosen["average"]
        self.parts = parts_in(chosen)
        for part in self.parts:
            require_settings(part)
        require_together(name, chosen)
        if any(part.tells("ALONE") for part in self.parts) and threads > 1:
            raise SpecError(f"{name} runs in one thread only; es-mccfr and os-mccfr share their table between threads")
        if held is not None:
            if self.sampling.tells("FREE"):
                raise SpecError(f"{name} cannot learn a response: use es-mccfr, os-mccfr or another sampling solver")
            self.parts.append(OPPONENTS.part("held"))
        self.table = Table(
            memory or memory_limit(),
            single=parameters["words"] == "32",
            header=max(part.tells("HEADER", KEYED) for part in self.parts),
            columns=max(part.tells("COLUMNS", EXTRA) for part in self.parts),
        )
        numbers = {}
        if held is not None:
            fixed = held.strategy
            fixed.require(game)
            self.table.add(fixed.player, fixed.key, fixed.start, fixed.move, fixed.prob)
            numbers = {"responder": held.responder, "share": held.share, "situations": fixed.situations}
        self.full = False
        self._tried = (FIRST_TRIED // 8, 0.0)
        self.enumerates = bool(self.sampling.tells("ENUMERATES"))
        self.traversals = 1 if any(part.tells("BOTH") for part in self.parts) else game.players
        self.workers = [_Worker(self, numbers, seed + (i << 40) & MASK) for i in range(threads)]
        if not tried and any(part.own for part in self.parts):
            try_parts(Sampling(game, name, parameters, seed=seed, memory=TRIED, held=held, tried=True))
            compile_parts(self)

    def advance(self, iterations: int) -> None:
        goal = self.iterations + iterations
        while True:
            shares = np.diff(np.linspace(0, goal - self.iterations, len(self.workers) + 1).astype(int)).tolist()
            if len(self.workers) == 1:
                self.workers[0].run(shares[0])
            else:
                self._side_by_side(shares)
            self.game.finish()
            self._look()
            if self.iterations >= goal or self.full:
                break

    def _side_by_side(self, shares: list[int]) -> None:
        """The workers at once, on one table. The index does not grow meanwhile: it is given room before."""
        pool = self.table.pool
        self.table.spread()
        pool["shared"], pool["refused"] = 1, 0
        threads = [Thread(target=worker.run, args=(share,)) for worker, share in zip(self.workers, shares, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        pool["shared"] = 0

    def _look(self) -> None:
        """Count what was done, and see why the workers came to an end."""
        self.iterations = sum(worker.done for worker in self.workers)
        if self.table.pool["wide"][0]:
            raise Unsuitable(f"{self.game.spec} has moves beyond 32 bits: use words=64")
        full = False
        self.table.require_alike(self.game)
        for worker in self.workers:
            if worker.status == frames.DEEP:
                raise TooLarge(
                    f"{self.game.spec} has a history of more than {LEVELS:,} moves, or with too many choices on its "
                    "way, for sampling solvers"
                )
            if worker.status == frames.MANY:
                raise self.game.too_many_moves(worker.count)
            if worker.status == frames.ODD:
                raise GameError(f"the rule mirror of {self.game.spec} names an outcome that chance does not have there")
            if worker.status == frames.UNLIKE:
                raise GameError(f"the rule private of {self.game.spec} does not list as many outcomes everywhere")
            if worker.status == frames.FULL:
                full, worker.status = True, 0
        if full or self.table.crowded:
            # with several threads the index alone may be full, which the next batch mends
            mends = self.table.grow() or (len(self.workers) > 1 and self.table.room_to_grow)
            self.full |= full and not mends

    def measure(self) -> float | None:
        """The NashConv of the answer so far; not where players forget, to whom best responses may be hard to
        find."""
        return None if self.form is None or not self.form.tree.perfect_recall else super().measure()

    @property
    def touched(self) -> int:
        """Histories touched so far."""
        return sum(worker.touched for worker in self.workers)

    @property
    def closing(self) -> float:
        """By what `answer` took when it was tried, which is done again each time that the table has grown eightfold."""
        used, took = self._tried
        if self.table.used >= 8 * used:
            began = working_time()
            self.answer()
            used, took = self._tried = self.table.used, working_time() - began
        return CAUTION * took * self.table.used / used

    @property
    def memory(self) -> dict[str, float]:
        """Information sets in the table, those in which there is a choice, and the bytes that they take."""
        nodes, taken = self.table.nodes, self.table.bytes
        return {"information sets": nodes, "bytes": taken, "bytes an information set": taken / max(nodes, 1)}

    def answer(self) -> Strategy:
        """The average strategy, at every information set met so far in which there is a choice."""
        found = self.table.contents()
        count, first = found["count"], found["first"]
        average = self._averages(count, first)
        row = np.repeat(np.arange(len(count)), count)
        total = np.bincount(row, average, len(count))[row]
        prob = np.where(total > 0, average / np.where(total > 0, total, 1.0), 1.0 / count[row])
        moves = self.table.column(MOVE, count, first)
        return Strategy.build(
            self.game, found["player"], found["key"], count, moves, prob, situations=self.game.abstracted
        )

    def _averages(self, count: np.ndarray, first: np.ndarray) -> np.ndarray:
        """The averages of all nodes, where they lag behind as they would be if every information set were visited
        now."""
        if not self.averaging.has("owed"):
            return self.table.column(AVERAGE, count, first)
        catch_up = catching_up(self.averaging.space.owed)
        out, reach = np.zeros(self.table.used), np.zeros(self.table.used)
        weights = np.zeros(self.game.max_moves)
        catch_up[self.table.single](self.table.bundle, self.workers[0].visits, self.iterations, out, reach, weights)
        return np.maximum(out[self.table.places(AVERAGE, count, first)], 0.0)  # rounding may have led below

    def snapshot(self) -> dict[str, Any]:
        counts = np.concatenate([worker.counts for worker in self.workers])
        return {
            "iterations": self.iterations,
            "table": self.table.store(),
            "rng": np.concatenate([w.rng for w in self.workers]),
            "visit": counts["visit"],
            "done": counts["done"],
            "touched": counts["touched"],
        }

    def restore(self, snapshot: dict[str, Any]) -> None:
        for name in ("rng", "table"):
            if name not in snapshot or snapshot[name].ndim != 1:
                raise ValueError(f"{name} is missing, or not a row of numbers")
        if len(snapshot["rng"]) != len(self.workers):
            raise FogspielError(f"the checkpoint is of {len(snapshot['rng'])} threads, not of {len(self.workers)}")
        require_arrays(snapshot, self.snapshot() | {"table": snapshot["table"]})
        iterations = whole(snapshot["iterations"], "iterations")
        counts = {name: [whole(n, name) for n in snapshot[name]] for name in ("visit", "done", "touched")}
        if sum(counts["done"]) != iterations:
            raise ValueError("iterations are not the sum of what the threads have done")
        self.iterations = iterations
        self.table.restore(snapshot["table"])
        if flaw := table_flaw(self.table, self.game, iterations, sum(counts["visit"])):
            raise ValueError(f"table has {flaw}")
        for i, worker in enumerate(self.workers):
            worker.rng[0] = snapshot["rng"][i]
            for name, values in counts.items():
                worker.counts[name] = values[i]


class _Worker:
    """One thread's share of the memory: its random numbers, where it stands, and its room for states.

    It does not keep the solver, so that a table, which may take most of the machine's memory, is freed as soon as its
    solver is."""

    def __init__(self, solver: Sampling, held: Mapping[str, Any], seed: int):
        game = solver.game
        self.walk, self.counts = np.zeros(1, frames.Walk), np.zeros(1, frames.Counts)
        self.rng = np.array([seed], np.uint64)
        own: dict[str, np.ndarray] = {}
        for part in solver.parts:
            own |= memory_of(part, game, ("table", *MEMBERS, *own), "run")
        if held:
            own["opponents"] = solver.parts[-1].record(held)
        self.game, self.traversals = game, solver.traversals
        self.kernel = loop(solver.parts, solver.table.single, own)
        given = {"walk": self.walk, "counts": self.counts, "rng": self.rng}
        self.memory = run_memory(self.kernel.arguments[1], game, table=solver.table.bundle, **given, **own)

    def run(self, iterations: int) -> None:
        self.status = 0
        self.kernel(self.game.table, self.memory, iterations, self.traversals)

    @property
    def done(self) -> int:
        return int(self.counts["done"][0])

    @property
    def visits(self) -> int:
        """Traversals begun."""
        return int(self.counts["visit"][0])

    @property
    def touched(self) -> int:
        return int(self.counts["touched"][0])

    @property
    def status(self) -> int:
        return int(self.walk["status"][0])

    @status.setter
    def status(self, value: int) -> None:
        self.walk["status"] = value

    @property
    def count(self) -> int:
        return int(self.walk["count"][0])
