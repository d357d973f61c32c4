"""Agents that look ahead: minimax and *-minimax, with all outcomes of chance or a sample of them; double-oracle
alpha-beta search for simultaneous moves."""

from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.kind import Kind
from fogspiel.agents.offers import HORIZON, with_rules
from fogspiel.agents.prepared import PreparedAgent
from fogspiel.engine.primitives import next_word
from fogspiel.game.game import Game
from fogspiel.game.needs import KNOWN_STAGES, OPEN_BUT_PENDING
from fogspiel.game.spec import Askable, Number, Whole
from fogspiel.game.state import State
from fogspiel.game.table import sample
from fogspiel.search.at_horizon import evaluation_of
from fogspiel.search.lookahead import USUAL_NODES, Lookahead, Minimax, needs
from fogspiel.search.statistics import MoveStatistics, Names
from fogspiel.solvers.needs import SIMULTANEOUS
from fogspiel.solvers.simultaneous.do_alpha_beta import DoubleOracleAlphaBeta


class LookaheadAgent(PreparedAgent):
    """Looks ahead at each of its decisions, and keeps the account of the last one."""

    def choose(self, observation: Observation) -> int:
        return observation.moves[0] if len(observation.moves) == 1 else self.look(observation)

    def look(self, observation: Observation) -> int:
        """The move to make, of several; what was found is kept."""
        raise NotImplementedError


class MinimaxAgent(LookaheadAgent):
    """By minimax with a kind of pruning (`search/minimax`)."""

    def __init__(self, name: str, parameters: dict[str, Any], pruning: str):
        super().__init__(name, parameters)
        self.pruning = pruning

    def prepare(self, game: Game) -> None:
        p = self.parameters
        self.search = Minimax(
            with_rules(game, p),
            self.pruning,
            width=p.get("width", 0),
            table=p["table"],
            evaluation=evaluation_of(p["evaluation"]),
            who=self.row,
        )
        self.search.make_ready()

    def look(self, observation: Observation) -> int:
        state = observation.state
        self.search.seed = int(next_word(self.rng))
        self.statistics = self.search.look(state, **limits(self.parameters))
        best, value = self.statistics.move, self.statistics.value
        self.found = found_by(state, best, value)
        return best


class DoubleOracleAgent(LookaheadAgent):
    """From where the stage began, and draws its move from the strategy found there
    (`solvers/simultaneous/do_alpha_beta.py`)."""

    def prepare(self, game: Game) -> None:
        p = self.parameters
        evaluation = evaluation_of(p["evaluation"])
        self.oracle = DoubleOracleAlphaBeta(with_rules(game, p), table=p["table"], fixed=True, evaluation=evaluation)
        self.oracle.make_ready()

    def look(self, observation: Observation) -> int:
        state, budget = observation.state, limits(self.parameters)
        # of a stage in which the first to move has no choice, only the second's is left
        beginning = state if len(state.stage.moves()) == 1 else state.stage
        if self.oracle.evaluation is not None:
            self.oracle.seed = int(next_word(self.rng))
        searched = self.oracle.look(beginning, **budget if any(budget.values()) else {"nodes": USUAL_NODES})
        strategy = searched.strategies[self.seat]
        odds = np.array(list(strategy.values()))
        move = list(strategy)[sample(odds, 0, len(odds), self.rng)]
        value = searched.value if self.seat == 0 else -searched.value
        self.statistics = Lookahead(
            move,
            value,
            searched.depth,
            searched.nodes,
            searched.seconds,
            searched.complete,
            searched.deepest,
            searched.hits,
        )
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
            move,
            int(move == best),
            value if move == best else None,
            None if strategy is None else strategy[move],
            names=names,
        )
        for move in state.moves()
    )


BUDGET = (
    Whole("depth", 0, 0, 500, "decisions to look ahead; 0: as far as the budget allows"),
    Whole("nodes", 0, 0, 10**15, f"nodes a move; 0: no limit, or {USUAL_NODES:,} if neither depth nor seconds is set"),
    Number("seconds", 0, 0, 1e6, "seconds a move; 0: no limit"),
    Whole("table", 1 << 16, 0, 1 << 26, "places in the transposition table"),
)
_WIDTH = Whole("width", 10, 1, 10**6, "outcomes drawn at each chance node, with replacement")


def _kind(about: str, pruning: str, *parameters: Askable) -> Kind:
    return Kind(
        about, (*BUDGET, HORIZON, *parameters), lambda name, p: MinimaxAgent(name, p, pruning), needs=needs(pruning)
    )


_AT_ONCE = (*(need for need in SIMULTANEOUS if need is not KNOWN_STAGES), OPEN_BUT_PENDING)
"""As the search, but that an agent is asked in the middle of a stage: where that began is known only of games that say
that moves are made at once. A game that hides nothing but pending moves has known stages, too."""

KINDS: dict[str, Kind] = {
    "alpha-beta": _kind("alpha-beta search; chance's outcomes are all looked at", "alpha-beta"),
    "expectimax": _kind("expectimax, without pruning", "nothing"),
    "star1": _kind("Star1: alpha-beta through chance nodes (Ballard 1983; Lanctot 2013, sec. 6.1)", "star1"),
    "star2": _kind("Star2: the same with probing (Ballard 1983; Lanctot 2013, sec. 6.1)", "star2"),
    "expss": _kind("expectimax on sampled outcomes of chance (Lanctot 2013, sec. 6.3)", "nothing", _WIDTH),
    "star1ss": _kind("Star1 on sampled outcomes (Lanctot 2013, sec. 6.3)", "star1", _WIDTH),
    "star2ss": _kind("Star2 on sampled outcomes (Lanctot 2013, sec. 6.3)", "star2", _WIDTH),
    "do-alpha-beta": Kind(
        "double-oracle alpha-beta search, for simultaneous moves (Bošanský et al. 2013)",
        (*BUDGET, HORIZON),
        DoubleOracleAgent,
        needs=_AT_ONCE,
    ),
}
