"""All joint moves of a stage are tried once before any is chosen, and each adds the stage that it leads to (Lisý et al. 2013, Algorithm 1).

Bandits learn from such a simulation, too, with the probabilities that they would have chosen with. For stages of at most two players.
"""

import numpy as np

from fogspiel.game.needs import AT_MOST_TWO
from fogspiel.game.table import pick

NEEDS = (AT_MOST_TWO,)
MOST = 256
"""Moves of a stage's second player that are told apart."""
NODE = (("columns", "i8"),)
"""Of a stage's first node: how many moves the second player has, 1 where there is no second, 0 where that is not known yet."""
SLOT = (("met", "u8", MOST // 64), ("meetings", "i8"))
"""Of a move of the first player: the second player's moves that were tried against it, as bits, and how many those are."""
RECORD = (("forced", "i8"),)
"""Whether the stage's joint move had never been tried."""


def redirect(search, here, n, c, pending):
    if not pending:
        search.growth.forced = 0
    elif search.growth.forced == 0:
        return c
    row = search.path[search.walk.depth - 1].slot if pending else 0
    left = 0
    for i in range(n):
        k = search.slot[i]
        fresh = not met(search.slots[row], k - here.first) if pending else not complete(here, search.slots[k])
        if fresh:
            left += 1
            if pick(search.rng, left) == 0:
                c = i
    search.growth.forced = left > 0
    return c


def complete(here, row):
    """Whether all joint moves with this one were tried."""
    return here.columns > 0 and row.meetings >= here.columns


def met(row, column):
    return column < MOST and row.met[column // 64] >> np.uint64(column % 64) & np.uint64(1) != np.uint64(0)


def leaves_after(search, created, untried):
    return search.growth.forced != 0


def learned(game, search, d, reward):
    """Write down which joint move was tried, at the stage's first node."""
    step = search.path[d]
    if step.pending != 0 or step.slot < 0 or search.nodes[step.node].owner < 0:
        return
    here, row = search.nodes[step.node], search.slots[step.slot]
    column = 0
    here.columns = max(here.columns, 1)
    if d + 1 < search.walk.depth and search.path[d + 1].pending != 0 and search.path[d + 1].slot >= 0:
        other = search.nodes[search.path[d + 1].node]
        column = search.path[d + 1].slot - other.first
        here.columns = min(other.used, MOST)
    if column < MOST and not met(row, column):
        row.met[column // 64] |= np.uint64(1) << np.uint64(column % 64)
        row.meetings += 1
