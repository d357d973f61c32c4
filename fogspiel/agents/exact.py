"""Exact players of small games (Whitehouse 2014, sec. 5.1.2): minimax on the true state, minimax on every state that is possible, and information set
expectimax; the last two also with inference by a model of the opponent."""

from collections.abc import Callable
from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.kind import Kind
from fogspiel.belief.possible import Decide, Possible
from fogspiel.belief.replay import Record
from fogspiel.engine.primitives import pick
from fogspiel.game.game import Game
from fogspiel.game.spec import Choice, Number, Whole
from fogspiel.game.state import State
from fogspiel.search import expectimax
from fogspiel.search.lookahead import Minimax
from fogspiel.search.search import MoveStatistics

CLOSE = 1e-12
"""Values, or shares of the vote, that differ by less are the same."""


class ExactAgent:
    """Of the best moves it takes one at random, or with ties=first the first: then what it does is known to whoever knows what it knows.

    From one game to the next it keeps what it found out about the game, which is the same whoever is dealt what."""

    cheats = False

    def __init__(self, name: str, parameters: dict[str, Any]):
        self.name, self.parameters = name, parameters
        self.found: tuple[MoveStatistics, ...] = ()

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if getattr(self, "game", None) is not game:
            self.prepare(game)
            self.seat = -1
        if self.seat != seat:
            self.possible = Possible(game, seat, self.parameters["states"], self.model(game, seat))
        self.game, self.seat, self.rng = game, seat, np.array([seed], np.uint64)

    def __getstate__(self) -> dict[str, Any]:
        """An agent that is sent to another process starts anew there."""
        return {"name": self.name, "parameters": self.parameters, "found": ()}

    def prepare(self, game: Game) -> None:
        """Make what is kept from one game to the next."""

    def model(self, game: Game, seat: int) -> Decide | None:
        """What the others would do, by the agent that this one takes them for."""
        named = self.parameters.get("model", "none")
        if named == "none":
            return None
        kind, known = KINDS[named], {}
        own = {p.name: self.parameters.get(p.name, p.default) for p in kind.parameters}
        other = kind.make(named, own | {"ties": "first", "model": "none"})
        other.begin(game, 1 - seat, 0)
        cheats = getattr(other, "cheats", False)

        def decide(state: State, record: Record) -> int:
            key = state.key(record.player)
            if cheats or key not in known:
                seen = Observation(record.player, state, record, tuple(state.moves()), state if cheats else None)
                known[key] = other.choose(seen)
            return known[key]

        return decide

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        worth = self.judge(observation)
        names = self.game.move_names(observation.state)
        self.found = tuple(self.told(move, names[move], value) for move, value in worth.items())
        best = [move for move, value in worth.items() if value >= max(worth.values()) - CLOSE]
        return best[0 if self.parameters["ties"] == "first" else pick(self.rng, len(best))]

    def judge(self, observation: Observation) -> dict[int, float]:
        """What speaks for each move."""
        raise NotImplementedError

    def told(self, move: int, name: str, value: float) -> MoveStatistics:
        return MoveStatistics(move, name, 0, value, None)


class DeterminizedMinimax(ExactAgent):
    """Minimax with all cards open, on each state that is possible: its best move has the state's probability as its share of the vote."""

    def prepare(self, game: Game) -> None:
        p = self.parameters
        self.search = Minimax(game, "nothing", table=p["table"], endless=True, mistakes=p["mistakes"])

    def judge(self, observation: Observation) -> dict[int, float]:
        states, weights = self.possible.at(observation.record)
        votes = dict.fromkeys(observation.moves, 0.0)
        for move, weight in zip(self.best_moves(states.data), weights.tolist(), strict=True):
            votes[move] += weight
        return votes

    def best_moves(self, states: np.ndarray) -> list[int]:
        return self.search.best_moves(states, self.parameters["nodes"])

    def told(self, move: int, name: str, value: float) -> MoveStatistics:
        return MoveStatistics(move, name, 0, None, value)


class CheatingMinimax(DeterminizedMinimax):
    """The same on the true state."""

    cheats = True

    def judge(self, observation: Observation) -> dict[int, float]:
        if observation.true_state is None:
            raise ValueError("cheating minimax is to be shown the true state")
        (best,) = self.best_moves(observation.true_state.data[None])
        return {move: float(move == best) for move in observation.moves}


class ExpectimaxAgent(ExactAgent):
    """Information set expectimax (`search/expectimax.py`)."""

    def prepare(self, game: Game) -> None:
        expectimax.check(game)
        self.tables = [expectimax.Table(self.parameters["table"]) for _ in range(game.players)]

    def judge(self, observation: Observation) -> dict[int, float]:
        states, weights = self.possible.at(observation.record)
        return expectimax.value_moves(
            self.game, self.seat, states, weights, self.parameters["states"], self.tables[self.seat]
        )


def _kind(about: str, make: Callable[[str, dict[str, Any]], ExactAgent], *parameters: Any) -> Kind:
    return Kind(f"{about}, exact, for small games (Whitehouse 2014, sec. 5.1.2)", parameters, make)


_TIES = Choice("ties", "random", ("random", "first"), "of the best moves, one at random or the first")
_STATES = Whole("states", 100_000, 1, 10**9, "most states looked at for a decision")
_TABLE = Whole("table", 1 << 16, 2, 1 << 26, "places in the transposition table")
_MINIMAX = (
    Number("mistakes", 1e-4, 0, 1, "how much the value of a random move counts: it seeks the opponent's mistakes among moves that are as good"),
    Whole("nodes", 1_000_000, 1, 10**15, "most nodes that a search of one state may visit"),
    _TABLE,
)  # fmt: skip
_MODEL = Choice(
    "model", "none", ("none", "cheating-minimax", "pimc-minimax", "is-expectimax"), "infer what the opponent holds, taking it for this agent; none: by what is possible alone"
)  # fmt: skip

KINDS: dict[str, Kind] = {
    "is-expectimax": _kind("information set expectimax", ExpectimaxAgent, _STATES, _TABLE, _TIES, _MODEL),
    "pimc-minimax": _kind("minimax on every state that is possible, and a vote", DeterminizedMinimax, *_MINIMAX, _STATES, _TIES, _MODEL),
    "cheating-minimax": _kind("minimax on the true state, marked in all results", CheatingMinimax, *_MINIMAX, _STATES, _TIES),
}  # fmt: skip
