"""Bandits: how a node chooses among its moves, and what it learns from a reward. One policy a node, shared by all searches.

Rewards reach UCB and Exp3 scaled to [0, 1]; regret matching gets utilities as they are, since it does not mind their scale
(Lisý 2014, sec. 3.1.1). `slot[0:n]` are the slots of the moves that can be played now; `prob[0:n]` is scratch, and holds the
probabilities that a randomised policy drew from.
"""

import math

from fogspiel.engine.primitives import pick, uniform

UNIFORM, UCB, UCB_TUNED, EXP3, REGRET_MATCHING, COUPLED = range(6)
"""Policies. COUPLED is regret matching on the stage's estimated payoff matrix (Lisý 2014, sec. 3.1.1)."""

FIRST, RANDOM = 0, 1
"""How UCB breaks ties."""


def choose(policy, constant, ties, n, slot, prob, tries, seen, total, square, score, rng):
    """The position, in 0..n-1, of the move to play."""
    if n == 1:
        prob[0] = 1.0
        return 0
    if policy == UCB or policy == UCB_TUNED:
        return upper_confidence(policy == UCB_TUNED, constant, ties, n, slot, tries, seen, total, square, rng)
    if policy == EXP3:
        exponential_weights(constant, n, slot, prob, score)
    elif policy == REGRET_MATCHING or policy == COUPLED:
        matched_regrets(constant, n, slot, prob, score)
    else:
        for i in range(n):
            prob[i] = 1.0 / n
    x = uniform(rng)
    i = 0
    while i < n - 1 and x >= prob[i]:
        x -= prob[i]
        i += 1
    return i


def upper_confidence(tuned, constant, ties, n, slot, tries, seen, total, square, rng):
    """Subset-armed UCB1 (Whitehouse 2014, sec. 5.2.1): a move's bonus grows with how often it could have been played.

    Where all moves are always there, that is UCB1. Untried moves come first. Tuned: UCB1-Tuned (Auer et al. 2002).
    """
    fresh = 0
    for i in range(n):
        if tries[slot[i]] == 0.0:
            fresh += 1
    if fresh > 0:
        skip = pick(rng, fresh) if ties == RANDOM else 0
        for i in range(n):
            if tries[slot[i]] == 0.0:
                if skip == 0:
                    return i
                skip -= 1
    best = 0
    most = -math.inf
    equal = 0
    for i in range(n):
        s = slot[i]
        mean = total[s] / tries[s]
        width = math.log(max(seen[s], 1.0)) / tries[s]
        if tuned:
            variance = max(square[s] / tries[s] - mean * mean, 0.0) + math.sqrt(2.0 * width)
            bound = mean + math.sqrt(width * min(0.25, variance))
        else:
            bound = mean + constant * math.sqrt(width)
        if bound > most:
            most = bound
            best = i
            equal = 1
        elif bound == most and ties == RANDOM:
            equal += 1
            if pick(rng, equal) == 0:
                best = i
    return best


def exponential_weights(gamma, n, slot, prob, score):
    """Exp3 (Auer et al. 2002) with learning rate gamma / n, shifted by the best score so that nothing overflows."""
    most = score[slot[0]]
    for i in range(n):
        most = max(most, score[slot[i]])
    sum_ = 0.0
    for i in range(n):
        prob[i] = math.exp(gamma / n * (score[slot[i]] - most))
        sum_ += prob[i]
    for i in range(n):
        prob[i] = (1.0 - gamma) * prob[i] / sum_ + gamma / n


def matched_regrets(gamma, n, slot, prob, score):
    """Regret matching with exploration gamma; uniform if no regret is positive. The printed formula lacks the factor
    1 - gamma (Lisý 2014, sec. 3.1.1)."""
    sum_ = 0.0
    for i in range(n):
        prob[i] = max(score[slot[i]], 0.0)
        sum_ += prob[i]
    for i in range(n):
        prob[i] = (1.0 - gamma) * prob[i] / sum_ + gamma / n if sum_ > 0.0 else 1.0 / n


def learn(policy, s, reward, utility, p, begin, end, tries, total, square, score):
    """Take in the reward of slot `s` of a node with slots begin..end-1, drawn with probability p.

    `reward` is scaled to [0, 1], `utility` is not. Exp3 divides by the whole probability, exploration included; the drawn
    move's regret gets utility / p - utility, the others' - utility (the printed update omits the second term).
    """
    tries[s] += 1.0
    total[s] += reward
    square[s] += reward * reward
    if policy == EXP3:
        score[s] += reward / p
    elif policy == REGRET_MATCHING:
        for b in range(begin, end):
            score[b] -= utility
        score[s] += utility / p
