"""Parts from a person's own file: `bandit=my_bandit.py`, `playout=my_playout.py(eagerness=0.3)`,
`evaluation=my_evaluation.py`; and those that a game's file offers by name beside its rules: `evaluation=rla`.

The file holds functions with the names of hooks (`search/hooks.py`), and what else a part may have (`search/parts.py`).
A playout policy or an evaluation for one game may be written as that game's rules `guide(s, out, prob)` or `evaluate(s,
out)` are, over its state: then the file's rules are compiled with the game's. A game's own file may hold several, in
dictionaries EVALUATIONS and PLAYOUTS.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.errors import GameError, PartError, SpecError
from fogspiel.game.declared import read_declared
from fogspiel.game.first_run import first_run
from fogspiel.game.game import Game
from fogspiel.game.load import file_and_parameters, module_from
from fogspiel.game.rules import RULES, Rule
from fogspiel.game.spec import Choice, read_parameters, suggestion
from fogspiel.game.written import version_of_file
from fogspiel.given import as_text
from fogspiel.search.hooks import HOOKS
from fogspiel.search.nodes import NODE, SLOT
from fogspiel.search.parts import Part, part
from fogspiel.search.plain import place

AS_A_RULE = {"playout": "guide", "evaluation": "evaluate"}
"""Kinds of part that may be written as a rule of a game, and which."""
OFFERED = {"playout": "PLAYOUTS", "evaluation": "EVALUATIONS"}
"""Where a game's file has such functions by their names."""
WANTED = {
    "bandit": (("choose",), ("learn",)),
    "playout": (("policy", "candidates", "playout", "guide"),),
    "evaluation": (("evaluation", "evaluate"),),
    "icarus": (("policy", "bound"),),
    "view": (("key_of",),),
    "growth": (("leaves_after",),),
    "chance": (("outcome",),),
}
"""Functions that a part of a kind must have: one of each of these."""


@dataclass(frozen=True)
class PartChoice(Choice):
    """A part by its name, or a file with one."""

    def read(self, value: Any) -> str:
        text = as_text(value)
        return text if text is not None and file_and_parameters(text)[0] is not None else super().read(value)

    @property
    def range(self) -> str:
        return f"{super().range}, or a file"


@dataclass(frozen=True)
class OfferedChoice(PartChoice):
    """A part by its name, a file with one, or the name of one that the game offers."""

    def read(self, value: Any) -> str:
        text = as_text(value)
        return text if text is not None and re.fullmatch(r"[a-z_][a-z0-9_]*", text) else super().read(value)

    @property
    def range(self) -> str:
        return f"{super().range}, or a name that the game's file gives one"


@dataclass(frozen=True)
class Offered:
    """A playout policy or an evaluation that a game's file offers by a name."""

    kind: str
    name: str

    def extend(self, game: Game) -> Game:
        """The game in which it is the rule. Raises SpecError where the game does not offer it."""
        offers = getattr(game.module, OFFERED[self.kind], {})
        if not isinstance(offers, dict) or not all(isinstance(function, FunctionType) for function in offers.values()):
            raise GameError(f"{game.name}: {OFFERED[self.kind]} must be a dictionary of functions by name")
        if self.name not in offers:
            there = f"it has {', '.join(offers)}" if offers else "it names none"
            raise SpecError(
                f"{game.spec} has no {self.kind} {self.name}{suggestion(self.name, offers) if offers else ''}; {there}"
            )
        rule = next(r for r in RULES if r.name == AS_A_RULE[self.kind])
        return game.with_rules({rule.name: _checked(rule, offers[self.name])})


@dataclass(frozen=True)
class Own:
    """A part from a file; or, where it is written as a rule of a game, that."""

    path: Path
    part: Part
    rules: Mapping[str, Function]

    def extend(self, game: Game) -> Game:
        """The game with the file's rules, which are tried first. Raises PartError where they fail."""
        if not self.rules:
            return game
        try:
            if not game.debug:
                first_run(game, self.rules)
            return game.with_rules(self.rules)
        except GameError as error:
            raise PartError(str(error)) from error


def fingerprint(path: Path) -> str:
    """Tells versions of a file apart."""
    try:
        return version_of_file(path)
    except OSError as error:
        raise PartError(f"there is no file {path} ({error.strerror})") from None


def versions(parameters: Mapping[str, Any]) -> str | None:
    """Tells versions of the files that an agent's parameters name apart; None where there are none. Those of an ICARUS,
    which may have several, it knows itself (`search/icarus.py`)."""
    words = (value for name, value in parameters.items() if isinstance(value, str) and name != "icarus")
    named = (file_and_parameters(word)[0] for word in words)
    return "-".join(fingerprint(path) for path in named if path is not None) or None


def own_part(kind: str, text: str) -> Own | None:
    """The part in the file that a text names, or None if it names none. Raises PartError with the file and line of what
    is wrong."""
    path, given = file_and_parameters(text)
    if path is None:
        return None
    try:
        module = module_from(path, kind)
    except GameError as error:
        raise PartError(str(error)) from error
    declared = read_declared(module, str(path), PartError)
    made = Part(kind, path.stem, module, tuple(read_parameters(str(path), declared, given).items()))
    _require_functions(kind, path, module)
    _require_columns(path, made)
    rule = next((r for r in RULES if r.name == AS_A_RULE.get(kind) and hasattr(module, r.name)), None)
    return Own(path, made, {rule.name: _checked(rule, getattr(module, rule.name))} if rule else {})


def _require_functions(kind: str, path: Path, module: ModuleType) -> None:
    for names in WANTED[kind]:
        if not any(isinstance(getattr(module, name, None), FunctionType) for name in names):
            several = " and ".join(" or ".join(one) for one in WANTED[kind])
            raise PartError(f"{path} has no {kind}: it needs the function{'s' * (len(WANTED[kind]) > 1)} {several}")
    for name, asked in HOOKS.items():
        function = getattr(module, name, None)
        if isinstance(function, FunctionType) and function.__code__.co_argcount != asked.__code__.co_argcount:
            raise PartError(f"{place(function)} must take {_given(asked)}, and takes {_given(function)}")


def _given(function: Function) -> str:
    code = function.__code__
    return f"({', '.join(code.co_varnames[: code.co_argcount])})"


def _require_columns(path: Path, made: Part) -> None:
    """What it adds to records must be something that NumPy, and the record, can have."""
    for where, there in (("NODE", NODE), ("SLOT", SLOT), ("RECORD", ())):
        try:
            own = made.fields if where == "RECORD" else made.columns(where, 2)
            np.dtype([*there, *own], align=True)
        except (TypeError, ValueError, IndexError) as error:
            raise PartError(
                f'{path}: {where} must be (("name", "f8"), ...), columns of other names than '
                f"{', '.join(n for n, _ in there) or 'its parameters'} ({error})"
            ) from error


def _checked(rule: Rule, function: Any) -> Function:
    if not isinstance(function, FunctionType) or function.__code__.co_argcount != 1 + len(rule.arguments):
        raise PartError(f"{place(function)} must take ({rule.given}), as the rule of a game does")
    return function


def chosen(kind: str, text: str, values: dict[str, Any]) -> tuple[Part, Own | Offered | None]:
    """The part that a spec string names, and the file it is from, or the game's, if it is from one."""
    own = own_part(kind, text)
    if own is not None and not own.rules:
        return own.part, own
    if own is None and (kind not in OFFERED or text in _BUILT_IN[kind]):
        return part(kind, text, values), None
    return part(kind, {"playout": "guide", "evaluation": "rule"}[kind]), own or Offered(kind, text)


_BUILT_IN = {"playout": ("uniform", "guide"), "evaluation": ("rule",)}
