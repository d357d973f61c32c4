"""What a caller gives, checked and converted: the one place where whole numbers, sizes, seeds, players and the like
come in.

Every function takes the name of an argument and what was given for it, and returns the value that the rest of the
program works with, or raises SpecError with one sentence: which argument, what was expected, what was given. Nothing
behind these checks, compiled code least of all, meets a value out of its range.

A whole number may come as any type that stands for one: a Python or NumPy integer, or a real without a fraction such as
1e3; a truth value is none. An argument that may be left out goes through `maybe`.
"""

import difflib
import inspect
import math
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from itertools import islice
from numbers import Real
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from fogspiel.errors import SpecError

T = TypeVar("T")
P = ParamSpec("P")

MOST = 10**18
"""The largest count of anything (iterations, games, histories): a 64-bit number holds it, and no computer gets
there."""
LARGEST_SEED = 2**64 - 1
LARGEST_SIZE = 2**48
"""More bytes than any machine has."""
MOST_THREADS = 256
LONGEST_PATH = 4096
"""Letters of a file's name: no system takes more."""
MOST_ITEMS = 1_000_000


def shown(value: Any) -> str:
    """A value as an error sentence names it: on one line, and short."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = " at 0x"
    if " at 0x" in text:  # an address says nothing to a person
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


def file_name(path: Any) -> str:
    """A file's name as an error sentence gives it: on one line."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(path))


def as_whole(value: Any, *, text: bool = False) -> int | None:
    """The whole number that a value stands for, or None. With `text`, the value may be written out: 1000, 1e3."""
    if type(value) is int:
        return value
    if type(value) is bool:
        return None
    if text and isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            value = as_number(value, text=True)
    try:
        return operator.index(value)
    except Exception:
        number = as_number(value)
        return int(number) if number is not None and number.is_integer() else None


def as_number(value: Any, *, text: bool = False) -> float | None:
    """The real number that a value stands for (it may be infinite, never NaN), or None."""
    if isinstance(value, bool) or not (isinstance(value, Real) or (text and isinstance(value, str))):
        return None
    try:
        number = float(value)
    except Exception:
        return None
    return None if math.isnan(number) else number


def as_text(value: Any) -> str | None:
    """What a value is written as, or None: an address is no writing."""
    try:
        text = str(value)
    except Exception:
        return None
    return text if isinstance(value, str) or " at 0x" not in text else None


def whole(name: str, value: Any, low: int = 0, high: int = MOST, *, text: bool = False) -> int:
    """A whole number from `low` to `high`."""
    number = as_whole(value, text=text)
    if number is None or not low <= number <= high:
        beyond = number is not None and number > high == MOST
        expected = "a whole number of at most 10^18" if beyond else f"a whole number {_range(low, high, MOST)}".rstrip()
        raise SpecError(f"{name} must be {expected}, not {_given(value, text)}")
    return number


def number(
    name: str,
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above: bool = False,
    infinite: bool = False,
    text: bool = False,
) -> float:
    """A real number from `low` to `high`; with `above`, not `low` itself; with `infinite`, it may be that."""
    real = as_number(value, text=text)
    if real is None or not low <= real <= high or (above and real == low) or (math.isinf(real) and not infinite):
        if above:
            expected = f"above {low:g}" + (f" and at most {high:g}" if high < math.inf else "")
        else:
            expected = _range(low, high, math.inf)
        raise SpecError(f"{name} must be a number {expected}".rstrip() + f", not {_given(value, text)}")
    return real


def seconds(name: str, value: Any, *, above: bool = False, text: bool = False) -> float:
    """A span of time: not negative, with `above` not zero either; infinite means no limit."""
    return number(name, value, 0.0, above=above, infinite=True, text=text)


def seed(value: Any, name: str = "seed", *, text: bool = False) -> int:
    """What random numbers begin with: 64 bits."""
    found = as_whole(value, text=text)
    if found is None or not 0 <= found <= LARGEST_SEED:
        raise SpecError(f"{name} must be a whole number from 0 to 2^64 - 1, not {_given(value, text)}")
    return found


def size(name: str, value: Any) -> int:
    """Bytes of memory."""
    found = as_whole(value)
    if found is None or not 1 <= found <= LARGEST_SIZE:
        raise SpecError(f"{name} must be a number of bytes from 1 to 2^48, not {shown(value)}")
    return found


def threads(value: Any, name: str = "threads", *, text: bool = False) -> int:
    """Threads or processes that work side by side."""
    return whole(name, value, 1, MOST_THREADS, text=text)


def player(players: int, value: Any, name: str = "player", *, public: bool = False) -> int:
    """One of so many players, counted from 0; with `public`, also PUBLIC (-1), which stands for what everyone knows."""
    found = as_whole(value)
    if found is None or not (-1 if public else 0) <= found < players:
        expected = "0" if players == 1 else f"a whole number from 0 to {players - 1}"
        raise SpecError(f"{name} must be {expected}{' or PUBLIC' * public}, not {shown(value)}")
    return found


def move(legal: Iterable[int], value: Any, name: str = "move") -> int:
    """One of the legal moves."""
    legal, found = list(legal), as_whole(value)
    if found is None or found not in legal:
        listed = ", ".join(map(str, legal[:20])) + ", ..." * (len(legal) > 20)
        there_are = f"the legal moves are {listed}" if legal else "the game is over"
        raise SpecError(f"{name} {shown(value)} is not legal here; {there_are}")
    return found


def probability(name: str, value: Any) -> float:
    found = as_number(value)
    if found is None or not 0.0 <= found <= 1.0:
        raise SpecError(f"{name} must be a probability, a number from 0 to 1, not {shown(value)}")
    return found


def probabilities(name: str, values: Any, *, tolerance: float = 1e-6) -> list[float]:
    """Probabilities that sum to one."""
    found = [probability(f"each of {name}", value) for value in several(name, values)]
    if not abs(math.fsum(found) - 1.0) <= tolerance:
        raise SpecError(f"{name} must sum to one, and sum to {math.fsum(found):g}")
    return found


def flag(name: str, value: Any) -> bool:
    """A truth value: True or False, or NumPy's, or 0 or 1."""
    found = as_whole(value)
    if found in (0, 1):
        return bool(found)
    if type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise SpecError(f"{name} must be True or False, not {shown(value)}")


def choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """One of a few words."""
    choices = list(choices)
    if not isinstance(value, str) or value not in choices:
        raise SpecError(f"{name} must be one of {', '.join(choices)}, not {shown(value)}")
    return value


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise SpecError(f"{name} must be text, not {shown(value)}")
    return value


def path(name: str, value: Any) -> Path:
    """The name of a file. One with control characters in it is a mistake, and would break the sentences that name
    it."""
    try:
        found = os.fspath(value)
    except TypeError:
        found = None
    if not isinstance(found, str) or not 0 < len(found) <= LONGEST_PATH or min(found) < " ":
        raise SpecError(f"{name} must be the name of a file, not {shown(value)}")
    return Path(found)


def kind(name: str, value: T, types: type | tuple[type, ...], what: str) -> T:
    """A value of one of some types; `what` names them for a person."""
    if not isinstance(value, types):
        raise SpecError(f"{name} must be {what}, not {shown(value)}")
    return value


def function(name: str, value: T) -> T:
    """Something that can be called."""
    if not callable(value):
        raise SpecError(f"{name} must be a function, not {shown(value)}")
    return value


def several(name: str, values: Any, what: str = "a list", most: int = MOST_ITEMS) -> list[Any]:
    """The items of a list, a tuple or anything else that has items in an order; a text is none of these."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise SpecError(f"{name} must be {what}, not {shown(values)}")
    try:
        found = list(islice(values, most + 1))
    except Exception as error:
        raise SpecError(f"{name} must be {what}, not {shown(values)} ({type(error).__name__})") from error
    if len(found) > most:
        raise SpecError(f"{name} must be {what} of at most {most:,} items")
    return found


def call(function: Callable[P, T]) -> Callable[P, T]:
    """A function that, called with arguments that it does not take, says so in a sentence."""

    @wraps(function)
    def called(*values: P.args, **named: P.kwargs) -> T:
        try:
            return function(*values, **named)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise  # of something within
            raise SpecError(_slip(function, len(values), list(named), str(error))) from None

    return called


def _slip(function: Callable[..., Any], values: int, named: list[str], said: str) -> str:
    what = inspect.signature(function).parameters
    called = getattr(function, "__name__", "it")
    unknown = [name for name in named if name not in what] or [name for name in named if name in list(what)[:values]]
    if not unknown:
        missing = [name for name, p in list(what.items())[values:] if p.default is p.empty and name not in named]
        return f"{called} needs {' and '.join(missing)}" if missing else said.replace("()", "", 1)
    near = difflib.get_close_matches(unknown[0], [name for name in list(what)[values:] if name not in named], n=1)
    there = f"did you mean {near[0]}?" if near else f"it has {', '.join(what)}"
    twice = "is given " + unknown[0] + " twice" if unknown[0] in what else f"has no argument {unknown[0]}"
    return f"{called} {twice}; {there}"


def maybe(check: Callable[..., T], name: str, value: Any, *more: Any, **how: Any) -> T | None:
    """None, or what `check` makes of the value."""
    return None if value is None else check(name, value, *more, **how)


def _range(low: float, high: float, most: float) -> str:
    if high < most:
        return f"from {low:g} to {high:g}" if isinstance(low, float) else f"from {low} to {high}"
    return f"of at least {low:g}" if low > -MOST else ""


def _given(value: Any, text: bool) -> str:
    """What was typed is repeated as it was typed."""
    return value if text and isinstance(value, str) and 0 < len(value) <= 80 else shown(value)
