"""Regret matching (Hart and Mas-Colell 2000; Lanctot 2013, eq. 2.18): actions are played in proportion to their
positive regrets."""

from fogspiel.engine.kernel import inlined


def regret_matching(step, rate, learned, i, first, count, value, expected):
    regret, strategy = learned.regret, learned.strategy
    positive, negative = step.positive, step.negative
    total = 0.0
    for a in range(first, first + count):
        new = value[a] - expected
        old = regret[a]
        now = old * (positive if old > 0.0 else negative) + new
        regret[a] = now
        strategy[a] = max(now, 0.0)
        total += strategy[a]
    normalize(first, count, total, strategy)


def regret_matching_plus(step, rate, learned, i, first, count, value, expected):
    """Regrets are cut off at zero (Tammelin 2014)."""
    regret, strategy = learned.regret, learned.strategy
    positive, negative = step.positive, step.negative
    total = 0.0
    for a in range(first, first + count):
        new = value[a] - expected
        old = regret[a]
        now = max(old * (positive if old > 0.0 else negative) + new, 0.0)
        regret[a] = now
        strategy[a] = now
        total += now
    normalize(first, count, total, strategy)


def predictive_regret_matching(step, rate, learned, i, first, count, value, expected):
    """Cut off at zero, and played as if the last regret came once more (Farina, Kroer and Sandholm 2021)."""
    regret, strategy = learned.regret, learned.strategy
    positive, negative = step.positive, step.negative
    total = 0.0
    for a in range(first, first + count):
        new = value[a] - expected
        old = regret[a]
        now = max(old * (positive if old > 0.0 else negative) + new, 0.0)
        regret[a] = now
        strategy[a] = max(now + new, 0.0)
        total += strategy[a]
    normalize(first, count, total, strategy)


@inlined
def normalize(first, count, total, strategy):
    """Weights to probabilities; uniform where there are none."""
    if total > 0.0:
        for a in range(first, first + count):
            strategy[a] /= total
    else:
        for a in range(first, first + count):
            strategy[a] = 1.0 / count


@inlined
def accumulate(step, first, count, value, expected, regret):
    """Add the regrets of this iteration to what is kept of the old ones; returns the largest sum."""
    positive, negative = step.positive, step.negative
    most = 0.0
    for a in range(first, first + count):
        new = value[a] - expected
        old = regret[a]
        now = old * (positive if old > 0.0 else negative) + new
        regret[a] = now
        if a == first or now > most:
            most = now
    return most


@inlined
def width(first, count, value):
    """How far apart the values of the actions are."""
    low = value[first]
    high = value[first]
    for a in range(first, first + count):
        low = min(low, value[a])
        high = max(high, value[a])
    return high - low
