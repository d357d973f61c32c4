"""`@kernel`: a plain, annotated function over arrays that runs as machine code.

The kernels of one module (or of a `group` within it) are compiled together, the first time one of them is called, and
kept on disk. Calling a kernel releases the interpreter lock. `kernel.plain` is the function itself, un-compiled.
"""

from collections.abc import Callable
from typing import Any, TypeVar, overload

from fogspiel.engine.closure import Function
from fogspiel.engine.kinds import Kind
from fogspiel.engine.native import native

F = TypeVar("F", bound=Function)

_groups: dict[str, list["Kernel"]] = {}
"""The kernels that are compiled together, by the names of their groups."""


class Kernel:
    """One compiled function of a module; called with NumPy arrays and numbers as its annotations say."""

    def __init__(self, plain: Function, group: str, alone: bool, options: dict[str, Any]):
        kinds = dict(plain.__annotations__)
        self.plain, self.options = plain, options
        self.group = f"{plain.__module__}-{group}" if group else plain.__module__
        self.result: Kind | None = kinds.pop("return", None)
        self.arguments: tuple[Kind, ...] = tuple(kinds.values())
        self._native: Callable[..., Any] | None = None
        self.__doc__, self.__name__ = plain.__doc__, plain.__name__
        self._together = [] if alone else _groups.setdefault(self.group, [])
        self._together.append(self)

    def __call__(self, *values: Any) -> Any:
        return self.native(*[kind.pass_(value) for kind, value in zip(self.arguments, values, strict=True)])

    @property
    def native(self) -> Callable[..., Any]:
        """The compiled function."""
        if self._native is None:
            _compile(self.group, self._together)
            assert self._native is not None
        return self._native

    def bind(self, *values: Any) -> "Bound":
        """The kernel with arguments that stay the same; None stands for one that is given at every call.

        To look at fifty arrays takes as long as a short search does. Their addresses are taken now: they must not be
        resized.
        """
        return Bound(self, values)


class Bound:
    """A kernel, some of whose arguments are given once and for all; it keeps them alive."""

    def __init__(self, kernel: Kernel, values: tuple[Any, ...]):
        self._kernel, self._kept = kernel, values
        pairs = list(zip(kernel.arguments, values, strict=True))
        self._passed = [None if value is None else kind.pass_(value) for kind, value in pairs]
        self._open = [(i, kind) for i, (kind, value) in enumerate(pairs) if value is None]

    def __call__(self, *given: Any) -> Any:
        passed = self._passed.copy()
        for (i, kind), value in zip(self._open, given, strict=True):
            passed[i] = kind.pass_(value)
        return self._kernel.native(*passed)


@overload
def kernel(function: Function, *, group: str = "", alone: bool = False, **options: Any) -> Kernel: ...


@overload
def kernel(*, group: str = "", alone: bool = False, **options: Any) -> Callable[[Function], Kernel]: ...


def kernel(
    function: Function | None = None, *, group: str = "", alone: bool = False, **options: Any
) -> Kernel | Callable[[Function], Kernel]:
    """Mark a function as a kernel; `alone`, it is compiled without others of its group. Options are Numba's, such as
    `fastmath`, and those of `compiler.Entry`."""
    if function is None:
        return lambda f: Kernel(f, group, alone, options)
    return Kernel(function, group, alone, options)


def inlined(function: F) -> F:
    """Mark a function that kernels call so often that it is to become a part of its callers, whatever its size."""
    vars(function)["inlined"] = True
    return function


def _compile(group: str, kernels: list[Kernel]) -> None:
    functions = {k.__name__: (k.plain, k.arguments, k.result, k.options) for k in kernels}
    compiled = native(group.replace(".", "-"), functions)
    for k in kernels:
        k._native = compiled[k.__name__]
