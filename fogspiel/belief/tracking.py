"""Beliefs that follow the game: a set of states with probabilities, carried from one decision of a player to the next.

`ISMCTS-progress` of Lisý 2014, sec. 3.2.3: each state believed in is continued by the player's own move and by every way the
others and chance may have moved since, kept if the player would have seen what it saw, and weighted by chance's probabilities and
by a model of the others, here how often the search itself chose their moves. (The printed listing looks the model up in the
state before the player's move; it belongs to the state where the other player moves.)

What is believed in is where the stage of the player's decision began: moves that others make at the same time are still to come.
"""

import numpy as np

from fogspiel.belief.replay import Record
from fogspiel.belief.roots import Model
from fogspiel.engine.primitives import uniform
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State, advance


class Particles:
    """What a player believes of the state. At most `most` states are kept, drawn by their probabilities when there are more.

    `lost` tells that nothing believed in fits what was seen; the belief then stays empty.
    """

    def __init__(self, game: Game, player: int, most: int = 1000):
        self.player, self.most = player, most
        self.states: list[State] = [game.start()]
        self.prob = np.ones(1)
        self._known, self._own = [1], 0

    @property
    def lost(self) -> bool:
        return not self.states

    def follow(self, record: Record, model: Model | None, rng: np.ndarray) -> None:
        """Go on to the player's present decision, as its record tells of it."""
        found: dict[bytes, tuple[State, float]] = {}
        for state, p, known in zip(self.states, self.prob, self._known, strict=True):
            self._continue(state, float(p), known, self._own, record, model, found)
        self._own = len(record.own)
        states = [s for s, _ in found.values()]
        prob = np.array([p for _, p in found.values()])
        if len(states) > self.most:
            picked = np.unique([_draw(prob, uniform(rng)) for _ in range(self.most)])
            states, prob = [states[i] for i in picked], prob[picked]
        total = prob.sum()
        if states and total <= 0:
            prob, total = np.ones(len(states)), float(len(states))
        self.states, self.prob = states, prob / total if states else prob
        self._known = [record.known(state) for state in states]

    def _continue(
        self, state: State, p: float, known: int, own: int, record: Record, model: Model | None, found: dict
    ) -> None:
        """Depth first over everything that may have happened; `known` keys and `own` moves of the record are behind."""
        who = state.actor
        if who == self.player and own == len(record.own):
            if known == len(record.keys):
                began = state.stage
                key = began.data.tobytes()
                found[key] = (began, p + (found[key][1] if key in found else 0.0))
            return
        if who == OVER or len(found) > 20 * self.most:
            return
        if who == self.player:
            options = {record.own[own]: 1.0}
        elif who == CHANCE:
            options = dict(state.chance())
        else:
            options = model(state) if model is not None else dict.fromkeys(state.moves(), 1.0 / len(state.moves()))
        for move, q in options.items():
            after = state.copy()
            advance(after, move)
            key = after.key(self.player)
            if key == record.keys[known - 1]:
                ahead = known
            elif known < len(record.keys) and key == record.keys[known]:
                ahead = known + 1
            else:
                continue
            self._continue(after, p * q, ahead, own + (who == self.player), record, model, found)


def _draw(prob: np.ndarray, x: float) -> int:
    return min(int(np.searchsorted(np.cumsum(prob) / prob.sum(), x, side="right")), len(prob) - 1)


Belief = Particles
