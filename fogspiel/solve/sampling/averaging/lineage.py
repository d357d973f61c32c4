"""The tree of a player's own information sets: each is known by the average of the action that leads to it."""

from fogspiel.game.needs import AT_MOST_TWO, NO_ABSTRACTION, PERFECT_RECALL
from fogspiel.solve.arena import AVERAGE, actions, column
from fogspiel.solve.node import matching

NEEDS = (AT_MOST_TWO, PERFECT_RECALL, NO_ABSTRACTION)
"""Information sets are such a tree where nobody forgets; a place remembers the last actions of two players."""


def handed_down(run, place, own, picked, child):
    """Where the average of each player's last action lies."""
    child.last_0, child.last_1 = place.last_0, place.last_1
    if place.node < 0:
        return
    last = column(run.table, place.node, AVERAGE, place.n) + picked
    if place.who == 0:
        child.last_0 = last
    else:
        child.last_1 = last


def last_action(place):
    """Of the player who moves: where the average of its last action lies; -1 before the first."""
    return place.last_0 if place.who == 0 else place.last_1


def remaining(table, node, weight, here, out, reach, weights):
    """A node's averages with the present strategy added so many times, and the reach of its actions where it is reached with `here`."""
    n = actions(table, node)
    begin = column(table, node, AVERAGE, n)
    scale = 1.0 / matching(table, node, n, weights, 0)
    for a in range(n):
        out[begin + a] = float(table.reals[begin + a]) + weight * weights[a] * scale
        reach[begin + a] = here * weights[a] * scale
