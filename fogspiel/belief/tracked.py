"""Beliefs that follow the game (Lisý 2014, sec. 3.2.3): states with probabilities, carried from decision to decision
(`belief/tracking.py`).

Simulations start from a state s with weight 1 + K p(s). As printed, a state is taken at random, each as likely, and 1 +
K p(s) simulations in a row start from it (`consecutive=yes`); to draw one for every simulation by the same weights
gives the same shares sooner.
"""

import numpy as np

from fogspiel.belief.replay import Draws, Record
from fogspiel.belief.replaying import REPLAYS
from fogspiel.belief.roots import Model, Roots
from fogspiel.belief.tracking import Particles
from fogspiel.belief.usual import usual_belief
from fogspiel.game.game import Game
from fogspiel.game.spec import Choice, Number, Whole
from fogspiel.game.state import State

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
        self.particles, self.rng = Particles(game, seat, self.most), rng
        self.otherwise = usual_belief(game, self.replays)
        self.otherwise.begin(game, seat, rng)

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        if not self.particles.lost:
            self.particles.follow(record, model, self.rng)
        if self.particles.lost:
            self.otherwise.update(record, state, model)
            self.account = self.otherwise.account
        else:
            self.account = Draws()
            self.account.effective = float(1 / np.square(self.particles.prob).sum())
        self.account.lost, self.account.short = self.particles.lost, self.particles.short

    def draw(self) -> Roots:
        if self.particles.lost:
            return self.otherwise.draw()
        weights = (1 + self.k * self.particles.prob).tolist()
        return Roots(self.particles.states, weights, runs=weights if self.consecutive else None)
