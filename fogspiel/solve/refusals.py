"""What is said of games whose strategies are not those of the sequence form, wherever they are met."""

from fogspiel.errors import Unsuitable
from fogspiel.game.game import Game


def forgetful(game: Game) -> Unsuitable:
    """Where players forget, and the sequence form is needed."""
    return Unsuitable(f"{game.spec} has imperfect recall: its strategies have no sequence form")


def shared(solver: str, game: Game) -> Unsuitable:
    """Where information sets must share strategies, and the solver cannot let them."""
    return Unsuitable(
        f"{solver} cannot solve an abstraction such as {game.spec}: use cfr, or leave the abstraction out"
    )
