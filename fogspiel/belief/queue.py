"""The queue of particles of `belief/progress.py` in Python's hands: its room, the record it follows, and the model of the others that it asks.

There is room for so many particles and no more. Where they are too many, some are left out at random, so that every state's weight stays what
it was on average (Fearnhead and Clifford 2003, sec. 3.2).
"""

from dataclasses import dataclass

import numpy as np

from fogspiel.belief.progress import ASK, DONE, FULL, HERE, Job, Particle, Queue, admit, collect, keep, progress
from fogspiel.belief.replay import Record
from fogspiel.belief.roots import Model, States
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.primitives import uniform
from fogspiel.game.game import Game
from fogspiel.game.rules import PUBLIC
from fogspiel.game.state import State
from fogspiel.game.view import view_type

FEWEST, MANY = 256, 5
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


def batch(game: Game) -> int:
    """States of a batch."""
    return max(1, BATCH // game.max_moves)


def room_for_moves(game: Game) -> dict[str, np.ndarray]:
    """Room for the moves of a batch, which several queues may share."""
    moves = game.buffer(batch(game))
    return {"moves": moves, "odds": np.zeros(len(moves))}


class ParticleQueue:
    """Room for particles, which grows up to MANY times `most`."""

    by_plain = False
    """Whether the weights `plain` count, too, where some particles are left out."""
    noise = 0.0
    """How likely others are taken to move at random."""

    def __init__(self, game: Game, player: int, watcher: int, most: int, shared: dict[str, np.ndarray] | None = None):
        least = max(FEWEST, 4 * game.max_moves)
        self.game, self.limit, self.half = game, max(MANY * most, least), -(-game.dtype.itemsize // 8)
        job, nothing = np.zeros(1, Job), np.zeros(1, np.int64)
        self.job = view_type(Job).from_buffer(job)
        self.job.player, self.job.watcher, self.job.simultaneous = player, watcher, game.about.simultaneous
        self.job.half, self.job.width, self.job.most_steps = self.half, batch(game) * game.max_moves, -1
        self.particles = np.zeros(0, Particle)
        self.queue = Bundled(
            Queue, job=job, particles=self.particles, rows=nothing, index=np.zeros(1, np.int32), keys=nothing, own=nothing, ways=nothing,
            **(shared or room_for_moves(game)),
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
        for field in ("weight", "plain", "known", "since"):
            self.particles[field][0] = 1
        self.particles["way"][0] = -1
        self.job.count = 1

    def look_for(self, record: Record, asks: bool, most: int) -> None:
        """Set out for the decision that a record tells of."""
        job = self.job
        self._remember(record)
        self.queue.own = np.array(record.own or [0], np.int64)
        job.played, job.asks, job.most = len(record.own), asks, most
        job.head, job.end, job.tried, job.to_event = 0, 0, 0, 0

    def _remember(self, record: Record) -> None:
        """What the watcher has seen."""
        keys = record.public if self.job.watcher == PUBLIC else record.keys
        self.queue.keys, self.job.seen = np.array(keys, np.uint64).view(np.int64), len(keys)

    def run(self, model: Model | None, rng: np.ndarray) -> bool:
        """Carry all particles on to the decision, or the event. Returns whether some that agree with the record were left out."""
        short = False
        while (status := self.game.finish(self.progress())) != DONE:
            if status == ASK:
                self.ask(model)
            elif status == FULL:
                short |= self.make_room(rng)
            else:
                raise self.game.too_many_moves(self.longest)
        return short or self.job.head < self.job.count

    def ask(self, model: Model) -> None:
        """Fill in how likely others are to make the moves that were looked at."""
        job, queue = self.job, self.queue
        batch = self.particles[job.head : job.end]
        known = batch["actor"] == (job.player if job.watcher == job.player else HERE)
        asked = np.flatnonzero((batch["actor"] >= 0) & ~known & (batch["moves"] > 0) & (batch["weight"] > 0))
        first, count = batch["first"][asked], batch["moves"][asked]
        if hasattr(model, "fill"):
            states = queue.rows.ctypes.data + 16 * self.half * (job.head + asked)
            model.fill(Decisions(states, first, count, queue.moves, queue.odds))
        else:
            for i, at, n in zip((job.head + asked).tolist(), first.tolist(), count.tolist(), strict=True):
                odds = self.answer(model, i)
                queue.odds[at : at + n] = [odds.get(move, 0.0) for move in queue.moves[at : at + n].tolist()]
        if self.noise > 0:
            places = np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())
            queue.odds[places] = (1 - self.noise) * queue.odds[places] + self.noise / np.repeat(count, count)

    def answer(self, model: Model, i: int) -> dict[int, float]:
        """What a model says of the moves in a particle's state."""
        return model(self.state(i))

    def make_room(self, rng: np.ndarray) -> bool:
        """Leave out what is dealt with. If that is not enough, take more room, and where there is none, leave out some of the rest. Returns
        whether that was so."""
        job = self.job
        alive = np.flatnonzero((np.arange(job.count) >= job.head) | (self.particles["actor"][: job.count] == HERE))
        mass, short = self.mass[alive], False
        weights = mass
        if 2 * len(alive) > job.room:
            if job.room < self.limit:
                self._reserve(min(4 * job.room, self.limit))
            else:
                some, weights = thin(mass, job.room // 2, rng)
                alive, mass, short = alive[some], mass[some], True
        self._keep(alive, np.divide(weights, mass, out=np.ones(len(mass)), where=mass > 0))
        return short

    @property
    def mass(self) -> np.ndarray:
        """What particles count where some are left out."""
        if not self.by_plain:
            return self.weights
        return sum(one / max(one.sum(), 1e-300) for one in (self.weights, self.plain))

    def keep(self, picked: np.ndarray, weights: np.ndarray) -> None:
        """Keep these particles only, in their order, with these weights."""
        before = self.weights[picked]
        self._keep(picked, np.divide(weights, before, out=np.ones(len(picked)), where=before > 0))

    def pause(self) -> None:
        """Keep those that have come to an event, and have all of them still to be dealt with."""
        arrived = np.flatnonzero(self.particles["actor"][: self.job.count] == HERE)
        self._keep(arrived, np.ones(len(arrived)))
        self.job.head = self.job.end = 0

    def admit(self, states: States, weight: float, record: Record) -> None:
        """Take in states where the stage of the decision began, each with this weight."""
        job, count = self.job, len(states)
        if job.count + count >= job.room:
            self._reserve(job.count + count + 1)
            self._keep(np.arange(job.count), np.ones(job.count))
        rows = self.queue.rows[2 * self.half * job.count : 2 * self.half * (job.count + count)].view(np.uint8)
        rows[:] = 0
        rows.reshape(count, 2, -1)[:, :, : self.game.dtype.itemsize] = states.data[:, None]
        self.particles[job.count : job.count + count] = (weight, weight, 0, 0, len(record.own), 0, HERE, 0, 0, 0, 0)
        self._remember(record)
        job.head = -1
        admit(self.game.table, self.queue, count)
        self.game.finish()
        job.head = 0

    def _keep(self, picked: np.ndarray, factors: np.ndarray) -> None:
        job, n = self.job, len(picked)
        keep(self.queue, n, picked, factors)
        self.queue.rows[2 * self.half * n : 2 * self.half * job.count] = 0
        job.head, job.end, job.count = (int(np.searchsorted(picked, at)) for at in (job.head, job.end, job.count))

    def collect(self, other: "ParticleQueue") -> None:
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
    def plain(self) -> np.ndarray:
        return self.particles["plain"][: self.job.count]

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


def thin(weights: np.ndarray, most: int, rng: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of more than `most` particles to keep, and with what weights (Fearnhead and Clifford 2003, sec. 3.2).

    Weights above a threshold stay; of the others, some are drawn in proportion to their weights, and get the threshold as theirs. Where
    fewer than `most` have any weight, all of them are kept, and others fill up.
    """
    kept = weights > 0
    weighty = int(np.count_nonzero(kept))
    if weighty <= most:
        idle, wanted = np.flatnonzero(~kept), most - weighty
        kept[idle[np.floor((np.arange(wanted) + uniform(rng)) * len(idle) / max(wanted, 1)).astype(int)]] = True
        picked = np.flatnonzero(kept)
        return picked, weights[picked]
    threshold, sure = weights.sum() / most, 0
    while (above := int(np.count_nonzero(weights > threshold))) > sure:
        sure = above
        threshold = weights[weights <= threshold].sum() / (most - sure)
    kept = weights > threshold
    others = np.flatnonzero(~kept)
    # systematic: the line of all others is cut at equal distances
    below = np.floor(np.cumsum(weights[others]) / threshold + uniform(rng)).astype(int)
    kept[others[np.diff(below, prepend=0) > 0]] = True
    picked = np.flatnonzero(kept)
    return picked, np.maximum(weights[picked], threshold)
