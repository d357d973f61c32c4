"""`@kernel`: a plain, annotated function over arrays that runs as machine code.

The kernels of one module are compiled together, the first time one of them is called, and kept on disk. Calling a
kernel releases the interpreter lock. `kernel.plain` is the function itself, un-compiled.
"""

import sys
from collections.abc import Callable
from types import FunctionType

from fogspiel.engine.kinds import Kind
from fogspiel.engine.native import native

_by_module: dict[str, list["Kernel"]] = {}


class Kernel:
    """One compiled function of a module; called with NumPy arrays and numbers as its annotations say."""

    def __init__(self, plain: FunctionType, options: dict):
        kinds = dict(plain.__annotations__)
        self.plain, self.options = plain, options
        self.result: Kind | None = kinds.pop("return", None)
        self.arguments: tuple[Kind, ...] = tuple(kinds.values())
        self._native = None
        self.__doc__, self.__name__ = plain.__doc__, plain.__name__
        _by_module.setdefault(plain.__module__, []).append(self)

    def __call__(self, *values):
        if self._native is None:
            _compile_module(self.plain.__module__)
        return self._native(*[kind.pass_(value) for kind, value in zip(self.arguments, values, strict=True)])


def kernel(function: FunctionType | None = None, **options) -> Callable:
    """Mark a function as a kernel. Options are Numba's, such as `fastmath`."""
    if function is None:
        return lambda f: Kernel(f, options)
    return Kernel(function, options)


def _compile_module(module: str) -> None:
    kernels = _by_module[module]
    functions = {k.__name__: (k.plain, k.arguments, k.result, k.options) for k in kernels}
    compiled = native(sys.modules[module].__name__.replace(".", "-"), functions)
    for k in kernels:
        k._native = compiled[k.__name__]
