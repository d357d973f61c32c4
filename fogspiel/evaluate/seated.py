"""Who sits in a match, and where: in the process of the match, or in one of its own; and how far that keeps a
secret."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fogspiel.agents.agent import Agent
from fogspiel.agents.apart import ApartAgent, apart_agent, has_code
from fogspiel.agents.process import POSSIBLE
from fogspiel.agents.registry import Seated
from fogspiel.agents.registry import agent as make_agent
from fogspiel.errors import SpecError
from fogspiel.game.game import Game


def seat(what: Seated, apart: bool | None, seconds: float | None, memory: int | None, learning: bool) -> Agent:
    """An agent as it plays in a match: in a process of its own where `apart`, by default where it is not ours. What has
    a process may take so many seconds for a move, and so many bytes."""
    named = isinstance(what, str | Path)
    if apart and not named:
        raise SpecError(
            f"{_called(what)} is an object of this process, and cannot play in another; name a file or a spec string"
        )
    strange = named and has_code(str(what))
    if strange and (POSSIBLE if apart is None else apart):
        one: Agent = apart_agent(str(what))
    else:
        one = make_agent(what)
        if apart and not isinstance(one, ApartAgent):
            one = apart_agent(str(what), one)
    return one.bound(seconds, memory, learning) if isinstance(one, ApartAgent) else one


def strangers_here(agents: Sequence[Agent], given: Sequence[Seated]) -> list[str]:
    """The agents that play in this process and have code that is not ours, if they were named."""
    named = zip(agents, given, strict=True)
    return [
        a.name for a, g in named if isinstance(g, str | Path) and has_code(str(g)) and not isinstance(a, ApartAgent)
    ]


def secrecy(game: Game, agents: Sequence[Agent], given: Sequence[Seated]) -> tuple[str, ...]:
    """What could not be kept from agents, in sentences."""
    told = [
        f"{name} plays in the process of the match, and can read all that is in it"
        for name in strangers_here(agents, given)
    ]
    told += [one.kept(game).told for one in agents if isinstance(one, ApartAgent)]
    return tuple(dict.fromkeys(filter(None, told)))


def _called(what: Any) -> str:
    return str(getattr(what, "name", None) or getattr(what, "__name__", type(what).__name__))
