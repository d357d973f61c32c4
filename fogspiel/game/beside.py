"""Imports of a game file from its own folder, while it is loaded.

A file beside the game is found by its name, before anything else of that name but the standard library. It is read anew
for every game and forgotten afterwards, so that games in two folders may each have their own `cards.py`, and an edited
one is never stale.
"""

import contextlib
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType


class AsItIs(importlib.machinery.SourceFileLoader):
    """Reads the file itself, every time: stored bytecode may be older than an edit of the same second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


@contextlib.contextmanager
def folder_importable(folder: Path) -> Iterator[None]:
    """Within this, modules and packages in the folder can be imported by their names."""
    finder = _Beside(folder)
    aside = _take_modules(finder.names())
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        _take_modules(finder.names())
        sys.modules.update(aside)


class _Beside:
    """Finds what lies in a folder."""

    def __init__(self, folder: Path):
        self.folder = folder.resolve()

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        top, _, rest = name.partition(".")
        if not self.holds(top):
            return None
        file = self.folder.joinpath(top, *rest.split(".")) if rest else self.folder / name
        if (package := file / "__init__.py").is_file():
            loader = AsItIs(name, str(package))
            return importlib.util.spec_from_file_location(
                name, package, loader=loader, submodule_search_locations=[str(file)]
            )
        module = file.with_suffix(".py")
        if not module.is_file():
            return None
        return importlib.util.spec_from_file_location(name, module, loader=AsItIs(name, str(module)))

    def holds(self, name: str) -> bool:
        """Whether a module of this name is to come from the folder. The standard library and this package are not
        hidden."""
        if name in sys.stdlib_module_names or name == __name__.partition(".")[0]:
            return False
        return (self.folder / f"{name}.py").is_file() or (self.folder / name / "__init__.py").is_file()

    def names(self) -> set[str]:
        """The first names of modules that are imported, and of which there is one in the folder."""
        imported = {name.partition(".")[0] for name in list(sys.modules)}
        with contextlib.suppress(OSError):
            imported.intersection_update(file.partition(".")[0] for file in os.listdir(self.folder))
        return {name for name in imported if self.holds(name)}


def _take_modules(first: set[str]) -> dict[str, ModuleType]:
    """Modules with these first names, taken out of those that are imported."""
    return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in first}
