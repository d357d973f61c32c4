"""Beliefs that follow the game: a set of states with probabilities, carried from one decision of a player to the next.

They are carried on by `ISMCTS-progress` (`belief/progress.py`), with a model of the others such as how often the search itself chose their moves.
(The printed listing looks the model up in the state before the player's move; it belongs to the state where the other player moves.)

What is believed in is where the stage of the player's decision began: moves that others make at the same time are still to come.
"""

from collections.abc import Callable, Sequence

import numpy as np

from fogspiel.belief.queue import ParticleQueue, room_for_moves, thin
from fogspiel.belief.replay import Record
from fogspiel.belief.roots import Model, States
from fogspiel.game.game import Game
from fogspiel.game.state import State

MOST_TRIED = 1_000_000
"""Moves tried from one decision to the next. What has not arrived by then is not believed in."""

AtEvent = Callable[[np.ndarray], None]
"""Told the particles (`progress.Particle`) after each event, and at the decision: it may change their weights."""


class Particles:
    """What a player believes of the state: `states`, at most `most`, and their probabilities `prob`. With `watcher` PUBLIC, what somebody
    would believe who sees what all see and no more, at the player's decisions. With probability `noise`
    others are taken to move at random, whatever a model says.

    `lost` tells that nothing believed in fits what was seen; the belief then stays empty. `short`: at the last decision there was no room, or
    no time, for all that fits.
    """

    def __init__(self, game: Game, player: int, most: int = 1000, watcher: int | None = None, noise: float = 0.0):
        self.game, self.player, self.most = game, player, most
        watcher = player if watcher is None else watcher
        shared = room_for_moves(game)
        self._here, self._spare = (ParticleQueue(game, player, watcher, most, shared) for _ in range(2))
        self._here.noise = self._spare.noise = noise
        self._here.begin()
        self.prob, self.short = np.ones(1), False

    @property
    def lost(self) -> bool:
        return not len(self.prob)

    @property
    def states(self) -> Sequence[State]:
        rows = self._here.queue.rows.view(np.uint8).reshape(-1, 16 * self._here.half)
        return States(self.game, rows[: len(self.prob), : self.game.dtype.itemsize].copy())

    def follow(
        self, record: Record, model: Model | None, rng: np.ndarray, at_event: AtEvent | None = None, tried: int | None = None,
        spare: int = 0,
    ) -> None:  # fmt: skip
        """Go on to the player's present decision, as the record tells of it, with so many moves tried at most. Without a model, others'
        moves are each as likely. With `at_event`, the probabilities are in the end those of the weights `plain`. There is room left for
        `spare` states to be admitted."""
        here, found = self._here, self._spare
        here.look_for(record, model is not None, MOST_TRIED if tried is None else tried)
        here.by_plain = at_event is not None
        self.short = False
        if at_event is not None:
            self._by_events(here, model, rng, at_event)
        self.short |= here.run(model, rng)
        if at_event is not None and not here.job.simultaneous:
            # moves that nobody saw, since the last event
            here.pause()
            at_event(here.particles[: here.job.count])
        found.collect(here)
        here.clear()
        self._here, self._spare = found, here
        if at_event is not None:
            found.weights[:] = found.plain
        self._settle(rng, spare)

    def forget(self) -> None:
        """Believe in nothing: the belief is lost until states are admitted."""
        self._here.clear()
        self.prob = np.zeros(0)

    def admit(self, states: States, share: float, record: Record, rng: np.ndarray) -> None:
        """Believe in these states, too, where the stage of the decision began: each as likely, and together with this share."""
        here = self._here
        here.weights[:] = here.weights * (1 - share)
        here.admit(states, share / len(states) if len(self.prob) else 1.0, record)
        self._settle(rng)

    def _by_events(self, here: ParticleQueue, model: Model | None, rng: np.ndarray, at_event: AtEvent) -> None:
        """Go on to each of the events since the last decision in turn."""
        seen, least = here.job.seen, int(here.particles["known"][: here.job.count].min(initial=here.job.seen))
        for known in range(least + 1, seen + 1):
            here.job.seen, here.job.to_event = known, 1
            self.short |= here.run(model, rng)
            here.pause()
            at_event(here.particles[: here.job.count])
            here.particles["choice"][: here.job.count] = 0
        here.job.seen, here.job.to_event = seen, 0

    def _settle(self, rng: np.ndarray, spare: int = 0) -> None:
        """Have room for no more than `most`, `spare` of it free, and probabilities."""
        found = self._here
        weights = found.weights
        self.short |= len(weights) > self.most
        if len(weights) > self.most - spare:
            picked, kept = thin(weights, self.most - spare, rng)
            found.keep(picked, kept)
        weights = found.weights
        total = weights.sum()
        self.prob = weights / total if total > 0 else np.full(len(weights), 1.0 / max(len(weights), 1))
        found.weights[:] = found.plain[:] = self.prob
