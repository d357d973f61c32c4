"""Bandits: how a node chooses among its moves, and what it learns from a reward. One policy a node, shared by all searches.

Rewards reach UCB and Exp3 scaled to [0, 1]; regret matching gets utilities as they are, since it does not mind their scale
(Lisý 2014, sec. 3.1.1). `slot[0:n]` are the slots of the moves that can be played now; `prob[0:n]` is scratch, and holds the
probabilities that a randomised policy drew from.

What a policy learns of a move besides its tries and its total reward is the slot's `score`: the estimated reward of Exp3, the regret
of regret matching, the sum of squared rewards of UCB1-Tuned.
"""

import math

import numpy as np

from fogspiel.engine.primitives import pick, reals_at
from fogspiel.game.table import sample

UNIFORM, UCB, UCB_TUNED, EXP3, REGRET_MATCHING, COUPLED, EXP3P = range(7)
"""Policies. COUPLED is regret matching on the stage's estimated payoff matrix (Lisý 2014, sec. 3.1.1)."""

FIRST, RANDOM = 0, 1
"""How UCB breaks ties."""


def choose(job, visits, n, slot, prob, slots, rng):
    """The position, in 0..n-1, of the move to play at a node with so many visits.

    `job.policy` says how. `job.constant` is UCB's exploration, the gamma of Exp3 and regret matching, or the horizon of Exp3.P, whose
    bound may fail with probability `job.failure`; `job.ties` tells how UCB breaks ties.
    """
    policy, constant = job.policy, job.constant
    if n == 1:
        prob[0] = 1.0
        return 0
    if policy == UCB or policy == UCB_TUNED:
        if policy == UCB:
            upper_confidence(constant, visits, n, slot, prob, slots)
        else:
            tuned_confidence(visits, n, slot, prob, slots)
        return highest(job.ties, n, prob, rng)
    if policy == EXP3:
        exponential_weights(constant, constant / n, n, slot, prob, slots)
    elif policy == EXP3P:
        exponential_weights(exploration(policy, constant, n), rate(constant, n), n, slot, prob, slots)
        # every move is told that it may be better than it looked; that does not wait for the reward
        for i in range(n):
            slots[slot[i]].score += bonus(constant, job.failure, n) / prob[i]
    elif policy == REGRET_MATCHING or policy == COUPLED:
        matched_regrets(constant, n, slot, prob, slots)
    else:
        for i in range(n):
            prob[i] = 1.0 / n
    return sample(prob, 0, n, rng)


FEW = 4096
ROOTS_OF_LOGARITHMS = np.array([0.0, *np.sqrt(np.log(np.arange(1, FEW)))])
INVERSE_ROOTS = np.array([0.0, *1 / np.sqrt(np.arange(1, FEW))])
"""Of counts below FEW, computed once: a search needs them for every move of every node on its way."""


def upper_confidence(constant, visits, n, slot, bound, slots):
    """The bounds of subset-armed UCB1 (Whitehouse 2014, sec. 5.2.1): mean + constant sqrt(log(chances) / tries), where a move's chances
    are how often it could have been played. Where all moves are always there, that is UCB1. Untried moves come first."""
    few = visits < FEW
    for i in range(n):
        s = slots[slot[i]]
        chances = visits - s.missed
        share = INVERSE_ROOTS[np.uint64(s.tries)] if few else 1.0 / math.sqrt(max(s.tries, 1))
        width = ROOTS_OF_LOGARITHMS[np.uint64(chances)] if few else math.sqrt(math.log(chances))
        most = (s.total * share + constant * width) * share
        bound[i] = most if s.tries > 0 else math.inf


def tuned_confidence(visits, n, slot, bound, slots):
    """The same for UCB1-Tuned (Auer et al. 2002): the constant is the root of a move's variance, as far as it is known."""
    for i in range(n):
        s = slots[slot[i]]
        bound[i] = math.inf
        if s.tries > 0:
            mean = s.total / s.tries
            width = math.log(visits - s.missed) / s.tries
            variance = max(s.score / s.tries - mean * mean, 0.0) + math.sqrt(2.0 * width)
            bound[i] = mean + math.sqrt(width * min(0.25, variance))


def highest(ties, n, bound, rng):
    """The position, in 0..n-1, of the highest bound."""
    most, second = -math.inf, -math.inf
    best = 0
    for i in range(n):
        best = i if bound[i] > most else best
        second = max(second, min(most, bound[i]))
        most = max(most, bound[i])
    if second < most or ties == FIRST:
        return best
    equal = 0
    for i in range(n):
        equal += bound[i] == most
    skip = pick(rng, equal)
    for i in range(best, n):
        if bound[i] == most:
            if skip == 0:
                return i
            skip -= 1
    return best


def miss(here, n, slot, slots):
    """Count a visit in which only the moves slot[0:n] of a node are there: the others missed it."""
    for s in range(here.first, here.first + here.used):
        slots[s].missed += 1
    for i in range(n):
        slots[slot[i]].missed -= 1


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


def exponential_weights(gamma, eta, n, slot, prob, slots):
    """Exp3 (Auer et al. 2002) with learning rate eta, shifted by the best score so that nothing overflows."""
    most = slots[slot[0]].score
    for i in range(n):
        most = max(most, slots[slot[i]].score)
    sum_ = 0.0
    for i in range(n):
        prob[i] = math.exp(eta * (slots[slot[i]].score - most))
        sum_ += prob[i]
    for i in range(n):
        prob[i] = (1.0 - gamma) * prob[i] / sum_ + gamma / n


def matched_regrets(gamma, n, slot, prob, slots):
    """Regret matching with exploration gamma; uniform if no regret is positive. The printed formula lacks the factor
    1 - gamma (Lisý 2014, sec. 3.1.1)."""
    sum_ = 0.0
    for i in range(n):
        prob[i] = max(slots[slot[i]].score, 0.0)
        sum_ += prob[i]
    for i in range(n):
        prob[i] = (1.0 - gamma) * prob[i] / sum_ + gamma / n if sum_ > 0.0 else 1.0 / n


def learn(policy, here, chosen, reward, utility, p, slots):
    """Take in the reward of a slot of the node `here`, which was chosen with probability p.

    `reward` is scaled to [0, 1], `utility` is not. Exp3 divides by the whole probability, exploration included; the drawn
    move's regret gets utility / p - utility, the others' - utility (the printed update omits the second term).
    """
    s = slots[chosen]
    s.tries += 1
    s.total += reward
    if policy == UCB_TUNED:
        s.score += reward * reward
    elif policy == EXP3 or policy == EXP3P:
        s.score += reward / p
    elif policy == REGRET_MATCHING:
        for b in range(here.first, here.first + here.used):
            slots[b].score -= utility
        s.score += utility / p


def couple(job, one, a, two, b, v, slots):
    """Coupled regret matching (Lisý 2014, sec. 3.1.1) after slots a and b of the two nodes of a stage gave v to player 0: the regret of
    not having played another move is the mean of what that move gave against the opponent's, minus what happened. A pair
    never played counts as what happened.

    Where the means are the payoffs of a known game, this is regret matching with full information.
    """
    pair_sum, pair_count = reals_at(job.pair_sum), reals_at(job.pair_count)
    rows = one.used
    columns = two.used
    if one.joint < 0:
        if job.pairs + rows * columns > job.pair_room:
            return
        one.joint = job.pairs
        job.pairs += rows * columns
    elif one.joint + rows * columns > job.pairs:
        return
    row = one.joint + (a - one.first) * columns
    column = one.joint + b - two.first
    for i in range(rows):
        k = column + i * columns
        if one.first + i != a and pair_count[k] > 0.0:
            slots[one.first + i].score += pair_sum[k] / pair_count[k] - v
    for j in range(columns):
        k = row + j
        if two.first + j != b and pair_count[k] > 0.0:
            slots[two.first + j].score -= pair_sum[k] / pair_count[k] - v
    k = row + b - two.first
    pair_sum[k] += v
    pair_count[k] += 1.0
