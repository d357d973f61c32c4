"""Numba's work, less what is not needed of it where many functions become one piece of object code
(`engine/compiler.py`)."""

import gc
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import get_ident
from typing import Any

from numba import njit, types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.cpu import CPUContext
from numba.core.inline_closurecall import InlineWorker
from numba.core.typed_passes import IRLegalization, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes, ReconstructSSA
from numba.np import arrayobj

from fogspiel.engine.closure import Function
from fogspiel.engine.guards import Guards, index_of


class Plain(CompilerBase):
    """Numba's compiler without the steps that change nothing where nothing is allocated, and where no function is
    within another. For each function it would ask what else can be compiled since the last; it asks all the same where
    it misses something."""

    def __init__(self, typing: Any, target: Any, *about: Any):
        with _as_known(typing), _as_known(target):
            super().__init__(typing, target, *about)
        del self.state.targetctx.refresh  # a copy of the target

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        left_out = [NopythonRewrites, IRLegalization]
        if not any(inspect.iscode(constant) for constant in self.state.func_id.code.co_consts):
            left_out.append(InlineClosureLikes)
        pipeline.passes = [(step, about) for step, about in pipeline.passes if step not in left_out]
        pipeline.finalize()
        return [pipeline]


class Guarded(Plain):
    """The same with guards (`engine/guards.py`)."""

    def define_pipelines(self) -> list[Any]:
        (pipeline,) = super().define_pipelines()
        place = next(i for i, (step, _) in enumerate(pipeline.passes) if step is ReconstructSSA)
        pipeline.passes.insert(place, (Guards, "guards"))
        pipeline._finalized = False
        pipeline.finalize()
        return [pipeline]


@contextmanager
def _as_known(context: Any) -> Iterator[None]:
    """What a context of Numba's knows stays as it is."""
    context.refresh = lambda: None
    try:
        yield
    finally:
        del context.refresh


@contextmanager
def no_collection() -> Iterator[None]:
    """Numba makes many objects that live until it is done; to look among them, and all others, for garbage takes an
    eighth of the time, and once it is done nearly as long. So that is left for later, until there are many."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            _collect_later()
            gc.enable()


MOST_LEFT = 1_000_000
"""Objects among which nobody has looked for garbage: some 200 MB, and what ten searches leave."""

_left = 0


def _collect_later() -> None:
    """Count what was made meanwhile as old, among which Python looks now and then."""
    global _left
    _left += gc.get_count()[0]
    if _left > MOST_LEFT or gc.get_freeze_count() > 0:  # whoever has frozen what there was would have it among the old
        _left = 0
        gc.collect()
    else:
        gc.freeze()
        gc.unfreeze()


@contextmanager
def not_finished() -> Iterator[None]:
    """Numba would link, optimise and make machine code of each function by itself, which is most of the work, and done
    again for the whole (`compiler.py`).

    What other threads compile meanwhile is not touched, and what is left out here is done later should somebody else
    need it.
    """
    _set_up()
    ours = get_ident()
    steps = [(owner, name, getattr(owner, name)) for owner, name, _ in _STEPS]
    for (owner, name, step), (*_, instead) in zip(steps, _STEPS, strict=True):
        setattr(owner, name, lambda *given, a=step, b=instead: (b if get_ident() == ours else a)(*given))
    try:
        yield
    finally:
        for owner, name, step in steps:
            setattr(owner, name, step)


@cache
def _set_up() -> None:
    """The first function is compiled as ever: with it Numba sets itself up, and asks what can be compiled. SciPy's
    linear algebra it does not find then: that is not called here, takes long to load, and for ever where address space
    is short."""
    missing = object()
    there = sys.modules.get("scipy.linalg", missing)
    if there is missing:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        njit(types.int64(types.int64), **options)(lambda x: x)
    finally:
        if there is missing:
            del sys.modules["scipy.linalg"]


def _call_type(function: Any, context: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """What an operation on numbers gives: found once, since Numba tries rule after rule."""
    if named or not all(isinstance(kind, types.Number | types.Boolean) for kind in arguments):
        return _usual_call_type(function, context, arguments, named)
    key = (function, tuple(arguments))
    if key not in _call_types or _call_types[key].args not in function._impl_keys:
        _call_types[key] = _usual_call_type(function, context, arguments, named)
    return _call_types[key]


def _size_of(context: CPUContext, kind: Any) -> int:
    """The bytes that a type takes: found once, since LLVM is asked by a module of its own."""
    name = str(kind)
    if name not in _sizes:
        _sizes[name] = _usual_size_of(context, kind)
    return _sizes[name]


def forget() -> None:
    """Keep no more functions that are to be copied into callers."""
    _untyped.clear()


def _untyped_passes(worker: InlineWorker, function: Function, enable_ssa: bool = False) -> Any:
    """A function that is to be copied into a caller, in Numba's terms: found once for all callers, since each makes a
    copy."""
    key = (function, enable_ssa)
    if key not in _untyped:
        _untyped[key] = _usual_untyped_passes(worker, function, enable_ssa)
    worker.flags.enable_ssa = enable_ssa
    return _untyped[key]


_usual_call_type, _usual_size_of = types.Function.get_call_type, CPUContext.get_abi_sizeof
_usual_untyped_passes = InlineWorker.run_untyped_passes
_call_types: dict[tuple[Any, ...], Any] = {}
_sizes: dict[str, int] = {}
_untyped: dict[tuple[Any, ...], Any] = {}

_STEPS: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
    (CPUCodeLibrary, "_optimize_functions", lambda library, module: None),
    (CPUCodeLibrary, "finalize", lambda library: None),
    # the function that Python would call: any built-in one, if no other is the same object, by which Numba tells them
    # apart
    (CPUContext, "get_executable", lambda context, library, *described: [].append),
    (types.Function, "get_call_type", _call_type),
    (CPUContext, "get_abi_sizeof", _size_of),
    (InlineWorker, "run_untyped_passes", _untyped_passes),
    (arrayobj, "fix_integer_index", index_of),
)
"""What Numba does at length, and what is done instead."""
