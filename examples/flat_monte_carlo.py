"""An agent of one's own: flat Monte Carlo. It plays every move out at random a number of times, and takes the best on
average.

fogspiel match leduc examples/flat_monte_carlo.py random
fogspiel match leduc "examples/flat_monte_carlo.py(playouts=200)" "mo-ismcts(simulations=1000)" --workers 2
"""

import random

import fogspiel as fs
from fogspiel.game import Whole

PARAMETERS = (Whole("playouts", 50, 1, 100_000, "random games for each move"),)


class FlatMonteCarlo:
    def __init__(self, playouts):
        self.playouts = playouts

    def begin(self, game, seat, seed):
        """A new game begins: all chance of ours comes from the seed."""
        self.game, self.seat, self.random = game, seat, random.Random(seed)

    def choose(self, observation):
        """The state we are shown agrees with all that we have seen; what we cannot see in it is made up anew each
        time."""
        return max(observation.moves, key=lambda move: self.value(observation.state, move))

    def value(self, state, move):
        after = state.copy()
        after.play(move)
        if after.over:
            return after.payoff()[self.seat]
        return fs.playouts(self.game, self.playouts, self.random.getrandbits(63), starts=[after]).payoff[self.seat]
