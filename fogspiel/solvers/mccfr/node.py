"""The numbers of a node in the table (`solvers/mccfr/arena.py`): strategies from them, and sums that lose nothing of
what is added."""

from fogspiel.engine.primitives import next_word, shorten
from fogspiel.solvers.mccfr.arena import AVERAGE, REGRET, column

FAR = 1e100
"""What weights and estimates count at most. In a game of hundreds of moves a sample may be so unlikely that dividing by
its probability goes beyond all numbers; products of two that are bounded are numbers still."""
MOST_SINGLE = 1e38
"""The largest number of a 32-bit table."""


def bounded(value):
    return min(max(value, -FAR), FAR)


def kept(table, value):
    """A number as the table can keep it."""
    return value if table.pool.single == 0 else min(max(value, -MOST_SINGLE), MOST_SINGLE)


def matching(table, node, n, weights, top):
    """Regret matching at a node: each action's weight into weights[top:]; returns their sum. All alike if there is no
    node."""
    begin = column(table, node, REGRET, n)
    total = 0.0
    for a in range(n if node >= 0 else 0):
        positive = max(float(table.reals[begin + a]), 0.0)
        weights[top + a] = positive
        total += positive
    if total > 0.0:
        return total
    for a in range(n):
        weights[top + a] = 1.0
    return float(n)


def played(table, node, n, sigma, top):
    """A node's average strategy, into sigma[top:]."""
    begin = column(table, node, AVERAGE, n)
    total = 0.0
    for a in range(n):
        sigma[top + a] = float(table.reals[begin + a])
        total += sigma[top + a]
    for a in range(n):
        sigma[top + a] = sigma[top + a] / total if total > 0.0 else 1.0 / n


def increase_all(table, begin, n, weight, values, first, base, rng):
    """Add weight * (values[first:] - base) to `n` numbers of the table."""
    for a in range(n):
        by = weight * (values[first + a] - base)
        if by != 0.0:
            increase(table, begin + a, by, rng)


def increase_alike(table, begin, n, by, rng):
    """Add the same to `n` numbers of the table."""
    if by == 0.0:
        return
    for at in range(begin, begin + n):
        increase(table, at, by, rng)


def swallowed(sum_, by):
    """Whether a 32-bit sum is so large that rounding would falsify what is added."""
    return abs(by) * 65536.0 < abs(sum_)


def increase(table, at, by, rng):
    """Add to a number of the table. Where rounding would swallow what is added to a 32-bit sum, it is rounded up or
    down at random, right on average: otherwise a sum of ones would stop at 2^24."""
    old = float(table.reals[at])
    if table.pool.single == 0 or not swallowed(old, by):
        new = old + by
        table.reals[at] = new if abs(new) <= MOST_SINGLE else kept(table, new)
        return
    table.reals[at] = shorten(old + by, next_word(rng))
