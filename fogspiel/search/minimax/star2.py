"""Star2 (Ballard 1983; Lanctot 2013, Algorithm 7): Star1, after a probe of each outcome with a single move.

What a probe returns outside its window is no bound, but taken for one it cannot lead to a cut: a lower bound of at most
child_alpha keeps the node's lower bound at most alpha, whatever the other outcomes are worth.
"""

from fogspiel.game.needs import UTILITIES
from fogspiel.game.table import CHANCE, OVER
from fogspiel.search.minimax.alpha_beta import CUTS
from fogspiel.search.minimax.memory import Window
from fogspiel.search.minimax.parts import (
    Part,
    chance_node,
    entry_of,
    first_to_try,
    is_horizon,
    is_settled,
    outcome,
    outcomes_searched,
    recalled,
)
from fogspiel.search.minimax.recursion import follow_move, follow_outcome, leaf, list_moves, list_outcomes, value
from fogspiel.search.minimax.star1 import begin_bounds, child_alpha, child_beta, search_outcomes


def star2(game, search, at, window):
    n = list_outcomes(game, search, at)
    if search.stand.stop != 0:
        return 0.0
    begin_bounds(search, at, n)
    asked, lower, upper = search.asked, search.lower, search.upper
    bottom, top = asked.low, asked.high
    for i in range(outcomes_searched(search, n)):
        k, p = outcome(search, at, n, i)
        if p <= 0.0 or asked.low == asked.high:
            continue
        a = child_alpha(window.alpha, top, p, asked.high)
        b = child_beta(window.beta, bottom, p, asked.low)
        if max(asked.low, a) >= min(asked.high, b):
            # the window was closed by nothing but rounding
            return window.alpha if a >= asked.high else window.beta
        below, after = follow_outcome(game, search, at, n, i, k)
        if after == CHANCE:
            continue
        v = probe(game, search, below, after, Window(max(asked.low, a), min(asked.high, b)))
        if search.stand.stop != 0:
            return 0.0
        # a probe bounds the value of a node from the side of its player; without moves to search it is the value
        known = after == OVER or is_horizon(search, below, after)
        if known or after == 0:
            bottom += p * (v - asked.low)
            lower[at.first + i] = v
        if known or after == 1:
            top += p * (v - asked.high)
            upper[at.first + i] = v
        if bottom >= window.beta:
            return bottom
        if top <= window.alpha:
            return top
    return search_outcomes(game, search, at, window, n, bottom, top)


def probe(game, search, at, who, window):
    """The value of the first move of a player's node alone."""
    is_leaf, v = leaf(game, search, at, who)
    if is_leaf:
        return v
    entry = entry_of(game, search, at, who)
    if is_settled(search, entry, window):
        return recalled(search, entry)
    n = list_moves(game, search, at, first_to_try(search, entry, at))
    if search.stand.stop != 0:
        return 0.0
    below, after = follow_move(game, search, at, who, n, search.moves[at.first])
    return value(game, search, below, after, window)


STAR2 = Part("star2", {chance_node: star2, **CUTS}, needs=(UTILITIES,))
