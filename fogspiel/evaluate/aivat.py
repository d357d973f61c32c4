"""AIVAT: chance taken out of the result of a game (Burch, Schmid, Moravčík, Morrill and Bowling 2018).

Where chance moves, or an agent whose strategy is known, a move is drawn from known probabilities. What a value function
says after the move drawn, less the mean of what it says after each that could be drawn, is a correction term: in the
mean it is nothing, whatever the function says. So a result less the corrections of its game has the same mean, and the
less variance the better the function. AIVAT also sums over what a known player may hold, which is not done here.
"""

from collections.abc import Callable, Iterable, Sequence

from fogspiel.agents.agent import Agent
from fogspiel.agents.simple import RandomAgent, StrategyAgent
from fogspiel.errors import GameError
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State, advance
from fogspiel.solvers.strategy import Strategy

Policy = Callable[[State], dict[int, float]]
"""What is known of a player: the probability of each legal move."""
Values = Callable[[State], float | Sequence[float]]
"""What each player may expect in a state; in a game of two who are opposed a number for player 0 will do."""


def corrections(game: Game, moves: Iterable[int], known: Sequence[Policy | None], values: Values) -> list[float]:
    """The sum of each player's correction terms over the moves of a game. `known` are the policies of the players; None
    where there is nothing to know."""
    state, found = game.start(), [0.0] * game.players
    for move in moves:
        actor = state.actor
        if actor == CHANCE:
            odds = dict(state.chance())
        else:
            policy = known[actor]
            odds = {} if policy is None else policy(state)
        if len(odds) > 1:
            total = sum(odds.values())
            after = {m: _expected(values, _played(state, m), game) for m, p in odds.items() if p > 0 or m == move}
            for player in range(game.players):
                mean = sum(odds[m] / total * expected[player] for m, expected in after.items())
                found[player] += after[move][player] - mean
        advance(state, move)
    return found


def policy_of(agent: Agent) -> Policy | None:
    """What is known of an agent: a stored strategy, and random play."""
    if isinstance(agent, StrategyAgent):
        return agent.strategy.probabilities
    return _uniform if isinstance(agent, RandomAgent) else None


class StrategyValues:
    """What a strategy expects in each state of a game, if all play by it. States are looked at once each: for games
    that fit in memory."""

    def __init__(self, strategy: Strategy):
        self.strategy = strategy
        self.known: dict[bytes, tuple[float, ...]] = {}

    def __call__(self, state: State) -> tuple[float, ...]:
        key = state.data.tobytes()
        if key not in self.known:
            self.known[key] = self._expected(state)
        return self.known[key]

    def _expected(self, state: State) -> tuple[float, ...]:
        actor = state.actor
        if actor == OVER:
            return tuple(state.payoff())
        odds = dict(state.chance()) if actor == CHANCE else self.strategy.probabilities(state)
        after = [(p, self(_played(state, move))) for move, p in odds.items() if p > 0]
        return tuple(sum(p * value[player] for p, value in after) for player in range(state.game.players))


def _expected(values: Values, state: State, game: Game) -> Sequence[float]:
    found = values(state)
    if isinstance(found, Sequence):
        if len(found) != game.players:
            raise GameError(f"values of {game.spec} must be {game.players} numbers, one a player, not {len(found)}")
        return found
    if game.players != 2 or not game.about.zero_sum:
        raise GameError(
            f"values of {game.spec} must be {game.players} numbers, since its players are not two who are opposed"
        )
    return float(found), -float(found)


def _played(state: State, move: int) -> State:
    after = state.copy()
    advance(after, move)
    return after


def _uniform(state: State) -> dict[int, float]:
    moves = state.moves()
    return dict.fromkeys(moves, 1 / len(moves))
