"""A row of a table of agents."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fogspiel.agents.agent import Agent
from fogspiel.agents.suited import suited
from fogspiel.game.game import Game
from fogspiel.game.menu import Menu, collected, menus_of
from fogspiel.game.needs import Asks, Need, require, require_settings
from fogspiel.game.spec import Parameter, split_spec


@dataclass(frozen=True)
class Kind:
    """What it is, what can be asked of it (parameters, and choices among parts that have some), and how an agent is
    made of its spec string and all values.

    `by_infoset`: it searches a tree with a node for each information set of every player, so that the search is a model
    of the others. `needs` are what it needs of a game, and `settings_need` what single settings need beside that, and
    beside what the parts on its menus do; `instead` is an agent for games that lack something, which by default is one
    that suits the game.
    """

    about: str
    offers: tuple[Parameter | Menu, ...]
    make: Callable[[str, dict[str, Any]], Agent]
    by_infoset: bool = False
    needs: tuple[Need, ...] = ()
    settings_need: Asks = field(default_factory=dict)
    instead: str = ""

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return collected(self.offers)

    @cached_property
    def menus(self) -> tuple[Menu, ...]:
        return menus_of(self.offers)

    @cached_property
    def asks(self) -> Asks:
        """What settings need of a game."""
        of_menus = {name: words for menu in self.menus for name, words in menu.asks.items() if words}
        return of_menus | {name: {**of_menus.get(name, {}), **words} for name, words in self.settings_need.items()}

    def require(self, name: str, parameters: dict[str, Any], game: Game) -> None:
        """Raise Unsuitable where a game lacks what the agent of this name needs, or what its settings do."""
        require(game, name, self.needs, lambda: self.instead or split_spec(suited(game))[0])
        require_settings(game, name, self.asks, parameters, self.parameters)
