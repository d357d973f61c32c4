"""Playout policies and evaluations that are written as rules of a game, `guide(s, out, prob)` or `evaluate(s, out)`,
over its state: in a file of a person's own, whose rules are then compiled with the game's, or in the game's own file,
which may hold several in dictionaries EVALUATIONS and PLAYOUTS."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from fogspiel.engine.closure import Function
from fogspiel.engine.part import KINDS, Part
from fogspiel.errors import GameError, PartError, SpecError
from fogspiel.game.first_run import first_run
from fogspiel.game.game import Game
from fogspiel.game.parts import place
from fogspiel.game.rules import RULES, Rule
from fogspiel.game.spec import suggestion


@dataclass(frozen=True)
class Offered:
    """A function that a game's file offers by a name in one of its dictionaries, for a rule."""

    kind: str
    where: str
    rule: str
    name: str

    def extend(self, game: Game) -> Game:
        """The game in which it is the rule. Raises SpecError where the game does not offer it."""
        offers = getattr(game.module, self.where, {})
        if not isinstance(offers, dict) or not all(isinstance(function, FunctionType) for function in offers.values()):
            raise GameError(f"{game.name}: {self.where} must be a dictionary of functions by name")
        if self.name not in offers:
            there = f"it has {', '.join(offers)}" if offers else "it names none"
            raise SpecError(
                f"{game.spec} has no {self.kind} {self.name}{suggestion(self.name, offers) if offers else ''}; {there}"
            )
        return game.with_rules({self.rule: _checked(_rule(self.rule), offers[self.name])})


@dataclass(frozen=True)
class Rules:
    """Rules from a file of a person's own, which are tried first."""

    rules: Mapping[str, Function]

    def extend(self, game: Game) -> Game:
        """The game with these rules. Raises PartError where they fail."""
        try:
            if not game.debug:
                first_run(game, self.rules)
            return game.with_rules(self.rules)
        except GameError as error:
            raise PartError(str(error)) from error


def written_as_rule(name: str, word: str) -> Callable[[Part], Part]:
    """What takes parts that have a function with the name of a rule for the built-in part that asks for that rule."""

    def adopt(part: Part) -> Part:
        if not part.has(name):
            return part
        rules = {name: _checked(_rule(name), getattr(part.space, name))}
        own = {p.name for p in part.parameters}
        of_the_kind = tuple((parameter, value) for parameter, value in part.values if parameter not in own)
        return replace(part, space=part.kind.spaces[word], values=of_the_kind, own=False, extends=Rules(rules))

    return adopt


def by_game(where: str, name: str, word: str) -> Callable[[str], Part | None]:
    """What takes words that a game's file may offer for the built-in part that asks for the rule they stand for."""
    kind = {"guide": "playout", "evaluate": "evaluation"}[name]

    def unknown(given: str) -> Part | None:
        if not re.fullmatch(r"[a-z_][a-z0-9_]*", given):
            return None
        made = KINDS[kind].part(word)
        return replace(made, name=given, spec=given, extends=Offered(kind, where, name, given))

    return unknown


def extended(game: Game, parts: Any) -> Game:
    """The game with the rules that parts bring."""
    for part in parts:
        if part.extends is not None:
            game = part.extends.extend(game)
    return game


def _rule(name: str) -> Rule:
    return next(rule for rule in RULES if rule.name == name)


def _checked(rule: Rule, function: Any) -> Function:
    if not isinstance(function, FunctionType) or function.__code__.co_argcount != 1 + len(rule.arguments):
        raise PartError(f"{place(function)} must take ({rule.given}), as the rule of a game does")
    return function
