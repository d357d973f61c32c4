"""Can a person's own agent be called as it will be in a game? Asked before the first one: there a call that fails loses
the game."""

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fogspiel.errors import AgentError

CALLS = {"begin": ("game", "seat", "seed"), "choose": ("observation",), "make_ready": ("game",)}
"""What the methods of an agent are given, in this order."""


def require_calls(made: Any, label: str, file: Path | None = None) -> None:
    """Raise AgentError, with the file and line, for a method of an agent that does not take what it is given. `label`:
    what it is called where it has no file."""
    for name, given in CALLS.items():
        if hasattr(made, name):
            require_call(getattr(made, name), name, given, label, file)


def require_call(
    function: Callable[..., Any],
    name: str,
    given: Iterable[str],
    label: str,
    file: Path | None = None,
    more: Iterable[str] = (),
) -> None:
    """The same, of one function. `more`: what it is given by name."""
    given = tuple(given)
    if not callable(function):
        raise AgentError(f"{file or label}: {name} must be a function of ({', '.join(given)})")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # one from C says nothing of itself
        return
    try:
        signature.bind(*given, **dict.fromkeys(more))
    except TypeError:
        taken = ", ".join(map(str, signature.parameters.values()))
        expected = ", ".join([*given, *more])
        bandit = next(iter(signature.parameters), "") == "search"
        part = f"; a bandit is a part of an agent: mo-ismcts(bandit={file.name})" if bandit and file is not None else ""
        raise AgentError(
            f"{_place(function, label, file)}: {name} takes ({taken}), and is given ({expected}){part}"
        ) from None


def _place(function: Callable[..., Any], label: str, file: Path | None) -> str:
    """The file and line of a function, if they are known; a method may be of a class from another file."""
    code = getattr(inspect.unwrap(getattr(function, "__func__", function)), "__code__", None)
    if code is None:
        return str(file or label)
    same = file is None or Path(code.co_filename).name == file.name
    return f"{file if file is not None and same else code.co_filename}, line {code.co_firstlineno}"
