"""Spec strings such as `goofspiel(cards=5,order=random)`, and the parameters they set.

A parameter has a name, a type, a range or a list of choices, a default and one line of description. Games, solvers and
agents all declare theirs in this way.
"""

import contextlib
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fogspiel.errors import SpecError
from fogspiel.given import as_number, as_text, as_whole, shown


@dataclass(frozen=True)
class Whole:
    """A whole number between `low` and `high`, both included."""

    name: str
    default: int
    low: int
    high: int
    about: str

    def read(self, value: Any) -> int:
        number = as_whole(value, text=True)
        if number is None:
            raise SpecError(f"parameter {self.name} must be a whole number, not {shown(value)}")
        if not self.low <= number <= self.high:
            raise SpecError(f"parameter {self.name}={shown(number)} is out of range: it must be {self.range}")
        return number

    @property
    def range(self) -> str:
        return f"{self.low} to {self.high}"

    field = "i8"
    """What it is in a record."""

    def stored(self, value: int) -> int:
        return value


@dataclass(frozen=True)
class Number:
    """A real number between `low` and `high`, both included."""

    name: str
    default: float
    low: float
    high: float
    about: str

    def read(self, value: Any) -> float:
        number = as_number(value, text=True)
        if number is None:
            raise SpecError(f"parameter {self.name} must be a number, not {shown(value)}")
        if not self.low <= number <= self.high:
            raise SpecError(f"parameter {self.name}={number:g} is out of range: it must be {self.range}")
        return number

    @property
    def range(self) -> str:
        return f"{self.low:g} to {self.high:g}"

    field = "f8"

    def stored(self, value: float) -> float:
        return value


@dataclass(frozen=True)
class Choice:
    """One of a few words. In a game's state it is the word's position in `choices`. `written` is another name of it, by
    which spec strings have it."""

    name: str
    default: str
    choices: tuple[str, ...]
    about: str
    written: str = ""

    def read(self, value: Any) -> str:
        word = as_text(value)
        if word not in self.choices:
            raise SpecError(f"parameter {self.name} must be one of {self.range}, not {shown(value)}")
        return word

    @property
    def range(self) -> str:
        return ", ".join(self.choices)

    field = "i8"

    def stored(self, value: str) -> int:
        return self.choices.index(value)


@dataclass(frozen=True)
class Text:
    """Free text, such as a payoff table; the game says what it makes of it. Lists and arrays are taken, too, as the
    text of lists."""

    name: str
    default: str
    about: str

    def read(self, value: Any) -> str:
        if isinstance(value, list | tuple | np.ndarray):
            value = _as_lists(value)
        if (text := as_text(value)) is None:
            raise SpecError(f"parameter {self.name} must be text, not {shown(value)}")
        return text

    @property
    def range(self) -> str:
        return "text"

    field = ""


def _as_lists(value: Any) -> str:
    """Rows of numbers as the text of lists of them."""
    with contextlib.suppress(ValueError):  # rows of different lengths are no array
        value = np.asarray(value).tolist()
    return str(value).replace(" ", "")


Parameter = Whole | Number | Choice | Text


class Askable(Protocol):
    """What can be asked for by a name: one of these, or a part (`game/parts.py`)."""

    @property
    def name(self) -> str: ...

    @property
    def default(self) -> Any: ...

    @property
    def about(self) -> str: ...

    @property
    def range(self) -> str: ...

    def read(self, value: Any) -> Any: ...


def split_spec(text: str) -> tuple[str, dict[str, str]]:
    """`name(a=1,b=x)` as the name and a dictionary of the texts given. Brackets inside a value may hold commas."""
    if not isinstance(text, str):
        raise SpecError(f"a spec string is text such as name(parameter=value,...), not {shown(text)}")
    head, bracket, tail = text.strip().partition("(")
    name = head.strip()
    if not name:
        raise SpecError(f"{shown(text)} is not a spec string: expected name or name(parameter=value,...)")
    if not bracket:
        return name, {}
    if not tail.endswith(")"):
        raise SpecError(f"the spec string {shown(text)} has no closing bracket")
    given: dict[str, str] = {}
    for part in _split_commas(tail[:-1]):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key or not value.strip():
            raise SpecError(f"expected parameter=value in {shown(text)}, found {shown(part.strip())}")
        if key in given:
            raise SpecError(f"parameter {_named(key)} is given twice in {shown(text)}")
        given[key] = value.strip()
    return name, given


def joined(what: str, known: Iterable[Askable], written: Mapping[str, Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """What is written in a spec string and what is given by name, together. Raises SpecError where they contradict each
    other."""
    for p in known:
        text, value = (next((d[name] for name in (p.name, _written(p)) if name in d), None) for d in (written, named))
        if text is not None and value is not None and p.read(text) != p.read(value):
            raise SpecError(
                f"{what}: {_written(p)} is {shown(text)} in the spec string and {shown(value)} by name; give it once"
            )
    return {**written, **named}


def read_parameters(what: str, known: Iterable[Askable], given: Mapping[str, Any]) -> dict[str, Any]:
    """Every known parameter with its given or default value; an unknown or unfit one is an error that names `what`."""
    known = list(known)
    names = [p.name for p in known]
    for p in known:
        if (other := _written(p)) != p.name and other in given:
            if p.name in given:
                raise SpecError(f"{what}: {other} is another name of {p.name}, and both are given")
            given = {p.name if key == other else key: value for key, value in given.items()}
    for key in given:
        if key not in names:
            near = suggestion(as_text(key) or "", names)
            raise SpecError(f"{what} has no parameter {_named(key)}{near}")
    try:
        return {p.name: p.read(given[p.name]) if p.name in given else p.default for p in known}
    except SpecError as error:
        raise SpecError(f"{what}: {error}") from None


def write_spec(name: str, known: Iterable[Askable], values: Mapping[str, Any], usual: Mapping[str, Any]) -> str:
    """The shortest spec string that gives these values: those that are as usual are left out."""
    parts = [f"{_written(p)}={_plain(values[p.name])}" for p in known if values[p.name] != usual[p.name]]
    return f"{name}({','.join(parts)})" if parts else name


def _written(parameter: Askable) -> str:
    return (isinstance(parameter, Choice) and parameter.written) or parameter.name


MANY, FIRST = 40, 12
"""With more choices than this an error names only the first of them."""


def suggestion(word: str, choices: Iterable[str]) -> str:
    """The end of an error sentence: the nearest choice, or all of them; of very many, some."""
    choices = list(choices)
    if not choices:
        return " (it has none)"
    plain = {choice.lower(): choice for choice in choices}
    spelt = word.lower().replace("plus", "+")
    near = (
        ([plain[spelt]] if spelt in plain else [])
        or difflib.get_close_matches(word, choices, n=1)
        or [plain[match] for match in difflib.get_close_matches(word.lower(), plain, n=1)]
    )
    if near:
        return f"; did you mean {near[0]}?"
    more = f" and {len(choices) - FIRST:,} more" if len(choices) > MANY else ""
    return f"; choose from {', '.join(choices[:FIRST] if more else choices)}{more}"


def _named(key: Any) -> str:
    """A parameter's name as an error sentence has it: in quotes, where it is no plain word."""
    return key if isinstance(key, str) and key.isidentifier() and len(key) < 80 else shown(key)


def _plain(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def _split_commas(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part for part in parts if part.strip()]
