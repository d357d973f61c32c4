"""Fogspiel: games where players cannot see everything. See the README for a tour.

The public face is written down in `__init__.pyi`, for type checkers and for us; what stands behind a name is imported
when that is first used, so that `import fogspiel` is quick.
"""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

_FACE = {
    name: module
    for module, name in re.findall(
        r"^from ([\w.]+) import (\w+) as", Path(__file__).with_suffix(".pyi").read_text(), re.MULTILINE
    )
}

__all__ = ["__version__", *_FACE]


def __getattr__(name: str) -> Any:
    if name not in _FACE:
        raise AttributeError(f"module 'fogspiel' has no attribute {name!r}")
    value = getattr(import_module(_FACE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
