"""The particle filter of Lisý 2014, sec. 3.2.3: states with probabilities, carried from one decision of a player to the
next.

They are carried on by `ISMCTS-progress` (`belief/progress.py`), with a model of the others such as how often the search
itself chose their moves. (The printed listing looks the model up in the state before the player's move; it belongs to
the state where the other player moves.) What is believed in is where the stage of the player's decision began: moves
that others make at the same time are still to come.

Simulations start from a state s with weight 1 + K p(s). As printed, a state is taken at random, each as likely, and 1 +
K p(s) simulations in a row start from it (`consecutive=yes`); to draw one for every simulation by the same weights
gives the same shares sooner.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fogspiel.belief.model import EMPTY, Model, TableModel
from fogspiel.belief.particles import (
    HERE,
    Decision,
    Inference,
    Particle,
    Queue,
    QueueSpace,
    QueueState,
    Step,
    Ways,
    admit,
    enter_all,
    normalize,
    settle,
)
from fogspiel.belief.progress import ASK, DONE, FULL, MODEL, progressing
from fogspiel.belief.record import Record
from fogspiel.belief.rejection import REPLAYS, usual_belief
from fogspiel.belief.roots import Draws, Roots, States
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import Bound
from fogspiel.engine.part import Part
from fogspiel.game.game import Game
from fogspiel.game.rules import PUBLIC
from fogspiel.game.spec import Choice, Number, Whole
from fogspiel.game.state import State
from fogspiel.game.view import view_type

K = Number("k", 100, 0, 1e9, "weight of the belief against one for every state")
PARTICLES = Whole("particles", 500, 1, 10**6, "most states believed in")
CONSECUTIVE = Choice(
    "consecutive",
    "no",
    ("no", "yes"),
    "take states with equal chance and run 1 + K p simulations in a row from each, as printed",
)
PARAMETERS = (K, PARTICLES, CONSECUTIVE, REPLAYS)


class Tracked:
    """States carried from decision to decision, by a model of the others (Lisý 2014, sec. 3.2.3).

    Where nothing believed in fits what was seen (after states were left out for want of room), the belief is lost:
    from then on states are resampled or replayed. (Lisý 2014 then moves at random until the game is over.)"""

    PARAMETERS = PARAMETERS

    models = True

    def __init__(
        self,
        k: float = K.default,
        particles: int = PARTICLES.default,
        consecutive: str = "no",
        replays: int = REPLAYS.default,
    ):
        self.k, self.most, self.consecutive, self.replays = k, particles, consecutive == "yes", replays
        self.account = Draws()

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None:
        self.particles, self.rng = ParticleFilter(game, seat, self.most), rng
        self.otherwise = usual_belief(game, self.replays)
        self.otherwise.begin(game, seat, rng)

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        if not self.particles.lost:
            self.particles.follow(record, model, self.rng)
        if self.particles.lost:
            self.otherwise.update(record, state, model)
            self.account = self.otherwise.account
        else:
            self.account = Draws(effective=self.particles.effective)
        self.account.lost, self.account.short = self.particles.lost, self.particles.short

    def draw(self) -> Roots:
        if self.particles.lost:
            return self.otherwise.draw()
        weights = (1 + self.k * self.particles.prob).tolist()
        return Roots(self.particles.states, weights, runs=weights if self.consecutive else None)


Answering = Callable[..., Any]
"""A model, or whatever `answer` can ask in its place."""

FEWEST, MANY = 256, 5
"""Particles that there is room for at first, and how many times the number believed in there may be on the way."""
BATCH = 1 << 14
"""Moves of a batch of states."""


def batch(game: Game) -> int:
    """States of a batch."""
    return max(1, BATCH // game.max_moves)


class ParticleQueue:
    """Room for particles, which grows up to MANY times `most`. With probability `noise` others are taken to move at
    random, whatever a model says."""

    parts: tuple[Part, ...] = ()
    """Those of its kernel, beside the model's."""

    def __init__(self, game: Game, player: int, watcher: int, most: int, noise: float = 0.0, *, stages: bool = True):
        least = max(FEWEST, 4 * game.max_moves)
        self.game, self.half = game, -(-game.dtype.itemsize // 8)
        kinds = {
            "decision": Decision,
            "space": QueueSpace,
            "stand": QueueState,
            "inference": Inference,
            "written": Ways,
        }
        records = {name: np.zeros(1, kind) for name, kind in kinds.items()}
        self.decision, self.space, self.stand, self.inference, self.written = (
            view_type(record.dtype).from_buffer(record.data) for record in records.values()
        )
        self.decision.player, self.decision.watcher, self.decision.noise = player, watcher, noise
        self.decision.simultaneous = stages and game.about.simultaneous
        self.space.half, self.space.words = self.half, self.half * (1 + self.decision.simultaneous)
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
        self.decision.played, self.decision.most = len(record.own), most
        stand.head = stand.end = stand.tried = stand.short = stand.to_event = 0

    def _remember(self, record: Record) -> None:
        """What the watcher has seen."""
        keys = record.public if self.decision.watcher == PUBLIC else record.keys
        self.queue.keys = np.array(keys, np.uint64).view(np.int64)
        self.decision.recorded = self.stand.seen = len(keys)

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
        return self._kernels[parts](model.rows if isinstance(model, TableModel) else EMPTY, rng)

    def composition(self, model: Answering | None) -> tuple[Part, ...]:
        if model is None:
            return self.parts
        return (*self.parts, MODEL.part("table" if isinstance(model, TableModel) else "python"))

    def ask(self, model: Answering) -> None:
        """Fill in how likely others are to make the moves that were looked at."""
        decision, stand, queue, noise = self.decision, self.stand, self.queue, self.decision.noise
        batch = self.particles[stand.head : stand.end]
        known = batch["actor"] == (decision.player if decision.watcher == decision.player else HERE)
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
        pending = self.decision.simultaneous and not np.array_equal(data[0], data[1])
        return State(self.game, data[0], State(self.game, data[1]) if pending else None)


MOST_TRIED = 1_000_000
"""Moves tried from one decision to the next. What has not arrived by then is not believed in."""


class ParticleFilter:
    """What a player believes of the state: `states`, at most `most`, and their probabilities `prob`. With `watcher`
    PUBLIC, what somebody would believe who sees what all see and no more, at the player's decisions. With probability
    `noise` others are taken to move at random, whatever a model says.

    `lost` tells that nothing believed in fits what was seen; the belief then stays empty. `short`: at the last decision
    there was no room, or no time, for all that fits.
    """

    make = ParticleQueue
    """What carries them on."""

    def __init__(self, game: Game, player: int, most: int = 1000, watcher: int | None = None, noise: float = 0.0):
        self.game, self.player, self.most = game, player, most
        self.queue = self.make(game, player, player if watcher is None else watcher, most, noise)
        self.queue.begin()
        self.prob, self.short = np.ones(1), False

    @property
    def lost(self) -> bool:
        return not len(self.prob)

    @property
    def effective(self) -> float:
        """The effective sample size, 1 / sum of p^2 (Kong et al. 1994): that many states, each as likely, would tell as
        much."""
        return float(1 / np.square(self.prob).sum())

    @property
    def states(self) -> Sequence[State]:
        return self.queue.states

    def follow(
        self, record: Record, model: Model | None, rng: np.ndarray, tried: int | None = None, spare: int = 0
    ) -> None:
        """Go on to the player's present decision, as the record tells of it, with so many moves tried at most. Without
        a model, others' moves are each as likely. There is room left for `spare` states to be admitted."""
        queue = self.queue
        queue.look_for(record, MOST_TRIED if tried is None else tried)
        queue.run(model, rng)
        self.short = queue.settle(self.most, spare, rng)
        self.prob = queue.weights.copy()

    def forget(self) -> None:
        """Believe in nothing: the belief is lost until states are admitted."""
        self.queue.clear()
        self.prob = np.zeros(0)

    def admit(self, states: States, share: float, record: Record, rng: np.ndarray) -> None:
        """Believe in these states, too, where the stage of the decision began: each as likely, and together with this
        share."""
        self.short |= self.queue.admit(states, share, self.most, record, rng)
        self.prob = self.queue.weights.copy()
