"""The games of a match in a file of JSON lines: first what the match is, then a line a game, in the order they were played.

A line counts once its end is written. A last line that was cut short is dropped, and its game played again.
"""

import contextlib
import errno
import json
import os
from pathlib import Path
from typing import Any

from fogspiel.errors import FileError

FORMAT, VERSION = "fogspiel match", 1


class Store:
    """An open file. `games` are those read from it, by number; `unsaved` says why it could not be written to any more."""

    def __init__(self, path: str | Path, header: dict[str, Any], same: tuple[str, ...], *, resume: bool):
        """A new file, or with `resume` one of the same match: one whose header agrees in all that is named in `same`."""
        self.path, self.unsaved = Path(path), ""
        self.games: dict[int, dict[str, Any]] = {}
        header = {"format": FORMAT, "version": VERSION} | header
        try:
            if not resume:
                self.file = open(self.path, "xb", buffering=0)  # noqa: SIM115
            else:
                self._read(header, same)
                self.file = open(self.path, "r+b", buffering=0)  # noqa: SIM115
                self.file.truncate(self.end)
                self.file.seek(self.end)
        except FileExistsError:
            raise FileError(f"{path} is there already; resume the match in it, or choose another name") from None
        except FileNotFoundError:
            raise FileError(
                f"there is no match in {path} to resume"
                if resume
                else f"cannot write {path}: there is no folder {self.path.parent}"
            ) from None
        except OSError as error:
            raise FileError(f"cannot use {path}: {error.strerror or error}") from error
        if self.file.tell() == 0:
            self._write(header)
            if self.unsaved:
                raise FileError(self.unsaved)

    def _read(self, header: dict[str, Any], same: tuple[str, ...]) -> None:
        *lines, torn = self.path.read_bytes().split(b"\n")
        self.end = sum(len(line) + 1 for line in lines)
        if not lines and not torn.startswith(b'{"format": "fogspiel match"'[: len(torn)]):
            raise FileError(f"{self.path} is not a file of a match")
        for n, line in enumerate(lines):
            try:
                row = json.loads(line)
                if n == 0:
                    self._require_same(row, header, same)
                else:
                    self.games[int(row["number"])] = row
            except (ValueError, KeyError, TypeError):
                raise FileError(f"{self.path} is not a file of a match, or it is damaged (line {n + 1})") from None

    def _require_same(self, found: Any, header: dict[str, Any], same: tuple[str, ...]) -> None:
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise ValueError
        if found.get("version") != VERSION:
            raise FileError(
                f"{self.path} has format version {found.get('version')}; this Fogspiel reads version {VERSION}"
            )
        for name in same:
            if found.get(name) != header[name]:
                raise FileError(
                    f"{self.path} is of another match: its {name} is {_text(found.get(name))}, not {_text(header[name])}"
                )

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Write a game. Where that fails the match goes on without its file: what was written stays as it is."""
        if not self.unsaved:
            self._write({"number": number} | row)

    def _write(self, row: dict[str, Any]) -> None:
        whole, line = self.file.tell(), json.dumps(row).encode() + b"\n"
        try:
            if self.file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            self.unsaved = f"cannot write {self.path}: {error.strerror or error}"
            with contextlib.suppress(OSError):
                self.file.truncate(whole)

    def close(self) -> None:
        self.file.close()


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
