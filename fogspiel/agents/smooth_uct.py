"""Smooth UCT (Heinrich and Silver 2015; `search/bandits/smooth.py`): self-play from the start of the game, whose average strategy approaches an
equilibrium of a small game."""

from fogspiel.agents.agent import Observation
from fogspiel.agents.searching import SearchAgent, run_all
from fogspiel.belief.roots import Roots


class SmoothUct(SearchAgent):
    """Searches the whole game at each decision, and keeps the tree. Where that hardly came to the decision at hand, it searches once more, from
    what it believes."""

    def start_from(self) -> Roots:
        return Roots([self.game.start()])

    def search_from(self, observation: Observation) -> None:
        super().search_from(observation)
        if sum(m.visits for m in self.found) < len(self.found):
            self.roots = self.belief.draw()
            account, self.found = run_all(self.searches, self.roots, self.seat, observation.state, self.budget, {})
            self.statistics = self.account(account)
