"""Versions of a person's own files: a hash of what a file says, and those beside it that it imports, which changes when
the code does."""

import ast
import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path

_alone = threading.Lock()
"""Python 3.11 fails now and then where two threads parse at once."""


def version_of_file(path: Path) -> str:
    """Of the code in a file and in the modules and packages of its folder that it imports, directly or not; of a
    package that is all of its files. Comments, docstrings and how lines are broken do not count. What the code reads
    from other files is not known here."""
    digest = hashlib.sha256()
    for file in _with_imports(path):
        digest.update(f"{file.relative_to(path.resolve().parent)} {code_of(file.read_bytes())}\n".encode())
    return digest.hexdigest()[:16]


def code_of(source: bytes) -> str:
    """What a file says, without comments and docstrings. One that is no Python is taken as it is."""
    try:
        with _alone:
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return repr(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [s for s in body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return ast.dump(tree)


def _with_imports(path: Path) -> list[Path]:
    """The file and all that it imports from its folder."""
    first = path.resolve()
    found, todo = {first: None}, [first]
    while todo:
        for name in _imported(todo.pop(0).read_bytes()):
            file, package = first.with_name(f"{name}.py"), first.with_name(name)
            inside = sorted(package.rglob("*.py")) if (package / "__init__.py").is_file() else [file]
            new = [one for one in inside if one not in found and one.is_file()]
            found |= dict.fromkeys(new)
            todo += new
    return list(found)


def _imported(source: bytes) -> Iterator[str]:
    """The first names of all modules that a file imports, wherever in it."""
    try:
        with _alone:
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
