"""The belief that is taken in a game where none is named, and by the beliefs that need another: to begin with, to draw
states anew, or when they are lost."""

from fogspiel.belief.replaying import Replaying
from fogspiel.belief.resampling import NEEDS, Resampling
from fogspiel.game.game import Game
from fogspiel.game.needs import suits


def usual(game: Game) -> str:
    """Its name: the game's rule `resample` is as fast as can be; where there is none, states are replayed."""
    return "resample" if suits(game, NEEDS) else "replay"


def usual_belief(game: Game, replays: int) -> Resampling | Replaying:
    """The belief itself, with as many replays for a decision where they are needed."""
    return Resampling() if usual(game) == "resample" else Replaying(replays)
