"""Files that kills do no harm to: locks that vanish with their process, files that are whole or not there, leftovers
swept away.

A file is written under another name beside its place, and then given its own. Its writer holds a lock on it meanwhile,
so a file of such a name on which nobody has a lock was left behind by a process that was killed, and whoever writes in
the folder next removes it.
"""

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        at = file.tell()
        file.seek(0x7FFFFFFE)  # others may read what is locked nowhere else, so far from anything that is read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
        finally:
            file.seek(at)

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


PART = ".fogspiel-part"
"""How the names of files end that are being written."""


def lock(file: IO[bytes]) -> bool:
    """Lock an open file, until it is closed or the process ends; False if another has it locked. Raises OSError where
    the file system knows no locks."""
    try:
        _lock(file)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def alone(path: Path, *, patience: float) -> Iterator[None]:
    """Have what is done inside done by one process at a time for the same path; others wait.

    They do so for at most `patience` seconds, since a process can be suspended, and not at all where there are no
    locks.
    """
    guard = path.with_name(f".{path.name}{PART}")
    file = _take(guard, patience)
    try:
        yield
    finally:
        if file is not None:
            with contextlib.suppress(OSError):
                guard.unlink()
            file.close()


def _take(guard: Path, patience: float) -> IO[bytes] | None:
    """A file of this name, new if need be, and locked; None where it cannot be had."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            guard.parent.mkdir(parents=True, exist_ok=True)
            file = open(guard, "ab")  # noqa: SIM115 (it stays open while it is locked)
        except OSError:
            return None
        try:
            # who had it before may have removed it meanwhile
            if lock(file) and os.path.samestat(os.fstat(file.fileno()), os.stat(guard)):
                return file
        except FileNotFoundError:
            pass
        except OSError:
            file.close()
            guard.unlink(missing_ok=True)
            return None
        file.close()
        time.sleep(0.05)
    return None


def sign_of_life(path: Path) -> tuple[IO[bytes], Path]:
    """A file beside a path, by which `alive` tells other processes that this one still is, until it is closed. Raises
    OSError where there can be none."""
    sweep(path.parent)
    file, name = _begin(path)
    return file, Path(name)


def alive(sign: Path) -> bool:
    """Whether the process whose sign this is still lives, and has not closed it. Where files cannot be locked, none
    does."""
    try:
        with open(sign, "r+b") as file:
            return not lock(file)
    except OSError:
        return False


def replace(path: Path, fill: Callable[[IO[bytes]], object], *, mode: int | None = None, durable: bool = True) -> None:
    """Put a file there with what `fill` writes, in place of what was there, or leave all as it was and raise OSError.

    `mode` are its permissions, by default for this user alone; `durable` has it on the disk before it takes its name.
    """
    sweep(path.parent)
    file, part = _begin(path)
    try:
        with file:
            fill(file)
            file.flush()
            if durable:
                os.fsync(file.fileno())
            if mode is not None:
                os.chmod(part, mode)
            if os.name == "nt":  # where an open file cannot be renamed
                file.close()
            os.replace(part, path)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


def _begin(path: Path) -> tuple[IO[bytes], str]:
    """A new file beside its place, locked."""
    while True:
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=PART)
        file = os.fdopen(handle, "wb")
        # another process may have taken it for a leftover before it was locked
        with contextlib.suppress(OSError):  # without locks there is no sweeping either
            if not lock(file) or not os.path.exists(part):
                file.close()
                continue
        return file, part


def sweep(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder: files that are nobody's, by name and by lock."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") and entry.name.endswith(PART) and entry.is_file(follow_symlinks=False):
                _remove(entry.path)


def _remove(part: str) -> None:
    with contextlib.suppress(OSError), open(part, "r+b") as file:
        if lock(file):
            if os.name == "nt":
                file.close()
            os.unlink(part)
