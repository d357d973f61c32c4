"""Lagrangian hedging (Gordon 2007; Lanctot 2013, sec. 2.2.2): the regret vector s is steered to where no action is
regretted, by playing in proportion to the gradient f(s) of a potential F(s) that is high far from there.

On the strategies of one information set the potential ln sum exp(eta s) makes it Hedge, and half the squared length of
the positive part of s makes it regret matching. Here is the family to which the latter belongs, the polynomial
potentials of degree p (Cesa-Bianchi and Lugosi 2003):

    F(s) = |s+|_p^2 / 2,   f(s) in proportion to (s+)^(p - 1)
"""

import math

from fogspiel.solvers.cfr.learners.regret_matching import accumulate, normalize


def lagrangian_hedging(step, rate, learned, i, first, count, value, expected):
    """`rate` is the degree p; 0: 2 ln(actions), but at least 2, for which the bound on regret grows with the root of
    the logarithm of the number of actions. Regrets are divided by the largest, so that no power overflows."""
    regret, strategy = learned.regret, learned.strategy
    most = accumulate(step, first, count, value, expected, regret)
    degree = rate if rate > 0.0 else max(2.0, 2.0 * math.log(count))
    total = 0.0
    for a in range(first, first + count):
        strategy[a] = (regret[a] / most) ** (degree - 1.0) if regret[a] > 0.0 else 0.0
        total += strategy[a]
    normalize(first, count, total, strategy)
