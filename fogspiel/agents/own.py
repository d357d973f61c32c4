"""Agents from a person's own file, `my_agent.py` or `my_agent.py(depth=3)`.

The file holds a class with `choose(observation)` (and `begin(game, seat, seed)`, if it has a use for that), or a function
`choose(observation)`. Parameters are declared as PARAMETERS, as a game's are, or else are the keyword arguments of the class or
function, of the types of their defaults. A function that has an argument `rng` is given a `random.Random`, new in each game.
"""

import copy
import hashlib
import inspect
import random
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from fogspiel.agents.agent import Observation
from fogspiel.errors import AgentError, GameError
from fogspiel.game.game import Game
from fogspiel.game.load import module_from
from fogspiel.game.rules import raised_at
from fogspiel.game.spec import Choice, Number, Parameter, Text, Whole, read_parameters, write_spec

HUGE = 10**18
YES = ("no", "yes")


class FunctionAgent:
    """A function of an observation in a seat."""

    def __init__(self, function: Callable[..., int], name: str = "", parameters: dict[str, Any] | None = None):
        self.function, self.parameters = function, parameters or {}
        self.name = name or getattr(function, "__name__", "function")
        self.random = "rng" in _arguments(function)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.given = self.parameters | ({"rng": random.Random(seed)} if self.random else {})

    def choose(self, observation: Observation) -> int:
        return self.function(observation, **self.given)


class OwnAgent:
    """An agent from a file. `made` is what the file's class or function makes; `fingerprint` tells versions of the file apart."""

    def __init__(self, file: Path, parameters: dict[str, Any], name: str, made: Any):
        self.file, self.parameters, self.name, self.made = file, parameters, name, made
        self.fingerprint = hashlib.sha256(file.read_bytes()).hexdigest()[:16]

    @property
    def cheats(self) -> bool:
        return bool(getattr(self.made, "cheats", False))

    @property
    def found(self) -> Any:
        """What the agent thinks of its moves, if it tells (`fs.think`)."""
        return getattr(self.made, "found", None)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if hasattr(self.made, "begin"):
            self.made.begin(game, seat, seed)

    def choose(self, observation: Observation) -> int:
        return self.made.choose(observation)

    def __deepcopy__(self, memo: dict) -> "OwnAgent":
        other = copy.copy(self)
        other.made = copy.deepcopy(self.made, memo)
        return other

    def __copy__(self) -> "OwnAgent":
        other = object.__new__(OwnAgent)
        other.__dict__.update(self.__dict__)
        return other

    def __reduce__(self) -> tuple:
        """Pickled as its file: another process reads the file itself."""
        return own_agent, (self.file.resolve(), self.parameters)


def own_agent(path: Path, given: dict[str, Any]) -> OwnAgent:
    """The agent in a file. Raises AgentError with the file and line of what is wrong with it."""
    try:
        module = module_from(path, "agent")
    except GameError as error:
        raise AgentError(str(error)) from error
    except SystemExit as error:
        raise AgentError(f"{path} leaves Python when it is imported (exit code {error.code})") from error
    holder = _holder(module, path)
    declared = _declared(module, holder, path)
    values = read_parameters(str(path), declared, {n: _word(v) for n, v in given.items()})
    name = write_spec(path.name, declared, values, {p.name: p.default for p in declared})
    passed = {p.name: values[p.name] == YES[1] if _is_flag(p) else values[p.name] for p in declared}
    if isinstance(holder, FunctionType):
        return OwnAgent(path, values, name, FunctionAgent(holder, name, passed))
    try:
        made = holder(**passed)
    except (Exception, SystemExit) as error:
        line, _ = raised_at(error, [str(path)])
        line = line or inspect.getsourcelines(holder)[1]
        raise AgentError(
            f"{path}, line {line}: {holder.__name__} cannot be made: {type(error).__name__}: {error}"
        ) from error
    return OwnAgent(path, values, name, made)


def _holder(module: ModuleType, path: Path) -> type | FunctionType:
    """The class or function that is the agent."""
    mine = [one for one in vars(module).values() if getattr(one, "__module__", None) == module.__name__]
    classes = {c for c in mine if isinstance(c, type) and callable(getattr(c, "choose", None)) and c.__name__[0] != "_"}
    last = [c for c in classes if not any(issubclass(other, c) for other in classes - {c})]
    if len(last) > 1:
        last = [c for c in last if c.__name__ == "Agent"] or last
    if len(last) > 1:
        names = ", ".join(sorted(c.__name__ for c in last))
        raise AgentError(f"{path} has several agents ({names}); let one be called Agent, or the others begin with _")
    if last:
        return last[0]
    if isinstance(getattr(module, "choose", None), FunctionType):
        return module.choose
    raise AgentError(
        f"{path} has no agent: it needs a class with choose(self, observation), or a function choose(observation)"
    )


def _declared(module: ModuleType, holder: type | FunctionType, path: Path) -> tuple[Parameter, ...]:
    declared = getattr(module, "PARAMETERS", None)
    if declared is not None:
        if not isinstance(declared, tuple | list) or not all(isinstance(p, Parameter) for p in declared):
            raise AgentError(
                f"{path}: PARAMETERS must be a tuple of Whole, Number, Choice or Text (one alone: with a comma after it)"
            )
        return tuple(declared)
    arguments = _arguments(holder)
    if isinstance(holder, FunctionType):
        if not arguments:
            raise AgentError(f"{path}, line {holder.__code__.co_firstlineno}: choose takes no observation")
        del arguments[next(iter(arguments))]
        arguments.pop("rng", None)
    found = []
    for name, argument in arguments.items():
        if argument.default is inspect.Parameter.empty:
            line = inspect.getsourcelines(holder)[1]
            raise AgentError(f"{path}, line {line}: {holder.__name__} needs a value for {name}: give it a default")
        found.append(_parameter(name, argument.default))
    return tuple(p for p in found if p is not None)


def _arguments(function: Callable) -> dict[str, inspect.Parameter]:
    """The arguments that a call may name, without the object itself."""
    try:
        known = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}
    return {n: p for n, p in known.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY, p.POSITIONAL_ONLY)}


def _parameter(name: str, default: Any) -> Parameter | None:
    """A parameter with this default; None where its type is none that a spec string can hold."""
    about = "a parameter of the file's own"
    if isinstance(default, bool):
        return Choice(name, YES[default], YES, about)
    if isinstance(default, int):
        return Whole(name, default, -HUGE, HUGE, about)
    if isinstance(default, float):
        return Number(name, default, -float(HUGE), float(HUGE), about)
    return Text(name, default, about) if isinstance(default, str) else None


def _is_flag(parameter: Parameter) -> bool:
    return isinstance(parameter, Choice) and parameter.choices is YES


def _word(value: Any) -> Any:
    return YES[value] if isinstance(value, bool) else value
