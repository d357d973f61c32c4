"""Functions by where they are, so that another process finds them: in an installed module, or in a file of the
user's."""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fogspiel.engine.closure import fingerprint
from fogspiel.errors import FogspielError, SpecError
from fogspiel.experiment.versions import MEASURED
from fogspiel.game.load import OWN, module_from
from fogspiel.game.rules import raised_at


@dataclass(frozen=True)
class FunctionRef:
    """A function of a module, by its names."""

    module: str
    name: str
    file: str = ""

    @staticmethod
    def of(function: Callable[..., Any]) -> "FunctionRef":
        """Raises SpecError for what cannot be found again by its name, such as a lambda."""
        module, name = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
        if not name.isidentifier():
            raise SpecError(f"{name or function!r} must be a function with a name of its own, at the top of its file")
        file = getattr(sys.modules.get(module), "__file__", "") if module.startswith(OWN) else ""
        return FunctionRef(Path(file).stem if file else module, name, str(file))

    def get(self) -> Callable[..., Any]:
        module = module_from(Path(self.file), "experiment") if self.file else importlib.import_module(self.module)
        return getattr(module, self.name)


def went_wrong(error: Exception, function: Callable[..., Any]) -> str:
    """What a function of the user's raised, and in which line of its file."""
    told = str(error) if isinstance(error, FogspielError) else f"{type(error).__name__}: {error}"
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    line, code = raised_at(error, [file]) if file else (None, None)
    return told if code is None else f"{Path(code.co_filename).name}, line {line}: {told}"


def version_of_function(function: Callable[..., Any]) -> str:
    """Of the function, and of what it calls and reads, but for the library's rooms: these have a version of their own, and remember
    what they were asked before."""
    rooms = tuple(f"fogspiel.{room}." for room in MEASURED)
    return fingerprint([function], outside=rooms)[:16]  # type: ignore[list-item]
