"""Arrays and records that a kernel is given as one argument and reaches by name.

A kernel says what it wants with `Bundle(name=kind, ...)`, and is given a `Bundled` of those::

    Work = Bundle(counts=Record(Counts), buffer=Ints, nodes=Records(Node))

    @kernel
    def search(game: Ints, work: Work) -> Int: ...    # work.counts.done, work.buffer[0], work.nodes[3].visits

In machine code that is a row of addresses, which nobody else has to know of. Un-compiled, the attributes are the arrays themselves.
"""

from typing import Any

import numpy as np

from fogspiel.engine.kinds import Kind


class Bundled:
    """What is given for an argument of a kind `Bundle`. It keeps its arrays alive; one may be replaced by another of its kind."""

    kind: Kind
    address: int

    def __init__(self, kind: Kind, **arrays: np.ndarray):
        if arrays.keys() != dict(kind.members).keys():
            raise TypeError(f"a bundle of {[name for name, _ in kind.members]} was given {[*arrays]}")
        addresses = np.zeros(len(kind.members), np.int64)
        places = {name: (i, member) for i, (name, member) in enumerate(kind.members)}
        vars(self).update(kind=kind, address=addresses.ctypes.data, _addresses=addresses, _places=places, _arrays={})
        for name, array in arrays.items():
            setattr(self, name, array)

    def array(self, name: str) -> np.ndarray:
        """A member as it was given; a record is an array of one."""
        return self._arrays[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._places:
            raise AttributeError(f"the bundle has no member {name}")
        place, kind = self._places[name]
        self._addresses[place] = kind.pass_(value)
        self._arrays[name] = value
        if kind.shape == "record":
            value = value.view(np.recarray)[0]
        elif kind.shape == "records":
            value = value.view(np.recarray)
        vars(self)[name] = value
