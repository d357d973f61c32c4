"""POMCP (Silver and Veness 2010): search in one's own tree of actions and observations, from particles that the search
itself left.

The others are part of the environment, and move as playouts do. Made for a partially observable Markov decision
process, it finds the best reply to such players, and is no equilibrium player.
"""

from collections.abc import Sequence

import numpy as np

from fogspiel.agents.searching import SearchAgent
from fogspiel.belief.model import Model
from fogspiel.belief.pomcp import FEWEST, Reinvigorated
from fogspiel.belief.record import Record
from fogspiel.belief.roots import Roots, States
from fogspiel.game.game import Game
from fogspiel.game.spec import Number
from fogspiel.game.state import State
from fogspiel.search.search import Search
from fogspiel.search.wrappers import particles_after

PARAMETERS = (
    FEWEST,
    Number("anew", 0.0625, 0, 1, "how many are drawn anew at least, as a share of the others"),
)


class Shared:
    """The simulations of a search as a source of particles: belief and search share them (sec. 3.3). They are the
    states that passed through the node of the decision, so what a search must have is a tree of the player's own
    decisions, in which every simulation goes from one to the next. Others' moves that are pending there have been made:
    they are the environment's."""

    def __init__(self, searches: Sequence[Search]):
        self.searches = searches

    def begin(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.made = -1
        """Own moves before the last decision that was searched; -1: there was none."""

    def arrived(self, record: Record, state: State, model: Model | None, rng: np.ndarray) -> States:
        size, key = self.game.dtype.itemsize, state.key(self.seat)
        found = [np.zeros((0, size), np.uint8)]
        for search in self.searches:
            if self.made >= 0:
                found.append(particles_after(search.search, size, record.own[self.made], key))
            search.search.particles.count = 0
        return States(self.game, np.concatenate(found))

    def set_out(self, record: Record, roots: Roots, rng: np.ndarray) -> None:
        """The search does, from the same states."""
        self.made = len(record.own)


class Pomcp(SearchAgent):
    """Simulations start from the states in which those for the last decision came to this one, and from some that the
    belief asked for draws anew (`belief/pomcp.py`). At the first decision, and where nothing came to this one,
    all are that belief's."""

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        p = self.parameters
        self.belief = Reinvigorated(Shared(self.searches), self.belief, p["fewest"], p["anew"])
