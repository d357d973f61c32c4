"""Belief by the game's own rule `resample`: every simulation starts from a state redrawn by it."""

import numpy as np

from fogspiel.belief.model import Model
from fogspiel.belief.record import Record
from fogspiel.belief.roots import Draws, Roots
from fogspiel.game.game import Game
from fogspiel.game.needs import require, rule
from fogspiel.game.spec import Choice
from fogspiel.game.state import State

PENDING = Choice(
    "pending",
    "tree",
    ("tree", "random"),
    "others' moves pending in a stage: still to be made, by the tree, or drawn at random",
)
PARAMETERS = (PENDING,)
NEEDS = (rule("resample"),)


class Resampling:
    """A state redrawn by the game's rule resample for every simulation, as likely as the rule makes it: in most games,
    with others' moves taken for random."""

    PARAMETERS, NEEDS = PARAMETERS, NEEDS

    models = False

    def __init__(self, pending: str = "tree"):
        self.pending, self.account = pending, Draws()

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None:
        require(game, "belief=resample", NEEDS, "belief=replay")

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        self.state = state

    def draw(self) -> Roots:
        return Roots([self.state if self.pending == "random" else self.state.stage], redraw=True)
