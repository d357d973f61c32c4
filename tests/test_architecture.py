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


def arguments(function: ast.FunctionDef) -> list[ast.arg]:
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]


def is_without_annotations(function: ast.FunctionDef) -> bool:
    return function.returns is None and not any(a.annotation for a in arguments(function))


def held_in_classes(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions of parts, in classes that only hold them."""
    spaces = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    inside = [node for space in spaces for node in space.body if isinstance(node, ast.FunctionDef)]
    return [f for f in inside if not f.args.args or f.args.args[0].arg not in ("self", "cls")]


LONGEST = 400
"""Lines of a file whose functions become machine code."""


def for_machine_code(function: ast.FunctionDef) -> bool:
    """A kernel; or a function that kernels call or are linked with, which has arguments, of no declared kinds."""
    plain = bool(arguments(function)) and is_without_annotations(function)
    return plain or any("kernel" in ast.unparse(mark) for mark in function.decorator_list)


def test_files_of_kernels_fit_in_the_head():
    for path in (f for f in FILES if f.relative_to(PACKAGE).parts[0] != "games"):
        text = path.read_text()
        tree = ast.parse(text)
        alone = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        if any(map(for_machine_code, [*alone, *held_in_classes(tree)])):
            assert len(text.splitlines()) <= LONGEST, f"{path}: what are its two subjects?"


KINDS = {"Int", "Word", "Real", "Ints", "Ints32", "Bytes", "Words", "Reals", "Reals32"}
"""Kinds of `engine/kinds.py`, of which every kernel is given one at least."""


def is_of_kinds(function: ast.FunctionDef) -> bool:
    return any(a.annotation and ast.unparse(a.annotation) in KINDS for a in arguments(function))


def names_in(tree: ast.AST) -> dict[ast.AST, str]:
    """Each mention of a name, or of one in something, with the name."""
    mentions = (n for n in ast.walk(tree) if isinstance(n, ast.Name | ast.Attribute))
    return {n: n.id if isinstance(n, ast.Name) else n.attr for n in mentions}


def handed_over(tree: ast.Module) -> set[str]:
    """Names that stand for something that is not called there; and text, by which parts are asked for functions."""
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    text = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return {name for node, name in names_in(tree).items() if node not in called} | text


def test_functions_without_annotations_are_for_machine_code():
    # type checkers pass over them, so nobody else may leave them out: a rule of a game; what a function for machine
    # code mentions; and what is handed to whoever compiles it, by a decorator, as a value or in a namespace
    trees = {path: ast.parse(path.read_text()) for path in FILES}
    functions = {path: [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)] for path, tree in trees.items()}
    compiled = [f for fs in functions.values() for f in fs if is_without_annotations(f) or is_of_kinds(f)]
    known = set().union(*map(handed_over, trees.values()))
    known |= {name for f in compiled for name in names_in(f).values() if name != f.name}
    held = {f for tree in trees.values() for f in held_in_classes(tree)}
    for path, tree in trees.items():
        if any(ast.unparse(n).startswith("State = ") for n in tree.body) or PACKAGE / "games" in path.parents:
            continue  # a game, whose rules and their helpers are known by their names
        plain = [f for f in functions[path] if is_without_annotations(f)]
        inner = {n for f in plain for n in ast.walk(f) if n is not f}
        for function in (f for f in plain if f not in inner):
            alone = (function in tree.body and function.name in known) or function in held
            assert alone or function.decorator_list, f"{path}, line {function.lineno}: who compiles {function.name}?"


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
