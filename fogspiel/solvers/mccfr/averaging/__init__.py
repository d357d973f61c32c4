"""How average strategies are kept under sampling (Lanctot 2013, sec. 4.4). A part is `average`, which adds to a node,
and `hand_down`, which tells the places below."""

from fogspiel.solvers.mccfr.averaging.counts import COUNTS
from fogspiel.solvers.mccfr.averaging.lazy import LAZY
from fogspiel.solvers.mccfr.averaging.lazy_printed import PRINTED
from fogspiel.solvers.mccfr.averaging.optimistic import OPTIMISTIC
from fogspiel.solvers.mccfr.averaging.weighted import WEIGHTED

__all__ = ["COUNTS", "LAZY", "OPTIMISTIC", "PRINTED", "WEIGHTED"]
