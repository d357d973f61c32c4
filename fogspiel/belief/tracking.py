"""Beliefs that follow the game: a set of states with probabilities, carried from one decision of a player to the next.

They are carried on by `ISMCTS-progress` (`belief/progress.py`), with a model of the others such as how often the search
itself chose their moves. (The printed listing looks the model up in the state before the player's move; it belongs to
the state where the other player moves.)

What is believed in is where the stage of the player's decision began: moves that others make at the same time are still
to come.
"""

from collections.abc import Sequence

import numpy as np

from fogspiel.belief.queue import ParticleQueue
from fogspiel.belief.replay import Record
from fogspiel.belief.roots import Model, States
from fogspiel.game.game import Game
from fogspiel.game.state import State

MOST_TRIED = 1_000_000
"""Moves tried from one decision to the next. What has not arrived by then is not believed in."""


class Particles:
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
