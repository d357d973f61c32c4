"""What agents are handed in place of the referee's game: a twin of it (`Game.twin`), each agent its own.

Code that holds an object can change it. Were it the referee's, an agent could have the rules report the true state to it, or another seat's; or
leave itself a note from one game to the next.
"""

import contextlib
import weakref
from typing import ClassVar

from fogspiel.agents.agent import Agent
from fogspiel.game.game import Game


class _Handed:
    """What was handed. A class holds it, since a table that a function reads counts as a constant of its code (`engine/closure.py`)."""

    kept: ClassVar[dict[int, tuple[weakref.ref, weakref.ref, Game]]] = {}
    """By an agent's identity (what it says that it equals is not to be trusted): the agent, the game, and the twin that it was handed."""


def handed(game: Game, agent: Agent) -> Game:
    """The twin of a game for an agent: the same each time, so that searches keep their memory, and never anybody else's.

    An agent that plays inside another object (an attribute `seated` names it) is handed its own.
    """
    agent = getattr(agent, "seated", agent)
    place = id(agent)
    if (kept := _Handed.kept.get(place)) is not None and kept[0]() is agent and kept[1]() is game:
        return kept[2]
    twin = game.twin()
    with contextlib.suppress(TypeError):  # an agent of slots alone cannot be followed: it is handed a new one each time
        _Handed.kept[place] = weakref.ref(agent, lambda _: _Handed.kept.pop(place, None)), weakref.ref(game), twin
    return twin
