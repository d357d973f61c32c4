"""An agent as it is before its first game: one that remembers would know the cards when a deal is played again."""

import copy

from fogspiel.agents.agent import Agent
from fogspiel.errors import SpecError


def anew(agent: Agent) -> Agent:
    """The agent as it is before its first game.

    The library's own that have `starts_anew` do so at `begin`, and keep room that is dear to make. Of any other a copy
    plays, never the agent given.
    """
    if getattr(type(agent), "starts_anew", False) and type(agent).__module__.startswith("fogspiel."):
        return agent
    try:
        return copy.deepcopy(agent)
    except Exception as error:
        raise SpecError(
            f"{agent.name} cannot be copied ({type(error).__name__}: {error}), and so not start anew in each game; "
            "let deepcopy copy it, or declare the match to be about learning (learning=True; --learning on the "
            "command line)"
        ) from error
