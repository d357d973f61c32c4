"""A program of its own, `python -I -S launch.py SETTINGS`: takes rights away from a process, which becomes another
program.

On Linux that is a child of this one, which stays, to end all that the program started, in whatever group or session
that is, when it ends, when the match does, or when it is told to (SIGTERM). What loses its parent becomes a child of
this process.

It imports nothing of this package: what it is started with is all that it holds. SETTINGS is JSON:

- `run`: the program and its arguments.
- `parent`: the process without which this one is to end.
- `memory`: bytes that it may take.
- `user`: the number of a user that nobody else is, or null to stay who it is; then `private` are folders of which it
  gets empty ones of its own, where the system allows that, and `code` is a folder of which it gets a copy, as far as
  `code_most` bytes go: machine code, which it would compile again otherwise.
- `check`: files that it must be able to read. With these nothing is run: it writes what it cannot read, and which
  folders are its own.
"""

import contextlib
import ctypes
import json
import os
import resource
import shutil
import signal
import sys
import time

NEW_NAMESPACE, RECURSIVE, PRIVATE, NO_SUID, NO_DEVICES = 0x20000, 1 << 14, 1 << 18, 2, 4
DEATH_SIGNAL, ADOPTS_ORPHANS, NO_NEW_PRIVILEGES = 1, 36, 38
RESERVED = 8 << 30
"""Bytes of addresses that a program may reserve beside the memory that it takes: V8 and others reserve far more than
they use."""
PROCESSES = 512
"""Processes and threads that a user of its own may have."""


def main() -> None:
    # whatever is imported must be so before this is another user, who may not be able to read it
    asked = json.loads(sys.argv[1])
    program = shutil.which(asked["run"][0]) or asked["run"][0] if asked["run"] else ""
    own = [] if asked["user"] is None else folders_of_its_own(asked["private"])
    if own:
        os.environ["HOME"] = os.environ["TMPDIR"] = own[0]
        os.environ["FOGSPIEL_CACHE"] = copied(asked["code"], f"{own[0]}/code", asked["code_most"])
    stays = sys.platform == "linux" and asked["check"] is None
    if stays:
        stay(asked["parent"])
    if asked["user"] is not None:
        os.setgroups([])
        os.setgid(asked["user"])
        os.setuid(asked["user"])
    if asked["check"] is not None:
        unreadable = [
            path for path in asked["check"] if not os.access(path, os.X_OK if os.path.isdir(path) else os.R_OK)
        ]
        print(json.dumps({"unreadable": unreadable, "own": own}))
        return
    limit(asked["memory"], asked["user"] is not None)
    if stays:
        system = ctypes.CDLL(None)
        system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        system.prctl(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)  # after the change of user, which forgets it
    try:
        os.execv(program, asked["run"])
    except OSError as error:
        sys.exit(f"{program}: {error.strerror}")


def stay(parent: int) -> None:
    """Go on as a child of this process, which ends with it, and with all that it started."""
    system = ctypes.CDLL(None)
    system.prctl(ADOPTS_ORPHANS, 1, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: leave(0))
    system.prctl(DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)  # it ended before
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        return
    nowhere = os.open(os.devnull, os.O_RDWR)
    for pipe in range(3):  # the child's alone, so that who listens hears when it closes them
        os.dup2(nowhere, pipe)
    while True:
        ended, status = os.wait()
        if ended == child:
            leave(status)


def leave(status: int) -> None:
    """End all that descends from this process, and then itself, as a process that ended with this status did."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        for pid in descendants(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            break
        time.sleep(0.001)
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        with contextlib.suppress(OSError):  # those that cannot be ignored have no other way either
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


def descendants(of: int) -> list[int]:
    """The processes that descend from one, children before theirs."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as file:
                children.setdefault(int(file.read().rpartition(")")[2].split()[1]), []).append(int(name))
    found = [of]
    for one in found:
        found += children.get(one, ())
    return found[1:]


def folders_of_its_own(wanted: list[str]) -> list[str]:
    """Those of the folders that are empty now for this process and all that it starts, and for nobody else."""
    found: list[str] = []
    with contextlib.suppress(OSError, AttributeError):
        system = ctypes.CDLL(None)
        if system.unshare(NEW_NAMESPACE) or system.mount(b"none", b"/", None, RECURSIVE | PRIVATE, None):
            return []
        for folder in wanted:
            how = NO_SUID | NO_DEVICES
            if os.path.isdir(folder) and not system.mount(
                b"tmpfs", folder.encode(), b"tmpfs", how, b"mode=1777,size=256m"
            ):
                found.append(folder)
    return found


def copied(folder: str, to: str, most: int) -> str:
    """A copy that everybody can read of the files of a folder, the newest first, of so many bytes at most."""
    os.mkdir(to)
    os.chmod(to, 0o777)
    with contextlib.suppress(OSError):
        for file in sorted(os.scandir(folder), key=lambda file: -file.stat().st_mtime):
            most -= file.stat().st_size
            if file.name.endswith(".o") and most >= 0:
                os.chmod(shutil.copyfile(file.path, f"{to}/{file.name}"), 0o644)
    return to


def limit(memory: int, alone: bool) -> None:
    """Bound what this process, and each that it starts, may take; where it is `alone` of its user, how many these are,
    too."""
    bounds = {"DATA": memory, "AS": memory + RESERVED, "FSIZE": memory, "CORE": 0} | (
        {"NPROC": PROCESSES} if alone else {}
    )
    for name, most in bounds.items():
        if (kind := getattr(resource, f"RLIMIT_{name}", None)) is not None:
            _, hard = resource.getrlimit(kind)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main()
