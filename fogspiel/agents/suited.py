"""Which search suits a game, for whoever has no wish of their own."""

from fogspiel.game.game import Game
from fogspiel.search.lookahead import hides_something

SIMULATIONS = 5000


def suited(game: Game) -> str:
    """The spec of a searching agent that runs on this game, whatever its number of players, by what its players cannot see."""
    if not hides_something(game):
        name = "mcts"
    elif game.about.simultaneous and game.players == 2 and not hides_something(game, pending=False):
        name = "sm-mcts"
    else:
        name = "mo-ismcts"
    return f"{name}(simulations={SIMULATIONS})"
