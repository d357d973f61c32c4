"""With some probability a node chooses at random and learns nothing: the wrapper A* (Lisý et al. 2013; Lisý 2014, sec.
3.1.2), which gives any bandit the exploration that convergence needs."""

from fogspiel.game.spec import Number
from fogspiel.game.table import uniform

MOST = 0.99
"""With 1 nothing would ever be learned; Lisý 2014 has it below that, too."""
PARAMETERS = (Number("aside", 0, 0, MOST, "exploration that teaches nothing (A*)"),)


def explores(search, here):
    return uniform(search.rng) < search.aside.aside
