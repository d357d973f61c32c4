"""Star1 (Ballard 1983; Lanctot 2013, Algorithm 6): windows pass through chance nodes, by bounds of the outcomes that
are not yet searched."""

from fogspiel.game.needs import UTILITIES
from fogspiel.search.minimax.alpha_beta import CUTS
from fogspiel.search.minimax.memory import Window
from fogspiel.search.minimax.parts import Part, chance_node, outcome, outcomes_searched
from fogspiel.search.minimax.recursion import follow_outcome, list_outcomes, value


def star1(game, search, at, window):
    n = list_outcomes(game, search, at)
    if search.stand.stop != 0:
        return 0.0
    begin_bounds(search, at, n)
    return search_outcomes(game, search, at, window, n, search.asked.low, search.asked.high)


def begin_bounds(search, at, n):
    """Each outcome is worth from `low` to `high`."""
    for i in range(outcomes_searched(search, n)):
        search.lower[at.first + i] = search.asked.low
        search.upper[at.first + i] = search.asked.high


def search_outcomes(game, search, at, window, n, bottom, top):
    """The mean over the outcomes, by whose bounds the node is worth from `bottom` to `top`."""
    asked = search.asked
    total = 0.0
    for i in range(outcomes_searched(search, n)):
        k, p = outcome(search, at, n, i)
        if p <= 0.0:
            continue
        l, u = search.lower[at.first + i], search.upper[at.first + i]  # noqa: E741
        if l == u:
            total += p * u
            continue
        a = child_alpha(window.alpha, top, p, u)
        b = child_beta(window.beta, bottom, p, l)
        if max(asked.low, a) >= min(asked.high, b):
            # the window was closed by nothing but rounding
            return window.alpha if a >= asked.high else window.beta
        below, after = follow_outcome(game, search, at, n, i, k)
        v = value(game, search, below, after, Window(max(asked.low, a), min(asked.high, b)))
        if search.stand.stop != 0:
            return 0.0
        bottom += p * (v - l)
        top += p * (v - u)
        if v >= b:
            return max(bottom, window.beta)
        if v <= a:
            return min(top, window.alpha)
        total += p * v
    return total


def child_alpha(alpha, top, p, u):
    """What an outcome of probability p must exceed for the chance node to exceed alpha; `top` bounds the node, `u` the
    outcome."""
    return (alpha - top + p * u) / p


def child_beta(beta, bottom, p, l):  # noqa: E741
    """What an outcome must stay below for the chance node to stay below beta."""
    return (beta - bottom + p * l) / p


STAR1 = Part("star1", {chance_node: star1, **CUTS}, needs=(UTILITIES,))
