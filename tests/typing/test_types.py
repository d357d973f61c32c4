"""Types are checked, strictly, by `make lint`; here is that nothing is left out of it."""

import ast
import tomllib
from pathlib import Path

import fogspiel as fs

ROOT = Path(__file__).parents[2]


def test_the_types_of_all_modules_are_checked_strictly():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    assert settings["strict"]
    assert settings["disallow_incomplete_defs"]
    assert set(settings["files"]) == {"fogspiel", "tests/typing"}
    assert not settings.keys() & {"exclude", "ignore_errors", "overrides"}


def test_type_checkers_are_told_of_every_public_name():
    tree = ast.parse((ROOT / "fogspiel" / "__init__.pyi").read_text())
    blocks = [block for block in tree.body if isinstance(block, ast.ImportFrom)]
    told = {alias.asname: block.module for block in blocks for alias in block.names}
    assert told == fs._FACE
    assert all(alias.name == alias.asname for block in blocks for alias in block.names)  # or it is not public to them
