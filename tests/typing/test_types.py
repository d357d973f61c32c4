"""The types of the public face are checked, strictly, by `make lint`; here is that nothing public is left out of it."""

import ast
import tomllib
from pathlib import Path

import fogspiel as fs

ROOT = Path(__file__).parents[2]


def strict_modules() -> set[str]:
    overrides = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    return {name for part in overrides if part.get("ignore_errors") is False for name in part["module"]}


def test_every_module_of_the_public_face_is_checked_strictly():
    assert set(fs._FACE.values()) <= strict_modules()


def test_every_strict_module_is_there():
    for name in strict_modules() - {"user_script"}:
        path = ROOT.joinpath(*name.split("."))
        assert path.with_suffix(".py").exists() or (path / "__init__.py").exists(), name


def test_type_checkers_are_told_of_every_public_name():
    tree = ast.parse((ROOT / "fogspiel" / "__init__.pyi").read_text())
    blocks = [block for block in tree.body if isinstance(block, ast.ImportFrom)]
    told = {alias.asname: block.module for block in blocks for alias in block.names}
    assert told == fs._FACE
    assert all(alias.name == alias.asname for block in blocks for alias in block.names)  # or it is not public to them
