"""Offline solvers: the CFR family, linear programs, first-order methods, best response and exploitability.

The room and the public function `fs.solve` share a name; the room can be called, and calls `solve.run.solve`.
"""

import sys
from types import ModuleType


class _Room(ModuleType):
    def __call__(self, *given, **named):
        from fogspiel.solve.run import solve

        return solve(*given, **named)


sys.modules[__name__].__class__ = _Room
