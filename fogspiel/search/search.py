"""A search at work: memory, budget, statistics. What the loops in `mcts.py` and `oos.py` are driven by."""

import time
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fogspiel.engine.primitives import mix, next_word
from fogspiel.errors import FogspielError, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.playout import playouts
from fogspiel.game.rules import PUBLIC
from fogspiel.game.state import State, advance
from fogspiel.game.view import view_type
from fogspiel.search import bandits, chance, mcts, oos, target, variates
from fogspiel.search.nodes import NODE_BYTES, SLOT_BYTES, Memory

STEPS = 4096
"""Decisions that one simulation may have inside the tree."""

LOOK_AHEAD, LEVELS = 100_000, 512
"""Moves tried at a time, and levels, of the search for a target (`search/target.py`)."""


@dataclass(frozen=True)
class MoveStatistics:
    """What the search thinks of a move. `value` is the mean utility of the player to move; `strategy` the mean strategy; `proven`
    what the move is certainly worth, where that was proven."""

    move: int
    name: str
    visits: int
    value: float | None
    strategy: float | None
    proven: float | None = None


@dataclass(frozen=True)
class Statistics:
    """What one decision cost and gave. `full` tells that nodes were refused for want of memory. A node takes `node_bytes`, and
    `slot_bytes` more for each move. `proven`: the value of the root is certain. `acceptance`: where states were replayed from the
    player's record, the share of the moves tried for them that were kept. `forgotten`: nodes of earlier decisions that made room."""

    simulations: int
    seconds: float
    nodes: int
    bytes: int
    depth: float
    deepest: int
    playout: float
    full: bool
    node_bytes: int = 0
    slot_bytes: int = 0
    proven: bool = False
    acceptance: float | None = None
    forgotten: int = 0

    @staticmethod
    def joined(parts: "list[Statistics]") -> "Statistics":
        """The account of searches that ran side by side."""
        done = max(sum(p.simulations for p in parts), 1)
        return Statistics(
            sum(p.simulations for p in parts), max(p.seconds for p in parts), sum(p.nodes for p in parts), sum(p.bytes for p in parts),
            sum(p.depth * p.simulations for p in parts) / done, max(p.deepest for p in parts),
            sum(p.playout * p.simulations for p in parts) / done, any(p.full for p in parts), parts[0].node_bytes,
            parts[0].slot_bytes, any(p.proven for p in parts), forgotten=sum(p.forgotten for p in parts),
        )  # fmt: skip

    @property
    def speed(self) -> float:
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"simulations_per_second": self.speed}


@dataclass(frozen=True)
class Settings:
    """A member of the family: the small things in which variants differ (`search/mcts.py`)."""

    sight: int = mcts.PLAYER
    policy: int = bandits.UCB
    growth: int = mcts.UNTRIED
    constant: float = 0.7
    ties: int = bandits.RANDOM
    means: bool = False
    pure: bool = False
    aside: float = 0.0
    cut: int = -1
    open_loop: bool = False
    trails: bool = False
    luck: int = chance.DRAWN
    widen_c: float = 0.0
    widen_alpha: float = 0.5
    proven: bool = False
    failure: float = 0.05
    variates: int = 0
    whole: bool = True
    anew: bool = False
    coefficient: float = 0.0
    online: int = 50
    guided: bool = False


def utility_range(game: Game) -> tuple[float, float]:
    """The declared bounds of utilities; where a game declares none, those met in a thousand random games."""
    if game.about.utility is not None:
        low, high = game.about.utility
    else:
        bounds = [playouts(game, 1, seed).payoff for seed in range(1000)]
        low, high = float(np.min(bounds)), float(np.max(bounds))
    return (float(low), float(high)) if high > low else (float(low), float(low) + 1.0)


class Search:
    """What all searches share: a memory that stays between calls, scratch space, and the account of a decision.

    A subclass sets `job` (a record with the counters done, depth, deepest and played) and `simulate`. `room` is memory to work in,
    by name; kernels find it by the addresses in the job (`_lay_out`). `finished` tells that no more simulations are of use.
    """

    finished = False
    forgotten = 0
    node_bytes, slot_bytes = NODE_BYTES, SLOT_BYTES

    job: np.ndarray

    def __init__(self, game: Game, *, seed: int = 0, nodes: int = 1 << 18):
        self.game = game
        self.rng = np.array([seed], np.uint64)
        self.memory = Memory(nodes)
        self._began = 0
        self.room = {
            "scratch": np.zeros(2 * game.dtype.itemsize + 64, np.int8), "buffer": game.buffer(), "odds": np.zeros(len(game.buffer())),
            "slot": game.buffer(), "prob": np.zeros(len(game.buffer())), "pay": np.zeros(max(game.players, game.max_moves) + 1), "rng": self.rng,
        }  # fmt: skip
        self.low, self.high = utility_range(game)

    def _lay_out(self, **more: np.ndarray) -> None:
        """Tell the job where its room is, and more of it."""
        self.room |= more
        for name, array in self.room.items():
            self.job[name] = array.ctypes.data

    @cached_property
    def asked(self) -> Any:
        """The job's fields as attributes: a short search would spend much of its time on reaching them through NumPy."""
        return view_type(self.job.dtype).from_buffer(self.job)

    def forget(self) -> None:
        """Start again with an empty tree."""
        self.memory.clear()
        self._began = self.forgotten = 0

    def make_room(self) -> None:
        """Before a decision: if the memory is almost full, forget what the search for the last one did not come to or hardly visited."""
        self.forgotten = 0
        if self.crowded:
            before = self.memory.nodes[: self.memory.node_count].copy()
            self._move(before, *self.memory.make_room(self._began))
            self.forgotten = len(before) - self.memory.node_count

    @property
    def crowded(self) -> bool:
        return self.memory.crowded

    def _move(self, before: np.recarray, nodes: np.ndarray, slots: np.ndarray) -> None:
        """Move whatever else is kept for each node or slot; `before` are the nodes as they were, `nodes` and `slots` where those kept lay."""

    def restart(self, seed: int) -> None:
        """Forget everything, as if the search had been made with this seed; the memory's room is kept."""
        self.forget()
        self.rng[0] = seed
        self.asked.done = self.asked.depth = self.asked.deepest = self.asked.played = 0

    def simulate(self, roots: list[State], searcher: int, simulations: int, **how: Any) -> None:
        raise NotImplementedError

    def run(
        self, roots: list[State], searcher: int, *, simulations: int | None, seconds: float | None, **how: Any
    ) -> Statistics:
        """Simulate for so many simulations, or seconds, and tell how it went at the node of the first root."""
        before = self._counters()
        self._began = before[0]
        began = time.perf_counter()
        if simulations is not None:
            self.simulate(roots, searcher, simulations, **how)
        else:
            count = 64
            while (left := seconds - (time.perf_counter() - began)) > 0 and not self.finished:
                start = time.perf_counter()
                self.simulate(roots, searcher, count, **how)
                each = (time.perf_counter() - start) / count
                count = max(1, min(int(min(left, 0.05) / max(each, 1e-9)), 1 << 20))
        return self._statistics(before, time.perf_counter() - began)

    def key(self, state: State, searcher: int) -> int:
        """The key of the node that the search has for a state at the root: what the player to move knows."""
        who = state.actor
        return mix(state.key(who), who)

    def moves(self, state: State, searcher: int, key: int | None = None) -> tuple[MoveStatistics, ...]:
        """What the search thinks of each legal move in a state: one at the root, or elsewhere with the `key` of its node."""
        m = self.memory
        node = m.find(signed(self.key(state, searcher) if key is None else key))
        legal = state.moves()
        names = list(self.game.move_names(state).values())
        if node < 0:
            return tuple(MoveStatistics(move, name, 0, None, None) for move, name in zip(legal, names, strict=True))
        slots = m.slots_of(node)
        rows = {int(move): s for s, move in enumerate(m.slots.move[slots], slots.start)}
        mass = m.slots.strategy[slots].sum()
        out = []
        for move, name in zip(legal, names, strict=True):
            s = rows.get(self.label(state, searcher, move))
            tries = 0 if s is None else int(m.slots.tries[s])
            value = None if not tries else float(self.low + (self.high - self.low) * m.slots.total[s] / tries)
            share = None if s is None or mass <= 0 else float(m.slots.strategy[s] / mass)
            out.append(MoveStatistics(move, name, tries, value, share, self.proof(state.actor, s)))
        return tuple(out)

    def label(self, state: State, searcher: int, move: int) -> int:
        """What a node calls a move: the move itself, or what tells it apart."""
        return move

    def proof(self, player: int, slot: int | None) -> float | None:
        """What a move is certainly worth to a player, where that is known."""
        return None

    def _counters(self) -> tuple[int, int, int]:
        """Simulations, steps inside the tree and moves of playouts so far."""
        return self.asked.done, self.asked.depth, self.asked.played

    def _statistics(self, before: tuple[int, int, int], seconds: float) -> Statistics:
        done, depth, played = (now - then for now, then in zip(self._counters(), before, strict=True))
        return Statistics(
            done, seconds, self.memory.node_count, self.bytes, depth / max(done, 1), self.asked.deepest, played / max(done, 1),
            self.memory.filled.refused > 0, self.node_bytes, self.slot_bytes, self.finished, forgotten=self.forgotten,
        )  # fmt: skip

    @property
    def bytes(self) -> int:
        """Memory in use (not merely set aside)."""
        return self.memory.node_count * self.node_bytes + self.memory.slot_count * self.slot_bytes


class TreeSearch(Search):
    """Monte Carlo tree search (`search/mcts.py`) with given settings."""

    def __init__(self, game: Game, settings: Settings, *, seed: int = 0, nodes: int = 1 << 18):
        super().__init__(game, seed=seed, nodes=nodes)
        self.settings = settings
        if settings.cut >= 0 and "evaluate" not in game.functions:
            raise FogspielError(f"{game.name} has no rule evaluate, so its playouts cannot be cut")
        if settings.proven and settings.widen_c > 0:
            raise FogspielError("a search that widens its nodes does not look at all moves, so it can prove nothing")
        if settings.proven and settings.luck not in (chance.STORED, chance.BALANCED):
            raise FogspielError("a search that proves values has to keep chance's nodes")
        _fit_luck(game, settings)
        self.job = np.zeros(1, mcts.Job)
        for name, setting in vars(settings).items():
            self.job[name] = setting
        # what the player to move knows, and nothing else, tells nodes apart; a look at a state tells it, unless the game has an abstraction
        plain = settings.sight == mcts.PLAYER and not settings.trails and "abstract" not in game.functions
        pairs = min(64 * nodes, 1 << 31) if settings.policy == bandits.COUPLED else 0
        for name, setting in {
            "simultaneous": game.about.simultaneous, "low": self.low, "high": self.high, "plain": plain, "levels": STEPS, "pair_room": pairs,
            "coefficient": settings.coefficient / (self.high - self.low),
        }.items():  # fmt: skip
            self.job[name] = setting
        proofs = game.players if settings.proven else 0
        moments = variates.MOMENTS if settings.variates & variates.CONTROL else 0
        self.slot_bytes = SLOT_BYTES + 8 * (proofs + moments)
        self._lay_out(
            labels=game.buffer(), names=game.buffer(), facts=np.zeros(2, np.int64), stream=np.zeros(1, np.uint64),
            trail=np.zeros(game.players + 1, np.uint64), fortunes=np.zeros(game.players), pair_sum=np.zeros(pairs), pair_count=np.zeros(pairs),
            proof=np.full(len(self.memory.slots) * proofs, np.nan), moments=np.zeros(len(self.memory.slots) * moments),
        )  # fmt: skip
        states, shares = None, None
        self._simulate = mcts.simulate.bind(
            game.table, self.job, states, shares, np.zeros(STEPS, mcts.Step), *self.memory.arrays
        )

    def forget(self) -> None:
        super().forget()
        for counted in ("pair_sum", "pair_count"):
            self.room[counted][: self.asked.pairs] = 0.0
        self.asked.pairs = 0

    @property
    def crowded(self) -> bool:
        return super().crowded or 4 * self.asked.pairs > 3 * self.asked.pair_room

    def _move(self, before: np.recarray, nodes: np.ndarray, slots: np.ndarray) -> None:
        for kept in ("proof", "moments"):
            rows = self.room[kept].reshape(len(self.memory.slots), -1)
            rows[: len(slots)] = rows[slots]
        # the pairs of a stage end where those of the next begin
        starts = np.sort(before.joint[before.joint >= 0])
        ends = np.append(starts[1:], self.asked.pairs)
        paired = self.memory.nodes[: len(nodes)]
        paired = np.flatnonzero(paired.joint >= 0)
        place = np.searchsorted(starts, self.memory.nodes.joint[paired])
        count = (ends - starts)[place]
        begin = np.cumsum(count) - count
        lay = np.repeat(starts[place] - begin, count) + np.arange(count.sum())
        for counted in ("pair_sum", "pair_count"):
            values = self.room[counted]
            values[: len(lay)] = values[lay]
            values[len(lay) : self.asked.pairs] = 0.0
        self.memory.nodes.joint[paired] = begin
        self.asked.pairs = len(lay)

    @property
    def finished(self) -> bool:
        """The value of the root is proven."""
        return self.asked.settled != 0

    def proof(self, player: int, slot: int | None) -> float | None:
        if not self.settings.proven or slot is None:
            return None
        worth = float(self.room["proof"][slot * self.game.players + player])
        return None if np.isnan(worth) else worth

    def simulate(
        self,
        roots: list[State],
        searcher: int,
        simulations: int,
        *,
        weights: list[float] | None = None,
        redraw: bool = False,
    ) -> None:
        """So many simulations from states drawn from `roots` by weight; `redraw` has the game's rule redraw each first."""
        if redraw and "resample" not in self.game.functions:
            raise FogspielError(f"{self.game.name} has no rule resample")
        data = (roots[0].data if len(roots) == 1 else np.concatenate([r.data for r in roots])).view(np.int8)
        share = _ALONE if len(roots) == 1 else _shares(weights, len(roots))
        job = self.asked
        job.simulations, job.searcher, job.states, job.redraw, job.settled = (
            simulations,
            searcher,
            len(roots),
            redraw,
            0,
        )
        if self.settings.variates > variates.CONTROL and not self.memory.node_count:
            # a new tree has new luck
            job.batch = next_word(self.rng)
        status = self.game.finish(self._simulate(data, share))
        if status == mcts.HIDDEN:
            raise Unsuitable(f"in {self.game.spec} a player does not know the state, so no value can be proven")
        if status:
            raise self.game.unplayable(status)

    def key(self, state: State, searcher: int) -> int:
        who = state.actor
        if self.settings.sight == mcts.HISTORY:
            return mix(int(self.job["history"][0]), who)
        key = state.key(who if self.settings.sight == mcts.PLAYER else searcher)
        return mix(mix(int(self.job["history"][0]), key) if self.settings.trails else key, who)

    def label(self, state: State, searcher: int, move: int) -> int:
        if self.settings.sight != mcts.SEARCHER or state.actor == searcher or self.game.about.simultaneous:
            return move
        after = state.copy()
        advance(after, move)
        return signed(after.key(searcher))


class OutcomeSampling(Search):
    """Online outcome sampling (`search/oos.py`). It samples from the root it is given, which is the start of the game unless it
    progresses by new roots, and is told what the searcher has seen so far."""

    def __init__(
        self,
        game: Game,
        *,
        gamma: float = 0.4,
        delta: float = 0.9,
        epsilon: float = 0.01,
        public: bool = False,
        baselines: bool = False,
        seed: int = 0,
        nodes: int = 1 << 18,
    ):
        super().__init__(game, seed=seed, nodes=nodes)
        if game.players != 2:
            raise Unsuitable(f"online outcome sampling is for two players; {game.spec} has {game.players}")
        if baselines and not game.about.zero_sum:
            raise Unsuitable(f"baselines are for zero-sum games, and {game.spec} is not one")
        self.public = public
        self.job = np.zeros(1, oos.Job)
        self.job["gamma"], self.job["delta"], self.job["epsilon"], self.job["baselines"] = (
            gamma,
            delta,
            epsilon,
            baselines,
        )
        self.job["zero_sum"], self.job["low"], self.job["high"] = game.about.zero_sum, self.low, self.high
        self.aim = np.zeros(1, target.Aim)
        self.aim["tries"], self.aim["levels"], self.aim["mask"] = LOOK_AHEAD, LEVELS, len(self.memory.index) - 1
        self._seen: tuple[int, list[int]] = (0, [])
        self._target, self._trails = np.zeros(len(self.memory.index), np.uint64), np.zeros(LEVELS + 1, np.uint64)
        self._stack, self._frames = (
            np.zeros(LEVELS * game.dtype.itemsize + 64, np.int8),
            np.zeros(4 * LEVELS + 8, np.int64),
        )
        self._ahead = game.buffer(LEVELS)
        self._ahead_odds = np.zeros(len(self._ahead))
        self._path = np.zeros(STEPS, oos.Step)
        self.job["levels"] = STEPS
        self._lay_out(inside=np.zeros(len(game.buffer())))

    def simulate(
        self,
        roots: list[State],
        searcher: int,
        simulations: int,
        *,
        seen: list[int] | None = None,
        reach: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        """About so many iterations (an even number) from the first root, targeted at what the searcher has `seen`: its keys, or
        the public ones. `reach`: the probability with which each player has come to the root."""
        if self._seen != (searcher, seen or []):
            self._seen = (searcher, list(seen or []))
            self._target[:] = 0
            self.aim["known"] = 0
        keys = np.array(seen or [0], np.uint64).view(np.int64)
        self.job["pairs"], self.job["reach"] = max(1, simulations // 2), reach
        self.aim["seen"], self.aim["searcher"], self.aim["watcher"] = (
            len(seen or []),
            searcher,
            PUBLIC if self.public else searcher,
        )
        status = self.game.finish(oos.iterate(
            self.game.table, self.job, roots[0].data.view(np.int8), self.aim, keys, self._target, self._stack, self._frames, self._trails,
            self._ahead, self._ahead_odds, self._path, *self.memory.arrays,
        ))  # fmt: skip
        if status:
            raise self.game.unplayable(status)


_ALONE = np.ones(1)


def _shares(weights: list[float] | None, count: int) -> np.ndarray:
    """Weights that sum to 1; equal ones if there are none."""
    share = np.ones(count) if weights is None else np.array(weights, float)
    return share / share.sum()


def _fit_luck(game: Game, settings: Settings) -> None:
    """Refuse what cannot be done about luck in a game, or with the other settings."""
    asked = settings.variates
    needs = {
        "covariate": (asked & variates.CONTROL, "control variates"),
        "mirror": (asked & variates.ANTITHETIC, "antithetic variates"),
        "guide": (settings.guided, "guided rollouts"),
    }
    for rule, (wanted, what) in needs.items():
        if wanted and rule not in game.functions:
            raise FogspielError(f"{game.name} has no rule {rule}, which {what} need")
    if asked & variates.CONTROL and settings.policy != bandits.UCB:
        raise FogspielError("control variates correct the means that UCB compares, so they are for bandit=ucb only")
    if settings.anew and not asked & (variates.COMMON | variates.ANTITHETIC):
        raise FogspielError("streams=each is about common and antithetic chance: ask for one of them in variates")
    if asked and settings.luck != chance.DRAWN:
        raise FogspielError("variates are for chance that is drawn as it comes, not proven, balanced or widened")


def signed(key: int) -> int:
    return key - (1 << 64) if key >= 1 << 63 else key
