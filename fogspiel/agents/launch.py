"""A program of its own, `python -I -S launch.py SETTINGS`: takes rights away from its process, and becomes another
program in it.

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
import sys

NEW_NAMESPACE, RECURSIVE, PRIVATE, NO_SUID, NO_DEVICES = 0x20000, 1 << 14, 1 << 18, 2, 4
DEATH_SIGNAL, NO_NEW_PRIVILEGES, KILL = 1, 38, 9
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
    if sys.platform == "linux":
        system = ctypes.CDLL(None)
        system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        system.prctl(DEATH_SIGNAL, KILL, 0, 0, 0)  # after the change of user, which forgets it
        if os.getppid() != asked["parent"]:
            return  # it ended before
    try:
        os.execv(program, asked["run"])
    except OSError as error:
        sys.exit(f"{program}: {error.strerror}")


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
