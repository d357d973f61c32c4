"""Agents from a person's own file, `my_agent.py` or `my_agent.py(depth=3)`.

The file holds a class with `choose(observation)` (and `begin(game, seat, seed)` and `make_ready(game)`, if it has a use
for these), or a function `choose(observation)`. Parameters are declared as PARAMETERS, as a game's are, or else are the
keyword arguments of the class or function, of the types of their defaults. A function that has an argument `rng` is
given a `random.Random`, new in each game.
"""

import copy
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from fogspiel.agents.agent import Observation
from fogspiel.agents.calls import CALLS, require_call, require_calls
from fogspiel.errors import AgentError
from fogspiel.game.game import Game
from fogspiel.game.own import Sought, arguments
from fogspiel.game.spec import Parameter
from fogspiel.game.written import version_of_file


class FunctionAgent:
    """A function of an observation in a seat."""

    def __init__(self, function: Callable[..., int], name: str = "", parameters: dict[str, Any] | None = None):
        self.function, self.parameters = function, parameters or {}
        self.name = name or getattr(function, "__name__", "function")
        self.random = "rng" in arguments(function)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.given = self.parameters | ({"rng": random.Random(seed)} if self.random else {})

    def choose(self, observation: Observation) -> int:
        return self.function(observation, **self.given)


class OwnAgent:
    """An agent from a file. `made` is what the file's class or function makes; `fingerprint` tells versions of the file
    apart, and of what it imports from its folder."""

    def __init__(self, file: Path, parameters: dict[str, Any], name: str, made: Any):
        self.file, self.parameters, self.name, self.made = file, parameters, name, made
        self.fingerprint = version_of_file(file)

    @property
    def cheats(self) -> bool:
        return bool(getattr(self.made, "cheats", False))

    @property
    def found(self) -> Any:
        """What the agent thinks of its moves, if it tells (`fs.think`)."""
        return getattr(self.made, "found", None)

    def make_ready(self, game: Game) -> None:
        if hasattr(self.made, "make_ready"):
            self.made.make_ready(game)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if hasattr(self.made, "begin"):
            self.made.begin(game, seat, seed)

    def choose(self, observation: Observation) -> int:
        return self.made.choose(observation)

    def __deepcopy__(self, memo: dict[int, Any]) -> "OwnAgent":
        other = copy.copy(self)
        other.made = copy.deepcopy(self.made, memo)
        return other

    def __copy__(self) -> "OwnAgent":
        other = object.__new__(OwnAgent)
        other.__dict__.update(self.__dict__)
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its file: another process reads the file itself."""
        return own_agent, (self.file.resolve(), self.parameters)


AGENT = Sought(
    "agent",
    "choose",
    (
        "a class with choose(self, observation), or a function choose(observation); a program of its own is given as a "
        'command, "python3 FILE"'
    ),
    ("observation",),
    AgentError,
)


def own_agent(path: Path, given: dict[str, Any]) -> OwnAgent:
    """The agent in a file. Raises AgentError with the file and line of what is wrong with it."""
    held = AGENT.read(path, given)
    if isinstance(held.holder, FunctionType):
        rng = ["rng"] if "rng" in arguments(held.holder) else []
        require_call(held.holder, "choose", CALLS["choose"], str(path), path, [*held.passed, *rng])
        return OwnAgent(path, held.values, held.name, FunctionAgent(held.holder, held.name, held.passed))
    made = held.make()
    require_calls(made, str(path), path)
    return OwnAgent(path, held.values, held.name, made)


def described(path: Path, given: dict[str, Any]) -> tuple[str, tuple[Parameter, ...]]:
    """The first sentence of what a file says of itself, and its parameters. Raises as `own_agent`."""
    own_agent(path, given)
    held = AGENT.read(path, given)
    module = sys.modules[held.holder.__module__]
    about = (module.__doc__ or held.holder.__doc__ or "an agent of your own").strip().splitlines()[0]
    return about, held.declared
