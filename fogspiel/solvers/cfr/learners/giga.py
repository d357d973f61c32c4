"""Generalized infinitesimal gradient ascent (Zinkevich 2003; Lanctot 2013, sec. 2.2.2): a step along the gradient of
the utility, back to the nearest strategy."""

import math

from fogspiel.solvers.cfr.learners.regret_matching import accumulate


def giga(step, rate, learned, i, first, count, value, expected):
    """The gradient is the vector of values. A number added to all of them moves no projection, so their mean is taken
    off.

    With a rate of its own the t-th step is rate / sqrt(t), as in the paper. Without, it is 1 over the root of the sum
    of all squared gradients so far (`spread`): two strategies are at most sqrt(2) apart, and for that diameter this
    step has the least bound on regret, 2 sqrt(spread), whatever the scale of payoffs.
    """
    strategy, spread = learned.strategy, learned.spread
    accumulate(step, first, count, value, expected, learned.regret)
    mean = 0.0
    for a in range(first, first + count):
        mean += value[a] / count
    squares = spread[i]
    for a in range(first, first + count):
        off = value[a] - mean
        squares += off * off  # `** 2` would be fused with the sum, or not, by who was first compiled with it
    spread[i] = squares
    size = 0.0
    if rate > 0.0:
        size = rate / math.sqrt(step.t)
    elif squares > 0.0:
        size = 1.0 / math.sqrt(squares)
    for a in range(first, first + count):
        strategy[a] += size * (value[a] - mean)
    project(first, count, strategy)


def project(first, count, strategy):
    """The nearest point of the simplex (Michelot 1986): all entries less the same threshold, those below it 0.

    The threshold is the one at which what remains sums to one. It is sought from below: entries at or under it are left
    out, which raises it, until no more are. Entries are taken from the largest, so that no step is too large for it.
    """
    most = strategy[first]
    for a in range(first, first + count):
        most = max(most, strategy[a])
    threshold = -1.0
    left = count + 1
    while True:
        total = 0.0
        above = 0
        for a in range(first, first + count):
            if strategy[a] - most > threshold:
                total += strategy[a] - most
                above += 1
        # not fewer than before: rounding may also bring one back, and for ever
        if above >= left:
            break
        left = above
        threshold = (total - 1.0) / above
    total = 0.0
    for a in range(first, first + count):
        strategy[a] = max(strategy[a] - most - threshold, 0.0)
        total += strategy[a]
    # rounding alone keeps the sum from being one, and would add up over a million steps
    for a in range(first, first + count):
        strategy[a] /= total
