"""Searches that start elsewhere than at the decision at hand, and may hardly come there."""

from fogspiel.agents.agent import Observation
from fogspiel.agents.searching import SearchAgent


class FromAfar(SearchAgent):
    """Where its search hardly came to the decision, it searches once more, from what it believes: with as many
    simulations again.

    Of time each has half; a search that did come there goes on in the second half as it began.
    """

    def search_from(self, observation: Observation) -> None:
        self.roots, how, budget = self.start_from(), self.how(observation), self.budget
        if budget["seconds"]:
            budget["seconds"] /= 2
        accounts = [self.simulate(self.roots, observation, budget, how)]
        if self.missed(accounts[0]):
            self.roots = self.belief.draw()
            accounts.append(self.simulate(self.roots, observation, budget, {}))
        elif budget["seconds"]:
            accounts.append(self.simulate(self.roots, observation, budget, how, goes_on=True))
        if not self.informed:
            self.roots = self.belief.draw()
        self.inform(accounts, observation, {})
