"""Offline solvers: the CFR family, linear programs, first-order methods, best response and exploitability.

This room and the public function `solve.run.solve` share a name. In the package, `fogspiel.solve` is the function (see there),
so the function carries the modules of the room: `import fogspiel.solve.files as files` asks it for one.
"""

import sys
from types import ModuleType


class _Room(ModuleType):
    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if isinstance(value, ModuleType) and "run" in vars(self):
            modules = vars(self).items() if name == "run" else [(name, value)]
            vars(self.run.solve).update({n: m for n, m in modules if isinstance(m, ModuleType)})


sys.modules[__name__].__class__ = _Room
