"""What all solvers that are made of parts (`engine/part.py`) do with them: their memory, and a first try of a person's
own, un-compiled.

In machine code a wild index overwrites what lies there, and an endless loop cannot be stopped; un-compiled, both are
one sentence with the function and the line.
"""

import contextlib
import io
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.part import ARRAYS, Part
from fogspiel.errors import FogspielError, PartError, SpecError
from fogspiel.game.game import Game
from fogspiel.game.needs import listed, require, suits
from fogspiel.game.parts import PartOf, place
from fogspiel.game.spec import Parameter
from fogspiel.game.watch import CallWatch
from fogspiel.search.plain import fault
from fogspiel.tree.sequence import SequenceForm
from fogspiel.tree.tree import Tree


@dataclass(frozen=True)
class Room:
    """What a part's memory is made for: the values of its parameters, and the sequence form, where there is one."""

    own: SimpleNamespace
    form: SequenceForm | None = None


def settings(part: Part) -> SimpleNamespace:
    return SimpleNamespace(**part.settings)


def require_settings(part: Part) -> None:
    """Raise SpecError where a part says that values of its parameters cannot be."""
    if flaw := part.has("flaw") and call(part.space.flaw, settings(part)):
        raise SpecError(f"{part.kind.name}: {flaw}")


def require_parts(
    solver: str,
    parameters: Iterable[Parameter | PartOf],
    game: Game,
    values: Mapping[str, Any],
    tree: Tree | None = None,
) -> None:
    """Raise Unsuitable for a game that lacks something of what a part needs, and name the parts that it suits."""
    name = solver.partition("(")[0]
    for p in parameters:
        if isinstance(p, PartOf):
            for made in (values[p.name], *values[p.name].inner):
                require(game, f"{name}({p.name}={made.name})", made.needs, partial(_others, game, p, tree), tree)


def _others(game: Game, parameter: PartOf, tree: Tree | None) -> str:
    made = {word: parameter.by_word(word, {}) for word in parameter.words}
    others = [word for word, one in made.items() if suits(game, one.needs, tree)]
    return f"{parameter.name}={listed(others, 'or')}" if others else ""


def memory_of(
    part: Part, game: Game, known: Container[str], what: str, form: SequenceForm | None = None
) -> dict[str, Any]:
    """The arrays of a part, and of one that is compiled its record, under the name that it has there. Raises PartError
    where a person's own are none that compiled code can read, or hide what is `known` under a name already: `what` is
    what has both."""
    found: Any = {}
    if part.has("memory"):
        found = call(part.space.memory, game, Room(settings(part), form))
    if not isinstance(found, dict):
        raise PartError(f"{place(part.space.memory)} must return a dictionary of arrays")
    arrays = {name: value for name, value in found.items() if name not in [field for field, *_ in part.fields]}
    for name, array in arrays.items():
        if name in known or name == part.record_name:
            raise PartError(f"{place(part.space.memory)}: {what}.{name} is there already")
        wrong = not isinstance(array, np.ndarray) or (array.dtype.names is None and array.dtype.str[1:] not in ARRAYS)
        if wrong or (part.functions and array.ndim != 1):
            raise PartError(
                f"{place(part.space.memory)}: {what}.{name} must be an array of one dimension, of {', '.join(ARRAYS)} "
                "or records"
            )
    numbers = {name: value for name, value in found.items() if name not in arrays}
    return arrays | ({part.record_name: part.record(numbers)} if part.fields and part.functions else {})


def call(function: Function, *arguments: Any) -> Any:
    """A function of a person's own, for no longer than a while. Raises PartError with its line where it fails."""
    with told(function):
        return CallWatch().watched(function)(*arguments)


@contextlib.contextmanager
def told(*functions: Function) -> Iterator[None]:
    """What goes wrong in a person's own functions, as an error with their line."""
    try:
        yield
    except FogspielError:
        raise
    except Exception as error:
        for function in functions:
            if (found := fault(function, error)) is not None:
                raise found from error
        raise


def silent() -> contextlib.redirect_stdout[io.StringIO]:
    """For a try, in which what is printed would be printed again."""
    return contextlib.redirect_stdout(io.StringIO())
