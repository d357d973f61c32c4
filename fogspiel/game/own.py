"""What a person's own file holds, where that is a class or a function: an agent, a belief.

Parameters are declared as PARAMETERS, as a game's are, or else are the keyword arguments of the class or function, of
the types of their defaults.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from fogspiel.errors import FogspielError, GameError
from fogspiel.game.declared import read_declared
from fogspiel.game.load import module_from
from fogspiel.game.rules import raised_at
from fogspiel.game.spec import Choice, Number, Parameter, Text, Whole, read_parameters, write_spec
from fogspiel.given import shown

HUGE = 10**18
YES = ("no", "yes")


@dataclass(frozen=True)
class Sought:
    """What a file is to hold: a class with a method, or a function of the same name. `forms` says so, in words; `given`
    are the arguments that a function is given, whatever their names where there is but one. What is wrong with a file
    is an `error`."""

    what: str
    method: str
    forms: str
    given: tuple[str, ...]
    error: type[FogspielError]

    def read(self, path: Path, values: dict[str, Any]) -> "Held":
        """What the file holds, with these values for its parameters. Errors name the file and line of what is wrong
        with it."""
        try:
            module = module_from(path, self.what)
        except GameError as error:
            raise self.error(str(error)) from error
        except SystemExit as error:
            raise self.error(f"{path} leaves Python when it is imported (exit code {error.code})") from error
        holder = self._holder(module, path)
        declared = self._declared(module, holder, path)
        read = read_parameters(str(path), declared, {n: _word(v) for n, v in values.items()})
        return Held(path, holder, declared, read, self.error)

    def hold(self, what: Any, values: Mapping[str, Any]) -> "Held":
        """The same of a file, or of a class or function itself."""
        if isinstance(what, str | Path):
            return self.read(Path(what), dict(values))
        if isinstance(what, ModuleType):
            return self.read(Path(str(what.__file__)), dict(values))
        if not isinstance(what, FunctionType) and not (
            isinstance(what, type) and callable(getattr(what, self.method, None))
        ):
            raise self.error(f"{shown(what)} is no {self.what}: give {self.forms}")
        label = Path(what.__name__)
        declared = self._declared(what, what, label)
        return Held(None, what, declared, read_parameters(what.__name__, declared, values), self.error)

    def _holder(self, module: ModuleType, path: Path) -> type | FunctionType:
        named = self.what.capitalize()
        mine = [one for one in vars(module).values() if getattr(one, "__module__", None) == module.__name__]
        classes = {c for c in mine if isinstance(c, type) and callable(getattr(c, self.method, None))}
        classes = {c for c in classes if c.__name__[0] != "_"}
        last = [c for c in classes if not any(issubclass(other, c) for other in classes - {c})]
        if len(last) > 1:
            last = [c for c in last if c.__name__ == named] or last
        if len(last) > 1:
            names = ", ".join(sorted(c.__name__ for c in last))
            raise self.error(
                f"{path} has several {self.what}s ({names}); let one be called {named}, or the others begin with _"
            )
        if last:
            return last[0]
        function = getattr(module, self.method, None)
        if isinstance(function, FunctionType):
            return function
        raise self.error(f"{path} has no {self.what}: it needs {self.forms}")

    def _declared(self, module: Any, holder: type | FunctionType, path: Path) -> tuple[Parameter, ...]:
        if hasattr(module, "PARAMETERS"):
            return read_declared(module, str(path), self.error)
        known = arguments(holder)
        if isinstance(holder, FunctionType):
            if not known and len(self.given) == 1:
                line = holder.__code__.co_firstlineno
                raise self.error(f"{path}, line {line}: {self.method} takes no {self.given[0]}")
            if len(self.given) == 1:
                del known[next(iter(known))]
            known = {name: argument for name, argument in known.items() if name not in (*self.given, "rng")}
        found = []
        for name, argument in known.items():
            if argument.default is inspect.Parameter.empty:
                line = inspect.getsourcelines(holder)[1]
                others = f", or take some of {', '.join(self.given)}" if len(self.given) > 1 else ""
                raise self.error(
                    f"{path}, line {line}: {holder.__name__} needs a value for {name}: give it a default{others}"
                )
            found.append(_parameter(name, argument.default))
        return tuple(p for p in found if p is not None)


@dataclass(frozen=True)
class Held:
    """The class or function in a file, its parameters, and their values."""

    path: Path | None
    holder: type | FunctionType
    declared: tuple[Parameter, ...]
    values: dict[str, Any]
    error: type[FogspielError]

    @property
    def name(self) -> str:
        name = self.holder.__name__ if self.path is None else self.path.name
        return write_spec(name, self.declared, self.values, {p.name: p.default for p in self.declared})

    @property
    def label(self) -> str:
        """Where it is from, as an error says it."""
        return str(self.path or self.holder.__name__)

    @property
    def passed(self) -> dict[str, Any]:
        """What the class or function is given for its parameters."""
        return {p.name: self.values[p.name] == YES[1] if _is_flag(p) else self.values[p.name] for p in self.declared}

    def make(self) -> Any:
        """An object of the class."""
        try:
            return self.holder(**self.passed)
        except (Exception, SystemExit) as error:
            line, _ = raised_at(error, [str(self.path)])
            line = line or inspect.getsourcelines(self.holder)[1]
            raise self.error(
                f"{self.label}, line {line}: {self.holder.__name__} cannot be made: {type(error).__name__}: {error}"
            ) from error


def arguments(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
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
