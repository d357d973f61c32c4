"""Which search suits a game, for whoever has no wish of their own."""

from fogspiel.game.game import Game
from fogspiel.game.hidden import hides_something

SIMULATIONS = 5000


def suited(game: Game) -> str:
    """The spec of a searching agent that runs on this game, whatever its number of players, by what its players cannot
    see.

    Where players move at once and do not simply oppose each other, UCB may move them in lockstep; regret matching and
    Exp3 do not. These are for players who move at once.
    """
    if not hides_something(game):
        return f"mcts(simulations={SIMULATIONS})"
    opposed = game.players == 2 and game.about.zero_sum
    if game.about.simultaneous and opposed and not hides_something(game, pending=False):
        return f"sm-mcts(simulations={SIMULATIONS})"
    apart = (
        "" if opposed or not game.about.simultaneous else ",bandit=rm" if game.always_at_once else ",bandit=ucb+exp3"
    )
    return f"mo-ismcts(simulations={SIMULATIONS}{apart})"
