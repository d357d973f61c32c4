"""EPIMC: perfect information Monte Carlo with postponed reasoning (Arjonilla, Saffidine and Cazenave 2024;
`search/views.py`)."""

from fogspiel.agents.searching import SearchAgent, determinizations
from fogspiel.belief.roots import Roots, features


class Epimc(SearchAgent):
    """One tree from a few states, which share what is found up to the depth at which all is taken to be seen."""

    def start_from(self) -> Roots:
        self.believed = self.belief.draw()
        count = self.parameters["determinizations"]
        return Roots([*determinizations(self.believed, count, self.seat, self.rng)])

    def believes(self) -> dict[str, dict[str, float]]:
        return features(self.believed, self.seat, self.rng.copy())
