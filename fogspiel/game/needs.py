"""What an algorithm, or a part of one, needs of a game: declared by name, checked in one place, refused in one wording.

NEEDS = (TWO_PLAYERS, ZERO_SUM)
require(game, "oos", NEEDS)      # Unsuitable: oos needs two players; kuhn(players=3) has 3

A need is asked by what a game says of itself (`About`), by its rules, or by a few random games: nothing is unrolled to
find out. Where a game was unrolled for another reason, its tree knows better than what the game says of itself, and is
asked instead.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol

from fogspiel.errors import Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.hidden import hidden_move, hides_something, hides_states
from fogspiel.game.spec import Askable, Choice


class Unrolled(Protocol):
    """What an unrolled game tells (`tree/tree.py`)."""

    @property
    def game(self) -> Game: ...

    @property
    def zero_sum(self) -> bool: ...

    @property
    def perfect_recall(self) -> bool: ...

    @property
    def shared(self) -> bool: ...


@dataclass(frozen=True)
class Need:
    """`what` is needed, in words; `fault(game)` says what is wrong with a game, in words, or nothing. `rule` is that
    which is needed, if it is one. `unrolled` says what is wrong with a game by its tree, of needs that a tree
    decides."""

    what: str
    fault: Callable[[Game], str]
    rule: str = ""
    unrolled: Callable[[Any], str] | None = None

    def wrong(self, game: Game, tree: Unrolled | None = None) -> str:
        """What is wrong with a game, by its tree where there is one and it decides."""
        return self.fault(game) if tree is None or self.unrolled is None else self.unrolled(tree)


Asks = Mapping[str, Mapping[str, tuple[Need, ...]]]
"""What single settings need: by the name of a parameter, a `Choice`, and by its value."""


def require(
    game: Game, who: str, needs: Iterable[Need], instead: str | Callable[[], str] = "", tree: Unrolled | None = None
) -> None:
    """Refuse a game that lacks something of what `who`, an algorithm or a part, needs; `instead` names what suits it,
    or finds that out."""
    for need in needs:
        if fault := need.wrong(game, tree):
            raise refusal(game.spec, who, need, fault, instead if isinstance(instead, str) else instead())


def require_settings(
    game: Game,
    who: str,
    asks: Asks,
    given: Mapping[str, Any],
    parameters: Iterable[Askable],
    tree: Unrolled | None = None,
) -> None:
    """Refuse a game that lacks something of what a setting needs, of those given, and name those that it suits."""
    for parameter in parameters:
        ways, value = asks.get(parameter.name, {}), given.get(parameter.name)
        if isinstance(parameter, Choice) and value is not None and value in ways:
            others = partial(_other_ways, game, parameter, ways, tree)
            require(game, f"{who}({parameter.name}={value})", ways[value], others, tree)


def _other_ways(game: Game, parameter: Choice, ways: Mapping[str, tuple[Need, ...]], tree: Unrolled | None) -> str:
    """The settings of a parameter that a game suits."""
    others = [word for word in parameter.choices if suits(game, ways.get(word, ()), tree)]
    return f"{parameter.name}={listed(others, 'or')}" if others else ""


def suits(game: Game, needs: Iterable[Need], tree: Unrolled | None = None) -> bool:
    return not any(need.wrong(game, tree) for need in needs)


def refusal(spec: str, who: str, need: Need, fault: str, instead: str = "") -> Unsuitable:
    """The one wording of a refusal, for those who find a fault on their way."""
    return Unsuitable(f"{who} needs {need.what}; {spec} {fault}" + (f": try {instead}" if instead else ""), need.rule)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words as a sentence lists them."""
    words = list(words)
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


@cache
def rule(name: str) -> Need:
    return Need(f"the rule {name}", lambda game: "" if name in game.functions else "has none", name)


def _players(game: Game, least: int, most: int) -> str:
    return "" if least <= game.players <= most else f"has {game.players}"


def _opposed(game: Game, zero_sum: bool) -> str:
    return "" if zero_sum or game.players == 1 else "is not one"


def _remembers(game: Game, perfect_recall: bool) -> str:
    if perfect_recall:
        return ""
    return (
        "has keys of positions, without how they came about" if not hides_something(game) else "has players who forget"
    )


def remembers(game: Game) -> str:
    """What a game without perfect recall is, in words."""
    return _remembers(game, False)


def _unshared(shared: bool) -> str:
    return "has one (rule abstract)" if shared else ""


def _hides(game: Game) -> str:
    found = hidden_move(game)
    return "hides something" if found is None else f'hides moves such as "{found[0]}" from player {found[1]}'


def _in_turn(game: Game) -> str:
    return "lets players move at once" if game.about.simultaneous else ""


TWO_PLAYERS = Need("two players", lambda game: _players(game, 2, 2))
AT_MOST_TWO = Need("at most two players", lambda game: _players(game, 1, 2))
ZERO_SUM = Need(
    "a zero-sum game",
    lambda game: _opposed(game, game.about.zero_sum),
    unrolled=lambda tree: _opposed(tree.game, tree.zero_sum),
)
UTILITIES = Need(
    "the range of utilities",
    lambda game: "" if game.about.utility is not None else "declares none (About(utility=(low, high)))",
)
PERFECT_RECALL = Need(
    "perfect recall",
    lambda game: _remembers(game, game.about.perfect_recall),
    unrolled=lambda tree: _remembers(tree.game, tree.perfect_recall),
)
NO_ABSTRACTION = Need(
    "a game without an abstraction",
    lambda game: _unshared(game.abstracted),
    unrolled=lambda tree: _unshared(tree.shared),
)
IN_TURN = Need("players who move in turn", _in_turn)
AT_ONCE = Need("players who move at once", lambda game: "" if game.about.simultaneous else "lets them move in turn")
PERFECT_INFORMATION = Need(
    "a game of perfect information", lambda game: _in_turn(game) or (_hides(game) if hides_something(game) else "")
)
LOOKS_THE_SAME = "has states that look the same to the player who moves"
"""Of a game without perfect information, by whoever finds that out on the way."""
OPEN_BUT_PENDING = Need(
    "a game in which nothing is hidden but pending moves",
    lambda game: _hides(game) if hides_something(game, pending=False) else "",
)
KNOWN_STAGES = Need(
    "a game in which nothing is hidden but moves made at the same time",
    lambda game: _hides(game) if hides_states(game) else "",
)
"""As OPEN_BUT_PENDING, for what looks at the game from its start on, and needs not be told that moves are
simultaneous."""
WITHOUT_END = Need(
    "a game without an end (rule markov)", lambda game: "" if "markov" in game.functions else "has one", "markov"
)
ENDLESS = (WITHOUT_END, TWO_PLAYERS, ZERO_SUM, AT_ONCE)
"""What is needed of a game that is cut off from one without an end (`game/markov.py`)."""
ONE_SIDED = Need("a game in which one player sees everything, and the other does not", lambda game: "")
NOT_ONE_SIDED = "lets both see everything, or neither (rule observe)"
"""Seen by whoever explores the states of a game without an end, and told then."""
