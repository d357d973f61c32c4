"""Belief by replaying the record (`belief/replay.py`), for any game: some states that agree with all that the seat has
seen."""

from collections import Counter

import numpy as np

from fogspiel.belief.replay import Draws, Record, draw_many
from fogspiel.belief.resampling import PENDING
from fogspiel.belief.roots import Model, Roots
from fogspiel.game.game import Game
from fogspiel.game.spec import Whole
from fogspiel.game.state import State

REPLAYS = Whole("replays", 64, 1, 10**6, "states replayed for a decision, where the game's rule resample is not used")
PARAMETERS = (REPLAYS, PENDING)


class Replaying:
    """States that agree with the record, replayed from the start of the game: so many drawn anew for each decision, one
    independently of another; weights are how often each came."""

    PARAMETERS, COUNT = PARAMETERS, REPLAYS.name

    models = False

    def __init__(self, replays: int = REPLAYS.default, pending: str = "tree"):
        self.replays, self.pending, self.account = replays, pending, Draws()

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None:
        self.game, self.rng = game, rng

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        self.record, self.account = record, Draws()

    def draw(self) -> Roots:
        drawn = draw_many(self.game, self.record, self.replays, self.rng, self.account)
        if self.pending != "random":
            drawn = [state.stage for state in drawn]
        states = {state.data.tobytes(): state for state in drawn}
        count = Counter(state.data.tobytes() for state in drawn)
        return Roots(list(states.values()), [float(count[data]) for data in states])
