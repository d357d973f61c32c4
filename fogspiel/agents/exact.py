"""Exact players of small games (Whitehouse 2014, sec. 5.1.2): minimax on the true state, minimax on every state that is
possible, and information set expectimax; the last two also with inference by a model of the opponent."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.kind import Kind
from fogspiel.agents.prepared import PreparedAgent
from fogspiel.belief.exact import Decide, Possible
from fogspiel.belief.record import Record
from fogspiel.belief.roots import States
from fogspiel.engine.primitives import pick
from fogspiel.errors import TooLarge
from fogspiel.game.game import Game
from fogspiel.game.needs import Need
from fogspiel.game.spec import Choice, Number, Whole
from fogspiel.game.state import State
from fogspiel.search import expectimax
from fogspiel.search.lookahead import Minimax, needs
from fogspiel.search.statistics import MoveStatistics, Names

CLOSE = 1e-12
"""Values, or shares of the vote, that differ by less are the same."""


class ExactAgent(PreparedAgent):
    """Of the best moves it takes one at random, or with ties=first the first: then what it does is known to whoever
    knows what it knows.

    From one game to the next it keeps what it found out about the game, which is the same whoever is dealt what."""

    def sit(self, seat: int) -> None:
        self.possible = Possible(self.game, seat, self.parameters["states"], self.model(self.game, seat))

    def restart(self, seed: int) -> None:
        self.rng = np.array([seed], np.uint64)

    def try_out(self, first: Observation) -> None:
        with suppress(TooLarge):
            Possible(self.game, self.seat, 1).at(first.record)

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
        names = Names(observation.state)
        self.found = tuple(self.told(move, names, value) for move, value in worth.items())
        best = [move for move, value in worth.items() if value >= max(worth.values()) - CLOSE]
        return best[0 if self.parameters["ties"] == "first" else pick(self.rng, len(best))]

    def judge(self, observation: Observation) -> dict[int, float]:
        """What speaks for each move."""
        raise NotImplementedError

    def told(self, move: int, names: Names, value: float) -> MoveStatistics:
        return MoveStatistics(move, 0, value, None, names=names)


class DeterminizedMinimax(ExactAgent):
    """Minimax with all cards open, on each state that is possible: its best move has the state's probability as its
    share of the vote."""

    def prepare(self, game: Game) -> None:
        p = self.parameters
        self.search = Minimax(game, "nothing", table=p["table"], horizon="end", mistakes=p["mistakes"], who=self.row)

    def try_out(self, first: Observation) -> None:
        super().try_out(first)
        self.search.make_ready()

    def judge(self, observation: Observation) -> dict[int, float]:
        states, weights = self.possible.at(observation.record)
        votes = dict.fromkeys(observation.moves, 0.0)
        for move, weight in zip(self.best_moves(states.data), weights.tolist(), strict=True):
            votes[move] += weight
        return votes

    def best_moves(self, states: np.ndarray) -> list[int]:
        return self.search.best_moves(states, self.parameters["nodes"])

    def told(self, move: int, names: Names, value: float) -> MoveStatistics:
        return MoveStatistics(move, 0, None, value, names=names)


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
        self.tables = [expectimax.Table(self.parameters["table"]) for _ in range(game.players)]

    def try_out(self, first: Observation) -> None:
        super().try_out(first)
        with suppress(TooLarge):
            here = States(self.game, first.state.data[None].copy())
            expectimax.value_moves(self.game, self.seat, here, np.ones(1), 1)

    def judge(self, observation: Observation) -> dict[int, float]:
        states, weights = self.possible.at(observation.record)
        return expectimax.value_moves(
            self.game, self.seat, states, weights, self.parameters["states"], self.tables[self.seat]
        )


def _kind(
    about: str,
    make: Callable[[str, dict[str, Any]], ExactAgent],
    *parameters: Any,
    needs: tuple[Need, ...],
    instead: str,
) -> Kind:
    told = f"{about}, exact, for small games (Whitehouse 2014, sec. 5.1.2)"
    return Kind(told, parameters, make, needs=needs, instead=instead)


_OPEN_CARDS = needs("nothing", "end")
"""What minimax needs of a game whose cards it takes for open."""
_TIES = Choice("ties", "random", ("random", "first"), "of the best moves, one at random or the first")
_STATES = Whole("states", 100_000, 1, 10**9, "most states looked at for a decision")
_TABLE = Whole("table", 1 << 16, 2, 1 << 26, "places in the transposition table")
_MINIMAX = (
    Number(
        "mistakes",
        1e-4,
        0,
        1,
        "how much the value of a random move counts: it seeks the opponent's mistakes among moves that are as good",
    ),
    Whole("nodes", 1_000_000, 1, 10**15, "most nodes that a search of one state may visit"),
    _TABLE,
)
_MODEL = Choice(
    "model",
    "none",
    ("none", "cheating-minimax", "pimc-minimax", "is-expectimax"),
    "infer what the opponent holds, taking it for this agent; none: by what is possible alone",
)

KINDS: dict[str, Kind] = {
    "is-expectimax": _kind(
        "information set expectimax",
        ExpectimaxAgent,
        _STATES,
        _TABLE,
        _TIES,
        _MODEL,
        needs=expectimax.NEEDS,
        instead="mo-ismcts",
    ),
    "pimc-minimax": _kind(
        "minimax on every state that is possible, and a vote",
        DeterminizedMinimax,
        *_MINIMAX,
        _STATES,
        _TIES,
        _MODEL,
        needs=_OPEN_CARDS,
        instead="pimc",
    ),
    "cheating-minimax": _kind(
        "minimax on the true state, marked in all results",
        CheatingMinimax,
        *_MINIMAX,
        _STATES,
        _TIES,
        needs=_OPEN_CARDS,
        instead="cheating-uct",
    ),
}
