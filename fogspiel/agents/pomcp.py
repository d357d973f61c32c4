"""POMCP (Silver and Veness 2010): search in one's own tree of actions and observations, from particles that the search itself left.

The others are part of the environment, and move as playouts do. Made for a partially observable Markov decision process, it finds the
best reply to such players, and is no equilibrium player.
"""

from collections.abc import Sequence
from math import ceil

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.searching import SearchAgent
from fogspiel.belief.roots import Roots, States
from fogspiel.game.spec import Number, Whole
from fogspiel.game.state import State
from fogspiel.search.enhancements.particles import after

PARAMETERS = (
    Whole(
        "fewest",
        64,
        1,
        10**6,
        "fewest states that simulations start from; what is missing is drawn anew from what was seen",
    ),
    Number("anew", 0.0625, 0, 1, "how many are drawn anew at least, as a share of the others"),
)


class Pomcp(SearchAgent):
    """Simulations start from the states in which those for the last decision came to this one, and from some that the belief draws
    (reinvigoration). At the first decision, and where nothing came to this one, all are the belief's."""

    def restart(self, seed: int) -> None:
        super().restart(seed)
        self.reached: Sequence[State] = ()
        self.made = -1
        """Own moves before the last decision that was searched; -1: there was none."""

    def look(self, observation: Observation) -> None:
        super().look(observation)
        own, key = observation.record.own, observation.state.key(self.seat)
        found = []
        for search in self.searches:
            if self.made >= 0:
                found.append(after(search.search, self.game.dtype.itemsize, own[self.made], key))
            search.search.particles.count = 0
        self.reached = States(self.game, np.concatenate(found)) if found else ()
        self.made = len(own)

    def start_from(self) -> Roots:
        roots, have = self.belief.draw(), len(self.reached)
        if not have:
            return roots
        anew = max(ceil(have * self.parameters["anew"]), self.parameters["fewest"] - have)
        drawn = [roots.one(self.seat, self.rng).data for _ in range(anew)]
        return Roots(States(self.game, np.concatenate([Roots(self.reached).data, *(row[None] for row in drawn)])))
