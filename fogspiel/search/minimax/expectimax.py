"""Expectimax: nothing is cut, and a chance node is worth the mean over its outcomes (Lanctot 2013, eq. 2.21)."""

from fogspiel.search.minimax.memory import Window
from fogspiel.search.minimax.parts import (
    Part,
    chance_node,
    first_to_try,
    is_closed,
    narrowed,
    outcome,
    outcomes_searched,
)
from fogspiel.search.minimax.recursion import follow_outcome, list_outcomes, value


def mean(game, search, at, window):
    """Every outcome is searched with an open window."""
    n = list_outcomes(game, search, at)
    if search.stand.stop != 0:
        return 0.0
    everything = Window(search.asked.low, search.asked.high)
    total = 0.0
    for i in range(outcomes_searched(search, n)):
        k, p = outcome(search, at, n, i)
        if p <= 0.0:
            continue
        below, after = follow_outcome(game, search, at, n, i, k)
        total += p * value(game, search, below, after, everything)
        if search.stand.stop != 0:
            return 0.0
    return total


def unchanged(window, who, v):
    return window


def never(window):
    return False


def in_any_order(search, entry, at):
    return -1


EXPECTIMAX = Part("expectimax", {chance_node: mean, narrowed: unchanged, is_closed: never, first_to_try: in_any_order})
