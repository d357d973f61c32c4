"""What a minimax search cuts: nothing (expectimax), moves at decisions (alpha-beta), outcomes of chance, too (Star1 and
Star2); and which outcomes of chance it searches."""

import numpy as np

from fogspiel.engine.primitives import mix
from fogspiel.game.needs import UTILITIES
from fogspiel.game.spec import Whole
from fogspiel.game.table import CHANCE, LIMIT, OVER, sample
from fogspiel.search.minimax.hooks import (
    best_known,
    entry_of,
    first_to_try,
    is_horizon,
    is_settled,
    outcome,
    outcomes_searched,
    recalled,
)
from fogspiel.search.minimax.memory import Window
from fogspiel.search.minimax.recursion import follow_move, follow_outcome, leaf, list_moves, list_outcomes, value


class Expectimax:
    """Expectimax: nothing is cut, and a chance node is worth the mean over its outcomes (Lanctot 2013, eq. 2.21)."""

    def chance_node(game, search, at, window):
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

    def narrowed(window, who, v):
        return window

    def is_closed(window):
        return False

    def first_to_try(search, entry, at):
        return -1


class AlphaBeta(Expectimax):
    """Alpha-beta search (Knuth and Moore 1975; Lanctot 2013, sec. 2.3.2): moves that cannot matter are cut off. Every
    outcome of chance is searched with an open window."""

    def narrowed(window, who, v):
        """Max raises alpha, and Min lowers beta."""
        if who == 0:
            return Window(max(window.alpha, v), window.beta)
        return Window(window.alpha, min(window.beta, v))

    def is_closed(window):
        return window.beta <= window.alpha

    def first_to_try(search, entry, at):
        """The sooner a good move is searched, the more others are cut off."""
        return best_known(search, entry, at)


class Star1(AlphaBeta):
    """Star1 (Ballard 1983; Lanctot 2013, Algorithm 6): windows pass through chance nodes, by bounds of the outcomes
    that are not yet searched."""

    NEEDS = (UTILITIES,)

    def chance_node(game, search, at, window):
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


class Star2(Star1):
    """Star2 (Ballard 1983; Lanctot 2013, Algorithm 7): Star1, after a probe of each outcome with a single move.

    What a probe returns outside its window is no bound, but taken for one it cannot lead to a cut: a lower bound of at
    most child_alpha keeps the node's lower bound at most alpha, whatever the other outcomes are worth."""

    def chance_node(game, search, at, window):
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


# --- outcomes of chance


class Sparse:
    """Sparse sampling (Kearns, Mansour and Ng 2002; Lanctot 2013, sec. 6.3): `width` outcomes of chance drawn with
    replacement, in place of all.

    They are drawn by a hash of the line that led to the chance node: whenever and in whatever order a node is searched,
    its sample is the same, so that pruning does not change what ExpSS would find."""

    PARAMETERS = (Whole("width", 1, 1, 10**6, "outcomes drawn at a chance node"),)
    line_after = mix

    def memory(game, room):
        return {"rng": np.zeros(1, np.uint64)}

    def outcomes_searched(search, n):
        return search.sampling.width

    def outcome(search, at, n, i):
        search.rng[0] = mix(at.line, i)
        return sample(search.odds, at.first, n, search.rng), 1.0 / search.sampling.width

    def most_outcomes(game, search):
        return game[LIMIT] + search.sampling.width
