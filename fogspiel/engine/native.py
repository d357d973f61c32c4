"""Machine code kept on disk and loaded into the process.

One file holds the object code of one group of functions (a game's rules, or the kernels of a module). Its name is a
hash of everything the code depends on: the functions and all they call, this package's compiler, the versions of Python
and of the compiler, the processor. A file that is there, and whole by its checksum, is right, so nothing is ever
invalidated; `fogspiel cache` tells where the files are and removes them.
"""

import contextlib
import ctypes
import hashlib
import os
import platform
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import RLock
from typing import Any

from fogspiel.engine.alarm import Alarm, symbols
from fogspiel.engine.closure import Function, fingerprint, reachable
from fogspiel.engine.disk import alone, replace, sweep
from fogspiel.engine.kinds import Kind
from fogspiel.engine.notice import compiling
from fogspiel.errors import SpecError

_loaded: dict[str, object] = {}
_alarms: dict[int, Alarm] = {}
_loading = RLock()
"""Threads may ask for code at once, and neither Numba nor LLVM makes or loads it for two of them."""

Described = tuple[Function, tuple[Kind, ...], Kind | None, dict[str, Any]]
"""What is compiled: a function, the kinds of what it is given, that of its result, and options of `compiler.Entry`."""

_DIGEST = 32
"""Bytes of checksum before the code in a file."""


def cache_folder() -> Path:
    """Where machine code is kept: `FOGSPIEL_CACHE`, or the user's cache folder."""
    if chosen := os.environ.get("FOGSPIEL_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home()
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "fogspiel"


def native(name: str, functions: Mapping[str, Described]) -> dict[str, Any]:
    """C functions, callable through ctypes, by name; compiled now if they are not on disk.

    Raises CompileError (from `engine.compiler`) where a function cannot be compiled.
    """
    return _bound(_engine(name, functions), functions)


def guarded(name: str, functions: Mapping[str, Described]) -> tuple[dict[str, Any], Alarm]:
    """As `native`, of functions that are compiled with guards and take a record first; and the alarm that rings where
    one fails."""
    engine = _engine(name, functions)
    cell = engine.get_global_value_address("fogspiel_alarm")
    size = next(iter(functions.values()))[1][0].element.itemsize
    with _loading:
        if cell not in _alarms:
            _alarms[cell] = Alarm(cell, [*functions], size)
    return _bound(engine, functions), _alarms[cell]


def _engine(name: str, functions: Mapping[str, Described]) -> Any:
    """What holds the code of the functions."""
    described = [(n, a, r, o) for n, (_, a, r, o) in functions.items()]
    level = _level(functions)
    key = fingerprint([f for f, *_ in functions.values()], (_toolchain(), level), described)
    path = cache_folder() / f"{name}-{key}.o"
    with _loading:
        if not _loaded:
            sweep(path.parent)
        if str(path) not in _loaded:
            code = _read(path)
            if code is None:
                with compiling(name, len(reachable([f for f, *_ in functions.values()]))), alone(path, patience=60):
                    code = _read(path) or _compile(path, functions, level)
            _loaded[str(path)] = _load(code)
        return _loaded[str(path)]


def _bound(engine: Any, functions: Mapping[str, Described]) -> dict[str, Any]:
    bound = {}
    for n, (_, arguments, result, _) in functions.items():
        prototype = ctypes.CFUNCTYPE(result.ctype if result else None, *[kind.ctype for kind in arguments])
        bound[n] = prototype(engine.get_function_address(f"fogspiel_{n}"))
    return bound


def _level(functions: Mapping[str, Described]) -> int:
    """The level of LLVM's at which functions are optimised: 3, or 1 where the environment wants them sooner
    (`FOGSPIEL_OPTIMISE=less`).

    Both compute the same bits, unless `fastmath` leaves some to the optimiser; such functions are always optimised
    fully.
    """
    optimise = os.environ.get("FOGSPIEL_OPTIMISE") or "fully"
    if optimise not in ("fully", "less"):
        raise SpecError(f"the environment's FOGSPIEL_OPTIMISE must be fully or less, not {optimise!r}")
    return 1 if optimise == "less" and not any("fastmath" in o for *_, o in functions.values()) else 3


def _compile(path: Path, functions: Mapping[str, Described], level: int) -> bytes:
    from fogspiel.engine.compiler import Entry, compile_entries  # to import the compiler is a good part of the wait

    code = compile_entries([Entry(n, f, a, r, o) for n, (f, a, r, o) in functions.items()], level)
    _write(path, code)
    return code


@cache
def _toolchain() -> str:
    """A hash of what, besides the functions, decides the machine code."""
    import llvmlite.binding as llvm

    sources = tuple(
        (Path(__file__).parent / f"{module}.py").read_text()
        for module in ("compiler", "shortcuts", "twins", "primitives", "kinds", "guards", "alarm")
    )
    features = tuple(sorted(llvm.get_host_cpu_features().items()))
    versions = (sys.version, version("numba"), version("llvmlite"))
    return fingerprint([], sources, versions, platform.machine(), llvm.get_host_cpu_name(), features)


def _read(path: Path) -> bytes | None:
    """The code in a file, or None where there is none or the file is damaged: wrong bytes would crash the process."""
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    code = stored[_DIGEST:]
    return code if stored[:_DIGEST] == _checksum(code) else None


def _checksum(code: bytes) -> bytes:
    return hashlib.sha256(code).digest()


def _write(path: Path, code: bytes) -> None:
    """Keep the code for the next run. Where that fails (a full or read-only disk) this run goes on without it."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, lambda file: file.write(_checksum(code) + code), durable=False)


def _load(code: bytes) -> Any:
    """An execution engine that holds the object code; it must be kept as long as the functions are used."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for symbol, address in symbols().items():
        llvm.add_symbol(symbol, address)
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine
