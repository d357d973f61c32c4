"""Options of the command line that take a number, checked and converted by the same rules as the library's arguments
(`given`)."""

import re
from collections.abc import Callable
from typing import Any

import typer

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.solvers.until import read_until


def whole(*names: str, help: str, low: int = 0, high: int = given.MOST) -> Any:
    """A whole number, also written as 1e6."""
    return _option(names, "N", help, lambda name, value: given.whole(name, value, low, high, text=True))


def number(*names: str, help: str, low: float, high: float, above: bool = False) -> Any:
    return _option(names, "X", help, lambda name, value: given.number(name, value, low, high, above=above, text=True))


def seconds(*names: str, help: str, above: bool = False) -> Any:
    """A span of time."""
    return _option(names, "X", help, lambda name, value: given.seconds(name, value, above=above, text=True))


def until(*names: str, help: str) -> Any:
    """How near to an equilibrium, by the measure that is named."""
    return _option(names, "MEASURE=X", help, lambda name, value: str(read_until(value, name)))


def seed(help: str) -> Any:
    return _option(("--seed",), "N", help, lambda name, value: given.seed(value, name, text=True))


def threads(*names: str, help: str) -> Any:
    return _option(names, "N", help, lambda name, value: given.threads(value, name, text=True))


def memory(*names: str, help: str) -> Any:
    return _option(names, "SIZE", help, _bytes)


def span(*names: str, help: str) -> Any:
    """A span of time as people say it: 90s, 30m, 2h, 1d, or seconds."""
    return _option(names, "TIME", help, _seconds)


def _seconds(name: str, value: Any) -> float:
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([smhd]?)", str(value).strip().lower())
    if found is None or float(found[1]) == 0:
        raise SpecError(f"{name} must be a time such as 90s, 30m or 2h, not {given.shown(value)}")
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}[found[2]]


def _bytes(name: str, value: Any) -> int:
    """A size such as 512 (MiB), 512M or 4G. One that is too large is answered in the unit in which it was typed."""
    if isinstance(value, int):
        return value
    found = re.fullmatch(r"([0-9]{1,15})([KMGT]?)(?:I?B)?", value.strip().upper())
    if found is None or int(found[1]) == 0:
        raise SpecError(f"{given.shown(value)} is no size; write one like 512M or 4G")
    shift = {"K": 10, "M": 20, "": 20, "G": 30, "T": 40}[found[2]]
    if int(found[1]) << shift > given.LARGEST_SIZE:
        raise SpecError(f"{name} must be at most {given.LARGEST_SIZE >> shift}{found[2]}, not {value.strip()}")
    return int(found[1]) << shift


def _option(names: tuple[str, ...], metavar: str, help: str, read: Callable[[str, Any], Any]) -> Any:
    name = names[0].lstrip("-")
    return typer.Option(*names, parser=lambda value: read(name, value), metavar=metavar, help=help)
