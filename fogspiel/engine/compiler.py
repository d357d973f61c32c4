"""Plain functions to one piece of object code with C entry points. Imported only when something has to be compiled.

Numba compiles each function to LLVM; here the results are linked, wrapped in entry points of the C calling convention,
stripped of all else and turned into an object file. Such a file needs neither Numba nor the Python source to run.
"""

from dataclasses import dataclass, field
from types import FunctionType

import llvmlite.binding as llvm
import numba
from numba import njit, types

from fogspiel.engine import twins
from fogspiel.engine.closure import globals_read
from fogspiel.engine.kinds import Kind
from fogspiel.engine.primitives import TWINS

_NUMBA_SCALARS = {"i1": types.int8, "i4": types.int32, "i8": types.int64, "u8": types.uint64, "f8": types.float64}


@dataclass(frozen=True)
class Entry:
    """One function to compile: what it is given, and what it returns (None for nothing)."""

    name: str
    function: FunctionType
    arguments: tuple[Kind, ...]
    result: Kind | None
    options: dict = field(default_factory=dict)


class CompileError(Exception):
    """A function that cannot be compiled; `entry` is its name, `line` where the reason lies, if known."""

    def __init__(self, entry: Entry, reason: str, line: int | None):
        super().__init__(reason)
        self.entry, self.reason, self.line = entry, reason, line


def compile_entries(entries: list[Entry]) -> bytes:
    """Object code in which each entry is a C function named `fogspiel_` and its name."""
    compiled: dict[tuple, object] = {}
    whole = None
    for entry in entries:
        module = llvm.parse_assembly(_compile_one(entry, compiled))
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    machine = target_machine()
    for symbol in [*whole.functions, *whole.global_variables]:
        if not symbol.is_declaration and not symbol.name.startswith("fogspiel_"):
            symbol.linkage = llvm.Linkage.internal
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.slp_vectorization = True
    tuning.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(whole, builder)
    unknown = [f.name for f in whole.functions if f.is_declaration and _needs_numba(f.name)]
    if unknown:
        raise CompileError(entries[0], f"the code needs Python objects at run time ({unknown[0]})", None)
    return machine.emit_object(whole)


def target_machine():
    return llvm.Target.from_default_triple().create_target_machine(
        opt=3, jit=True, codemodel="jitdefault", cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten()
    )


def _needs_numba(symbol: str) -> bool:
    return symbol.startswith(("NRT_", "numba_", "Py", "_Py"))


def _compile_one(entry: Entry, compiled: dict) -> str:
    signature = (types.void if entry.result is None else _numba_type(entry.result))(*map(_numba_type, entry.arguments))
    options = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True} | entry.options
    try:
        dispatcher = njit(signature, **options)(_with_compiled_callees(entry.function, entry.options, compiled))
        (overload,) = dispatcher.overloads.values()
    except (numba.core.errors.NumbaError, NotImplementedError, TypeError, ValueError, AssertionError) as error:
        raise CompileError(entry, *_reason(error, entry.function)) from error
    return dispatcher.inspect_llvm(dispatcher.signatures[0]) + _entry_point(entry, overload.fndesc.llvm_func_name)


def _with_compiled_callees(function: FunctionType, options: dict, compiled: dict) -> FunctionType:
    """The function again, with each function it calls replaced by one compiled with the same options."""
    copy = _bare_copy(function)
    _link(copy, function, options, compiled)
    return copy


def _bare_copy(function: FunctionType) -> FunctionType:
    copy = FunctionType(function.__code__, {}, function.__name__, function.__defaults__, function.__closure__)
    copy.__module__ = function.__module__
    return copy


def _link(copy: FunctionType, function: FunctionType, options: dict, compiled: dict) -> None:
    """Give a copy of a function its globals, compiled callees among them.

    A callee is entered in `compiled` before its own callees are looked at, so that functions may call themselves.
    """
    scope = copy.__globals__
    scope.update(function.__globals__)
    for name, value in globals_read(function).items():
        if not isinstance(value, FunctionType):
            continue
        if value in TWINS:
            scope[name] = getattr(twins, value.__name__)
            continue
        key = (value, str(sorted(options.items())))
        if key not in compiled:
            inner = _bare_copy(value)
            compiled[key] = njit(error_model="numpy", **options)(inner)
            _link(inner, value, options, compiled)
        scope[name] = compiled[key]


def _numba_type(kind: Kind):
    if kind.shape == "record":
        return numba.from_dtype(kind.element)
    scalar = _NUMBA_SCALARS[kind.element.str[1:]]
    return scalar if kind.shape == "scalar" else types.CPointer(scalar)


def _entry_point(entry: Entry, inner: str) -> str:
    """A C function around Numba's own calling convention: result and exception by pointer, a status returned.

    A status that tells of an exception is dropped: a compiled rule cannot raise, and `check` finds those that try.
    """
    parameters = ", ".join(f"{kind.llvm} %a{i}" for i, kind in enumerate(entry.arguments))
    result = entry.result.llvm if entry.result else "void"
    slot = "ptr" if entry.result is None else result
    zero = {"ptr": "null", "i64": "0", "double": "0.0"}[slot]
    back = "ret void" if entry.result is None else f"%v = load {slot}, ptr %r\n  ret {slot} %v"
    return f"""
define {result} @fogspiel_{entry.name}({parameters}) {{
  %r = alloca {slot}
  %e = alloca ptr
  store {slot} {zero}, ptr %r
  %s = call i32 @"{inner}"(ptr %r, ptr %e{"".join(f", {kind.llvm} %a{i}" for i, kind in enumerate(entry.arguments))})
  {back}
}}
"""


def _reason(error: Exception, function: FunctionType) -> tuple[str, int | None]:
    """Numba's complaint as one sentence, and the source line it points at."""
    file = function.__code__.co_filename
    line = None
    sentences = []
    text = str(error)
    for part in text.splitlines():
        part = part.strip()
        if part.startswith("File ") and ", line " in part:
            named, _, number = part.partition(", line ")
            if named.removeprefix("File ").strip('"').rsplit("/", 1)[-1] in file:
                line = int("".join(c for c in number if c.isdigit()) or 0) or line
        elif part and not part.startswith(_NOISE):
            sentences.append(part)
    location = getattr(error, "loc", None)
    if line is None and location is not None and location.filename == file:
        line = location.line
    return (" ".join(sentences[:2]) or type(error).__name__), line


_NOISE = ("Failed in", "During", "[1", "[2", "[3", "[4", "[5", "<source", "^", "File", "This ", "-", "There are", "Enter",
          "raised from", "Use of a feature", "For Numba", "Overload", "Match", "- Of", "* ")  # fmt: skip
