"""Beliefs that follow the game: a set of states with probabilities, carried from one decision of a player to the next.

They are carried on by `ISMCTS-progress` (`belief/progress.py`), with a model of the others such as how often the search itself chose their moves.
(The printed listing looks the model up in the state before the player's move; it belongs to the state where the other player moves.)

What is believed in is where the stage of the player's decision began: moves that others make at the same time are still to come.

There is room for so many states and no more. Where they are too many, some are left out at random, so that every state's weight stays what
it was on average (Fearnhead and Clifford 2003, sec. 3.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fogspiel.belief.progress import ASK, DONE, FULL, HERE, Job, Particle, Queue, collect, keep, progress
from fogspiel.belief.replay import Record
from fogspiel.belief.roots import Model, States
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.primitives import uniform
from fogspiel.game.game import Game
from fogspiel.game.state import State
from fogspiel.game.view import view_type

MOST_TRIED = 1_000_000
"""Moves tried from one decision to the next. What has not arrived by then is not believed in."""
FEWEST, MANY = 256, 20
"""Particles that there is room for at first, and how many times the number believed in there may be on the way."""
BATCH = 1 << 14
"""Moves of a batch of states."""


@dataclass(frozen=True)
class Decisions:
    """Decisions of others at which a model is asked, for one that can answer many at once: it has a method `fill(decisions)`.

    `states` are addresses. The moves of the i-th are moves[first[i] : first[i] + count[i]], and how likely each is goes to `odds`, in the same
    place; there it is 1 / count[i] until then."""

    states: np.ndarray
    first: np.ndarray
    count: np.ndarray
    moves: np.ndarray
    odds: np.ndarray


class Particles:
    """What a player believes of the state: `states`, at most `most`, and their probabilities `prob`.

    `lost` tells that nothing believed in fits what was seen; the belief then stays empty. `short`: at the last decision there was no room, or
    no time, for all that fits.
    """

    def __init__(self, game: Game, player: int, most: int = 1000):
        self.game, self.player, self.most = game, player, most
        batch = max(1, BATCH // game.max_moves)
        moves = game.buffer(batch)
        shared = {"moves": moves, "odds": np.zeros(len(moves))}
        self._here, self._spare = (_Particles(game, player, most, batch, shared) for _ in range(2))
        self._here.begin()
        self.prob, self.short = np.ones(1), False

    @property
    def lost(self) -> bool:
        return not len(self.prob)

    @property
    def states(self) -> Sequence[State]:
        rows = self._here.queue.rows.view(np.uint8).reshape(-1, 16 * self._here.half)
        return States(self.game, rows[: len(self.prob), : self.game.dtype.itemsize].copy())

    def follow(self, record: Record, model: Model | None, rng: np.ndarray) -> None:
        """Go on to the player's present decision, as its record tells of it. Without a model, others' moves are each as likely."""
        here, found = self._here, self._spare
        here.look_for(record, model is not None)
        self.short = False
        while (status := self.game.finish(here.progress())) != DONE:
            if status == ASK:
                here.ask(model)
            elif status == FULL:
                self.short |= here.make_room(rng)
            else:
                raise self.game.too_many_moves(here.longest)
        found.collect(here)
        weights = found.weights
        self.short |= here.job.head < here.job.count or len(weights) > self.most
        here.clear()
        self._here, self._spare = found, here
        if len(weights) > self.most:
            picked, weights = thin(weights, self.most, rng)
            found.keep(picked, weights)
        total = weights.sum()
        self.prob = weights / total if total > 0 else np.full(len(weights), 1.0 / max(len(weights), 1))
        found.weights[:] = self.prob


def thin(weights: np.ndarray, most: int, rng: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of more than `most` particles to keep, and with what weights (Fearnhead and Clifford 2003, sec. 3.2).

    Weights above a threshold stay; of the others, some are drawn in proportion to their weights, and get the threshold as theirs. Where
    fewer than `most` have any weight, all of them are kept, and others fill up.
    """
    order = np.argsort(-weights, kind="stable")
    weighty = int(np.count_nonzero(weights))
    if weighty <= most:
        idle = order[weighty:]
        drawn = idle[
            np.floor((np.arange(most - weighty) + uniform(rng)) * len(idle) / max(most - weighty, 1)).astype(int)
        ]
        picked = np.sort(np.concatenate([order[:weighty], drawn]))
        return picked, weights[picked]
    ranked = weights[order]
    rest = ranked.sum() - np.concatenate([[0.0], np.cumsum(ranked[: most - 1])])
    thresholds = rest / (most - np.arange(most))
    sure = int(np.argmax(ranked[:most] <= thresholds))
    threshold = thresholds[sure]
    # systematic: the line of all others is cut at equal distances
    below = np.floor(np.cumsum(ranked[sure:]) / threshold + uniform(rng)).astype(int)
    drawn = order[sure:][np.diff(below, prepend=0) > 0]
    picked = np.sort(np.concatenate([order[:sure], drawn]))
    return picked, np.maximum(weights[picked], threshold)


class _Particles:
    """A queue (`belief/progress.py`), whose room grows up to a limit."""

    def __init__(self, game: Game, player: int, most: int, batch: int, shared: dict[str, np.ndarray]):
        least = max(FEWEST, 4 * game.max_moves)
        self.game, self.limit, self.half = game, max(MANY * most, least), -(-game.dtype.itemsize // 8)
        job, nothing = np.zeros(1, Job), np.zeros(1, np.int64)
        self.job = view_type(Job).from_buffer(job)
        self.job.player, self.job.simultaneous, self.job.most = player, game.about.simultaneous, MOST_TRIED
        self.job.half, self.job.width = self.half, batch * game.max_moves
        self.particles = np.zeros(0, Particle)
        self.queue = Bundled(
            Queue, job=job, particles=self.particles, rows=nothing, index=np.zeros(1, np.int32), keys=nothing, own=nothing, **shared
        )  # fmt: skip
        self._reserve(least)
        self.progress = progress.bind(game.table, self.queue)

    def _reserve(self, room: int) -> None:
        """Room for so many particles; those that are there stay. The index is empty."""
        queue, count = self.queue, self.job.count
        particles, rows = np.zeros(room, Particle), np.zeros(2 * self.half * room, np.int64)
        particles[:count], rows[: 2 * self.half * count] = self.particles[:count], queue.rows[: 2 * self.half * count]
        queue.rows.fill(0)
        self.job.room, self.job.mask = room, (1 << (2 * room - 1).bit_length()) - 1
        self.particles, queue.particles, queue.rows = particles, particles, rows
        queue.index = np.zeros(self.job.mask + 1, np.int32)

    def begin(self) -> None:
        """Believe in the start of the game alone."""
        size = self.game.dtype.itemsize
        for i in range(2):
            self.queue.rows[i * self.half : (i + 1) * self.half].view(np.uint8)[:size] = self.game.root.view(np.uint8)
        for field in ("weight", "known", "since"):
            self.particles[field][0] = 1
        self.job.count = 1

    def look_for(self, record: Record, asks: bool) -> None:
        """Set out for the decision that a record tells of."""
        job, queue = self.job, self.queue
        queue.keys = np.array(record.keys, np.uint64).view(np.int64)
        queue.own = np.array(record.own or [0], np.int64)
        job.seen, job.played, job.asks, job.head, job.end, job.tried = len(record.keys), len(record.own), asks, 0, 0, 0

    def ask(self, model: Model) -> None:
        """Fill in how likely others are to make the moves that were looked at."""
        job, queue = self.job, self.queue
        batch = self.particles[job.head : job.end]
        asked = np.flatnonzero((batch["actor"] >= 0) & (batch["actor"] != job.player))
        first, count = batch["first"][asked], batch["moves"][asked]
        if hasattr(model, "fill"):
            states = queue.rows.ctypes.data + 16 * self.half * (job.head + asked)
            model.fill(Decisions(states, first, count, queue.moves, queue.odds))
            return
        for i, begin, end in zip((job.head + asked).tolist(), first.tolist(), (first + count).tolist(), strict=True):
            odds = model(self.state(i))
            queue.odds[begin:end] = [odds.get(move, 0.0) for move in queue.moves[begin:end].tolist()]

    def make_room(self, rng: np.ndarray) -> bool:
        """Leave out what is dealt with. If that is not enough, take more room, and where there is none, leave out some of the rest. Returns
        whether that was so."""
        job = self.job
        alive = np.flatnonzero((np.arange(job.count) >= job.head) | (self.particles["actor"][: job.count] == HERE))
        weights, short = self.weights[alive], False
        if 2 * len(alive) > job.room:
            if job.room < self.limit:
                self._reserve(min(4 * job.room, self.limit))
            else:
                some, weights = thin(weights, job.room // 2, rng)
                alive, short = alive[some], True
        self.keep(alive, weights)
        return short

    def keep(self, picked: np.ndarray, weights: np.ndarray) -> None:
        """Keep these particles only, in their order, with these weights."""
        job, n = self.job, len(picked)
        keep(self.queue, n, picked, weights)
        self.queue.rows[2 * self.half * n : 2 * self.half * job.count] = 0
        job.head, job.end, job.count = (int(np.searchsorted(picked, at)) for at in (job.head, job.end, job.count))

    def collect(self, other: "_Particles") -> None:
        """Take over what has come to the decision."""
        if self.job.room < other.job.room:
            self._reserve(other.job.room)
        collect(self.game.table, other.queue, self.queue)
        self.game.finish()

    def clear(self) -> None:
        job, queue = self.job, self.queue
        queue.rows[: 2 * self.half * job.count] = 0
        queue.index.fill(0)
        job.count = 0

    @property
    def weights(self) -> np.ndarray:
        return self.particles["weight"][: self.job.count]

    @property
    def longest(self) -> int:
        """How many moves the state has that was looked at last."""
        return int(self.particles["moves"][self.job.end])

    def state(self, i: int) -> State:
        data = self.queue.rows[2 * self.half * i : 2 * self.half * (i + 1)].view(np.uint8).reshape(2, -1)
        state, stage = data[:, : self.game.dtype.itemsize]
        pending = self.job.simultaneous and not np.array_equal(state, stage)
        return State(self.game, state, State(self.game, stage) if pending else None)

    def __del__(self) -> None:
        if "queue" in vars(self):
            self.queue.rows.fill(0)  # memory is handed out again, to other seats too
            self.queue.keys.fill(0)
