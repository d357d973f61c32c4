"""A room imports only from rooms above it; heavy modules are imported when first used."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import fogspiel as fs
import fogspiel.experiment
import fogspiel.game

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "fogspiel"
ROOMS = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
FILES = sorted(PACKAGE.rglob("*.py"))


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else "fogspiel"


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {name for name in found if name.split(".")[0] == "fogspiel"}


def test_the_architecture_page_lists_every_room():
    actual = {p.stem for p in PACKAGE.iterdir() if p.is_dir() and (p / "__init__.py").exists()}
    assert actual | {"errors", "given"} == set(ROOMS)


@pytest.mark.parametrize("path", [f for f in FILES if f.parent != PACKAGE], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_room_imports_only_from_rooms_above_it(path):
    here = path.relative_to(PACKAGE).parts[0]
    for name in imports(path):
        if name != "fogspiel":
            assert ROOMS.index(room(name)) <= ROOMS.index(here), f"{path} imports {name}"


def loaded(code: str) -> set[str]:
    out = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(out.stdout.split())


def test_importing_fogspiel_imports_nothing_heavy():
    assert not loaded("import fogspiel") & {"numpy", "numba", "llvmlite", "matplotlib", "rich", "typer", "highspy"}


def test_the_command_line_starts_without_the_machinery():
    assert not loaded("import fogspiel.app.cli") & {"numpy", "numba", "llvmlite", "matplotlib", "highspy"}


def test_game_files_read_like_rule_books():
    # no engine vocabulary in a game: only the game room's public names, NumPy for the dtype, and other games
    for path in (PACKAGE / "games").glob("[a-z]*.py"):
        named = imports(path)
        assert named <= {"fogspiel.game"} | {n for n in named if n.startswith("fogspiel.games.")}, path.name
        assert "numba" not in path.read_text()


LONGEST = 400
"""Lines of a file whose functions become machine code."""


def for_machine_code(function: ast.FunctionDef) -> bool:
    """A kernel; or a function that kernels call or are linked with, which has arguments, of no declared kinds; those of a part
    stand in a class."""
    arguments = function.args.args
    plain = (
        bool(arguments)
        and arguments[0].arg not in ("self", "cls")
        and not any(a.annotation for a in arguments)
        and function.returns is None
    )
    return plain or any("kernel" in ast.unparse(mark) for mark in function.decorator_list)


def test_files_of_kernels_fit_in_the_head():
    for path in (f for f in FILES if f.relative_to(PACKAGE).parts[0] != "games"):
        text = path.read_text()
        body = ast.parse(text).body
        body += [node for space in body if isinstance(space, ast.ClassDef) for node in space.body]
        if any(isinstance(node, ast.FunctionDef) and for_machine_code(node) for node in body):
            assert len(text.splitlines()) <= LONGEST, f"{path}: what are its two subjects?"


ADDRESSES = re.compile(r"\b(address_of|(ints|ints32|reals|words)_at)\b|\bctypes\.data\b")
"""What an address is made of, or memory is reached by it as an array."""


def test_addresses_are_computed_in_the_rooms_of_machine_code_and_of_games_alone():
    for path in (f for f in FILES if f.relative_to(PACKAGE).parts[0] not in ("engine", "game", "games")):
        assert not ADDRESSES.search(path.read_text()), path


def test_everything_public_is_really_there():
    for name in fs.__all__:
        assert getattr(fs, name) is not None


FACE = {"fogspiel": fs, "fogspiel.game": fogspiel.game, "fogspiel.experiment": fogspiel.experiment}
TESTS = [path for path in sorted((ROOT / "tests").rglob("*.py")) if path.name != "snippets.py"]  # those of the pages


@pytest.mark.parametrize("path", TESTS, ids=lambda path: str(path.relative_to(ROOT / "tests")))
def test_tests_take_what_is_public_from_the_public_face(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fogspiel.") and node.module not in FACE:
            for name in (alias.name for alias in node.names):
                public = [face for face, there in FACE.items() if name in there.__all__]
                own = getattr(import_module(node.module), name) if public else None
                same = [face for face in public if getattr(FACE[face], name) is own]
                assert not same, f"{name} of {node.module} is that of {same[0]}"
