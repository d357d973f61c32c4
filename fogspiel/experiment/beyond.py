"""What a person's file takes from beyond its own folder, in versions: modules that lie elsewhere, and data files that it says it reads.

What it takes from its folder is known to `game/written.py`. What is installed (the standard library, `site-packages`) has no version here.
"""

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import ClassVar
from weakref import WeakKeyDictionary

from fogspiel.errors import SpecError
from fogspiel.evaluate.fault import installed
from fogspiel.game.written import _alone, code_of

DECLARED = "FILES"
"""The constant of a file that names the data files that it reads, as seen from its folder."""
INSTALLED = ("site-packages", "dist-packages")
"""Folders of what was installed, wherever they lie."""


def version_beyond(files: Iterable[Path]) -> str:
    """Of the modules that some files import from other folders, directly or not, and of the data files that they declare; nothing where there are
    none. Comments and docstrings do not count."""
    paths = list(files)
    modules = {f"{name} {code_of(text)}" for path in paths for name, text in _elsewhere(path.resolve())}
    return _hash([*sorted(modules), *(told for path in paths for told in _data(path))])


def version_of_data(file: Path) -> str:
    """Of the data files that a file declares; nothing where it declares none. Raises SpecError for one that is not there."""
    return _hash(_data(file))


def _hash(texts: Iterable[str]) -> str:
    known = list(texts)
    return hashlib.sha256("\n".join(known).encode()).hexdigest()[:16] if known else ""


def _data(path: Path) -> Iterator[str]:
    """Each data file by its name, with a hash of what is in it."""
    for name in _declared(path):
        file = path.resolve().parent / name
        if not file.is_file():
            raise SpecError(f"{path} says that it reads {name} ({DECLARED}), and there is no such file in its folder")
        about = file.stat()
        yield f"{name} {_content(file, about.st_mtime_ns, about.st_size)}"


@lru_cache(maxsize=256)
def _content(file: Path, changed: int, size: int) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _declared(path: Path) -> list[str]:
    for node in _tree(path.read_bytes()).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if not any(isinstance(target, ast.Name) and target.id == DECLARED for target in targets):
            continue
        try:
            names = ast.literal_eval(node.value)  # type: ignore[attr-defined]
        except (ValueError, TypeError):
            names = None
        if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
            raise SpecError(
                f"{path}, line {node.lineno}: {DECLARED} must be a tuple of the names of data files, written out, such as ('weights.json',)"
            )
        return list(names)
    return []


def _elsewhere(first: Path) -> Iterator[tuple[str, bytes]]:
    """The files of modules from other folders that a file imports, by their names, with what they say."""
    seen, todo = {first}, [first.read_bytes()]
    while todo:
        for name in _imported(todo.pop()):
            beside = _is_beside(first.parent, name)
            for place, file in _files(name, first.parent if beside else None):
                if file not in seen:
                    seen.add(file)
                    todo.append(file.read_bytes() if beside else _Loaded.text(file, name))
                    if not beside:
                        yield place, todo[-1]


class _Loaded:
    """What files said when it was first asked for. A module stays imported as long as Python runs, so that an edit of its file has no effect until
    then, and is no other version."""

    kept: ClassVar[WeakKeyDictionary[ModuleType, dict[Path, bytes]]] = WeakKeyDictionary()

    @classmethod
    def text(cls, file: Path, name: str) -> bytes:
        if (module := sys.modules.get(name.partition(".")[0])) is None:
            return file.read_bytes()
        known = cls.kept.setdefault(module, {})
        if file not in known:
            known[file] = file.read_bytes()
        return known[file]


def _is_beside(folder: Path, name: str) -> bool:
    """Whether a module is found in the folder before it is looked for elsewhere (`game/beside.py`)."""
    top = folder / name.partition(".")[0]
    return top.with_name(f"{top.name}.py").is_file() or (top / "__init__.py").is_file()


def _files(name: str, folder: Path | None) -> list[tuple[str, Path]]:
    """The file of a module that is neither installed nor the library's, or all files of its package, each with its place there. It is looked for
    in one folder, or wherever Python does."""
    top, *rest = name.split(".")
    if top in sys.stdlib_module_names or top == __name__.partition(".")[0]:
        return []
    spec = PathFinder.find_spec(top, [str(folder)]) if folder else _spec(top)
    while spec is not None and spec.origin is None and rest:  # a folder of modules that is no package
        top = f"{top}.{rest.pop(0)}"
        spec = PathFinder.find_spec(top, list(spec.submodule_search_locations or ()))
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return []
    file = Path(spec.origin).resolve()
    if str(file).startswith(installed()) or not set(INSTALLED).isdisjoint(file.parts):
        return []
    inside = sorted(file.parent.rglob("*.py")) if spec.submodule_search_locations else [file]
    return [(f"{top}/{one.relative_to(file.parent)}", one) for one in inside]


def _spec(top: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return None


def _imported(source: bytes) -> Iterator[str]:
    """The full names of all that a file imports, wherever in it; what is imported from a module may be a module, too."""
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _tree(source: bytes) -> ast.Module:
    try:
        with _alone:
            return ast.parse(source)
    except (SyntaxError, ValueError):
        return ast.Module([], [])
