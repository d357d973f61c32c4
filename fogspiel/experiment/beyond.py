"""What a person's file takes from beyond its own folder, in versions: modules that lie elsewhere, and data files that
it says it reads.

What it takes from its folder is known to `game/written.py`. What is installed (the standard library, `site-packages`)
has no version here.
"""

import ast
import hashlib
import importlib.util
import sys
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import ClassVar, NamedTuple
from weakref import WeakKeyDictionary

from fogspiel.agents.fault import installed
from fogspiel.errors import SpecError
from fogspiel.game.written import _alone, code_of

DECLARED = "FILES"
"""The constant of a file that names the data files that it reads, as seen from its folder."""
INSTALLED = ("site-packages", "dist-packages")
"""Folders of what was installed, wherever they lie."""
TICK = 2 * 10**9
"""Nanoseconds within which the clock of some disks does not tell two edits apart."""


class _Module(NamedTuple):
    """A file of code, by its place where it is imported from, with what it says; whether it is from the folder of who
    imports it."""

    place: str
    file: Path
    text: bytes
    beside: bool


class _Said(NamedTuple):
    """What a file imports, by full names, and which data files it declares; `wrong` is the line of a declaration that
    is none."""

    imports: tuple[str, ...]
    files: tuple[str, ...]
    wrong: int | None


def version_beyond(files: Iterable[Path], *, anew: bool = False) -> str:
    """Of the modules that some files import from other folders, directly or not, and of the data files that they and
    modules of their folder declare; nothing where there are none. Comments and docstrings do not count. `anew`: they
    are imported in a process that begins."""
    there = [(path, list(_reached(path.resolve(), elsewhere=True, anew=anew))) for path in files]
    modules = {f"{one.place} {_code(one.text)}" for _, known in there for one in known if not one.beside}
    return _hash([*sorted(modules), *(told for path, known in there for told in _data(path, known))])


def version_of_data(path: Path) -> str:
    """Of the data files that a file and modules of its folder declare; nothing where they declare none. Raises
    SpecError for one that is not there."""
    return _hash(list(_data(path, _reached(path.resolve(), elsewhere=False))))


def _hash(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16] if texts else ""


@lru_cache(maxsize=1024)
def _code(source: bytes) -> str:
    return hashlib.sha256(code_of(source).encode()).hexdigest()


def _data(path: Path, known: Iterable[_Module]) -> Iterator[str]:
    """Each data file by its name, with a hash of what is in it."""
    for module in known:
        if not module.beside:  # what others mean by the name is theirs
            continue
        said, who = _said(module.text), module.file if module.place else path
        if said.wrong is not None:
            raise SpecError(
                f"{who}, line {said.wrong}: {DECLARED} must be a tuple of the names of data files, written out, such "
                "as ('weights.json',); if it is something else, take another name"
            )
        for name in said.files:
            file = who.parent / name
            if not file.is_file():
                raise SpecError(
                    f"{who} says that it reads {name} ({DECLARED}), and there is no such file in its folder"
                )
            about = file.stat()
            fresh = time.time_ns() - about.st_mtime_ns < TICK  # what is edited next may have the same time
            yield f"{name} {(_content.__wrapped__ if fresh else _content)(file, about.st_mtime_ns, about.st_size)}"


@lru_cache(maxsize=256)
def _content(file: Path, changed: int, size: int) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _reached(first: Path, *, elsewhere: bool, anew: bool = False) -> Iterator[_Module]:
    """A file and what it imports, directly or not: modules of its folder, and with `elsewhere` those of others that are
    not installed."""
    found, todo = {first}, [_Module("", first, first.read_bytes(), True)]
    asked, whole = set[str](), set[str]()
    while todo:
        yield (one := todo.pop())
        for name in _said(one.text).imports:
            top = name.partition(".")[0]
            if name in asked or top in whole:
                continue
            asked.add(name)
            beside = _beside(first.parent, top)
            there = [] if not beside and not elsewhere else beside or _elsewhere(name)
            whole |= {place.partition("/")[0] for place, _ in there}
            for place, file in there:
                if file not in found:
                    found.add(file)
                    text = file.read_bytes() if beside or anew else _Loaded.text(file, top)
                    todo.append(_Module(place, file, text, bool(beside)))


class _Loaded:
    """What files said when it was first asked for. A module stays imported as long as Python runs, so that an edit of
    its file has no effect until then, and is no other version."""

    kept: ClassVar[WeakKeyDictionary[ModuleType, dict[Path, bytes]]] = WeakKeyDictionary()

    @classmethod
    def text(cls, file: Path, name: str) -> bytes:
        if (module := sys.modules.get(name)) is None:
            return file.read_bytes()
        known = cls.kept.setdefault(module, {})
        if file not in known:
            known[file] = file.read_bytes()
        return known[file]


def _beside(folder: Path, top: str) -> list[tuple[str, Path]]:
    """The file of a module of the folder, or all files of its package, which come before any of that name elsewhere but
    the standard library and this package (`game/beside.py`)."""
    if _is_known(top):
        return []
    if (folder / top / "__init__.py").is_file():
        return [(f"{top}/{one.relative_to(folder / top)}", one) for one in sorted((folder / top).rglob("*.py"))]
    file = folder / f"{top}.py"
    return [(f"{top}/{file.name}", file)] if file.is_file() else []


def _elsewhere(name: str) -> list[tuple[str, Path]]:
    """The file of a module that is found where Python looks for it and is neither installed nor the library's, or all
    files of its package, each with its place there."""
    top, *rest = name.split(".")
    if _is_known(top):
        return []
    spec = _spec(top)
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


def _is_known(top: str) -> bool:
    return top in sys.stdlib_module_names or top == __name__.partition(".")[0]


def _spec(top: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return None


@lru_cache(maxsize=1024)
def _said(source: bytes) -> _Said:
    try:
        with _alone:
            tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return _Said((), (), None)
    files: tuple[str, ...] = ()
    wrong: int | None = None
    for node in tree.body:
        if _names_files(node):
            files, wrong = _files_of(node)
            if wrong is not None:
                break
    return _Said(tuple(dict.fromkeys(_imported(tree))), files, wrong)


def _imported(tree: ast.Module) -> Iterator[str]:
    """The full names of all that a file imports, wherever in it; what is imported from a module may be a module,
    too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _names_files(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == DECLARED for target in targets)


def _files_of(node: ast.stmt) -> tuple[tuple[str, ...], int | None]:
    """The names that are given, and the line where they are not written out. A number is something else, such as how
    many files a board has."""
    value = getattr(node, "value", None)
    if value is None:  # a declaration of its type
        return (), None
    try:
        names = ast.literal_eval(value)
    except (ValueError, TypeError):
        names = None
    if isinstance(names, int | float) and isinstance(node, ast.Assign):
        return (), None
    if (
        isinstance(names, tuple | list)
        and all(isinstance(name, str) for name in names)
        and not isinstance(node, ast.AugAssign)
    ):
        return tuple(names), None
    return (), node.lineno
