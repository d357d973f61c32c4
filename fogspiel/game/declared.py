"""What a game file declares beside its rules: PARAMETERS, PLAYERS or `about`, MAX_MOVES, the names of moves and
pictures. Checked here, because kernels take these numbers as they are."""

import math
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import FogspielError, GameError, SpecError
from fogspiel.game.rules import MAX_MOVES, About, raised_at
from fogspiel.game.spec import Choice, Number, Parameter, Text, Whole

MOST_PLAYERS = 100
"""A player's number fits in a byte."""
MOST_MOVES = 1 << 20
"""Room for so many moves is kept on every level of a walk."""


def read_declared(
    module: ModuleType, label: str, error: type[FogspielError] = GameError, others: tuple[type, ...] = ()
) -> tuple[Parameter, ...]:
    """The parameters that a file declares, of a game or of anything else; those of `others` are checked by themselves.
    Raises `error` where they cannot be."""
    declared = getattr(module, "PARAMETERS", ())
    if not isinstance(declared, tuple | list) or not all(isinstance(p, (Parameter, *others)) for p in declared):
        raise error(
            f"{label}: PARAMETERS must be a tuple of Whole, Number, Choice or Text (one alone: with a comma after it)"
        )
    names: set[str] = set()
    for parameter in declared:
        if not isinstance(parameter.name, str) or not parameter.name.isidentifier():
            raise error(f"{label}: a parameter's name must be a plain word, not {given.shown(parameter.name)}")
        if parameter.name in names:
            raise error(f"{label}: PARAMETERS has {parameter.name} twice")
        names.add(parameter.name)
        try:
            _check(parameter)
        except SpecError as wrong:
            raise error(f"{label}: in PARAMETERS, {parameter.name}: {wrong}") from wrong
    return tuple(declared)


def _check(parameter: Parameter) -> None:
    given.text("about", parameter.about)
    if isinstance(parameter, Whole | Number):
        check = (
            (lambda name, value: given.whole(name, value, -(2**63), 2**63 - 1))
            if isinstance(parameter, Whole)
            else lambda name, value: given.number(name, value, infinite=True)
        )
        low, high = check("low", parameter.low), check("high", parameter.high)
        if not low <= check("default", parameter.default) <= high:
            raise SpecError(f"the default {parameter.default} is not within {parameter.low} to {parameter.high}")
    elif isinstance(parameter, Choice):
        choices = [given.text("each choice", c) for c in given.several("choices", parameter.choices)]
        given.choice("the default", parameter.default, choices)
    elif isinstance(parameter, Text):
        given.text("the default", parameter.default)


def read_limits(module: ModuleType, label: str) -> int:
    """MAX_MOVES; and what draws the game for people must be functions."""
    for name in ("about", "show", "move_name", "features"):
        if not callable(getattr(module, name, callable)):
            raise GameError(f"{label}: {name} must be a function, not {given.shown(getattr(module, name))}")
    try:
        return given.whole("MAX_MOVES", getattr(module, "MAX_MOVES", MAX_MOVES), 1, MOST_MOVES)
    except SpecError as error:
        raise GameError(f"{label}: {error}") from None


def read_about(module: ModuleType, parameters: dict[str, Any], label: str) -> About:
    """What the game with these parameters is."""
    describe = getattr(module, "about", None)
    if describe is None:
        about = About(players=getattr(module, "PLAYERS", 2))
    else:
        try:
            about = describe(**parameters)
        except ValueError as error:
            raise SpecError(f"{label}: {error}") from error
        except Exception as error:
            code = getattr(describe, "__code__", None)
            line, _ = raised_at(error, [code.co_filename] if code else [])
            place = f"about ({code.co_filename}, line {line or code.co_firstlineno})" if code else "about"
            raise GameError(f"{place} failed: {type(error).__name__}: {error}") from error
        if not isinstance(about, About):
            raise GameError(f"{label}: about must return About(players=..., ...), not {given.shown(about)}")
    try:
        players = given.whole("players", about.players, 1, MOST_PLAYERS)
        utility, ranges = _stakes(about, players)
        return replace(
            about,
            players=players,
            utility=utility,
            ranges=ranges,
            tables=_tables(about.tables),
            zero_sum=given.flag("zero_sum", about.zero_sum),
            simultaneous=given.flag("simultaneous", about.simultaneous),
            perfect_recall=given.flag("perfect_recall", about.perfect_recall),
            abstraction=given.flag("abstraction", about.abstraction),
            deck=given.flag("deck", about.deck),
            without=_without(about.without),
        )
    except SpecError as error:
        raise GameError(f"{label}: in About, {error}") from error


def _stakes(about: About, players: int) -> tuple[tuple[float, float] | None, tuple[tuple[float, float], ...] | None]:
    """The range of all payoffs and of each player's, as far as they are declared: either tells the other."""
    utility = None if about.utility is None else _range("utility", about.utility)
    if about.ranges is None:
        return utility, None if utility is None else (utility,) * players
    each = given.several("ranges", about.ranges, "a range, (lowest, highest), for each player")
    ranges = tuple(_range("each of ranges", own) for own in each)
    if len(ranges) != players:
        raise SpecError(f"ranges must be one for each of {players} players, not {given.shown(about.ranges)}")
    whole = min(low for low, _ in ranges), max(high for _, high in ranges)
    if utility is not None and utility != whole:
        raise SpecError(
            f"utility is ({utility[0]:g}, {utility[1]:g}), and the ranges of the players go from {whole[0]:g} to "
            f"{whole[1]:g}"
        )
    return whole, ranges


def _range(what: str, bounds: Any) -> tuple[float, float]:
    ends = given.several(what, bounds, "two numbers, (lowest, highest)")
    ends = [given.number(f"each end of {what}", end) for end in ends]
    if len(ends) != 2 or not ends[0] <= ends[1] or math.isinf(ends[1] - ends[0]):
        raise SpecError(f"{what} must be two numbers, (lowest, highest), not {given.shown(bounds)}")
    return ends[0], ends[1]


def _without(names: Any) -> tuple[str, ...]:
    """Of the rules that may depend on parameters, those that a game does without."""
    rules = ["private", "strength", "evaluate", "pending"]
    return tuple(given.choice("each of without", n, rules) for n in given.several("without", names))


def _tables(tables: Any) -> dict[str, np.ndarray]:
    """Copies that nobody can write to: whoever holds a game would change it for all that play it."""
    if not isinstance(tables, dict):
        raise SpecError(f"tables must be a dictionary of arrays, not {given.shown(tables)}")
    kept = {}
    for name, values in tables.items():
        array = np.asarray(values)
        if array.dtype.kind not in "fiub" or not array.size:
            raise SpecError(f"the table {given.shown(name)} must be an array of numbers, not {given.shown(values)}")
        kept[name] = np.frombuffer(np.ascontiguousarray(array).tobytes(), array.dtype).reshape(array.shape)
    return kept
