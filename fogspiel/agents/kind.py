"""A row of a table of agents."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fogspiel.agents.agent import Agent
from fogspiel.game.spec import Parameter


@dataclass(frozen=True)
class Kind:
    """What it is, its parameters, and how an agent is made of its spec string and their values.

    `by_infoset`: it searches a tree with a node for each information set of every player, so that the search is a model of the others.
    """

    about: str
    parameters: tuple[Parameter, ...]
    make: Callable[[str, dict[str, Any]], Agent]
    by_infoset: bool = False
