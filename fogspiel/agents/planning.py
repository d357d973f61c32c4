"""Agents that look ahead: minimax and *-minimax, with all outcomes of chance or a sample of them; double-oracle alpha-beta search for
simultaneous moves."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.kind import Kind
from fogspiel.agents.prepared import PreparedAgent
from fogspiel.engine.primitives import next_word
from fogspiel.game.game import Game
from fogspiel.game.needs import AT_MOST_TWO, OPEN_BUT_PENDING, PERFECT_INFORMATION, TWO_PLAYERS, UTILITIES, ZERO_SUM
from fogspiel.game.spec import Number, Whole
from fogspiel.game.state import State
from fogspiel.game.table import sample
from fogspiel.search.lookahead import USUAL_NODES, Lookahead, Minimax
from fogspiel.search.statistics import MoveStatistics, Names
from fogspiel.solve.do_alpha_beta import DoubleOracleAlphaBeta


class LookaheadAgent(PreparedAgent):
    """Looks ahead at each of its decisions (`search/minimax`), and keeps the account of the last one."""

    def __init__(self, name: str, parameters: dict[str, Any], pruning: str):
        super().__init__(name, parameters)
        self.pruning = pruning

    def prepare(self, game: Game) -> None:
        p = self.parameters
        self.search = Minimax(game, self.pruning, width=p.get("width", 0), table=p["table"])
        self.search.make_ready()

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        state = observation.state
        self.search.seed = int(next_word(self.rng))
        self.statistics = self.search.look(state, **limits(self.parameters))
        best, value = self.statistics.move, self.statistics.value
        self.found = found_by(state, best, value)
        return best


class DoubleOracleAgent(LookaheadAgent):
    """Looks ahead from where the stage began, and draws its move from the strategy found there (`solve/do_alpha_beta.py`)."""

    def prepare(self, game: Game) -> None:
        self.oracle = DoubleOracleAlphaBeta(game, table=self.parameters["table"], fixed=True)
        self.oracle.make_ready()

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        state, budget = observation.state, limits(self.parameters)
        # of a stage in which the first to move has no choice, only the second's is left
        beginning = state if len(state.stage.moves()) == 1 else state.stage
        searched = self.oracle.look(beginning, **budget if any(budget.values()) else {"nodes": USUAL_NODES})
        strategy = searched.strategies[self.seat]
        odds = np.array(list(strategy.values()))
        move = list(strategy)[sample(odds, 0, len(odds), self.rng)]
        value = searched.value if self.seat == 0 else -searched.value
        self.statistics = Lookahead(
            move, value, searched.depth, searched.nodes, searched.seconds, searched.complete, searched.deepest, searched.hits
        )  # fmt: skip
        self.found = found_by(state, move, value, strategy)
        return move


def limits(parameters: dict[str, Any]) -> dict[str, Any]:
    """The budget of a decision; what is 0 is not limited."""
    return {name: parameters[name] or None for name in ("depth", "nodes", "seconds")}


def found_by(
    state: State, best: int, value: float, strategy: dict[int, float] | None = None
) -> tuple[MoveStatistics, ...]:
    """What a look ahead tells of the moves: what the best is worth, and where there is a strategy, its."""
    names = Names(state)
    return tuple(
        MoveStatistics(
            move, int(move == best), value if move == best else None, None if strategy is None else strategy[move], names=names
        )
        for move in state.moves()
    )  # fmt: skip


BUDGET = (
    Whole("depth", 0, 0, 500, "decisions to look ahead; 0: as far as the budget allows"),
    Whole("nodes", 0, 0, 10**15, f"nodes a move; 0: no limit, or {USUAL_NODES:,} if neither depth nor seconds is set"),
    Number("seconds", 0, 0, 1e6, "seconds a move; 0: no limit"),
    Whole("table", 1 << 16, 0, 1 << 26, "places in the transposition table"),
)
_WIDTH = Whole("width", 10, 1, 10**6, "outcomes drawn at each chance node, with replacement")


def _looks(pruning: str) -> Callable[[str, dict[str, Any]], LookaheadAgent]:
    return lambda name, p: LookaheadAgent(name, p, pruning)


_SEEN = (AT_MOST_TWO, ZERO_SUM, PERFECT_INFORMATION)
_BOUNDED = (*_SEEN, UTILITIES)
"""Star1 and Star2 bound the outcomes of chance that are still to come by the range of utilities."""

KINDS: dict[str, Kind] = {
    "alpha-beta": Kind("alpha-beta search; chance's outcomes are all looked at", BUDGET, _looks("alpha-beta"), needs=_SEEN),
    "expectimax": Kind("expectimax, without pruning", BUDGET, _looks("nothing"), needs=_SEEN),
    "star1": Kind("Star1: alpha-beta through chance nodes (Ballard 1983; Lanctot 2013, sec. 6.1)", BUDGET, _looks("star1"), needs=_BOUNDED),
    "star2": Kind("Star2: the same with probing (Ballard 1983; Lanctot 2013, sec. 6.1)", BUDGET, _looks("star2"), needs=_BOUNDED),
    "expss": Kind("expectimax on sampled outcomes of chance (Lanctot 2013, sec. 6.3)", (*BUDGET, _WIDTH), _looks("nothing"), needs=_SEEN),
    "star1ss": Kind("Star1 on sampled outcomes (Lanctot 2013, sec. 6.3)", (*BUDGET, _WIDTH), _looks("star1"), needs=_BOUNDED),
    "star2ss": Kind("Star2 on sampled outcomes (Lanctot 2013, sec. 6.3)", (*BUDGET, _WIDTH), _looks("star2"), needs=_BOUNDED),
    "do-alpha-beta": Kind(
        "double-oracle alpha-beta search, for simultaneous moves (Bošanský et al. 2013)", BUDGET,
        lambda name, p: DoubleOracleAgent(name, p, "double-oracle alpha-beta"), needs=(TWO_PLAYERS, ZERO_SUM, OPEN_BUT_PENDING),
    ),
}  # fmt: skip
