"""What rules of a person's own may not do: reach memory by its address. What kernels are made of does no look where it
reads and writes."""

import ast
import inspect
import textwrap
from collections.abc import Collection, Iterable
from types import FunctionType

import fogspiel.game as offered
from fogspiel.engine.closure import Function, globals_read, reachable
from fogspiel.engine.primitives import TWINS, real_at, whole_at
from fogspiel.errors import GameError
from fogspiel.game.rules import where

HOUSE, GAMES = "fogspiel.", "fogspiel.games."


def require_confined(rules: Iterable[Function], tables: Collection[str]) -> None:
    """Raise GameError where a rule, or what it calls, uses more of Fogspiel than is offered to games, takes a table
    from elsewhere than the state's field of its name, or writes to such a field."""
    for function in reachable(rules):
        if function.__module__.startswith(HOUSE):
            continue
        read = globals_read(function)
        for name, value in read.items():
            if isinstance(value, FunctionType) and not _is_offered(value):
                raise GameError(
                    f"{where(function)} uses {name} of {value.__module__}, which is not for rules: they may use what "
                    "fogspiel.game and games offer"
                )
        if tables:
            _require_own_tables(function, {n for n, v in read.items() if v in (real_at, whole_at)}, tables)


def _is_offered(function: Function) -> bool:
    home = function.__module__
    free = not home.startswith(HOUSE) and function not in TWINS
    return free or home.startswith(GAMES) or function in vars(offered).values()


def _require_own_tables(function: Function, readers: set[str], tables: Collection[str]) -> None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):  # a function that was made without a file
        return
    first = function.__code__.co_firstlineno - 1
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in tables and not isinstance(node.ctx, ast.Load):
            raise GameError(f"{where(function, first + node.lineno)} writes to {node.attr}, the field of a table")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in readers:
            table = node.args[0] if node.args else None
            if not isinstance(table, ast.Attribute) or table.attr not in tables:
                raise GameError(
                    f"{where(function, first + node.lineno)}: {node.func.id} takes a table by the field of its name, "
                    f"such as {node.func.id}(s.{min(tables)}, 0)"
                )
