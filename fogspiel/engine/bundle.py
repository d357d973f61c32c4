"""Arrays and records that a kernel is given as one argument and reaches by name.

A kernel says what it wants with `Bundle(name=kind, ...)`, and is given a `Bundled` of those::

    Work: Any = Bundle(counts=Record(Counts), buffer=Ints, nodes=Records(Node))

    @kernel
    def search(game: Ints, work: Work) -> Int: ...    # work.counts.done, work.buffer[0], work.nodes[3].visits

In machine code that is a row of addresses, which nobody else has to know of. Un-compiled, the attributes are the arrays
themselves.
"""

from typing import Any

import numpy as np

from fogspiel.engine.kinds import Kind


class Bundled:
    """What is given for an argument of a kind `Bundle`. It keeps its arrays alive; one may be replaced by another of
    its kind."""

    kind: Kind
    address: int

    def __init__(self, kind: Kind, **arrays: Any):
        members = dict(kind.members)
        if arrays.keys() != members.keys():
            raise TypeError(f"a bundle of {[*members]} was given {[*arrays]}")
        arrays = {name: arrays[name] for name in members}
        addresses = np.array([member.pass_(arrays[name]) for name, member in members.items()], np.int64)
        vars(self).update(kind=kind, address=addresses.ctypes.data, _addresses=addresses, _arrays=arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        """A deep copy, or what is unpickled, is made of copies of the arrays, which lie elsewhere; `copy.copy` shares
        them."""
        return _bundled, (self.kind, self._arrays)

    def array(self, name: str) -> np.ndarray:
        """A member as it was given; a record is an array of one."""
        return self._arrays[name]

    def __getattr__(self, name: str) -> Any:
        """A member as un-compiled code sees it, made when it is first asked for: to see records takes longer than all
        else here."""
        if name not in vars(self).get("_arrays", ()):
            raise AttributeError(f"the bundle has no member {name}")
        vars(self)[name] = seen = _seen(dict(self.kind.members)[name], self._arrays[name])
        return seen

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._arrays:
            raise AttributeError(f"the bundle has no member {name}")
        place = [*self._arrays].index(name)
        kind = self.kind.members[place][1]
        self._addresses[place] = kind.pass_(value)
        self._arrays[name] = value
        vars(self).pop(name, None)


def _seen(kind: Kind, value: Any) -> Any:
    if kind.shape == "record":
        return value.view(np.recarray)[0]
    return value.view(np.recarray) if kind.shape == "records" else value


def _bundled(kind: Kind, arrays: dict[str, Any]) -> Bundled:
    return Bundled(kind, **arrays)
