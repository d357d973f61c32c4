"""A node with v visits has the first ceil(C v^alpha) of its moves (double progressive widening, Lanctot 2013, sec.
6.2.1)."""

import math

from fogspiel.game.spec import Number

PARAMETERS = (
    Number("widen_c", 1, 0, 1e9, "a node with v visits has ceil(c v^alpha) moves or outcomes of chance"),
    Number("widen_alpha", 0.5, 0, 1, "the alpha of the same"),
)


def width(search, visits, n):
    return min(n, max(1, math.ceil(search.widening.widen_c * visits**search.widening.widen_alpha)))
