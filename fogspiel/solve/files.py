"""Strategies and checkpoints on disk: a documented, versioned format without pickle (docs/formats.md).

A file is a ZIP archive of NumPy `.npy` arrays and one `header.json`; any tool that reads these can read it. Writing never
harms what was there: the new file is complete and on disk before it takes the old one's name.
"""

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np

from fogspiel import given
from fogspiel.errors import FileError, SpecError
from fogspiel.solve.strategy import ROWS, Strategy

STRATEGY, CHECKPOINT = "fogspiel strategy", "fogspiel checkpoint"
VERSION = 1


def save(strategy: Strategy, path: str | Path) -> None:
    """Write a strategy to a file, conventionally named `something.fog`."""
    given.kind("strategy", strategy, Strategy, "a strategy, as solve finds and read reads it")
    path = given.path("path", path)
    header = {"game": strategy.game, "behaviour": strategy.behaviour, "situations": strategy.situations}
    write_archive(path, STRATEGY, header, {name: getattr(strategy, name) for name in ROWS})


def read(path: str | Path) -> Strategy:
    """Read a strategy. A file that is damaged or of another kind is refused."""
    path = given.path("path", path)
    header, arrays = read_archive(path, STRATEGY)
    for name in ("game", "behaviour", *ROWS):
        if name not in header and name not in arrays:
            raise FileError(f"{path} is damaged: {name} is missing")
    shared = bool(header.get("situations", False))
    try:
        return Strategy(str(header["game"]), str(header["behaviour"]), *(arrays[name] for name in ROWS), shared)
    except SpecError as error:
        raise FileError(f"{path} is damaged: {error}") from error


def write_archive(path: str | Path, kind: str, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write an archive next to its final place, flush it to the disk, then give it its name. Never holds a second copy in memory."""

    def fill(file: IO[bytes]) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("header.json", json.dumps({"format": kind, "version": VERSION} | header, indent=1))
            for name, values in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as item:
                    np.lib.format.write_array(item, np.asarray(values), allow_pickle=False)

    write_safely(path, fill)


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
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror or error}") from error


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
            _replace(Path(os.path.realpath(path)), fill)
    except OSError as error:
        kept = " (the file that was there is unchanged)" if os.path.isfile(path) else ""
        raise FileError(f"cannot write {path}: {error.strerror or error}{kept}") from error


def _special(path: Path) -> bool:
    """A pipe or a device, such as /dev/stdout: it is written to, never replaced."""
    return os.path.exists(path) and not os.path.isfile(path)


def _replace(path: Path, fill: Callable[[IO[bytes]], None]) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read_archive(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read("header.json"))
            if not isinstance(header, dict) or header.get("format") != kind:
                raise FileError(f"{path} is not a {kind} file")
            if header.get("version") != VERSION:
                raise FileError(
                    f"{path} has format version {header.get('version')}; this Fogspiel reads version {VERSION}"
                )
            names = [n.removesuffix(".npy") for n in archive.namelist() if n.endswith(".npy")]
            return header, {
                n: np.lib.format.read_array(io.BytesIO(archive.read(f"{n}.npy")), allow_pickle=False) for n in names
            }
    except FileError:
        raise
    except FileNotFoundError:
        raise FileError(f"there is no file {path}") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from error
    except Exception as error:  # a damaged archive fails in more ways than can be listed
        raise FileError(f"{path} is not a {kind} file, or it is damaged") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
