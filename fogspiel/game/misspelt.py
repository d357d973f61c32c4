"""Rules and declarations that are misspelt: a function that nothing calls, and whose name is nearly that of an optional
rule, would be passed over in silence, and so would a constant."""

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

SHORT = 4
"""Of names of so few letters, only those count as near that have the same letters in another order, or differ in lines
and capitals."""
FAR = 8
"""Names of so many letters may differ in two places."""


@dataclass(frozen=True)
class Misspelt:
    """A function or constant of a game file, its place, the rule or declaration that it is nearly named as, how that is
    written, and whether that is surely meant: a function takes as many arguments, and is no longer name with the rule's
    in it."""

    name: str
    place: str
    rule: str
    written: str
    fits: bool = True
    what: str = "function"

    @property
    def text(self) -> str:
        used = "calls" if self.what == "function" else "reads"
        return (
            f"{self.what} {self.name} ({self.place}) looks like {self.rule}, and nothing {used} it: write "
            f"{self.written} if that is meant, or give a {self.what} of your own a name that begins with _"
        )


def misspelt(module: ModuleType, rules: Mapping[str, tuple[tuple[str, ...], str]]) -> list[Misspelt]:
    """The functions of a game file that look like one of these `rules`, of which the file has none: by name, its
    arguments and how it is written. Their first argument is called as there. Functions with a name that begins with _,
    or that the file names anywhere else, are its own."""
    open_rules = {name: known for name, known in rules.items() if not hasattr(module, name)}
    found = []
    for name, function in vars(module).items():
        own = isinstance(function, FunctionType) and function.__module__ == module.__name__
        if not own or name.startswith("_") or name in rules:
            continue
        near = next((rule for rule in open_rules if _is_near(name, rule)), None)
        if near is not None:
            takes, written = open_rules[near]
            given = function.__code__.co_varnames[: function.__code__.co_argcount]
            if given[:1] == takes[:1]:
                # `no_resample`, say, may well be a name of its own
                place = f"{function.__code__.co_filename}, line {function.__code__.co_firstlineno}"
                found.append(Misspelt(name, place, near, written, len(given) == len(takes) and near not in name))
    return _unnamed(module, found)


def misspelt_constants(module: ModuleType, declarations: Mapping[str, Callable[[Any], bool]]) -> list[Misspelt]:
    """The constants of a game file that look like one of these `declarations`, of which the file has none, and hold
    what those may. Constants with a name that begins with _, or that the file names anywhere else, are its own."""
    found = []
    for name, value in vars(module).items():
        near = next((d for d in declarations if not hasattr(module, d) and _is_near(name, d)), None)
        if near is None or name.startswith("_") or not declarations[near](value):
            continue
        line = _assigned(module).get(name)
        if line is not None:
            place = f"{module.__file__}, line {line}"
            found.append(Misspelt(name, place, near, f"{near} = ...", what="constant"))
    return _unnamed(module, found)


def _unnamed(module: ModuleType, found: list[Misspelt]) -> list[Misspelt]:
    """Those that the file names nowhere else."""
    named = _named(module) if found else set()
    return [one for one in found if one.name not in named]


def _assigned(module: ModuleType) -> dict[str, int]:
    """The names that a file gives to values, and in which lines; what it imports is not its own."""
    try:
        body = ast.parse(inspect.getsource(module)).body
    except (OSError, TypeError, SyntaxError):
        return {}
    given = [
        (one, one.targets if isinstance(one, ast.Assign) else [one.target])
        for one in body
        if isinstance(one, ast.Assign | ast.AnnAssign)
    ]
    return {target.id: one.lineno for one, targets in given for target in targets if isinstance(target, ast.Name)}


def _named(module: ModuleType) -> set[str]:
    """All names that a file reads, in its functions or beside them."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        codes = [f.__code__ for f in vars(module).values() if isinstance(f, FunctionType)]
        return {name for code in codes for name in _names_of(code)}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def _names_of(code: CodeType) -> set[str]:
    inner = [_names_of(const) for const in code.co_consts if isinstance(const, CodeType)]
    return {*code.co_names}.union(*inner)


@cache
def _is_near(name: str, rule: str) -> bool:
    a, b = (word.lower().replace("_", "") for word in (name, rule))
    if a == b:
        return True
    if len(b) <= SHORT:
        return sorted(a) == sorted(b)
    most = 2 if len(b) >= FAR else 1
    # most names differ in more letters than that
    return abs(len(a) - len(b)) <= most and len({*a} ^ {*b}) <= 2 * most and distance(a, b) <= most


def distance(a: str, b: str) -> int:
    """How many letters must be changed, left out or put in, or neighbours swapped, to make one word of another (Damerau
    1964)."""
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, rows[i - 2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]
