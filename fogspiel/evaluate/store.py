"""The games of a match in a file of JSON lines: first what the match is, then a line a game, in the order they were
played.

A line counts once its end is written. A last line that was cut short is dropped, and its game played again. Every line
ends with a digest of itself, so that damage anywhere else is found, and told by its line. One process writes to a file
at a time: it holds a lock, which vanishes with it.
"""

import contextlib
import errno
import json
import os
from hashlib import blake2b
from pathlib import Path
from typing import Any

from fogspiel.engine.disk import lock
from fogspiel.errors import FileError

FORMAT, VERSION = "fogspiel match", 2
_DIGEST = b', "digest": "'


_EDITED = {
    "behaviour": "the rules of the game have changed",
    "strategies": "what {} plays by has changed",
}
"""What agrees unless somebody edited a file, and how that is told."""


class Store:
    """An open file. `games` are those read from it, by number; `unsaved` says why it could not be written to any
    more."""

    def __init__(
        self, path: str | Path, header: dict[str, Any], same: tuple[str, ...], *, resume: bool, private: bool = False
    ):
        """A new file, or with `resume` one of the same match: one whose header agrees in all that is named in `same`. A
        `private` one nobody else can read: in it is the seed, by which all cards are known."""
        self.path, self.unsaved = Path(path), ""
        self.games: dict[int, dict[str, Any]] = {}
        header = {"format": FORMAT, "version": VERSION} | header
        try:
            if not resume:
                self.file = open(self.path, "xb", buffering=0)  # noqa: SIM115
                self._lock()
            else:
                self.file = open(self.path, "r+b", buffering=0)  # noqa: SIM115
                self._lock()
                self._read(header, same)
                self.file.truncate(self.end)
                self.file.seek(self.end)
            if private:
                os.fchmod(self.file.fileno(), 0o600)
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
        except FileError:
            self.file.close()
            raise
        if self.file.tell() == 0:
            self._write(header)
            if self.unsaved:
                raise FileError(self.unsaved)

    def _lock(self) -> None:
        if not lock(self.file):
            raise FileError(
                f"another process is writing to {self.path}; wait until that match has ended, or choose another name"
            )

    def _read(self, header: dict[str, Any], same: tuple[str, ...]) -> None:
        *lines, torn = self.file.read().split(b"\n")
        self.end = sum(len(line) + 1 for line in lines)
        if not lines and not torn.startswith(b'{"format": "fogspiel match"'[: len(torn)]):
            raise FileError(f"{self.path} is not a file of a match")
        for n, line in enumerate(lines):
            try:
                if n == 0:
                    self._require_version(_row(line, checked=False))
                row = _row(line)
                if n == 0:
                    self._require_same(row, header, same)
                else:
                    self.games[_whole(row["number"])] = row
            except (ValueError, KeyError, TypeError, RecursionError):
                raise FileError(f"{self.path} is not a file of a match, or it is damaged (line {n + 1})") from None

    def _require_version(self, found: Any) -> None:
        if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("version"), int):
            raise ValueError
        if found["version"] != VERSION:
            raise FileError(f"{self.path} has format version {found['version']}; this Fogspiel reads version {VERSION}")

    def _require_same(self, found: dict[str, Any], header: dict[str, Any], same: tuple[str, ...]) -> None:
        for name in same:
            if found.get(name) == header[name]:
                continue
            if name in _EDITED:
                raise FileError(
                    f"{_EDITED[name].format(self._changed(found, header))} since the match in {self.path} began, so "
                    "it cannot be resumed; put back what was there, or store a new match under another name"
                )
            raise FileError(
                f"{self.path} is of another match: its {_named(name)} {_text(found.get(name))}, not "
                f"{_text(header[name])}"
            )

    @staticmethod
    def _changed(found: dict[str, Any], header: dict[str, Any]) -> str:
        """The agents of which a file or strategy is not what it was."""
        before, now = found.get("strategies") or (), header["strategies"]
        names = [name for name, old, new in zip(header["agents"], before, now, strict=False) if old != new]
        return " and ".join(names) or "agents"

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Write a game. Where that fails the match goes on without its file: what was written stays as it is."""
        if not self.unsaved:
            self._write({"number": number} | row)

    def _write(self, row: dict[str, Any]) -> None:
        whole, line = self.file.tell(), _line(row)
        try:
            if self.file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            self.unsaved = f"cannot write {self.path}: {error.strerror or error}"
            with contextlib.suppress(OSError):
                self.file.truncate(whole)

    def close(self) -> None:
        self.file.close()


def seed_in(path: str | Path) -> int | None:
    """The seed of the match in a file, or None where it cannot be read; what is wrong with the file, `Store` says."""
    try:
        with open(path, "rb") as file:
            seed = _row(file.readline().removesuffix(b"\n"))["seed"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return seed if type(seed) is int and 0 <= seed < 1 << 64 else None


def _line(row: dict[str, Any]) -> bytes:
    """A row as a line, with a digest of what comes before it."""
    before = json.dumps(row).encode().removesuffix(b"}")
    return before + _DIGEST + _digest(before) + b'"}\n'


def _row(line: bytes, checked: bool = True) -> Any:
    """What is in a line. Raises ValueError where that does not fit its digest."""
    before, _, digest = line.rpartition(_DIGEST)
    if checked and digest != _digest(before) + b'"}':
        raise ValueError("another digest")
    return json.loads(line, parse_constant=_refuse)


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=8, person=b"fogspiel match").hexdigest().encode()


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError("not a whole number")
    return value


_CALLED = {"strangers_in_this_process": "agents that are not ours and play together"}


def _named(name: str) -> str:
    """What a header's entry is called, and its verb."""
    plain = _CALLED.get(name, name.replace("_", " "))
    return f"{plain} {'are' if name.endswith('s') else 'is'}"


def _text(value: Any) -> str:
    if value is None:
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
