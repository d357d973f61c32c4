"""The sampling solvers: Monte Carlo CFR with a table that grows, its schemes, and restricted Nash responses.

They run on the rules, never on a tree, so a game may have any size. The exploitability of what they find is measured where the
game can be unrolled for that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread
from typing import Any

import numpy as np

from fogspiel.engine.primitives import MASK
from fogspiel.errors import FogspielError, GameError, SpecError, TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.spec import Choice, Number, Parameter
from fogspiel.solve import mccfr
from fogspiel.solve.mccfr import ALL, COMMON, LAZY, ONE, OPTIMISTIC, PAIRED, PRINTED, PUBLICLY, SOME, WEIGHTED
from fogspiel.solve.solver import Iterative, require_arrays, whole
from fogspiel.solve.soundness import table_flaw
from fogspiel.solve.strategy import Strategy
from fogspiel.solve.table import AVERAGE, EXTRA, MOVE, STAMP, Table
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import memory_limit

LEVELS = 4096
"""Most moves of a history that a traversal follows."""


@dataclass(frozen=True)
class Scheme:
    """One way to sample: its parameters, and what they ask of the traversal (fields of `mccfr.Job`)."""

    about: str
    parameters: tuple[Parameter, ...]
    job: Callable[[dict[str, Any]], dict[str, Any]]


_WORDS = Choice("words", "32", ("32", "64"), "bits of each regret and average; 32-bit sums are rounded at random")
_AVERAGES = {"weighted": WEIGHTED, "optimistic": OPTIMISTIC, "lazy": LAZY, "lazy-printed": PRINTED}
_AVERAGE = Choice(
    "average", "weighted", tuple(_AVERAGES), "how averages are kept: stochastically weighted, optimistic, lazy, lazy as first printed"
)  # fmt: skip
_SHORT = Choice("average", "weighted", ("weighted", "optimistic"), _AVERAGE.about)
_CHANCE = {"one": ONE, "paired": PAIRED, "common": COMMON}
_EPSILON = Number("epsilon", 0.6, 0, 1, "exploration at the updating player's nodes")

SCHEMES: dict[str, Scheme] = {
    "walk-cfr": Scheme(
        "vanilla CFR as a walk over the rules, with pruning (Lanctot 2013, sec. 2.2.2)", (_WORDS,),
        lambda p: {"own": ALL, "others": ALL, "chance": ALL},
    ),
    "cs-mccfr": Scheme(
        "chance-sampled CFR (Zinkevich et al. 2007), also paired and common (Lanctot 2013, sec. 7.5)",
        (Choice("chance", "one", tuple(_CHANCE), "outcomes followed: one, one and its mirror image, or all that only the updating player sees"), _WORDS),
        lambda p: {"own": ALL, "others": ALL, "chance": _CHANCE[p["chance"]]},
    ),
    "pcs-mccfr": Scheme(
        "public chance sampling (Johanson et al. 2012): chance that is not public is enumerated", (_WORDS,),
        lambda p: {"own": ALL, "others": ALL, "chance": PUBLICLY},
    ),
    "es-mccfr": Scheme(
        "external sampling (Lanctot et al. 2009)", (_SHORT, _WORDS),
        lambda p: {"own": ALL, "others": ONE, "chance": ONE, "average": _AVERAGES[p["average"]]},
    ),
    "os-mccfr": Scheme(
        "outcome sampling (Lanctot et al. 2009)",
        (_EPSILON, _AVERAGE, Choice("updates", "alternating", ("alternating", "parallel"), "a sample updates one player, or both"), _WORDS),
        lambda p: {"own": ONE, "others": ONE, "chance": ONE, "epsilon": p["epsilon"], "average": _AVERAGES[p["average"]], "both": p["updates"] == "parallel"},
    ),
    "probing-mccfr": Scheme(
        "outcome sampling with a probe of every other action (Gibson et al. 2012)", (_EPSILON, _WORDS),
        lambda p: {"own": ONE, "others": ONE, "chance": ONE, "epsilon": p["epsilon"], "probe": 1},
    ),
    "as-mccfr": Scheme(
        "average-strategy sampling (Burch et al. 2012)",
        (Number("epsilon", 0.05, 1e-9, 1, "least probability of following an action"), Number("tau", 1000, 1, 1e12, "how fast good actions are followed for sure"),
         Number("beta", 1e6, 0, 1e12, "how long the average is not yet trusted"), _WORDS),
        lambda p: {"own": SOME, "others": ONE, "chance": ONE, "epsilon": p["epsilon"], "tau": p["tau"], "beta": p["beta"]},
    ),
    "pure-cfr": Scheme(
        "pure CFR: everyone plays a pure strategy drawn from its own (Lanctot 2013, sec. 8.1)", (_WORDS,),
        lambda p: {"own": ALL, "others": ONE, "chance": ONE, "pure": 1},
    ),
    "vr-mccfr": Scheme(
        "outcome sampling with learned baselines (Schmid et al. 2019)",
        (_EPSILON, Number("rate", 0.5, 1e-9, 1, "how fast baselines learn"), _WORDS),
        lambda p: {"own": ONE, "others": ONE, "chance": ONE, "epsilon": p["epsilon"], "baseline": 1, "rate": p["rate"]},
    ),
}  # fmt: skip


class Sampling(Iterative):
    """Monte Carlo CFR. An iteration is a traversal for each player. With one thread it is deterministic.

    `fixed` with `responder` and `share`: in that share of the responder's traversals, all others play the fixed strategy.
    """

    def __init__(
        self,
        game: Game,
        name: str,
        parameters: dict[str, Any],
        *,
        form: SequenceForm | None = None,
        seed: int = 0,
        memory: int | None = None,
        threads: int = 1,
        fixed: Strategy | None = None,
        responder: int = -1,
        share: float = 0.0,
    ):
        super().__init__(game, form)
        asked = SCHEMES[name].job(parameters)
        self._require(name, asked, threads)
        single = parameters["words"] == "32"
        columns = EXTRA + (asked["others"] == ALL or "baseline" in asked or asked.get("average") == PRINTED)
        header = STAMP + (1 if asked["others"] == ALL else 0 if asked.get("average", WEIGHTED) == WEIGHTED else 3)
        self.table = Table(memory or memory_limit(), single=single, header=header, columns=columns)
        if fixed is not None:
            fixed.require(game)
            self.table.add(fixed.player, fixed.key, fixed.start, fixed.move, fixed.prob)
        self.workers = [_Worker(game, asked, seed + (i << 40) & MASK, responder, share) for i in range(threads)]
        for worker in self.workers:
            worker.job["situations"] = fixed is not None and fixed.situations
        self.full = False
        self.enumerates = asked["own"] == ALL

    def _require(self, name: str, asked: dict[str, Any], threads: int) -> None:
        spec = self.game.spec
        two = asked.get("both") or "baseline" in asked or asked.get("average", WEIGHTED) != WEIGHTED
        if two and self.game.players > 2:
            raise Unsuitable(f"{name} is for two players; {spec} has {self.game.players}: use es-mccfr")
        if ("baseline" in asked or asked.get("both")) and not self.game.about.zero_sum:
            raise Unsuitable(f"{name} is for zero-sum games; {spec} is not")
        if asked["chance"] == PAIRED and "mirror" not in self.game.functions:
            raise Unsuitable(f"{spec} has no rule mirror, which pairs the outcomes of chance")
        if asked.get("average", WEIGHTED) != WEIGHTED and (self.game.abstracted or not self.game.about.perfect_recall):
            raise Unsuitable(f"lazy and optimistic averages need perfect recall, which {spec} has not")
        if threads > 1 and (asked["others"] == ALL or asked.get("average", WEIGHTED) != WEIGHTED):
            raise SpecError(f"{name} runs in one thread only; es-mccfr and os-mccfr share their table between threads")

    def advance(self, iterations: int) -> None:
        goal = self.iterations + iterations
        while True:
            shares = np.diff(np.linspace(0, goal - self.iterations, len(self.workers) + 1).astype(int)).tolist()
            if len(self.workers) == 1:
                self.workers[0].run(shares[0], self.table)
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
        threads = [
            Thread(target=worker.run, args=(share, self.table))
            for worker, share in zip(self.workers, shares, strict=True)
        ]
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
        for worker in self.workers:
            if worker.status == mccfr.DEEP:
                raise TooLarge(
                    f"{self.game.spec} has a history of more than {LEVELS:,} moves, or with too many choices on its way, "
                    "for sampling solvers"
                )
            if worker.status == mccfr.MANY:
                raise self.game.too_many_moves(worker.count)
            if worker.status == mccfr.ODD:
                raise GameError(f"the rule mirror of {self.game.spec} names an outcome that chance does not have there")
            if worker.status == mccfr.FULL:
                # with several threads the index alone may be full, which the next batch mends
                self.full |= len(self.workers) == 1 or not self.table.room_to_grow
                worker.status = 0

    @property
    def touched(self) -> int:
        """Histories touched so far."""
        return sum(worker.touched for worker in self.workers)

    @property
    def closing(self) -> float:
        return 2e-6 * self.table.nodes

    @property
    def memory(self) -> dict[str, float]:
        """Information sets in the table, those in which there is a choice, and the bytes that they take."""
        nodes, taken = self.table.nodes, self.table.bytes
        return {"information sets": nodes, "bytes": taken, "bytes an information set": taken / max(nodes, 1)}

    def answer(self) -> Strategy:
        """The average strategy, at every information set met so far in which there is a choice."""
        found = self.table.contents()
        count, first = found["count"], found["first"]
        if self.workers[0].job["average"][0] in (LAZY, OPTIMISTIC):
            average = self._caught_up(count, first)
        else:
            average = self.table.column(AVERAGE, count, first)
        row = np.repeat(np.arange(len(count)), count)
        total = np.bincount(row, average, len(count))[row]
        prob = np.where(total > 0, average / np.where(total > 0, total, 1.0), 1.0 / count[row])
        moves = self.table.column(MOVE, count, first)
        return Strategy.build(
            self.game, found["player"], found["key"], count, moves, prob, situations=self.game.abstracted
        )

    def _caught_up(self, count: np.ndarray, first: np.ndarray) -> np.ndarray:
        out, reach = np.zeros(self.table.used), np.zeros(self.table.used)
        pool, _, _, words, reals = self.table.arrays
        mccfr.catch_up[self.table.single](
            self.workers[0].job, pool, words, reals, out, reach, np.zeros(self.game.max_moves)
        )
        return np.maximum(out[self.table.places(AVERAGE, count, first)], 0.0)  # rounding may have led below

    def plan(self) -> np.ndarray:
        return self.form.plan(self.answer().on(self.form))

    def snapshot(self) -> dict[str, Any]:
        jobs = np.concatenate([worker.job for worker in self.workers])
        return {
            "iterations": self.iterations, "table": self.table.store(), "rng": np.concatenate([w.rng for w in self.workers]),
            "visit": jobs["visit"], "done": jobs["done"], "touched": jobs["touched"],
        }  # fmt: skip

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
                worker.job[name] = values[i]


class _Worker:
    """One thread's share of the memory: what it is asked, its random numbers and its room for states."""

    def __init__(self, game: Game, asked: dict[str, Any], seed: int, responder: int, share: float):
        self.game = game
        self.job = np.zeros(1, mccfr.Job)
        for name, value in asked.items():
            self.job[name] = value
        breadth = 128 * mccfr.AHEAD * game.max_moves + 64 * LEVELS
        self.job["responder"], self.job["share"] = responder, share
        self.job["levels"], self.job["breadth"] = LEVELS, breadth
        self.rng = np.array([seed], np.uint64)
        # the root, where a traversal begins, and the children looked at together on each level
        self.places = np.zeros(2 + mccfr.AHEAD * LEVELS, mccfr.Place)
        moves, size = breadth + len(game.buffer()), game.dtype.itemsize
        self.room = {
            "scratch": np.zeros(len(self.places) * size, np.int8), "spare": np.zeros(size, np.int8), "buffer": np.zeros(moves, np.int64),
            "work": np.zeros(moves), "pay": np.zeros(max(game.players, 8)), "mass": np.zeros(game.players), "rng": self.rng,
        }  # fmt: skip

    def run(self, iterations: int, table: Table) -> None:
        pool, lock, index, words, reals = table.arrays
        self.job["iterations"], self.job["status"] = iterations, 0
        for name, memory in (self.room | {"lock": lock, "index": index}).items():
            self.job[name] = memory.ctypes.data
        mccfr.iterate[table.single](self.game.table, self.job, pool, words, reals, self.places)

    @property
    def done(self) -> int:
        return int(self.job["done"][0])

    @property
    def touched(self) -> int:
        return int(self.job["touched"][0])

    @property
    def status(self) -> int:
        return int(self.job["status"][0])

    @status.setter
    def status(self, value: int) -> None:
        self.job["status"] = value

    @property
    def count(self) -> int:
        return int(self.job["count"][0])
