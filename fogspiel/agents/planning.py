"""Agents that look ahead: minimax and *-minimax, with all outcomes of chance or a sample of them; double-oracle alpha-beta search for
simultaneous moves."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.kind import Kind
from fogspiel.engine.primitives import mix, next_word
from fogspiel.game.game import Game
from fogspiel.game.needs import OPEN_BUT_PENDING, PERFECT_INFORMATION, require
from fogspiel.game.spec import Number, Whole
from fogspiel.game.table import sample
from fogspiel.search.lookahead import USUAL_NODES, Lookahead, Minimax
from fogspiel.search.search import MoveStatistics
from fogspiel.solve.do_alpha_beta import DoubleOracleAlphaBeta


class LookaheadAgent:
    """Looks ahead at each of its decisions (`search/minimax.py`), and keeps the account of the last one."""

    cheats = False

    def __init__(self, name: str, parameters: dict[str, Any], pruning: str):
        self.name, self.parameters, self.pruning = name, parameters, pruning
        self.statistics: Lookahead | None = None
        self.found: tuple[MoveStatistics, ...] = ()

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if getattr(self, "game", None) is not game:
            p = self.parameters
            self.search = Minimax(game, self.pruning, width=p.get("width", 0), table=p["table"])
            self.search.make_ready()
        self.game, self.seat = game, seat
        self.rng = np.array([mix(seed, 1)], np.uint64)

    def __getstate__(self) -> dict[str, Any]:
        """An agent that is sent to another process starts anew there."""
        return {
            "name": self.name,
            "parameters": self.parameters,
            "pruning": self.pruning,
            "statistics": None,
            "found": (),
        }

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        p, state = self.parameters, observation.state
        self.search.seed = int(next_word(self.rng))
        self.statistics = self.search.look(
            state, depth=p["depth"] or None, nodes=p["nodes"] or None, seconds=p["seconds"] or None
        )
        best, value = self.statistics.move, self.statistics.value
        self.found = tuple(
            MoveStatistics(move, name, int(move == best), value if move == best else None, None)
            for move, name in self.game.move_names(state).items()
        )
        return best


class DoubleOracleAgent(LookaheadAgent):
    """Looks ahead from where the stage began, and draws its move from the strategy found there (`solve/do_alpha_beta.py`)."""

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if getattr(self, "game", None) is not game:
            open_ = OPEN_BUT_PENDING if game.about.simultaneous else PERFECT_INFORMATION
            require(game, "do-alpha-beta", (open_,), instead="mo-ismcts")
            self.oracle = DoubleOracleAlphaBeta(game, table=self.parameters["table"], fixed=True)
            self.oracle.make_ready()
        self.game, self.seat = game, seat
        self.rng = np.array([mix(seed, 1)], np.uint64)

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        p, state = self.parameters, observation.state
        # of a stage in which the first to move has no choice, only the second's is left
        beginning = state if len(state.stage.moves()) == 1 else state.stage
        budget = {name: p[name] or None for name in ("depth", "nodes", "seconds")}
        searched = self.oracle.look(beginning, **budget if any(budget.values()) else {"nodes": USUAL_NODES})
        strategy = searched.strategies[self.seat]
        odds = np.array(list(strategy.values()))
        move = list(strategy)[sample(odds, 0, len(odds), self.rng)]
        value = searched.value if self.seat == 0 else -searched.value
        self.statistics = Lookahead(
            move, value, searched.depth, searched.nodes, searched.seconds, searched.complete, searched.deepest, searched.hits
        )  # fmt: skip
        self.found = tuple(
            MoveStatistics(m, name, int(m == move), value if m == move else None, strategy[m])
            for m, name in self.game.move_names(state).items()
        )
        return move


BUDGET = (
    Whole("depth", 0, 0, 500, "decisions to look ahead; 0: as far as the budget allows"),
    Whole("nodes", 0, 0, 10**15, f"nodes a move; 0: no limit, or {USUAL_NODES:,} if neither depth nor seconds is set"),
    Number("seconds", 0, 0, 1e6, "seconds a move; 0: no limit"),
    Whole("table", 1 << 16, 0, 1 << 26, "places in the transposition table"),
)
_WIDTH = Whole("width", 10, 1, 10**6, "outcomes drawn at each chance node, with replacement")


def _looks(pruning: str) -> Callable[[str, dict[str, Any]], LookaheadAgent]:
    return lambda name, p: LookaheadAgent(name, p, pruning)


KINDS: dict[str, Kind] = {
    "alpha-beta": Kind("alpha-beta search; chance's outcomes are all looked at", BUDGET, _looks("alpha-beta")),
    "expectimax": Kind("expectimax, without pruning", BUDGET, _looks("nothing")),
    "star1": Kind("Star1: alpha-beta through chance nodes (Ballard 1983; Lanctot 2013, sec. 6.1)", BUDGET, _looks("star1")),
    "star2": Kind("Star2: the same with probing (Ballard 1983; Lanctot 2013, sec. 6.1)", BUDGET, _looks("star2")),
    "expss": Kind("expectimax on sampled outcomes of chance (Lanctot 2013, sec. 6.3)", (*BUDGET, _WIDTH), _looks("nothing")),
    "star1ss": Kind("Star1 on sampled outcomes (Lanctot 2013, sec. 6.3)", (*BUDGET, _WIDTH), _looks("star1")),
    "star2ss": Kind("Star2 on sampled outcomes (Lanctot 2013, sec. 6.3)", (*BUDGET, _WIDTH), _looks("star2")),
    "do-alpha-beta": Kind(
        "double-oracle alpha-beta search, for simultaneous moves (Bošanský et al. 2013)", BUDGET,
        lambda name, p: DoubleOracleAgent(name, p, "double-oracle alpha-beta"),
    ),
}  # fmt: skip
