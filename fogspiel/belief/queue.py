"""The queue of particles of `belief/progress.py` in Python's hands: its room, the record it follows, and the model of the others that it asks."""

import numpy as np

from fogspiel.belief.particle import HERE, NOBODY, PYTHON, TABLE, Inference, Job, Particle, Queue
from fogspiel.belief.progress import ASK, DONE, FULL, admit, enter_all, progress, settle
from fogspiel.belief.replay import Record
from fogspiel.belief.roots import Model, States
from fogspiel.belief.rows import EMPTY, Table
from fogspiel.engine.bundle import Bundled
from fogspiel.game.game import Game
from fogspiel.game.rules import PUBLIC
from fogspiel.game.state import State
from fogspiel.game.view import view_type

FEWEST, MANY = 256, 5
"""Particles that there is room for at first, and how many times the number believed in there may be on the way."""
BATCH = 1 << 14
"""Moves of a batch of states."""


def batch(game: Game) -> int:
    """States of a batch."""
    return max(1, BATCH // game.max_moves)


class ParticleQueue:
    """Room for particles, which grows up to MANY times `most`. With probability `noise` others are taken to move at random, whatever a model says."""

    def __init__(self, game: Game, player: int, watcher: int, most: int, noise: float = 0.0, *, stages: bool = True):
        least = max(FEWEST, 4 * game.max_moves)
        self.game, self.half = game, -(-game.dtype.itemsize // 8)
        job, inference, nothing = np.zeros(1, Job), np.zeros(1, Inference), np.zeros(1, np.int64)
        self.job, self.inference = view_type(Job).from_buffer(job), view_type(Inference).from_buffer(inference)
        self.job.player, self.job.watcher, self.job.noise = player, watcher, noise
        self.job.simultaneous = stages and game.about.simultaneous
        self.job.half, self.job.words = self.half, self.half * (1 + self.job.simultaneous)
        self.job.limit, self.job.width, self.job.most_steps = max(MANY * most, least), batch(game) * game.max_moves, -1
        self.particles = np.zeros(0, Particle)
        moves = game.buffer(batch(game))
        self.queue = Bundled(
            Queue, job=job, inference=inference, particles=self.particles, rows=nothing, index=np.zeros(1, np.int32), keys=nothing, own=nothing,
            moves=moves, odds=np.zeros(len(moves)), ways=nothing, mass=np.zeros(0),
        )  # fmt: skip
        self._reserve(least)
        self.progress = progress.bind(game.table, self.queue, None, None, None)

    def _reserve(self, room: int) -> None:
        """Room for so many particles; those that are there stay."""
        queue, job = self.queue, self.job
        particles, rows = np.zeros(room, Particle), np.zeros(job.words * room, np.int64)
        particles[: job.count] = self.particles[: job.count]
        rows[: job.words * job.count] = queue.rows[: job.words * job.count]
        queue.rows.fill(0)
        job.room, job.mask = room, (1 << (2 * room - 1).bit_length()) - 1
        self.particles, queue.particles, queue.rows = particles, particles, rows
        queue.index, queue.mass = np.zeros(job.mask + 1, np.int32), np.zeros(room)
        if job.count > 0:
            enter_all(queue)

    def begin(self) -> None:
        """Believe in the start of the game alone."""
        size = self.game.dtype.itemsize
        states = self.queue.rows[: self.job.words].reshape(-1, self.half).view(np.uint8)
        states[:, :size] = self.game.root.view(np.uint8)
        for field in ("weight", "plain", "known", "since"):
            self.particles[field][0] = 1
        self.particles["way"][0] = -1
        self.job.count = 1

    def look_for(self, record: Record, model: Model | None, most: int) -> None:
        """Set out for the decision that a record tells of."""
        job = self.job
        self._remember(record)
        self.queue.own = np.array(record.own or [0], np.int64)
        job.played, job.most = len(record.own), most
        job.asks = NOBODY if model is None else TABLE if isinstance(model, Table) else PYTHON
        job.head, job.end, job.tried, job.short, job.to_event = 0, 0, 0, 0, 0
        if self.inference.infers:
            least = int(self.particles["known"][: job.count].min(initial=job.recorded))
            if least < job.recorded:
                job.seen, job.to_event = least + 1, 1

    def _remember(self, record: Record) -> None:
        """What the watcher has seen."""
        keys = record.public if self.job.watcher == PUBLIC else record.keys
        self.queue.keys = np.array(keys, np.uint64).view(np.int64)
        self.job.recorded = self.job.seen = len(keys)

    def run(self, model: Model | None, rng: np.ndarray) -> bool:
        """Carry all particles on to the decision. Returns whether some that agree with the record were left out."""
        table = model if isinstance(model, Table) else EMPTY
        while (status := self.game.finish(self.progress(table.rows, table.mask, rng))) != DONE:
            if status == ASK:
                self.ask(model)
            elif status == FULL:
                self.grow()
            else:
                raise self.game.too_many_moves(self.longest)
        return bool(self.job.short)

    def ask(self, model: Model) -> None:
        """Fill in how likely others are to make the moves that were looked at."""
        job, queue = self.job, self.queue
        batch = self.particles[job.head : job.end]
        known = batch["actor"] == (job.player if job.watcher == job.player else HERE)
        asked = np.flatnonzero((batch["actor"] >= 0) & ~known & (batch["moves"] > 0) & (batch["weight"] > 0))
        first, count = batch["first"][asked], batch["moves"][asked]
        for i, at, n in zip((job.head + asked).tolist(), first.tolist(), count.tolist(), strict=True):
            odds = self.answer(model, i)
            queue.odds[at : at + n] = [odds.get(move, 0.0) for move in queue.moves[at : at + n].tolist()]

    def answer(self, model: Model, i: int) -> dict[int, float]:
        """What a model says of the moves in a particle's state."""
        return model(self.state(i))

    def grow(self) -> None:
        """Take more room, where that is wanted."""
        if 2 * self.job.count > self.job.room:
            self._reserve(min(4 * self.job.room, self.job.limit))

    def settle(self, most: int, spare: int, rng: np.ndarray) -> bool:
        """Keep what has come to the decision, where its stage began: no more than `most` states, less what is to be spared, with probabilities as weights. Returns whether
        some were left out."""
        settle(self.game.table, self.queue, most, spare, rng)
        self.game.finish()
        return bool(self.job.short)

    def admit(self, states: States, share: float, most: int, record: Record, rng: np.ndarray) -> bool:
        """Take in states where the stage of the decision began: each as likely, and together with this share. Returns whether some were left out for that."""
        job, count = self.job, len(states)
        if job.count + count >= job.room:
            self._reserve(job.count + count + 1)
        rows = self.queue.rows[job.words * job.count : job.words * (job.count + count)].view(np.uint8)
        rows[:] = 0
        rows.reshape(count, -1, 8 * self.half)[:, :, : self.game.dtype.itemsize] = states.data[:, None]
        self.particles[job.count : job.count + count] = (0, 0, 0, 0, len(record.own), 0, HERE, 0, 0, 0, 0)
        self._remember(record)
        job.short = 0
        admit(self.game.table, self.queue, count, share, most, rng)
        self.game.finish()
        return bool(job.short)

    def clear(self) -> None:
        self.queue.rows[: self.job.words * self.job.count] = 0
        self.queue.index.fill(0)
        self.job.count = 0

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

    @property
    def states(self) -> States:
        """The bytes of the states, where their stages began if they have just settled."""
        rows = self.queue.rows.view(np.uint8).reshape(-1, 8 * self.job.words)
        return States(self.game, rows[: self.job.count, : self.game.dtype.itemsize].copy())

    def state(self, i: int) -> State:
        size = self.game.dtype.itemsize
        data = (
            self.queue.rows[self.job.words * i : self.job.words * (i + 1)]
            .view(np.uint8)
            .reshape(-1, 8 * self.half)[:, :size]
        )
        pending = self.job.simultaneous and not np.array_equal(data[0], data[1])
        return State(self.game, data[0], State(self.game, data[1]) if pending else None)

    def __del__(self) -> None:
        if "queue" in vars(self):
            self.queue.rows.fill(0)  # memory is handed out again, to other seats too
            self.queue.keys.fill(0)
