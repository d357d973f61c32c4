"""The other end of the pipe, for agents of Fogspiel: `python -m fogspiel.agents.serve my_agent.py`.

An agent in its own process is the one that it would be in the referee's: it is given an `Observation`, whose state is
made of the bytes that came, and begins anew in each game, or learns, as the match will have it.
"""

import json
import os
import sys
from collections.abc import Callable
from typing import IO, Any

from fogspiel.agents import messages
from fogspiel.agents.agent import Agent
from fogspiel.agents.anew import anew
from fogspiel.agents.fault import described, of_the_game
from fogspiel.agents.own import own_agent
from fogspiel.errors import FogspielError
from fogspiel.game.game import Game
from fogspiel.game.load import file_and_parameters, load


def main() -> None:
    # what the agent prints goes to standard error, and what it reads is empty: the pipe is not for it
    inward, outward = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    serve(sys.argv[1], inward, outward)


def serve(spec: str, inward: IO[bytes], outward: IO[bytes]) -> None:
    """Answer all messages of a referee's with what the agent of a spec string does."""
    here = _Here(spec)
    answers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
        "hello": here.hello,
        "game": here.new_game,
        "move": here.move,
    }
    for line in inward:
        message = json.loads(line)
        outward.write(json.dumps(answers[message["type"]](message)).encode() + b"\n")


class _Here:
    """A game, an agent as it was made, and as it plays."""

    made: Agent
    playing: Agent
    game: Game
    learning: bool

    def __init__(self, spec: str):
        self.spec = spec

    def hello(self, told: dict[str, Any]) -> dict[str, Any]:
        try:
            self.made, self.learning = _agent(self.spec), told["learning"]
            # whoever holds the match has checked the game's file
            self.game = load(
                told["file"] or told["game"],
                debug=told["debug"],
                unchecked=True,
                **(told["parameters"] if told["file"] else {}),
            )
            if not self.learning:
                anew(self.made)
            if callable(make_ready := getattr(self.made, "make_ready", None)):
                make_ready(self.game)
        except SystemExit as error:
            return {"type": "fault", "reason": f"leaves Python when it makes ready (exit code {error.code})"}
        except Exception as error:
            is_told = isinstance(error, FogspielError)
            return messages.fault(error, str(error) if is_told else f"failed to make ready: {described(error)}")
        cheats = bool(getattr(self.made, "cheats", False))
        return {"type": "ready", "wants": [messages.STATE], "name": self.made.name, "cheats": cheats}

    def new_game(self, told: dict[str, Any]) -> dict[str, Any]:
        try:
            self.playing = self.made if self.learning else anew(self.made)
            self.playing.begin(self.game, told["seat"], int(told["seed"]))
        except (Exception, SystemExit) as error:
            return _failed("failed to begin", error)
        return {"type": "ready"}

    def move(self, told: dict[str, Any]) -> dict[str, Any]:
        try:
            move = self.playing.choose(messages.observed(self.game, told))
        except (Exception, SystemExit) as error:
            return _failed("failed", error)
        number = messages.as_number(move)
        if number is None:
            return {"type": "fault", "reason": f"made the illegal move {move!r}"}
        return {"type": "move", "move": number}


def _failed(how: str, error: BaseException) -> dict[str, Any]:
    return messages.fault(error, str(error) if of_the_game(error) else f"{how}: {described(error)}")


def _agent(spec: str) -> Agent:
    file, parameters = file_and_parameters(spec)
    if file is not None:
        return own_agent(file, parameters)
    from fogspiel.agents.registry import agent  # with all searches, which an agent of somebody's own may do without

    return agent(spec)


if __name__ == "__main__":
    main()
