"""A node with v visits has the first ceil(C v^alpha) of its moves (double progressive widening, Lanctot 2013, sec.
6.2.1)."""

import math

from fogspiel.game.spec import Number

PARAMETERS = (
    Number("c", 1, 1e-9, 1e9, "a node with v visits has ceil(c v^alpha) moves or outcomes of chance"),
    Number("alpha", 0.5, 0, 1, "the alpha of the same"),
)


def width(search, visits, n):
    return min(n, max(1, math.ceil(search.widening.c * visits**search.widening.alpha)))
