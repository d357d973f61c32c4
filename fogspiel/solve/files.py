"""Strategies and checkpoints on disk: a documented, versioned format without pickle (docs/formats.md).

A file is a ZIP archive of NumPy `.npy` arrays and one `header.json`; any tool that reads these can read it. Writing never
harms what was there: the new file is complete and on disk before it takes the old one's name.
"""

import io
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from fogspiel.errors import FileError
from fogspiel.solve.strategy import Strategy

STRATEGY, CHECKPOINT = "fogspiel strategy", "fogspiel checkpoint"
VERSION = 1
_ROWS = ("player", "key", "start", "move", "prob")


def save(strategy: Strategy, path: str | Path) -> None:
    """Write a strategy to a file, conventionally named `something.fog`."""
    header = {"game": strategy.game, "behaviour": strategy.behaviour}
    write_archive(path, STRATEGY, header, {name: getattr(strategy, name) for name in _ROWS})


def read(path: str | Path) -> Strategy:
    """Read a strategy. A file that is damaged or of another kind is refused."""
    header, arrays = read_archive(path, STRATEGY)
    try:
        strategy = Strategy(str(header["game"]), str(header["behaviour"]), *(arrays[name] for name in _ROWS))
    except KeyError as missing:
        raise FileError(f"{path} is damaged: {missing.args[0]} is missing") from None
    rows = len(strategy.key)
    sound = (
        len(strategy.player) == rows
        and len(strategy.start) == rows + 1
        and len(strategy.move) == len(strategy.prob) == (strategy.start[-1] if rows else 0)
        and bool(np.all(np.diff(strategy.start) > 0))
        and bool(np.all((strategy.prob >= 0) & (strategy.prob <= 1 + 1e-9)))
    )
    if not sound:
        raise FileError(f"{path} is damaged: its arrays do not fit together")
    return strategy


def write_archive(path: str | Path, kind: str, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write an archive next to its final place, flush it to the disk, then give it its name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("header.json", json.dumps({"format": kind, "version": VERSION} | header, indent=1))
        for name, values in arrays.items():
            item = io.BytesIO()
            np.lib.format.write_array(item, np.asarray(values), allow_pickle=False)
            archive.writestr(f"{name}.npy", item.getvalue())
    write_safely(path, buffer.getvalue())


def write_safely(path: str | Path, content: bytes) -> None:
    """Replace a file's content, or leave the file as it was and raise FileError."""
    path = Path(path)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent or ".", prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        kept = " (the file that was there is unchanged)" if path.exists() else ""
        raise FileError(f"cannot write {path}: {error.strerror or error}{kept}") from error


def read_archive(path: str | Path, kind: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read("header.json"))
            if not isinstance(header, dict) or header.get("format") != kind:
                raise FileError(f"{path} is not a {kind} file")
            if header.get("version") != VERSION:
                raise FileError(f"{path} has format version {header.get('version')}; this Fogspiel reads version {VERSION}")
            names = [n.removesuffix(".npy") for n in archive.namelist() if n.endswith(".npy")]
            return header, {n: np.lib.format.read_array(io.BytesIO(archive.read(f"{n}.npy")), allow_pickle=False) for n in names}
    except FileNotFoundError:
        raise FileError(f"there is no file {path}") from None
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
        raise FileError(f"{path} is not a {kind} file, or it is damaged") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
