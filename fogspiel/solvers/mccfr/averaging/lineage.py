"""The tree of a player's own information sets: each is known by the average of the action that leads to it."""

from collections.abc import Callable, Mapping
from typing import Any

from fogspiel.engine.kinds import Int, Reals
from fogspiel.engine.linking import linked
from fogspiel.game.needs import AT_MOST_TWO, NO_ABSTRACTION, PERFECT_RECALL
from fogspiel.solvers.mccfr.arena import AVERAGE, TABLE, actions, bundle, column, header_of, of_width, width
from fogspiel.solvers.mccfr.node import matching

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


def catching_up(missed: Callable[..., Any]) -> Mapping[bool, Callable[..., Any]]:
    """Kernels that bring averages up to date, for both widths of words, where an information set has missed what
    `missed` says."""
    function = linked(catch_up, {owed: missed})
    return {single: of_width(function, single, {TABLE: bundle(single)}, missed.__name__) for single in (True, False)}


def catch_up(table: TABLE, visits: Int, done: Int, out: Reals, reach: Reals, weights: Reals) -> None:
    """Averages as they would be if every information set were visited now. `out` and `reach` have an element for each
    word of the table; nodes come after those of the same player before them."""
    node = 0
    while node < table.pool.used:
        header = header_of(table, node)
        parent = int(header.parent)
        here = reach[parent] if parent >= 0 else 1.0
        come = out[parent] if parent >= 0 else float(visits)
        weight = owed(header, here, come, done)
        remaining(table, node, weight, here, out, reach, weights)
        node += width(table.pool, actions(table, node))


def owed(header, here, come, done):
    """How often the present strategy of a node is to be added for what it missed since its last visit, after so many
    iterations: its player reaches it with `here`, and the average of the action before it is `come`."""
    raise NotImplementedError


def remaining(table, node, weight, here, out, reach, weights):
    """A node's averages with the present strategy added so many times, and the reach of its actions where it is reached
    with `here`."""
    n = actions(table, node)
    begin = column(table, node, AVERAGE, n)
    scale = 1.0 / matching(table, node, n, weights, 0)
    for a in range(n):
        out[begin + a] = float(table.reals[begin + a]) + weight * weights[a] * scale
        reach[begin + a] = here * weights[a] * scale
