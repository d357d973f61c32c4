"""The queue of particles of `belief/progress.py` in Python's hands: its room, the record it follows, and the model of
the others that it asks."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fogspiel.belief.hooks import Part, foretell
from fogspiel.belief.particle import HERE, Asked, Inference, Particle, Queue, Space, Stand, Step, Ways
from fogspiel.belief.progress import ASK, DONE, FULL, progressing
from fogspiel.belief.replay import Record
from fogspiel.belief.room import enter_all
from fogspiel.belief.roots import States
from fogspiel.belief.rows import BY_TABLE, EMPTY, Table
from fogspiel.belief.settling import admit, normalize, settle
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import Bound
from fogspiel.game.game import Game
from fogspiel.game.rules import PUBLIC
from fogspiel.game.state import State
from fogspiel.game.view import view_type

Answering = Callable[..., Any]
"""A model, or whatever `answer` can ask in its place."""

FEWEST, MANY = 256, 5
"""Particles that there is room for at first, and how many times the number believed in there may be on the way."""
BATCH = 1 << 14
"""Moves of a batch of states."""


def batch(game: Game) -> int:
    """States of a batch."""
    return max(1, BATCH // game.max_moves)


def ask(game, queue, rows, here, s):
    """Python is to be asked of others' moves."""
    return 1


BY_PYTHON = Part("python", {foretell: ask})


class ParticleQueue:
    """Room for particles, which grows up to MANY times `most`. With probability `noise` others are taken to move at
    random, whatever a model says."""

    parts: tuple[Part, ...] = ()
    """Those of its kernel, beside the model's."""

    def __init__(self, game: Game, player: int, watcher: int, most: int, noise: float = 0.0, *, stages: bool = True):
        least = max(FEWEST, 4 * game.max_moves)
        self.game, self.half = game, -(-game.dtype.itemsize // 8)
        records = {
            name: np.zeros(1, kind)
            for name, kind in {
                "asked": Asked,
                "space": Space,
                "stand": Stand,
                "inference": Inference,
                "written": Ways,
            }.items()
        }
        self.asked, self.space, self.stand, self.inference, self.written = (
            view_type(record.dtype).from_buffer(record.data) for record in records.values()
        )
        self.asked.player, self.asked.watcher, self.asked.noise = player, watcher, noise
        self.asked.simultaneous = stages and game.about.simultaneous
        self.space.half, self.space.words = self.half, self.half * (1 + self.asked.simultaneous)
        self.space.limit, self.space.width = max(MANY * most, least), batch(game) * game.max_moves
        self.particles, nothing = np.zeros(0, Particle), np.zeros(1, np.int64)
        moves = game.buffer(batch(game))
        self.queue = Bundled(
            Queue,
            **records,
            particles=self.particles,
            rows=nothing,
            index=np.zeros(1, np.int32),
            keys=nothing,
            own=nothing,
            moves=moves,
            odds=np.zeros(len(moves)),
            ways=np.zeros(1, Step),
            mass=np.zeros(0),
        )
        self._reserve(least)
        self._kernels: dict[tuple[Part, ...], Bound] = {}

    def _reserve(self, room: int) -> None:
        """Room for so many particles; those that are there stay."""
        queue, space, count = self.queue, self.space, self.stand.count
        particles, rows = np.zeros(room, Particle), np.zeros(space.words * room, np.int64)
        particles[:count] = self.particles[:count]
        rows[: space.words * count] = queue.rows[: space.words * count]
        queue.rows.fill(0)
        space.room, space.mask = room, (1 << (2 * room - 1).bit_length()) - 1
        self.particles, queue.particles, queue.rows = particles, particles, rows
        queue.index, queue.mass = np.zeros(space.mask + 1, np.int32), np.zeros(room)
        if count > 0:
            enter_all(queue)

    def begin(self) -> None:
        """Believe in the start of the game alone."""
        size = self.game.dtype.itemsize
        states = self.queue.rows[: self.space.words].reshape(-1, self.half).view(np.uint8)
        states[:, :size] = self.game.root.view(np.uint8)
        for field in ("weight", "plain", "known", "since"):
            self.particles[field][0] = 1
        self.particles["way"][0] = -1
        self.stand.count = 1

    def look_for(self, record: Record, most: int) -> None:
        """Set out for the decision that a record tells of, with so many moves tried at most."""
        stand = self.stand
        self._remember(record)
        self.queue.own = np.array(record.own or [0], np.int64)
        self.asked.played, self.asked.most = len(record.own), most
        stand.head = stand.end = stand.tried = stand.short = stand.to_event = 0

    def _remember(self, record: Record) -> None:
        """What the watcher has seen."""
        keys = record.public if self.asked.watcher == PUBLIC else record.keys
        self.queue.keys = np.array(keys, np.uint64).view(np.int64)
        self.asked.recorded = self.stand.seen = len(keys)

    def run(self, model: Answering | None, rng: np.ndarray) -> bool:
        """Carry all particles on to the decision. Without a model, others' moves are each as likely. Returns whether
        some that agree with the record were left out."""
        while (status := self.game.finish(self.carry_on(model, rng))) != DONE:
            if status == ASK:
                assert model is not None
                self.ask(model)
            elif status == FULL:
                self.grow()
            else:
                raise self.game.too_many_moves(self.longest)
        return bool(self.stand.short)

    def carry_on(self, model: Answering | None, rng: np.ndarray) -> int:
        """One call of the kernel, with the parts that the model wants."""
        parts = self.composition(model)
        if parts not in self._kernels:
            self._kernels[parts] = progressing(*parts).bind(self.game.table, self.queue, None, None)
        return self._kernels[parts](model.rows if isinstance(model, Table) else EMPTY, rng)

    def composition(self, model: Answering | None) -> tuple[Part, ...]:
        if model is None:
            return self.parts
        return (*self.parts, BY_TABLE if isinstance(model, Table) else BY_PYTHON)

    def ask(self, model: Answering) -> None:
        """Fill in how likely others are to make the moves that were looked at."""
        asked, stand, queue, noise = self.asked, self.stand, self.queue, self.asked.noise
        batch = self.particles[stand.head : stand.end]
        known = batch["actor"] == (asked.player if asked.watcher == asked.player else HERE)
        wanted = np.flatnonzero((batch["actor"] >= 0) & ~known & (batch["moves"] > 0) & (batch["weight"] > 0))
        first, count = batch["first"][wanted], batch["moves"][wanted]
        for i, at, n in zip((stand.head + wanted).tolist(), first.tolist(), count.tolist(), strict=True):
            odds, moves = self.answer(model, i), queue.moves[at : at + n].tolist()
            queue.odds[at : at + n] = [(1.0 - noise) * odds.get(move, 0.0) + noise / n for move in moves]

    def answer(self, model: Answering, i: int) -> dict[int, float]:
        """What a model says of the moves in a particle's state."""
        return model(self.state(i))

    def grow(self) -> None:
        """Take more room, where that is wanted."""
        if 2 * self.stand.count > self.space.room:
            self._reserve(min(4 * self.space.room, self.space.limit))

    def settle(self, most: int, spare: int, rng: np.ndarray) -> bool:
        """Keep what has come to the decision, where its stage began: no more than `most` states, less what is to be
        spared, with probabilities as weights. Returns whether some were left out."""
        settle(self.game.table, self.queue)
        normalize(self.queue, most, spare, rng)
        self.game.finish()
        return bool(self.stand.short)

    def admit(self, states: States, share: float, most: int, record: Record, rng: np.ndarray) -> bool:
        """Take in states where the stage of the decision began: each as likely, and together with this share. Returns
        whether some were left out for that."""
        stand, words, count = self.stand, self.space.words, len(states)
        if stand.count + count >= self.space.room:
            self._reserve(stand.count + count + 1)
        rows = self.queue.rows[words * stand.count : words * (stand.count + count)].view(np.uint8)
        rows[:] = 0
        rows.reshape(count, -1, 8 * self.half)[:, :, : self.game.dtype.itemsize] = states.data[:, None]
        self.particles[stand.count : stand.count + count] = (0, 0, 0, 0, len(record.own), 0, HERE, 0, 0, 0, 0)
        self._remember(record)
        stand.short = 0
        admit(self.game.table, self.queue, count, share)
        normalize(self.queue, most, 0, rng)
        self.game.finish()
        return bool(stand.short)

    def clear(self) -> None:
        self.queue.rows[: self.space.words * self.stand.count] = 0
        self.queue.index.fill(0)
        self.stand.count = 0

    @property
    def weights(self) -> np.ndarray:
        return self.particles["weight"][: self.stand.count]

    @property
    def plain(self) -> np.ndarray:
        return self.particles["plain"][: self.stand.count]

    @property
    def longest(self) -> int:
        """How many moves the state has that was looked at last."""
        return int(self.particles["moves"][self.stand.end])

    @property
    def states(self) -> States:
        """The bytes of the states, where their stages began if they have just settled."""
        rows = self.queue.rows.view(np.uint8).reshape(-1, 8 * self.space.words)
        return States(self.game, rows[: self.stand.count, : self.game.dtype.itemsize].copy())

    def state(self, i: int) -> State:
        size = self.game.dtype.itemsize
        data = (
            self.queue.rows[self.space.words * i : self.space.words * (i + 1)]
            .view(np.uint8)
            .reshape(-1, 8 * self.half)[:, :size]
        )
        pending = self.asked.simultaneous and not np.array_equal(data[0], data[1])
        return State(self.game, data[0], State(self.game, data[1]) if pending else None)
