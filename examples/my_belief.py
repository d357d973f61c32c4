"""A belief of one's own: states that agree with what we have seen, weighted by whether the others would have played
like that.

Some histories are drawn that agree with our record (likelihood weighting): chance by its probabilities, others' moves
each as likely. The weight of a history is how likely its moves are for others who think as our own search does, with a
little doubt, since it may be wrong about them.

fogspiel match leduc "mo-ismcts(belief=examples/my_belief.py)" mo-ismcts
fogspiel match leduc "mo-ismcts(belief=examples/my_belief.py(doubt=0.5))" mo-ismcts
"""

from fogspiel.belief.rejection import draw_moves
from fogspiel.belief.roots import Roots
from fogspiel.game import CHANCE, Number, Whole

PARAMETERS = (
    Whole("states", 64, 1, 10_000, "states drawn for a decision"),
    Number("doubt", 0.1, 0.001, 1, "share of uniform play in what others are believed to do"),
)


class Weighted:
    models = True
    """We ask the model, so the search first looks at the whole game."""

    def __init__(self, states, doubt):
        self.states, self.doubt = states, doubt

    def begin(self, game, seat, rng):
        """A new game begins. All chance of ours comes from `rng`."""
        self.game, self.seat, self.rng = game, seat, rng

    def update(self, record, state, model):
        """It is our turn. The record holds what we have seen; the state agrees with it, and is otherwise made up."""
        self.record, self.model = record, model

    def draw(self):
        """The states that simulations start from, each with its weight."""
        drawn = [
            self.weighted(draw_moves(self.game, self.record, self.rng, actor=self.seat)) for _ in range(self.states)
        ]
        return Roots([state for state, _ in drawn], [weight for _, weight in drawn])

    def weighted(self, moves):
        """The state after these moves, and how likely others are to have made theirs."""
        state, weight = self.game.start(), 1.0
        for move in moves:
            if state.actor not in (CHANCE, self.seat):
                weight *= self.doubt + (1 - self.doubt) * self.likely(state)[move] * len(state.moves())
            state.play(move)
        return state, weight

    def likely(self, state):
        """The probability of each move of the player to move."""
        return self.model(state) if self.model else {move: 1 / len(state.moves()) for move in state.moves()}
