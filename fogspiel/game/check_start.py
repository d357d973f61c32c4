"""The conformance check of `start`: on which fields does the game depend that it does not set?

States are made of zeros, so such a field is 0: often that is meant, and sometimes the field was forgotten. The check
makes the initial state from other numbers, too, and plays the same random games from both. A field that the other rules
only count up, set back to 0, or make of what was in it (whose turn it is, a hash of all moves) is meant to begin at 0.
"""

import ast
import inspect
import random
import textwrap
from collections.abc import Callable, Iterable
from functools import cache

from fogspiel.engine.closure import Function, reachable
from fogspiel.errors import GameError
from fogspiel.game import check_report as names
from fogspiel.game.check_report import Broken, Findings
from fogspiel.game.check_rules import Look, Rules
from fogspiel.game.game import Game
from fogspiel.game.rules import OVER, where
from fogspiel.game.view import fields_of

_FILLS = (85, 1)
"""What is in a field before `start`, instead of 0."""
_STATES = 200
"""Most states that are compared for each field that `start` leaves as it was."""

_LONGEST = 0.1
"""Seconds that a rule may take: in a state that cannot be it may go on for long, which tells the states apart as
well."""


def check_start(game: Game, findings: Findings, playouts: int, seed: int) -> None:
    """Compare two states for each playout. The rules of the game are un-compiled: from a state that cannot be, machine
    code may do anything."""
    rules = Rules(game, findings, _LONGEST)
    kept = {p.name for p in game.declared} | set(game.about.tables)
    games = cache(lambda: _random_games(rules, min(_STATES, 2 * playouts), seed))
    kept |= counters(rule for name, rule in game.plain.items() if name != "start")
    try:
        left = [name for name in fields_of(game.dtype) if name not in kept and _matters(rules, name, games)]
    except Broken:
        # these states were sound before, so that all that was wrong is how long a rule took
        findings.skip(names.START, "rules take too long to be compared from other beginnings.")
        return
    if left:
        text = (
            f"{where(game.plain['start'])} leaves {', '.join(left)} at 0, and the game depends on that; set there "
            "what is not meant to be 0."
        )
        findings.note(names.START, text)


def counters(rules: Iterable[Function]) -> set[str]:
    """The fields that these rules, with all that they call, only add to, set to 0, or make of what was in them."""
    counted: set[str] = set()
    other: set[str] = set()
    for function in reachable(rules):
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, TypeError, SyntaxError):
            return set()
        for node in ast.walk(tree):
            for target, counts in _stores(node):
                (counted if counts else other).add(target)
    return counted - other


def _stores(node: ast.AST) -> Iterable[tuple[str, bool]]:
    """The fields that a statement writes, alone or an element of, and whether as of a counter."""
    if isinstance(node, ast.AugAssign):
        return [(name, isinstance(node.op, ast.Add | ast.BitOr | ast.BitXor)) for name in _fields(node.target)]
    if isinstance(node, ast.Assign):
        pairs = [pair for target in node.targets for pair in _pairs(target, node.value)]
        return [(name, _goes_on(target, value)) for target, value in pairs for name in _fields(target)]
    if isinstance(node, ast.AnnAssign | ast.For | ast.NamedExpr):
        return [(name, False) for name in _fields(node.target)]
    return []


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment, each with its value, where it has one of its own."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return [pair for both in zip(target.elts, value.elts, strict=True) for pair in _pairs(*both)]
    return [(target, value)]


def _goes_on(target: ast.expr, value: ast.expr) -> bool:
    """Whether what is assigned is 0, or made of what was there; not where that is counted down."""
    if isinstance(value, ast.Constant):
        return value.value == 0
    own = ast.unparse(target)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub) and ast.unparse(value.left) == own:
        return False
    return any(isinstance(node, ast.Attribute | ast.Subscript) and ast.unparse(node) == own for node in ast.walk(value))


def _fields(target: ast.AST) -> Iterable[str]:
    """The fields of a state that a target of an assignment names, alone, in a tuple, or an element of them."""
    if isinstance(target, ast.Attribute):
        yield target.attr
    elif isinstance(target, ast.Subscript | ast.Starred):
        yield from _fields(target.value)
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _fields(element)


Games = list[list[tuple[bytes, Look, int]]]
"""Of random games each state, what the rules say of it, and the move made there; at the end that is none (-1)."""


def _random_games(rules: Rules, states: int, seed: int) -> Games:
    rng, left, games = random.Random(seed), states, []
    while left > 0:
        here, look, game = rules.root, None, []
        while left > 0 and (look is None or look.actor != OVER):
            left -= 1
            look = rules.look(here, Findings(), None)
            move = rng.choice(look.moves) if look.actor != OVER else -1
            game.append((here, look, move))
            here = rules.play(here, move) if look.actor != OVER else here
        games.append(game)
    return games


def _matters(rules: Rules, name: str, games: Callable[[], Games]) -> bool:
    """Whether the game is another one if this field is not 0 before `start`."""
    for fill in _FILLS:
        try:
            other = rules.begin(**{name: fill})
        except GameError:
            return True
        if other != rules.root and _differs(rules, other, games()):
            return True
    return False


def _differs(rules: Rules, other: bytes, games: Games) -> bool:
    """Whether from another initial state random games are not the same as from the usual one."""
    for game in games:
        there = other
        for here, look, move in game:
            if there == here:
                break  # the field has been set since: what follows is the same
            try:
                if rules.look(there, Findings(), None) != look:
                    return True
                if look.actor != OVER:
                    there = rules.play(there, move)
            except (Broken, GameError):
                return True
    return False
