"""Policies of MAST and its relatives (Whitehouse 2014, sec. 8.2.3 and 8.5.3), over values between 0 and 1 in
search.prob[0:n] and, for UCB1, tries in search.odds[0:n]. A move without tries has the value 1."""

import math

from fogspiel.game.spec import Choice, Number
from fogspiel.game.table import pick, sample, uniform

POLICIES = ("gibbs", "greedy", "roulette", "ucb1")
GIBBS, GREEDY, ROULETTE, UCB1 = range(4)

PARAMETERS = (
    Choice("policy", "gibbs", POLICIES, "Gibbs, epsilon-greedy, roulette wheel, or UCB1"),
    Number("temperature", 1, 0.001, 1e6, "tau of the Gibbs distribution"),
    Number("epsilon", 0.2, 0, 1, "how often the epsilon-greedy policy moves at random"),
    Number("exploration", 0.7, 0, 1e6, "the constant of UCB1"),
)

TRIES = 8
"""Proposals that are made before all moves are looked at."""


def accepted(search, own, value):
    """Whether a move of this value, proposed at random, is taken: by rejection the Gibbs and the roulette policy draw
    without a look at the other moves."""
    drawn = uniform(search.rng)
    if own.policy == ROULETTE:
        return drawn < value
    # hardly a draw lies between the sums of Taylor's series with four terms and with five, which are bounds
    x = (1.0 - value) * (1.0 / own.temperature)
    square = x * x
    least = (1.0 - x) + square * (1 / 2 - x * (1 / 6))
    if drawn < least:
        return True
    return drawn < least + square * square * (1 / 24) and drawn < math.exp(-x)


def drawn(search, own, n):
    """A position, by the policy in `own`."""
    if own.policy == GIBBS:
        return gibbs(search, own.temperature, n)
    if own.policy == GREEDY:
        return greedy(search, own.epsilon, n)
    if own.policy == ROULETTE:
        return roulette(search, n)
    return ucb1(search, own.exploration, n)


def gibbs(search, temperature, n):
    """Probabilities in proportion to e^(value / temperature)."""
    values = search.prob
    most = 0.0
    for i in range(n):
        most = max(most, values[i])
    for i in range(n):
        values[i] = math.exp((values[i] - most) / temperature)
    return in_proportion(search, n)


def greedy(search, epsilon, n):
    """A move of the highest value, and with probability epsilon any."""
    return pick(search.rng, n) if uniform(search.rng) < epsilon else best(search, n)


def roulette(search, n):
    """Probabilities in proportion to the values."""
    return in_proportion(search, n)


def ucb1(search, exploration, n):
    """The highest upper bound of moves whose tries add up to those of the bandit."""
    values, tries = search.prob, search.odds
    trials = 0.0
    for i in range(n):
        trials += tries[i]
    for i in range(n):
        values[i] = values[i] + exploration * math.sqrt(math.log(trials) / tries[i]) if tries[i] > 0.0 else math.inf
    return best(search, n)


def in_proportion(search, n):
    weights = search.prob
    total = 0.0
    for i in range(n):
        total += weights[i]
    if total <= 0.0:
        return pick(search.rng, n)
    for i in range(n):
        weights[i] /= total
    return sample(weights, 0, n, search.rng)


def best(search, n):
    """A position of the highest value, each as likely."""
    values = search.prob
    chosen, equal = 0, 1
    for i in range(1, n):
        if values[i] > values[chosen]:
            chosen, equal = i, 1
        elif values[i] == values[chosen]:
            equal += 1
            if pick(search.rng, equal) == 0:
                chosen = i
    return chosen
