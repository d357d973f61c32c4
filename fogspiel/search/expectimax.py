"""Information set expectimax (Whitehouse 2014, sec. 5.1.2): the exact counterpart of information set tree search, for small games.

The searching player j values its information sets. At its own move it takes the best; at another's, each state in the set has its
own worst move for j, and the value is the mean over states:

    v([s]) = max over moves a of v([f(s, a)])                    where j moves
    v([s]) = E over s' in [s] of min over a of v([f(s', a)])      where the opponent moves

States are weighted by chance's probabilities alone: the opponent's moves tell nothing, except which states are possible. Of several
moves of the opponent that look the same to j, each is as likely.
"""

from collections import Counter

import numpy as np

from fogspiel.belief.replay import Record
from fogspiel.belief.tracking import Belief
from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State, advance

Weighted = list[tuple[State, float]]
Key = tuple[int, bool, float | None]


def expectimax(game: Game, record: Record, most: int) -> dict[int, float]:
    """What each move of the player whose record it is is worth to it. TooLarge if there are more than `most` states to look at."""
    if game.players > 2 or not (game.about.zero_sum or game.players == 1):
        raise Unsuitable(
            f"information set expectimax is for zero-sum games of at most two players; {game.spec} is not one"
        )
    if game.about.simultaneous:
        raise Unsuitable(
            f"information set expectimax is for players who move in turn; in {game.spec} they move at once; try sm-mcts"
        )
    return _Expectimax(game, record.player, most).decide(record)


class _Expectimax:
    def __init__(self, game: Game, player: int, most: int):
        self.game, self.player, self.most, self.looked = game, player, most, 0

    def decide(self, record: Record) -> dict[int, float]:
        belief = Belief(self.game, self.player, self.most)
        belief.follow(record, self._alike, np.zeros(1, np.uint64))
        here = list(zip(belief.states, belief.prob.tolist(), strict=True))
        return {move: self._mean(self._groups(here, move)) for move in here[0][0].moves()}

    def value(self, states: Weighted) -> float:
        """The value of an information set, given by its states and their weights."""
        if states[0][0].actor == self.player:
            return max(self._mean(self._groups(states, move)) for move in states[0][0].moves())
        values = {key: self.value(group) for key, group in self._groups(states).items()}
        return sum(w * self._worth(state, values) for state, w in states) / sum(w for _, w in states)

    def _worth(self, state: State, values: dict) -> float:
        """What a state is worth at another's move: chance's mean, the opponent's least, or the end."""
        if state.actor == OVER:
            return state.payoff()[self.player]
        below = {move: values[self._key(self._after(state, move))] for move in state.moves()}
        if state.actor == CHANCE:
            return sum(p * below[move] for move, p in state.chance())
        return min(below.values())

    def _groups(self, states: Weighted, move: int | None = None) -> dict[Key, Weighted]:
        """What may follow, by the move given or by all there are, told apart by what the player then knows."""
        groups: dict[Key, Weighted] = {}
        for state, w in states:
            if state.actor == OVER:
                continue
            for option, share in ({move: 1.0} if move is not None else self._shares(state)).items():
                after = self._after(state, option)
                groups.setdefault(self._key(after), []).append((after, w * share))
        return groups

    def _mean(self, groups: dict[Key, Weighted]) -> float:
        weights = [sum(w for _, w in group) for group in groups.values()]
        values = [self.value(group) for group in groups.values()]
        return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)

    def _shares(self, state: State) -> dict[int, float]:
        return dict(state.chance()) if state.actor == CHANCE else self._alike(state)

    def _alike(self, state: State) -> dict[int, float]:
        """The opponent's moves; those that look the same to the player share the weight of one."""
        seen = {move: self._key(self._after(state, move)) for move in state.moves()}
        count = Counter(seen.values())
        return {move: 1.0 / count[key] for move, key in seen.items()}

    def _key(self, state: State) -> Key:
        """What the player knows: at the end, what it is paid too."""
        who = state.actor
        return state.key(self.player), who == self.player, state.payoff()[self.player] if who == OVER else None

    def _after(self, state: State, move: int) -> State:
        self.looked += 1
        if self.looked > self.most:
            raise TooLarge(
                f"{self.game.spec} is too large for information set expectimax: there are more than {self.most:,} states to look at; "
                "let it look at more, or play mo-ismcts"
            )
        after = state.copy()
        advance(after, move)
        return after
