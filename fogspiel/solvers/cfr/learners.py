"""Local learners: what an information set does with the values of its actions (Lanctot 2013, sec. 2.2.2).

A learner is a namespace with one function, which becomes part of the loop of the CFR family (`solvers/cfr/loop.py`):

    update(step, learned, i, first, count, value, expected)

Information set i has the actions `first` to `first + count - 1`, whose counterfactual values in this iteration are in
`value`; `expected` is the value of the strategy just played. The function adds what is new to `learned.regret`, of
which it first keeps the shares `step.positive` and `step.negative`, and writes the next strategy to `learned.strategy`,
which still holds the last one. `learned.spread[i]`, 0 at first and never negative, is a number that it may keep;
`step.t` is the number of the iteration. Its PARAMETERS are fields of `learned.own`, and what its `memory(game, room)`
returns are arrays of `learned`, for the sequence form `room.form`. What actions are worth is only known up to a number
that is the same for all of them: where information sets share a strategy, `value` has regrets and `expected` is 0.

`flaw(own)`, a function of Python's, says what is wrong with the values of parameters, or nothing.
"""

import math

from fogspiel.engine.kernel import inlined
from fogspiel.engine.linking import linked
from fogspiel.game.spec import Number


@inlined
def accumulated(old, new, positive, negative):
    """A regret of which a share is kept, and what is new."""
    return old * (positive if old > 0.0 else negative) + new


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
def kept(now):
    """What is kept of a regret."""
    return now


@inlined
def followed(now, new):
    """The regret by which an action is played next, where `new` is what came last."""
    return now


def match_regrets(step, learned, i, first, count, value, expected):
    """Actions are played in proportion to positive regrets."""
    regret, strategy = learned.regret, learned.strategy
    positive, negative = step.positive, step.negative
    total = 0.0
    for a in range(first, first + count):
        new = value[a] - expected
        now = kept(accumulated(regret[a], new, positive, negative))
        regret[a] = now
        strategy[a] = max(followed(now, new), 0.0)
        total += strategy[a]
    normalize(first, count, total, strategy)


class RegretMatching:
    """regret matching (Hart and Mas-Colell 2000; Lanctot 2013, eq. 2.18): in proportion to positive regrets"""

    update = match_regrets


class RegretMatchingPlus:
    """regret matching+ (Tammelin 2014): regrets are cut off at zero"""

    @inlined
    def cut_off(now):
        return max(now, 0.0)

    update = linked(match_regrets, {kept: cut_off})


class PredictiveRegretMatchingPlus(RegretMatchingPlus):
    """predictive regret matching+ (Farina, Kroer and Sandholm 2021): as if the last regret came once more"""

    @inlined
    def predicted(now, new):
        return now + new

    update = linked(RegretMatchingPlus.update, {followed: predicted})


class Hedge:
    """Hedge (Freund and Schapire 1997; Lanctot 2013, sec. 4.7): exponential weights

    Weights are shifted by the largest regret, so that nothing overflows. Without a rate of its own it takes one that
    follows the ranges of values met so far, so that scale does not matter.
    """

    PARAMETERS = (Number("eta", 0, 0, 1e9, "rate; 0: one that fits the values met"),)

    def update(step, learned, i, first, count, value, expected):
        regret, spread = learned.regret, learned.spread
        most = accumulate(step, first, count, value, expected, regret)
        range_ = width(first, count, value)
        spread[i] += range_ * range_  # `** 2` would be fused with the sum, or not, by who was first compiled with it
        eta = learned.own.eta
        if eta == 0.0 and spread[i] > 0.0:
            eta = math.sqrt(8.0 * math.log(count) / spread[i])
        exponential(first, count, eta, most, regret, learned.strategy)


class WeightedMajority:
    """randomized weighted majority (Littlestone and Warmuth 1994): an action that lost L in all weighs (1 - eta)^L

    Losses are counted in units of the largest range of values met at the information set (`spread`), so that each is
    from 0 to 1 (Lanctot 2013, sec. 2.2.2). Losses and regrets differ by a number that is the same for all actions, so
    (1 - eta)^L is exp(ln(1 - eta) L), shifted. Without a rate of its own, eta is min(sqrt(ln(actions) / t), 1/2): what
    the thesis prints, with the iterations so far in place of all.
    """

    PARAMETERS = (Number("eta", 0, 0, 1e9, "rate, below 1; 0: one that falls with the iterations"),)

    def flaw(own):
        if own.eta >= 1:
            return f"eta must be below 1 for rwm, which multiplies weights by 1 - eta; it is {own.eta:g}"
        return ""

    def update(step, learned, i, first, count, value, expected):
        regret, spread = learned.regret, learned.spread
        most = accumulate(step, first, count, value, expected, regret)
        spread[i] = max(spread[i], width(first, count, value))
        eta = learned.own.eta
        if eta == 0.0:
            eta = min(math.sqrt(math.log(count) / step.t), 0.5)
        scale = -math.log(1.0 - eta) / spread[i] if spread[i] > 0.0 else 0.0
        exponential(first, count, scale, most, regret, learned.strategy)


class GradientAscent:
    """generalized infinitesimal gradient ascent (Zinkevich 2003; Lanctot 2013, sec. 2.2.2): a step along the gradient
    of the utility, back to the nearest strategy

    The gradient is the vector of values. A number added to all of them moves no projection, so their mean is taken off.
    With a rate of its own the t-th step is eta / sqrt(t), as in the paper. Without, it is 1 over the root of the sum of
    all squared gradients so far (`spread`): two strategies are at most sqrt(2) apart, and for that diameter this step
    has the least bound on regret, 2 sqrt(spread), whatever the scale of payoffs.
    """

    PARAMETERS = (Number("eta", 0, 0, 1e9, "rate of the first step; 0: one that fits the values met"),)

    def update(step, learned, i, first, count, value, expected):
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
        eta, size = learned.own.eta, 0.0
        if eta > 0.0:
            size = eta / math.sqrt(step.t)
        elif squares > 0.0:
            size = 1.0 / math.sqrt(squares)
        for a in range(first, first + count):
            strategy[a] += size * (value[a] - mean)
        project(first, count, strategy)


class LagrangianHedging:
    """Lagrangian hedging (Gordon 2007; Lanctot 2013, sec. 2.2.2): regrets are steered along the gradient of a potential

    The regret vector s is steered to where no action is regretted, by playing in proportion to the gradient f(s) of a
    potential F(s) that is high far from there. On the strategies of one information set the potential ln sum exp(eta s)
    makes it Hedge, and half the squared length of the positive part of s makes it regret matching. Here is the family
    to which the latter belongs, the polynomial potentials of degree p (Cesa-Bianchi and Lugosi 2003):

        F(s) = |s+|_p^2 / 2,   f(s) in proportion to (s+)^(p - 1)

    Of degree 0 it is 2 ln(actions), but at least 2, for which the bound on regret grows with the root of the logarithm
    of the number of actions. Regrets are divided by the largest, so that no power overflows.
    """

    PARAMETERS = (Number("degree", 0, 0, 1000, "at least 2, which is regret matching; 0: 2 ln(actions)"),)

    def flaw(own):
        return f"degree must be at least 2 (or 0, for one that fits), not {own.degree:g}" if 0 < own.degree < 2 else ""

    def update(step, learned, i, first, count, value, expected):
        regret, strategy = learned.regret, learned.strategy
        most = accumulate(step, first, count, value, expected, regret)
        degree = learned.own.degree if learned.own.degree > 0.0 else max(2.0, 2.0 * math.log(count))
        total = 0.0
        for a in range(first, first + count):
            strategy[a] = (regret[a] / most) ** (degree - 1.0) if regret[a] > 0.0 else 0.0
            total += strategy[a]
        normalize(first, count, total, strategy)


LEARNERS = {
    "rm": RegretMatching,
    "rm+": RegretMatchingPlus,
    "prm+": PredictiveRegretMatchingPlus,
    "hedge": Hedge,
    "rwm": WeightedMajority,
    "giga": GradientAscent,
    "lagrangian": LagrangianHedging,
}


@inlined
def accumulate(step, first, count, value, expected, regret):
    """Add the regrets of this iteration to what is kept of the old ones; returns the largest sum."""
    positive, negative = step.positive, step.negative
    most = 0.0
    for a in range(first, first + count):
        now = accumulated(regret[a], value[a] - expected, positive, negative)
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


def exponential(first, count, eta, most, regret, strategy):
    """Each action in proportion to exp(eta times its regret)."""
    total = 0.0
    for a in range(first, first + count):
        strategy[a] = math.exp(eta * (regret[a] - most))
        total += strategy[a]
    for a in range(first, first + count):
        strategy[a] /= total


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
