"""Search that ignores what is out of sight for long: what was never seen, or may be in too many places to be expected
anywhere (Lisý 2014, sec. 5.3.1 and 5.3.2; in more than 250, sec. 5.5.1; the game's rule `ignore`)."""

from dataclasses import replace

from fogspiel.agents.searching import SearchAgent
from fogspiel.belief.roots import Roots
from fogspiel.game.game import Game
from fogspiel.game.needs import require, rule
from fogspiel.game.spec import Whole
from fogspiel.game.state import State, ignoring

IGNORE = Whole(
    "ignore",
    0,
    0,
    10**6,
    "plan without what was never seen, or may be in more than so many places (rule ignore); 0: ignore nothing",
)


class Ignoring(SearchAgent):
    """Believes what it may of everything, and searches the simpler game in which what it ignores is not there."""

    def prepare(self, game: Game) -> None:
        require(game, f"ignore={self.parameters['ignore']}", (rule("ignore"),))
        super().prepare(game)

    def as_searched(self, state: State) -> State:
        return ignoring(state, self.seat, self.parameters["ignore"])

    def roots_as_searched(self, roots: Roots) -> Roots:
        return replace(roots, states=[self.as_searched(state) for state in roots.states])
