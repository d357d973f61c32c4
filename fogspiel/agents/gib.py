"""Monte Carlo card play of GIB (Ginsberg 2001, sec. 2): deals are drawn, each move is scored in each of them with all
cards open (double dummy), and the move of the highest sum is played.

What a move is worth lies within the bounds of the game's utilities. So a move that would not come first any more, were
it worth the most in all deals that are left and the leader the least, is not scored in them; the choice is the same.
"""

from collections import Counter
from typing import Any

from fogspiel.agents.agent import Observation
from fogspiel.agents.prepared import PreparedAgent
from fogspiel.agents.searching import MakeBelief, determinizations
from fogspiel.belief.roots import features
from fogspiel.engine.primitives import pick
from fogspiel.game.game import Game
from fogspiel.game.spec import Whole
from fogspiel.game.state import State, advance
from fogspiel.search.lookahead import Minimax, needs
from fogspiel.search.search import utility_ranges
from fogspiel.search.statistics import MoveStatistics, Names

PARAMETERS = (
    Whole("determinizations", 20, 1, 10**6, "deals drawn for a decision"),
    Whole("nodes", 1_000_000, 1, 10**15, "most nodes that the search of one move in one deal may visit"),
    Whole("table", 1 << 16, 2, 1 << 26, "places in the transposition table"),
)
CLOSE = 1e-12
"""Sums that differ by less are the same."""
NEEDS = needs("alpha-beta", "end")


class Gib(PreparedAgent):
    """Solves each deal by alpha-beta search to the end of the game, so it is for games that are small once all is
    seen."""

    def __init__(self, name: str, parameters: dict[str, Any], believe: MakeBelief):
        super().__init__(name, parameters)
        self.believe = believe

    def prepare(self, game: Game) -> None:
        self.search = Minimax(game, "alpha-beta", table=self.parameters["table"], horizon="end", who=self.row)
        self.belief = self.believe(game, self.parameters)

    def restart(self, seed: int) -> None:
        self.belief.begin(self.game, self.seat, self.rng)

    def try_out(self, first: Observation) -> None:
        self.search.make_ready()
        self.belief.update(first.record, first.state)
        self._deals()

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        self.belief.update(observation.record, observation.state)
        totals, scored = self.judge(self._deals(), observation.moves)
        names = Names(observation.state)
        self.found = tuple(
            MoveStatistics(move, scored[move], totals[move] / scored[move], None, names=names)
            for move in observation.moves
        )
        most = max(scored.values())
        worth = {move: totals[move] for move in observation.moves if scored[move] == most}
        best = [move for move, value in worth.items() if value >= max(worth.values()) - CLOSE]
        return best[pick(self.rng, len(best))]

    def _deals(self) -> list[tuple[State, int]]:
        """Deals that may be at hand, and how often each was drawn."""
        self.roots = self.belief.draw()
        drawn = [*determinizations(self.roots, self.parameters["determinizations"], self.seat, self.rng)]
        states = {state.data.tobytes(): state for state in drawn}
        count = Counter(state.data.tobytes() for state in drawn)
        return [(state, count[data]) for data, state in states.items()]

    def believes(self) -> dict[str, dict[str, float]]:
        """How likely each value is of what may be hidden and the game names, at the last decision."""
        return features(self.roots, self.seat, self.rng.copy())

    def judge(self, deals: list[tuple[State, int]], moves: tuple[int, ...]) -> tuple[dict[int, float], dict[int, int]]:
        """The sum of each move's scores, and in how many deals it was scored."""
        low, high = utility_ranges(self.game)[self.seat]
        totals, scored = dict.fromkeys(moves, 0.0), dict.fromkeys(moves, 0)
        left, race = sum(count for _, count in deals), list(moves)
        for deal, count in deals:
            for move in race:
                totals[move] += count * self.score(deal, move)
                scored[move] += count
            left -= count
            lead = max(totals[move] for move in race)
            race = [move for move in race if totals[move] + left * (high - low) >= lead - CLOSE]
            if len(race) == 1:
                break
        return totals, scored

    def score(self, deal: State, move: int) -> float:
        """What a move is worth to the seat where all cards are open."""
        state = deal.copy()
        advance(state, move)
        if state.over:
            return float(state.payoff()[self.seat])
        found = self.search.look(state, nodes=self.parameters["nodes"]).value
        first = found if state.actor == 0 else -found
        return first if self.seat == 0 else -first
