"""Strategies on disk, in a documented, versioned format without pickle (`solvers/archive.py`, docs/formats.md), and how
files are written.

Writing never harms what was there: the new file is complete and on disk before it takes the old one's name.
"""

import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from fogspiel import given
from fogspiel.engine import disk
from fogspiel.errors import FileError, SpecError
from fogspiel.solvers import archive
from fogspiel.solvers.result import Given, Result, strategy_in
from fogspiel.solvers.strategy import ROWS, Strategy

if TYPE_CHECKING:
    from fogspiel.solvers.posg.controllers import Controllers

STRATEGY, CHECKPOINT, CONTROLLERS = archive.READ
_HEADER = {"game": str, "behaviour": str, "situations": bool}


def save(strategy: "Given | Result[Controllers] | Controllers", path: str | Path) -> None:
    """Write a strategy to a file, conventionally named `something.fog`; or those of a one-sided POSG, which
    `read_controllers` reads."""
    from fogspiel.solvers.posg.controllers import Controllers

    if isinstance(strategy, Result):
        strategy = strategy.strategy
    if isinstance(strategy, Controllers):
        from fogspiel.solvers.posg.files import save_controllers

        save_controllers(strategy, given.path("path", path))
        return
    strategy = strategy_in(strategy)
    path = given.path("path", path)
    header = {"game": strategy.game, "behaviour": strategy.behaviour, "situations": strategy.situations}
    write_archive(path, STRATEGY, header, {name: getattr(strategy, name) for name in ROWS})


def read(path: str | Path) -> Strategy:
    """Read a strategy. A file that is damaged or of another kind is refused."""
    path = given.path("path", path)
    if archive.kind_of(path) == CONTROLLERS:
        raise FileError(
            f"{path} holds controllers of a one-sided POSG, as hsvi finds them, and no strategy by information sets: "
            "they play in fogspiel match, fogspiel evaluate measures them, and fs.read_controllers reads them"
        )
    header, arrays = archive.read(path, STRATEGY)
    for name in (*_HEADER, *ROWS):
        if name not in header and name not in arrays:
            raise FileError(f"{path} is damaged: {name} is missing")
    for name, kind in _HEADER.items():
        if not isinstance(header.get(name), kind):
            raise FileError(f"{path} is damaged: its {name} is not of the documented type")
    try:
        rows = {name: arrays[name] for name in ROWS}
        return Strategy(header["game"], header["behaviour"], situations=header["situations"], **rows)
    except SpecError as error:
        raise FileError(f"{path} is damaged: {error}") from error


def write_archive(path: str | Path, kind: str, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write an archive next to its final place, flush it to the disk, then give it its name."""
    write_safely(path, lambda file: archive.write(file, kind, header, arrays))


def require_writable(path: str | Path) -> None:
    """Raise FileError where a file cannot be written: to fail before a long computation rather than after it."""
    path = Path(path)
    if path.is_dir():
        raise FileError(f"cannot write {path}: it is a folder")
    if _special(path):
        return
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise FileError(f"cannot write {path}: there is no folder {path.parent}")
    disk.sweep(folder)
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror or error}") from error


def make_folder(path: str | Path) -> None:
    """Make a folder, and those that it lies in, where they are missing; or raise FileError."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {path}: {error.strerror or error}") from error


def write_safely(path: str | Path, content: bytes | Callable[[IO[bytes]], None]) -> None:
    """Replace a file's content, or leave the file as it was and raise FileError. Links are followed.

    `content` is what to write, or a function that writes it to a file.
    """
    path = Path(path)
    fill = content if callable(content) else lambda file: file.write(content)
    try:
        if _special(path):
            buffer = io.BytesIO()
            fill(buffer)
            path.write_bytes(buffer.getvalue())
        else:
            place = Path(os.path.realpath(path))
            disk.replace(place, fill, mode=place.stat().st_mode & 0o777 if place.exists() else 0o666 & ~_umask())
    except OSError as error:
        kept = " (the file that was there is unchanged)" if os.path.isfile(path) else ""
        raise FileError(f"cannot write {path}: {error.strerror or error}{kept}") from error


def _special(path: Path) -> bool:
    """A pipe or a device, such as /dev/stdout: it is written to, never replaced."""
    return os.path.exists(path) and not os.path.isfile(path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
