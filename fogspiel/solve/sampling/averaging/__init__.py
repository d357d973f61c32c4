"""How average strategies are kept under sampling (Lanctot 2013, sec. 4.4). A part is `average`, which adds to a node, and `hand_down`, which
tells the places below."""

from fogspiel.solve.sampling.averaging.counts import COUNTS
from fogspiel.solve.sampling.averaging.lazy import LAZY
from fogspiel.solve.sampling.averaging.lazy_printed import PRINTED
from fogspiel.solve.sampling.averaging.optimistic import OPTIMISTIC
from fogspiel.solve.sampling.averaging.weighted import WEIGHTED

__all__ = ["COUNTS", "LAZY", "OPTIMISTIC", "PRINTED", "WEIGHTED"]
