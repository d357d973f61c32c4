"""Plain functions to one piece of object code with C entry points. Imported only when something has to be compiled.

Numba compiles each function to LLVM; here the results are linked, wrapped in entry points of the C calling convention,
stripped of all else and turned into an object file. Such a file needs neither Numba nor the Python source to run.
"""

import dis
import inspect
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import njit, types
from numba.core import ir
from numba.core.codegen import CPUCodeLibrary
from numba.core.errors import NumbaExperimentalFeatureWarning

from fogspiel.engine import guards, twins
from fogspiel.engine.closure import Function, called, fingerprint, globals_read, reachable
from fogspiel.engine.complaint import Complaint, explain, kind_of
from fogspiel.engine.kinds import Kind
from fogspiel.engine.primitives import TWINS
from fogspiel.engine.shortcuts import Guarded, Plain, forget, no_collection, not_finished

_NUMBA_SCALARS = {
    "i1": types.int8,
    "i4": types.int32,
    "i8": types.int64,
    "u8": types.uint64,
    "f4": types.float32,
    "f8": types.float64,
}

SMALL = 60
"""Steps of bytecode below which a function may be copied into its callers."""

PASSES = 2
"""How often the whole is optimised at the highest level. With one pass kernels take a tenth more time: what grew simple
too late is not copied into its callers."""


_NUMBAS: dict[str, Any] = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": Plain,
}
"""How every function is compiled; none is called from Python by Numba's own wrappers."""
_GUARDED: dict[str, Any] = {"error_model": "guarded", "pipeline_class": Guarded}
"""And how guarded ones are."""


@dataclass(frozen=True)
class Entry:
    """One function to compile: what it is given, and what it returns (None for nothing).

    `options` are Numba's, and `apart`: that no two arrays or records given overlap, so that what is read from one need
    not be read again after a write to another; `short`: that loops are short, so that preparing to do several steps of
    one at once does not pay; `guarded`: what guarded code returns where something fails, or while its alarm rings
    (`engine/alarm.py`), or a pair of that and what it then writes first to its last argument; and `copied`: that it is
    made of many small functions, which are copied into their callers before Numba looks at them.
    """

    name: str
    function: Function
    arguments: tuple[Kind, ...]
    result: Kind | None
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def numbas(self) -> dict[str, Any]:
        own = {
            name: value for name, value in self.options.items() if name not in ("apart", "short", "copied", "guarded")
        }
        return own | (_GUARDED if self.guarded else {})

    @property
    def guarded(self) -> bool:
        return "guarded" in self.options


class Made(dict[tuple[Any, ...], Any]):
    """The functions that Numba has made for some entries, by what they were made of.

    `copied`: small ones are copied into their callers. `alike`: those made before of functions that do the same are
    used again; whether one was is `borrowed`.
    """

    def __init__(self, copied: bool, alike: bool = True):
        self.copied, self.alike, self.borrowed = copied, alike, False


_known: dict[tuple[Any, ...], Any] = {}
"""Functions that Numba has made, by the hash of what they do."""

MOST = 1000
"""How many of them are kept."""


class CompileError(Exception):
    """An entry that cannot be compiled; `complaint` tells why and where."""

    def __init__(self, entry: Entry, complaint: Complaint):
        code = complaint.function.__code__
        super().__init__(f"{entry.name} ({code.co_filename}, line {complaint.line}): {complaint.reason}")
        self.entry, self.complaint = entry, complaint


def compile_entries(entries: list[Entry], level: int) -> bytes:
    """Object code in which each entry is a C function named `fogspiel_` and its name, optimised at a level of LLVM's, 1
    to 3."""
    short, copied = (all(entry.options.get(name) for entry in entries) for name in ("short", "copied"))
    if len(_known) > MOST:
        _known.clear()
        forget()
    compiled = Made(copied)
    try:
        return _object_code(entries, compiled, short, level)
    except CompileError:
        if not compiled.borrowed:
            raise
        # what is wrong, and where, is told of these very functions, not of like ones in another file
        return _object_code(entries, Made(copied, alike=False), short, level)


def _object_code(entries: list[Entry], compiled: Made, short: bool, level: int) -> bytes:
    with no_collection(), not_finished(), warnings.catch_warnings():
        # of functions that are shared, those for like records are looked at, too; the one that fits is taken
        warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        overloads = [_compile_one(entry, compiled) for entry in entries]
    whole = _linked(entries, overloads, compiled)
    machine = target_machine(level)
    for symbol in [*whole.functions, *whole.global_variables]:
        if not symbol.is_declaration and not symbol.name.startswith("fogspiel_"):
            symbol.linkage = llvm.Linkage.internal
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    guarded = any(entry.guarded for entry in entries)
    if level == 3 and guarded:
        tuning.inlining_threshold = 1000
    tuning.loop_vectorization = level == 3 and not short
    tuning.loop_unrolling = level == 3
    # what a rule writes is read one by one, soon: to put it together first takes longer
    tuning.slp_vectorization = level == 3 and not guarded
    for _ in range(PASSES if level == 3 else 1):
        builder = llvm.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(whole, builder)
    if any(_is_numbas(f) for f in whole.functions):
        if level < 3:  # what is never called may still be there
            return _object_code(entries, compiled, short, 3)
        guilty = [_needs_numba(whole, f"fogspiel_{entry.name}") for entry in entries]
        at = guilty.index(True) if True in guilty else 0
        raise CompileError(entries[at], _memory_complaint(entries[at], overloads[at], compiled))
    return machine.emit_object(whole)


def _linked(entries: list[Entry], overloads: list[Any], compiled: Made) -> llvm.ModuleRef:
    """One module with the entry points, their functions, and all that these call."""
    names = [overload.fndesc.llvm_func_name for overload in overloads]
    declared = {_declaration(entry, name) for entry, name in zip(entries, names, strict=True)}
    points = [_entry_point(*entry, place) for place, entry in enumerate(zip(entries, names, strict=True))]
    alarm = [_ALARM] if any(entry.guarded for entry in entries) else []
    whole = llvm.parse_assembly("\n".join([_UNCOUNTED, *alarm, *sorted(declared), *points]))
    done: set[CPUCodeLibrary] = set()
    _link_in(whole, [overload.library for overload in overloads], done)
    # functions that call each other: Numba leaves their addresses to be filled in at run time
    while left := [g for g in whole.global_variables if g.name.startswith(_UNRESOLVED) and g.is_declaration]:
        made = {
            o.fndesc.llvm_func_name: o for d in {*compiled.values(), *_known.values()} for o in d.overloads.values()
        }
        for name in [g.name for g in left]:
            function = name.removeprefix(_UNRESOLVED)
            _link_in(whole, [made[function].library], done)
            whole.link_in(llvm.parse_assembly(f'declare void @"{function}"()\n@"{name}" = global ptr @"{function}"'))
    return whole


def _link_in(whole: llvm.ModuleRef, libraries: list[CPUCodeLibrary], done: set[CPUCodeLibrary]) -> None:
    """Copy what Numba has made of functions, and of those they call, into the module, unless that is done."""
    todo = list(libraries)
    while todo:
        library = todo.pop()
        if library not in done:
            done.add(library)
            todo.extend(library._linking_libraries)
            module = library._final_module.clone()
            for function in module.functions:
                if not function.is_declaration:
                    # a function that was finished outside holds copies of those it calls
                    function.linkage = llvm.Linkage.weak_odr
            whole.link_in(module)


_UNRESOLVED = ".numba.unresolved$"
_UNCOUNTED = "".join(f"define void @NRT_{name}(ptr %p) {{\n  ret void\n}}\n" for name in ("incref", "decref"))
"""Numba counts references even to what is never freed, and nothing that compiled code may use is."""


def target_machine(level: int) -> Any:
    return llvm.Target.from_default_triple().create_target_machine(
        opt=level,
        jit=True,
        codemodel="jitdefault",
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
    )


def _is_numbas(function: llvm.ValueRef) -> bool:
    """A function that only a process with Numba has: of its memory manager, of its exceptions, of Python itself."""
    return function.is_declaration and function.name.startswith(("NRT_", "numba_", "Py", "_Py"))


def _needs_numba(module: llvm.ModuleRef, name: str) -> bool:
    """Whether a function of the module mentions, directly or not, one that is Numba's."""
    seen, todo = {name}, [name]
    while todo:
        function = module.get_function(todo.pop())
        if _is_numbas(function):
            return True
        used = [o for block in function.blocks for i in block.instructions for o in i.operands]
        named = {o.name for o in used if o.value_kind == llvm.ValueKind.function} - seen
        todo.extend(named)
        seen |= named
    return False


def _memory_complaint(entry: Entry, overload: Any, compiled: Made) -> Complaint:
    """What in an entry, or in what it calls, needs Python or memory at run time."""
    known = {function: made.overloads.values() for (function, _), made in compiled.items()}
    known[entry.function] = [overload]
    for function in reachable([entry.function]):
        for notes in (made.type_annotation for made in known.get(function, ())):
            for statement in (s for block in notes.blocks.values() for s in block.body):
                if isinstance(statement, ir.Print):
                    return Complaint(PRINT, function, statement.loc.line)
                kind = notes.typemap.get(statement.target.name) if isinstance(statement, ir.Assign) else None
                if isinstance(kind, _ALLOCATED) and not isinstance(kind, types.NestedArray):
                    return Complaint(NO_MEMORY.format(kind_of(str(kind))), function, statement.loc.line)
    return Complaint("it needs Python objects at run time", entry.function, entry.function.__code__.co_firstlineno)


PRINT = "print works only where the code runs un-compiled (debug=True)"
NO_MEMORY = "it makes {}, for which compiled code has no memory; use numbers and array fields"
_ALLOCATED = (types.Array, types.List, types.ListType, types.Set, types.DictType, types.UnicodeType)


def _compile_one(entry: Entry, compiled: Made) -> Any:
    """Numba's result for an entry: the one that other functions call, where what it returns is of the kind that is
    wanted."""
    arguments = tuple(map(_numba_type, entry.arguments))
    result = types.void if entry.result is None else _numba_type(entry.result)
    if not _calls_itself(entry.function):
        shared = _compiled(entry.function, entry.numbas, compiled)
        with suppress(Exception):  # what is wrong is told below, of the function as it should be
            shared.compile(arguments)
            if shared.overloads[arguments].signature.return_type == result:
                return shared.overloads[arguments]
    try:
        copy = _with_compiled_callees(entry.function, entry.numbas, compiled)
        return njit(result(*arguments), **(_NUMBAS | entry.numbas))(copy).overloads[arguments]
    except Exception as error:  # Numba passes on whatever went wrong inside it
        fields = [name for kind in entry.arguments for name in _field_names(kind)]
        raise CompileError(entry, explain(error, entry.function, tuple(fields))) from error


def _calls_itself(function: Function) -> bool:
    return function in reachable(called(function))


def _with_compiled_callees(function: Function, options: dict[str, Any], compiled: Made) -> Function:
    """The function again, with each function it calls replaced by one compiled with the same options."""
    copy = _bare_copy(function)
    vars(copy)["recursive"] = _calls_itself(function)
    _link(copy, function, options, compiled)
    return copy


def _bare_copy(function: Function) -> Function:
    """The function without globals, under names that do not tell where its file lies: they go into the object code."""
    code = function.__code__.replace(co_filename=Path(function.__code__.co_filename).name)
    copy = FunctionType(code, {}, function.__name__, function.__defaults__, function.__closure__)
    copy.__module__ = "fogspiel"
    return copy


def _link(copy: Function, function: Function, options: dict[str, Any], compiled: Made) -> None:
    """Give a copy of a function its globals, compiled callees among them."""
    scope = copy.__globals__
    scope.update(function.__globals__)
    for name, value in globals_read(function).items():
        if not isinstance(value, FunctionType):
            continue
        if value in TWINS:
            scope[name] = getattr(twins, value.__name__)
            continue
        scope[name] = _compiled(value, options, compiled)


def _compiled(function: Function, options: dict[str, Any], compiled: Made) -> Any:
    """The function as others call it: compiled by Numba for whatever it is given.

    It is entered in `compiled` before its own callees are looked at, so that functions may call themselves.
    """
    key = (function, str(sorted(options.items())))
    if key not in compiled:
        early = compiled.copied and _small(function)
        how: dict[str, Any] = {"inline": "always"} if early else {"forceinline": getattr(function, "inlined", False)}
        meaning = (fingerprint([function]), compiled.copied, str(how), key[1]) if compiled.alike else key
        if meaning in _known:
            compiled[key], compiled.borrowed = _known[meaning], True
        else:
            inner = _bare_copy(function)
            vars(inner)["recursive"] = _calls_itself(function)
            compiled[key] = njit(**how, **(_NUMBAS | options))(inner)
            if compiled.alike:
                _known[meaning] = compiled[key]
            _link(inner, function, options, compiled)
    return compiled[key]


def _small(function: Function) -> bool:
    """Whether a function is so short, and without loops, that to compile it by itself takes longer than to copy it into
    its callers."""
    code = function.__code__
    steps = [i.opname for i in dis.get_instructions(code)]
    able = not code.co_flags & inspect.CO_VARARGS and not {"RAISE_VARARGS", "CALL_FUNCTION_EX"} & {*steps}
    return able and len(steps) < SMALL and not any("BACKWARD" in step for step in steps)


def _field_names(kind: Kind) -> list[str]:
    own = list(kind.element.names or ())
    return own + [name for member, inner in kind.members for name in (member, *_field_names(inner))]


def _numba_type(kind: Kind) -> Any:
    if kind.shape == "bundle":
        return twins.Bundle(tuple((name, _numba_type(member)) for name, member in kind.members))
    if kind.shape in ("record", "records"):
        record = numba.from_dtype(kind.element)
        return record if kind.shape == "record" else twins.Records(record)
    scalar = _NUMBA_SCALARS[kind.element.str[1:]]
    if kind.length:
        return guards.Bounded(scalar, kind.length)
    return scalar if kind.shape == "scalar" else types.CPointer(scalar)


def _declaration(entry: Entry, inner: str) -> str:
    return f'declare i32 @"{inner}"({", ".join(["ptr", "ptr", *(kind.llvm for kind in entry.arguments)])})'


_ALARM = f"""
@fogspiel_alarm = global i64 0
@{guards.DEEP} = global i64 0
@{guards.CALLS} = global i64 0
declare i64 @fogspiel_silent(ptr)
declare void @fogspiel_failed(ptr, i64, i64, i64, i64)
"""


def _entry_point(entry: Entry, inner: str, place: int) -> str:
    """A C function around Numba's own calling convention: result and exception by pointer, a status returned.

    Of guarded code, which is the place-th, a status that tells of a failure rings the alarm. Other code fails nowhere.
    """
    apart = " noalias" if entry.options.get("apart") else ""
    parameters = ", ".join(
        f"{kind.llvm}{apart if kind.llvm == 'ptr' else ''} %a{i}" for i, kind in enumerate(entry.arguments)
    )
    result = entry.result.llvm if entry.result else "void"
    slot = "ptr" if entry.result is None else result
    zero = {"ptr": "null", "i64": "0", "double": "0.0"}[slot]
    given = [f"{kind.llvm} %a{i}" for i, kind in enumerate(entry.arguments)]
    back = "ret void" if entry.result is None else f"%v = load {slot}, ptr %r\n  ret {slot} %v"
    before, after = _guards_of(entry, result, zero, place) if entry.guarded else ("", back)
    return f"""
define {result} @fogspiel_{entry.name}({parameters}) {{
  %r = alloca {slot}
  %e = alloca ptr
  store {slot} {zero}, ptr %r
  {before}
  %s = call i32 @"{inner}"({", ".join(["ptr %r", "ptr %e", *given])}) alwaysinline
  {after}
  {back if entry.guarded else ""}
}}
"""


def _guards_of(entry: Entry, result: str, zero: str, place: int) -> tuple[str, str]:
    """What a guarded entry point does before the function and after it."""
    neutral, *written = (
        entry.options["guarded"] if isinstance(entry.options["guarded"], tuple) else (entry.options["guarded"],)
    )
    number = "i64 %a1" if len(entry.arguments) > 1 and entry.arguments[1].llvm == "i64" else "i64 0"
    store = f"store i64 {written[0]}, ptr %a{len(entry.arguments) - 1}" if written else ""
    leave = "ret void" if result == "void" else f"ret {result} {neutral if neutral else zero}"
    before = f"""%rings = load i64, ptr @fogspiel_alarm
  %calm = icmp eq i64 %rings, 0
  br i1 %calm, label %go, label %ask, !prof !{{!"branch_weights", i32 2000, i32 1}}
ask:
  %q = call i64 @fogspiel_silent(ptr @fogspiel_alarm)
  %mine = icmp ne i64 %q, 0
  br i1 %mine, label %leave, label %go
failed:
  %status = sext i32 %s to i64
  %state = ptrtoint ptr %a0 to i64
  call void @fogspiel_failed(ptr @fogspiel_alarm, i64 {place}, i64 %status, i64 %state, {number})
  br label %leave
leave:
  {store}
  {leave}
go:"""
    after = """%bad = icmp sgt i32 %s, 0
  br i1 %bad, label %failed, label %fine, !prof !{!"branch_weights", i32 1, i32 2000}
fine:"""
    return before, after
