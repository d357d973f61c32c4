"""A row of a table of agents."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fogspiel.agents.agent import Agent
from fogspiel.agents.suited import suited
from fogspiel.errors import SpecError
from fogspiel.game.game import Game
from fogspiel.game.needs import Asks, Need, listed, require, require_settings, suits
from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Askable, split_spec

ALWAYS = ("bandit", "belief", "growth", "progress")
"""Kinds of parts whose needs are those of every game that is played; others are met where they are used."""


@dataclass(frozen=True)
class Kind:
    """What it is, its own parameters and the kinds of parts that it takes, and how an agent is made of its spec string
    and all values.

    `by_infoset`: it searches a tree with a node for each information set of every player, so that the search is a model
    of the others; one with a choice of views does where the view says so. `needs` are what it needs of a game, and
    `settings_need` what single settings need beside that, and beside what parts do; `instead` is an agent for games
    that lack something, which by default is one that suits the game.
    """

    about: str
    parameters: tuple[Askable, ...]
    make: Callable[[str, dict[str, Any]], Agent]
    by_infoset: bool = False
    needs: tuple[Need, ...] = ()
    settings_need: Asks = field(default_factory=dict)
    instead: str = ""

    def require(self, name: str, values: dict[str, Any], game: Game) -> None:
        """Raise Unsuitable where a game lacks what the agent of this name needs, or what its settings do."""
        require(game, name, self.needs, lambda: self.instead or split_spec(suited(game))[0])
        require_settings(game, name, self.settings_need, values, self.parameters)
        for parameter in self.parameters:
            if isinstance(parameter, PartOf) and parameter.kind.name in ALWAYS:
                made = values[parameter.name]
                word = made.spec.partition("(")[0]
                require(game, f"{name}({parameter.name}={word})", made.needs, partial(_others, game, parameter))

    def require_model(self, name: str, values: dict[str, Any]) -> None:
        """Raise SpecError where a belief needs a model of the others, and the search does not tell what they do at
        their information sets."""
        belief = values.get("belief")
        if belief is None or not belief.tells("NEEDS_MODEL"):
            return
        told = f"belief={belief.name} infers from what a search has others do at their information sets"
        view = values.get("view")
        if view is None and not self.by_infoset:
            raise SpecError(f"{name}: {told}, and {name} has no node for each of these; mo-ismcts has")
        if view is not None and not view.tells("BY_INFOSET"):
            raise SpecError(f"{name}: {told}, and with view={view} it has no node for each of these; mo-ismcts has")

    def searches_by_infoset(self, values: dict[str, Any]) -> bool:
        """Whether what it is asked for has a node for each information set."""
        view = values.get("view")
        return self.by_infoset if view is None else bool(view.tells("BY_INFOSET"))


def _others(game: Game, parameter: PartOf) -> str:
    """The words of a part that a game suits."""
    words = [word for word in parameter.words if suits(game, parameter.by_word(word, {}).needs)]
    return f"{parameter.name}={listed(words, 'or')}" if words else ""
