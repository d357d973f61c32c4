"""Control variates (Lanctot 2013, sec. 7.1): a move's mean is corrected by what chance did after it.

The variate is the game's rule `covariate`, summed up over all of chance's outcomes from the move to the end, which is
zero on average under any policy (eq. 7.3): what a player's own moves were followed by, less what the others' did.
"""

import numpy as np

from fogspiel.game.needs import rule
from fogspiel.game.spec import Number, Whole
from fogspiel.game.table import PLAYERS, covariate

NEEDS = (rule("covariate"),)
PARAMETERS = (
    Number(
        "coefficient",
        0,
        -1e9,
        1e9,
        "of a control variate, in utility for each event, until a move has enough tries to tell",
    ),
    Whole("online", 50, 2, 10**9, "tries of a move that are enough"),
)
RECORD = (("mover", "i8"),)
"""Who moved last."""
SLOT = (("plain", "f8"), ("variate", "f8"), ("spread", "f8"), ("product", "f8"))
"""The sum of a move's rewards as they were; the mean of its variate, its sum of squares about the mean, and its sum of
products with the reward about the means."""


def memory(game, room):
    return {"variates": np.zeros(game.players), "between": np.zeros(room.levels)}


def begin(game, search):
    """search.variates: the variate of each player in the playout, and then on the way up; search.between: between a
    step and the next."""
    search.control.mover = 0
    for p in range(game[PLAYERS]):
        search.variates[p] = 0.0


def tried(search, key, slot):
    search.between[search.walk.depth] = 0.0


def trace(game, search, s, who, move):
    if who >= 0:
        search.control.mover = who


def happened(game, search, s, outcome):
    if search.walk.playing != 0:
        search.variates[search.control.mover] += covariate(game, s, outcome)
    elif search.walk.depth > 0:
        search.between[search.walk.depth - 1] += covariate(game, s, outcome)


def learned(game, search, d, reward):
    step = search.path[d]
    who = search.nodes[step.node].owner
    search.variates[who] += search.between[d]
    if step.slot >= 0:
        y = search.variates[who]
        for p in range(game[PLAYERS]):
            if p != who:
                y -= search.variates[p]
        correct(search, search.slots[step.slot], who, reward, y)


def correct(search, s, who, x, y):
    """Take in the variate y that came with the reward x. The slot's `total` becomes the corrected sum of rewards, tries
    (X + c Y) with the means X and Y, where c = -Cov[X, Y] / Var[Y] as seen so far; a constant while tries are few."""
    n = s.tries
    before = s.plain / (n - 1) if n > 1 else x
    s.plain += x
    away = y - s.variate
    s.variate += away / n
    s.spread += away * (y - s.variate)
    s.product += (x - before) * (y - s.variate)
    c = search.control.coefficient / search.span[who]
    if n >= search.control.online and s.spread > 0.0:
        c = -s.product / s.spread
    s.total = s.plain + n * c * s.variate


def misfit(names):
    if "ucb" not in names:
        return "control variates correct the means that UCB compares, so they are for bandit=ucb only"
    return (
        "" if "drawn" in names else "variates are for chance that is drawn as it comes, not proven, balanced or widened"
    )
