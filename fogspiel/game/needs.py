"""What an algorithm, or a part of one, needs of a game: declared by name, checked in one place.

NEEDS = (TWO_PLAYERS, ZERO_SUM)
require(game, "oos", NEEDS)      # Unsuitable: oos needs two players; kuhn(players=3) has 3
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fogspiel.errors import Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.hidden import hides_something


@dataclass(frozen=True)
class Need:
    """`what` is needed, in words; `fault(game)` says what is wrong with a game, in words, or nothing."""

    what: str
    fault: Callable[[Game], str]


def require(game: Game, who: str, needs: Iterable[Need], instead: str = "") -> None:
    """Refuse a game that lacks something; `instead` names what suits it."""
    for need in needs:
        if fault := need.fault(game):
            raise Unsuitable(f"{who} needs {need.what}; {game.spec} {fault}" + (f": try {instead}" if instead else ""))


def rule(name: str) -> Need:
    return Need(f"the rule {name}", lambda game: "" if name in game.functions else "has none")


def _players(game: Game, most: int, least: int) -> str:
    return "" if least <= game.players <= most else f"has {game.players}"


TWO_PLAYERS = Need("two players", lambda game: _players(game, 2, 2))
AT_MOST_TWO = Need("at most two players", lambda game: _players(game, 2, 1))
ZERO_SUM = Need("a zero-sum game", lambda game: "" if game.about.zero_sum or game.players == 1 else "is not one")
UTILITIES = Need(
    "the range of utilities", lambda game: "" if game.about.utility is not None else "declares none (About(utility=(low, high)))"
)  # fmt: skip
IN_TURN = Need("players who move in turn", lambda game: "lets them move at once" if game.about.simultaneous else "")
PERFECT_INFORMATION = Need(
    "a game of perfect information", lambda game: "hides something" if hides_something(game) else ""
)
OPEN_BUT_PENDING = Need(
    "a game in which nothing is hidden but pending moves",
    lambda game: "hides more" if hides_something(game, pending=False) else "",
)
