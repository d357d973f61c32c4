"""Whether a game hides something from its players."""

import numpy as np

from fogspiel.engine.primitives import pick
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import advance


def hides_something(game: Game, games: int = 20, decisions: int = 400, pending: bool = True) -> bool:
    """Whether random games show that a player does not know the state: the game's rule redraws it into another one, or two
    states look the same. Without `pending`, what others have chosen in an unfinished simultaneous stage does not count."""
    if game.about.simultaneous and pending:
        return True
    rng, met = np.array([0], np.uint64), {}
    for _ in range(games):
        state = game.start()
        while (who := state.actor) != OVER and decisions > 0:
            for player in range(game.players if who != CHANCE and state.stage is state else 0):
                if "resample" in game.functions:
                    redrawn = state.copy()
                    redrawn.resample(player, rng)
                    other = redrawn.data.tobytes()
                else:
                    other = met.setdefault((who, player, state.key(player)), state.data.tobytes())
                if other != state.data.tobytes():
                    return True
            decisions -= who != CHANCE
            legal = state.moves()
            advance(state, legal[pick(rng, len(legal))])
    return False
