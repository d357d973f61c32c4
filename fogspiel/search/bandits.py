"""Bandits: how a node chooses among its moves, and what it learns from a reward. One policy a node, shared by all searches.

Rewards reach UCB and Exp3 scaled to [0, 1]; regret matching gets utilities as they are, since it does not mind their scale
(Lisý 2014, sec. 3.1.1). `slot[0:n]` are the slots of the moves that can be played now; `prob[0:n]` is scratch, and holds the
probabilities that a randomised policy drew from.
"""

import math

import numpy as np

from fogspiel.engine.primitives import pick, uniform

UNIFORM, UCB, UCB_TUNED, EXP3, REGRET_MATCHING, COUPLED, EXP3P = range(7)
"""Policies. COUPLED is regret matching on the stage's estimated payoff matrix (Lisý 2014, sec. 3.1.1)."""

FIRST, RANDOM = 0, 1
"""How UCB breaks ties."""


def choose(policy, constant, failure, ties, n, slot, prob, tries, seen, total, square, score, rng):
    """The position, in 0..n-1, of the move to play.

    `constant` is UCB's exploration, the gamma of Exp3 and regret matching, or the horizon of Exp3.P, whose bound may fail with
    probability `failure`.
    """
    if n == 1:
        prob[0] = 1.0
        return 0
    if policy == UCB or policy == UCB_TUNED:
        return upper_confidence(policy == UCB_TUNED, constant, ties, n, slot, prob, tries, seen, total, square, rng)
    if policy == EXP3:
        exponential_weights(constant, constant / n, n, slot, prob, score)
    elif policy == EXP3P:
        exponential_weights(exploration(policy, constant, n), rate(constant, n), n, slot, prob, score)
        # every move is told that it may be better than it looked; that does not wait for the reward
        for i in range(n):
            score[slot[i]] += bonus(constant, failure, n) / prob[i]
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


LOGARITHMS = np.array([0.0, *(math.log(count) for count in range(1, 4096))])
"""Computed once: a search takes a logarithm for every move of every node on its way."""


def logarithm(count):
    """Of a whole number, at least 1."""
    return LOGARITHMS[int(count)] if count < 4096.0 else math.log(count)


def upper_confidence(tuned, constant, ties, n, slot, bound, tries, seen, total, square, rng):
    """Subset-armed UCB1 (Whitehouse 2014, sec. 5.2.1): a move's bonus grows with how often it could have been played.

    Where all moves are always there, that is UCB1. Untried moves come first. Tuned: UCB1-Tuned (Auer et al. 2002).
    """
    fresh = 0
    for i in range(n):
        bound[i] = logarithm(seen[slot[i]])
        fresh += tries[slot[i]] == 0.0
    if fresh > 0:
        skip = pick(rng, fresh) if ties == RANDOM else 0
        for i in range(n):
            if tries[slot[i]] == 0.0:
                if skip == 0:
                    return i
                skip -= 1
    for i in range(n):
        s = slot[i]
        mean = total[s] / tries[s]
        width = bound[i] / tries[s]
        if tuned:
            variance = max(square[s] / tries[s] - mean * mean, 0.0) + math.sqrt(2.0 * width)
            bound[i] = mean + math.sqrt(width * min(0.25, variance))
        else:
            bound[i] = mean + constant * math.sqrt(width)
    best = 0
    most = -math.inf
    equal = 0
    for i in range(n):
        if bound[i] > most:
            most = bound[i]
            best = i
            equal = 1
        elif bound[i] == most and ties == RANDOM:
            equal += 1
            if pick(rng, equal) == 0:
                best = i
    return best


def exploration(policy, constant, n):
    """The share of uniform play in a randomised policy's choice among n moves."""
    if policy == EXP3P:
        return min(1.0, 1.05 * math.sqrt(n * math.log(n) / constant))
    return constant if policy == EXP3 or policy == REGRET_MATCHING or policy == COUPLED else 0.0


def rate(horizon, n):
    """Exp3.P's learning rate."""
    return 0.95 * math.sqrt(math.log(n) / (n * horizon))


def bonus(horizon, failure, n):
    """Exp3.P's bonus: with it, estimates are upper bounds of the rewards but with probability `failure`. With these parameters
    regret after `horizon` trials is at most 5.15 sqrt(horizon n log(n / failure)) (Lisý 2014, Theorem 2.2.8)."""
    return math.sqrt(math.log(n / failure) / (n * horizon))


def exponential_weights(gamma, eta, n, slot, prob, score):
    """Exp3 (Auer et al. 2002) with learning rate eta, shifted by the best score so that nothing overflows."""
    most = score[slot[0]]
    for i in range(n):
        most = max(most, score[slot[i]])
    sum_ = 0.0
    for i in range(n):
        prob[i] = math.exp(eta * (score[slot[i]] - most))
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
    if policy == EXP3 or policy == EXP3P:
        score[s] += reward / p
    elif policy == REGRET_MATCHING:
        for b in range(begin, end):
            score[b] -= utility
        score[s] += utility / p


def couple(first_node, first_slot, second_node, second_slot, v, first, used, score, joint, pair_sum, pair_count, pairs):
    """Coupled regret matching (Lisý 2014, sec. 3.1.1): the regret of not having played another move is the mean of what that
    move gave against the opponent's, minus what happened. A pair never played counts as what happened.

    Where the means are the payoffs of a known game, this is regret matching with full information.
    """
    rows = used[first_node]
    columns = used[second_node]
    if joint[first_node] < 0:
        if pairs[0] + rows * columns > pairs[1]:
            return
        joint[first_node] = pairs[0]
        pairs[0] += rows * columns
    at = joint[first_node]
    a = first_slot - first[first_node]
    b = second_slot - first[second_node]
    for i in range(rows):
        k = at + i * columns + b
        if i != a and pair_count[k] > 0.0:
            score[first[first_node] + i] += pair_sum[k] / pair_count[k] - v
    for j in range(columns):
        k = at + a * columns + j
        if j != b and pair_count[k] > 0.0:
            score[first[second_node] + j] -= pair_sum[k] / pair_count[k] - v
    pair_sum[at + a * columns + b] += v
    pair_count[at + a * columns + b] += 1.0
