"""A program in a process of its own, to which messages go over a pipe, each a line of JSON, and which answers each with
another.

What it may take is bounded: time for an answer, memory, what it writes. Where the system allows it, it is a user of its
own, so that it can read neither this process nor its files. It ends with all that it started, and with this process.
"""

import contextlib
import getpass
import json
import os
import secrets
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from fogspiel.agents.fault import Fault, plain
from fogspiel.engine.native import cache_folder
from fogspiel.given import shown

POSSIBLE = os.name == "posix"
"""Whether agents can play in processes of their own here."""
LONGEST_LINE, MOST_WRITTEN = 1 << 16, 1 << 20
"""Bytes of an answer, and of all that may be written between two questions."""
LAST_WORDS = 2000
"""Bytes of what was written to standard error last that are kept."""
USERS = range(61184, 65520)
"""Numbers of users that systems keep free for services that come and go."""
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")
"""Folders that everybody may write to: a user of its own has its own."""
LEAVING = 0.5
"""Seconds in which a process that closes its output is to end."""
CODE_MOST = 64 << 20
"""Bytes of machine code that are copied for a user of its own."""
KEPT = (
    "PATH",
    "HOME",
    "PYTHONPATH",
    "LANG",
    "TZ",
    "TMPDIR",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "NODE_PATH",
    "JAVA_HOME",
    "XDG_CACHE_HOME",
    "PYTHONPYCACHEPREFIX",
    "PYTHONDONTWRITEBYTECODE",
    "FOGSPIEL_CACHE",
    "FOGSPIEL_OPTIMISE",
)
"""What a process is told of this one's environment, in which there may be secrets."""


@dataclass(frozen=True)
class Kept:
    """How far a program is kept apart from this process: whether by a user of its own, which folders are its own then,
    and what is told where something is not."""

    alone: bool
    private: tuple[str, ...] = ()
    told: str = ""


NOT_APART = Kept(False)


class Process:
    """A program at work. Whatever it does that it may not is a Fault, after which it is at its `end`."""

    def __init__(self, command: Sequence[str], memory: int, kept: Kept = NOT_APART):
        asked = {"run": list(command), "memory": memory, "check": None} | _settings(kept)
        self.child = subprocess.Popen(
            _launched(asked),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
            start_new_session=True,
        )
        inward, outward, errors = self.child.stdin, self.child.stdout, self.child.stderr
        assert inward is not None
        assert outward is not None
        assert errors is not None
        self.pipes = inward, outward, errors
        self.inward, self.outward, self.errors = (pipe.fileno() for pipe in self.pipes)
        self.selector = selectors.DefaultSelector()
        for pipe in (self.inward, self.outward, self.errors):
            os.set_blocking(pipe, False)
        self.selector.register(self.outward, selectors.EVENT_READ)
        self.selector.register(self.errors, selectors.EVENT_READ)
        self.said, self.last_words, self.written = b"", b"", 0

    def ask(self, message: dict[str, Any], seconds: float | None) -> dict[str, Any]:
        """Its answer to a message. Raises Fault where there is none that can be read, or none in so many seconds."""
        self.written = 0
        self._hear(0)
        if self.said:
            raise Fault(f"spoke before it was asked: {self._shown(self.said)}")
        deadline = None if seconds is None else time.monotonic() + seconds
        left = memoryview(json.dumps(message).encode() + b"\n")
        self.selector.register(self.inward, selectors.EVENT_WRITE)
        try:
            while b"\n" not in self.said:
                wait = None if deadline is None else deadline - time.monotonic()
                if wait is not None and wait <= 0:
                    raise Fault(f"took more than {seconds:g} s to answer; its process was ended")
                if self.inward in self._hear(wait):
                    left = left[self._write(left) :]
                    if not left:
                        self.selector.unregister(self.inward)
        finally:
            if left:
                self.selector.unregister(self.inward)
        line, _, self.said = self.said.partition(b"\n")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Fault(f"answered what is no message: {self._shown(line)}")
        return answer

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self.inward, data)
        except BlockingIOError:
            return 0
        except OSError:
            raise self._ended() from None

    def _hear(self, wait: float | None) -> set[int]:
        """Take in what it writes; which pipes there was something to do at."""
        ready = {key.fd for key, _ in self.selector.select(wait)}
        for pipe in ready - {self.inward}:
            with contextlib.suppress(BlockingIOError):
                data = os.read(pipe, LONGEST_LINE)
                self.written += len(data)
                if pipe == self.errors:
                    self.last_words = (self.last_words + data)[-LAST_WORDS:]
                    if not data:
                        self.selector.unregister(pipe)
                elif not data:
                    raise self._ended()
                else:
                    self.said += data
        if self.written > MOST_WRITTEN or (len(self.said) > LONGEST_LINE and b"\n" not in self.said):
            raise Fault(f"wrote more than {MOST_WRITTEN >> 20} MiB, or a line of more than {LONGEST_LINE >> 10} KiB")
        return ready

    def _ended(self) -> Fault:
        """What is told of a process that is no more, or has closed its output."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.child.wait(LEAVING)
        code = self.child.poll()
        self._kill()
        self.child.wait()
        with contextlib.suppress(OSError):
            while data := os.read(self.errors, LONGEST_LINE):
                self.last_words = (self.last_words + data)[-LAST_WORDS:]
        lines = self.last_words.decode(errors="replace").split("\n")
        said = [plain(line) for line in lines if line.strip()]
        last = next((line for line in reversed(said) if "rror" in line), said[-1] if said else "")
        how = "closed the pipe that it is heard by"
        if code is not None:
            how = f"failed: its process ended ({f'exit code {code}' if code >= 0 else _signal(-code)})"
        return Fault(f"{how}{f': {last[-300:]}' if last else ''}")

    def _kill(self) -> None:
        """End it and all that it started: what started it sees to that (`agents/launch.py`), where it stays, and is
        let."""
        if sys.platform == "linux":
            self.child.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.child.wait(LEAVING)
                return
        with contextlib.suppress(OSError):
            os.killpg(self.child.pid, signal.SIGKILL)

    def end(self) -> None:
        if self.child.returncode is None:
            self._kill()
            self.child.wait()
        self.selector.close()
        for pipe in self.pipes:
            with contextlib.suppress(OSError):
                pipe.close()

    @staticmethod
    def _shown(data: bytes) -> str:
        return shown(data[:100].decode(errors="replace"))


def kept_apart(name: str, command: Sequence[str], files: Iterable[str | Path] = ()) -> Kept:
    """How far a program of somebody's, which reads some files, can be kept apart; `told` names it."""
    needed = [os.getcwd(), *map(str, files), *(one for one in command if os.path.exists(one)), *_programs(command[0])]
    return _kept(name, tuple(dict.fromkeys(os.path.abspath(one) for one in needed)))


def _signal(number: int) -> str:
    with contextlib.suppress(ValueError):  # of a real-time signal, which has no name
        return f"signal {number}, {signal.Signals(number).name}"
    return f"signal {number}"


def _programs(name: str) -> list[str]:
    """The file of a program, and of the one that runs it where it is a script."""
    found = shutil.which(name)
    if found is None:
        return []
    with contextlib.suppress(OSError), open(found, "rb") as file:
        first = file.readline(300)
        if first.startswith(b"#!") and (words := first[2:].decode(errors="replace").split()):
            env = words[0].endswith("/env") and len(words) > 1
            return [found, os.path.realpath(found), *_programs(words[1] if env else words[0])]
    return [found, os.path.realpath(found)]


@cache
def _kept(name: str, needed: tuple[str, ...]) -> Kept:
    def told(why: str) -> Kept:
        return Kept(
            False, (), f"{name} plays as the user {_user()}, as this match does, and can read what that may: {why}"
        )

    if os.geteuid() != 0:
        return told("only root can give it a user of its own")
    private = tuple(folder for folder in TEMPORARY if not any(_inside(path, folder) for path in needed))
    asked = {"run": [], "memory": 0, "check": needed} | _settings(Kept(True, private))
    run = subprocess.run(_launched(asked), capture_output=True, env=_environment(), text=True)
    try:
        found = json.loads(run.stdout)
    except ValueError:
        return told(
            f"it cannot be given a user of its own ({run.stderr.strip().splitlines()[-1:] or 'no reason given'})"
        )
    if found["unreadable"]:
        return told(f"a user of its own could not read {found['unreadable'][0]}")
    shared = [folder for folder in TEMPORARY if folder not in found["own"] and os.path.isdir(folder)]
    return Kept(True, private, f"{name} shares {' and '.join(shared)} with other programs" if shared else "")


def _inside(path: str, folder: str) -> bool:
    return any(one == folder or one.startswith(f"{folder}/") for one in (path, os.path.realpath(path)))


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.geteuid())


def _settings(kept: Kept) -> dict[str, Any]:
    user = USERS[secrets.randbelow(len(USERS))] if kept.alone else None
    return {
        "parent": os.getpid(),
        "user": user,
        "private": kept.private,
        "code": str(cache_folder()),
        "code_most": CODE_MOST,
    }


def _launched(asked: dict[str, Any]) -> list[str]:
    """What runs `launch.py`: an interpreter that reads nothing but that file and the standard library."""
    return [sys.executable, "-I", "-S", str(Path(__file__).parent / "launch.py"), json.dumps(asked)]


def _environment() -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("LC_")}
    return known | {"PYTHONUNBUFFERED": "1"}
