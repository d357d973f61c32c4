"""EPIMC: perfect information Monte Carlo with postponed reasoning (Arjonilla, Saffidine and Cazenave 2024; `search/views/postponed.py`)."""

from fogspiel.agents.searching import SearchAgent
from fogspiel.belief.roots import Roots, features


class Epimc(SearchAgent):
    """One tree from a few states, which share what is found up to the depth at which all is taken to be seen."""

    def start_from(self) -> Roots:
        self.believed = self.belief.draw()
        return Roots([self.believed.one(self.seat, self.rng) for _ in range(self.parameters["determinizations"])])

    def believes(self) -> dict[str, dict[str, float]]:
        return features(self.believed, self.seat, self.rng.copy())
