"""Particles from which something is inferred at each event on the way (`belief/observing.py`)."""

import numpy as np

from fogspiel.belief.observing import OBSERVING
from fogspiel.belief.queue import ParticleQueue
from fogspiel.belief.replay import Record
from fogspiel.belief.roots import Model
from fogspiel.belief.tracking import Particles
from fogspiel.game.game import Game


class InferringQueue(ParticleQueue):
    """A queue that stops at each event. What is believed is in the weights `plain`."""

    parts = (OBSERVING,)

    def look_for(self, record: Record, most: int) -> None:
        super().look_for(record, most)
        least = int(self.particles["known"][: self.stand.count].min(initial=self.asked.recorded))
        if least < self.asked.recorded:
            self.stand.seen, self.stand.to_event = least + 1, 1

    def settle(self, most: int, spare: int, rng: np.ndarray) -> bool:
        self.weights[:] = self.plain
        return super().settle(most, spare, rng)


class Inferring(Particles):
    """Particles that infer from each event that `tells` as much (HIDDEN or SEEN) of others' choices. The odds of what
    visits say count `boost` times."""

    make = InferringQueue

    def __init__(
        self,
        game: Game,
        player: int,
        most: int = 1000,
        watcher: int | None = None,
        noise: float = 0.0,
        *,
        tells: int,
        boost: float,
    ):
        super().__init__(game, player, most, watcher, noise)
        inference = self.queue.inference
        inference.tells, inference.boost, inference.first = tells, boost, 1

    def follow(
        self,
        record: Record,
        model: Model | None,
        rng: np.ndarray,
        tried: int | None = None,
        spare: int = 0,
        share: float = 1.0,
    ) -> None:
        """As of particles; `share` is that of the player's last move in the model's visits."""
        self.queue.inference.share = share
        super().follow(record, model, rng, tried, spare)
        self.queue.inference.first = 0
