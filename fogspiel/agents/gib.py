"""Monte Carlo card play of GIB (Ginsberg 2001, sec. 2): deals are drawn, each move is scored in each of them with all cards open (double dummy), and the
move of the highest sum is played.

What a move is worth lies within the bounds of the game's utilities. So a move that would not come first any more, were it worth the most in all
deals that are left and the leader the least, is not scored in them; the choice is the same.
"""

from collections import Counter
from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.searching import MakeBelief
from fogspiel.belief.roots import features
from fogspiel.engine.primitives import mix, pick
from fogspiel.game.game import Game
from fogspiel.game.spec import Whole
from fogspiel.game.state import State, advance
from fogspiel.search.lookahead import Minimax
from fogspiel.search.search import MoveStatistics, utility_ranges

PARAMETERS = (
    Whole("determinizations", 20, 1, 10**6, "deals drawn for a decision"),
    Whole("nodes", 1_000_000, 1, 10**15, "most nodes that the search of one move in one deal may visit"),
    Whole("table", 1 << 16, 2, 1 << 26, "places in the transposition table"),
)
CLOSE = 1e-12
"""Sums that differ by less are the same."""


class Gib:
    """Solves each deal by alpha-beta search to the end of the game, so it is for games that are small once all is seen."""

    cheats = False

    def __init__(self, name: str, parameters: dict[str, Any], believe: MakeBelief):
        self.name, self.parameters, self.believe = name, parameters, believe
        self.found: tuple[MoveStatistics, ...] = ()

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if getattr(self, "game", None) is not game:
            self.search = Minimax(game, "alpha-beta", table=self.parameters["table"], endless=True)
            self.belief = self.believe(game, self.parameters)
        self.game, self.seat = game, seat
        self.rng = np.array([mix(seed, 1)], np.uint64)
        self.belief.begin(game, seat, self.rng)

    def __getstate__(self) -> dict[str, Any]:
        """An agent that is sent to another process starts anew there."""
        return {"name": self.name, "parameters": self.parameters, "believe": self.believe, "found": ()}

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        self.belief.update(observation.record, observation.state)
        totals, scored = self.judge(self._deals(), observation.moves)
        names = self.game.move_names(observation.state)
        self.found = tuple(
            MoveStatistics(move, names[move], scored[move], totals[move] / scored[move], None)
            for move in observation.moves
        )
        most = max(scored.values())
        worth = {move: totals[move] for move in observation.moves if scored[move] == most}
        best = [move for move, value in worth.items() if value >= max(worth.values()) - CLOSE]
        return best[pick(self.rng, len(best))]

    def _deals(self) -> list[tuple[State, int]]:
        """Deals that may be at hand, and how often each was drawn."""
        self.roots = self.belief.draw()
        drawn = [self.roots.one(self.seat, self.rng) for _ in range(self.parameters["determinizations"])]
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
