"""Randomised bandits, which draw from probabilities of their own (`search/bandits.py` says what a bandit is): Exp3 and
regret matching, with their mean strategies."""

import math
from typing import Any

import numpy as np

from fogspiel.engine.part import PartKind, by_name
from fogspiel.game.needs import TWO_PLAYERS, ZERO_SUM
from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Choice, Number, Whole
from fogspiel.game.table import sample
from fogspiel.search.bandits import Ucb, highest_bound, miss, upper_bounds

# --- drawing, and the mean of the strategies played


PURE = Choice("pure", "no", ("no", "yes"), "leave exploration out of the mean strategy")


def draw(search, n, explored):
    """Draw from the probabilities in search.prob[0:n], of which the share `explored` is exploration."""
    left_out = explored if search.bandit.pure != 0 and n > 1 and explored < 1.0 else 0.0
    return draw_and_add(search, n, left_out)


def draw_and_add(search, n, left_out):
    """Draw from search.prob[0:n], and add them to the mean strategy without the share of uniform play that is left
    out."""
    c = 0
    if n == 1:
        search.prob[0] = 1.0
    else:
        c = sample(search.prob, 0, n, search.rng)
    for i in range(n):
        search.slots[search.slot[i]].strategy += (search.prob[i] - left_out / n) / (1.0 - left_out)
    return c


class Uniform:
    """Every move as likely, whatever it brought: pure exploration."""

    SLOT = (("strategy", "f8"),)

    def choose(search, here, n):
        for i in range(n):
            search.prob[i] = 1.0 / n
        return draw_and_add(search, n, 0.0)

    def learn(search, d, reward, utility):
        """Nothing is."""


# --- exponential weights


class Exp3:
    """Exp3 (Auer et al. 2002; Lisý 2014, sec. 3.1.1): exponential weights on estimated rewards."""

    PARAMETERS: tuple[Any, ...] = (Number("gamma", 0.1, 0, 1, "exploration of Exp3 and regret matching"), PURE)
    SLOT = (("score", "f8"), ("strategy", "f8"))
    """The estimated sum of a move's rewards, had it always been tried; and the sum of the strategies played."""

    def choose(search, here, n):
        gamma = search.bandit.gamma
        exponential_weights(search, n, gamma, gamma / n)
        return draw(search, n, gamma)

    def learn(search, d, reward, utility):
        """The reward is divided by the whole probability of the move, exploration included."""
        step = search.path[d]
        search.slots[step.slot].score += reward / step.prob


def exponential_weights(search, n, gamma, eta):
    """Probabilities in search.prob[0:n], with learning rate eta; shifted by the best score so that nothing
    overflows."""
    prob = search.prob
    most = search.slots[search.slot[0]].score
    for i in range(n):
        most = max(most, search.slots[search.slot[i]].score)
    sum_ = 0.0
    for i in range(n):
        prob[i] = math.exp(eta * (search.slots[search.slot[i]].score - most))
        sum_ += prob[i]
    for i in range(n):
        prob[i] = (1.0 - gamma) * prob[i] / sum_ + gamma / n


class Exp3P(Exp3):
    """Exp3.P (Auer et al. 2002; Bubeck and Cesa-Bianchi 2012): Exp3 whose regret is small with high probability.

    Estimates get a bonus, with which they are upper bounds of the rewards but with probability `failure`. With the
    parameters below regret after `horizon` trials is at most 5.15 sqrt(horizon n log(n / failure)) (Lisý 2014, Theorem
    2.2.8).
    """

    PARAMETERS = (
        Whole("horizon", 1000, 1, 10**12, "trials that Exp3.P's parameters are made for"),
        Number("failure", 0.05, 1e-9, 1, "probability with which Exp3.P's bound may fail"),
        PURE,
    )

    def choose(search, here, n):
        if n == 1:
            return draw(search, n, 0.0)
        horizon = search.bandit.horizon
        gamma = exploration(horizon, n)
        exponential_weights(search, n, gamma, rate(horizon, n))
        # every move is told that it may be better than it looked; that does not wait for the reward
        for i in range(n):
            search.slots[search.slot[i]].score += bonus(horizon, search.bandit.failure, n) / search.prob[i]
        return draw(search, n, gamma)


def exploration(horizon, n):
    return min(1.0, 1.05 * math.sqrt(n * math.log(n) / horizon))


def rate(horizon, n):
    return 0.95 * math.sqrt(math.log(n) / (n * horizon))


def bonus(horizon, failure, n):
    return math.sqrt(math.log(n / failure) / (n * horizon))


class Staged(Ucb):
    """Exp3 where several players choose at once, UCB1 elsewhere (Whitehouse 2014, sec. 3.2.4 and 6.2).

    Exp3's exploration is min(1, sqrt(K log(K) / ((e - 1) n))) (eq. 3.3) for K moves and n trials: as many as `trials`
    says, or those that the node has had so far. Whether others choose at the same time as the first player of a stage
    is known after the first visit of its node, in which all moves are as likely anyway."""

    PARAMETERS = (
        *Ucb.PARAMETERS,
        Whole("trials", 0, 0, 10**12, "trials that Exp3's exploration is made for; 0: those so far"),
    )
    SLOT = (*Ucb.SLOT, ("score", "f8"))
    """As UCB1's; and Exp3's estimated sum of rewards."""
    NODE = (("joint", "i8"),)
    """Whether others choose at the same time."""
    BOUNDS = False

    def choose(search, here, n):
        miss(search, here, n)
        if n == 1:
            search.prob[0] = 1.0
            return 0
        if here.joint == 0 and here.visits > 0:
            upper_bounds(search, here.visits, n)
            return highest_bound(search, n)
        gamma = exploration_in_stages(search.bandit.trials if search.bandit.trials > 0 else max(here.visits, 1), n)
        exponential_weights(search, n, gamma, gamma / n)
        return sample(search.prob, 0, n, search.rng)

    def learn(search, d, reward, utility):
        step = search.path[d]
        here = search.nodes[step.node]
        if step.pending != 0 or (d + 1 < search.walk.depth and search.path[d + 1].pending != 0):
            search.slots[step.slot].score += reward / (step.prob if here.joint != 0 or here.visits == 1 else 1.0)
            here.joint = 1


def exploration_in_stages(trials, n):
    return min(1.0, math.sqrt(n * math.log(n) / ((math.e - 1.0) * trials)))


# --- regret matching


class RegretMatching:
    """Regret matching (Hart and Mas-Colell 2000), for a player who sees only what its own move brought (Lisý 2014, sec.
    3.1.1: DRM)."""

    PARAMETERS: tuple[Any, ...] = (Number("gamma", 0.1, 0, 1, "exploration of Exp3 and regret matching"), PURE)
    SLOT = (("score", "f8"), ("strategy", "f8"), ("there", "i8"))
    """The regret of not having played a move; the sum of the strategies played; and the last simulation in which the
    move could be played."""

    def choose(search, here, n):
        for i in range(n):
            search.slots[search.slot[i]].there = search.counts.done + 1
        matched_regrets(search, n, search.bandit.gamma)
        return draw(search, n, search.bandit.gamma)

    def learn(search, d, reward, utility):
        """The drawn move's regret grows by utility / p - utility, the others' by - utility (the printed update omits
        the second term); a move that could not be played is not regretted."""
        step = search.path[d]
        here = search.nodes[step.node]
        for b in range(here.first, here.first + here.used):
            if search.slots[b].there == search.counts.done + 1:
                search.slots[b].score -= utility
        search.slots[step.slot].score += utility / step.prob


def matched_regrets(search, n, gamma):
    """Probabilities in search.prob[0:n], with exploration gamma; uniform if no regret is positive. The printed formula
    lacks the factor 1 - gamma (Lisý 2014, sec. 3.1.1)."""
    prob = search.prob
    sum_ = 0.0
    for i in range(n):
        prob[i] = max(search.slots[search.slot[i]].score, 0.0)
        sum_ += prob[i]
    for i in range(n):
        prob[i] = (1.0 - gamma) * prob[i] / sum_ + gamma / n if sum_ > 0.0 else 1.0 / n


learn_alone = RegretMatching.learn


def worth_unplayed(search, v):
    """What a pair of moves never played is worth to player 0 in coupled regret matching, where v is what happened."""
    return v


class AsHappened:
    """A pair of moves never played counts as what happened in coupled regret matching."""

    NOTHING = True


class Zero:
    """A pair of moves never played counts as 0 in coupled regret matching, not as what happened."""

    def worth_unplayed(search, v):
        return 0.0


UNPLAYED = PartKind(
    "unplayed",
    "what a pair of moves never played counts as",
    __name__,
    lambda: {"happened": AsHappened, "zero": Zero},
    stubs=by_name(worth_unplayed),
    record="unplayed",
)


PAIRS = 64
"""Pairs that there is room for, for each node."""


class Coupled(RegretMatching):
    """Coupled regret matching, for stages of two players in zero-sum games (Lisý 2014, sec. 3.1.1: RM).

    A stage keeps the mean of what each pair of moves gave. The regret of not having played another move is that mean
    against the opponent's move, minus what happened. Where the means are the payoffs of a known game, this is regret
    matching with full information. What a pair never played is worth is not printed: as much as what happened, or with
    `unplayed=zero` 0. A player who chooses alone has nobody to be coupled with, and matches regrets for
    itself.
    """

    NEEDS = (TWO_PLAYERS, ZERO_SUM)
    PARAMETERS = (
        *RegretMatching.PARAMETERS,
        PartOf("unplayed", "happened", UNPLAYED, "what a pair of moves never played counts as"),
    )
    NODE = (("pairs", "i8"),)
    """Where the pairs of a stage's moves are counted, plus 1; 0 if they are not yet."""
    RECORD = (("used", "i8"), ("room", "i8"))

    def memory(game, room):
        count = min(PAIRS * room.nodes, 1 << 31)
        return {"pair_sum": np.zeros(count), "pair_count": np.zeros(count), "room": count}

    def learn(search, d, reward, utility):
        """A stage learns once, at the step of its second player, or at the first's where the second explored (A*,
        `search/wrappers.py`): a player who did not explore learns, whatever the other did. Where there is no room
        for a stage's pairs, its players learn alone."""
        step = search.path[d]
        if step.pending != 0:
            first = search.path[d - 1]
            if not couple(search, first, step):
                search.pool.refused += 1
                learn_alone(search, d, reward, utility)
                if first.slot >= 0:
                    learn_alone(search, d - 1, reward, search.pay[search.nodes[first.node].owner])
        elif not (d + 1 < search.walk.depth and search.path[d + 1].pending != 0):
            learn_alone(search, d, reward, utility)
        elif search.path[d + 1].slot < 0 and not couple(search, step, search.path[d + 1]):
            search.pool.refused += 1
            learn_alone(search, d, reward, utility)

    def crowded(search):
        return 4 * search.bandit.used > 3 * search.bandit.room

    def forget(search):
        search.pair_sum[: search.bandit.used] = 0.0
        search.pair_count[: search.bandit.used] = 0.0
        search.bandit.used = 0

    def move(search, before, count):
        """Move the pairs of the nodes that were kept together, those of the most visited, until half of the room is
        free; `before` are all nodes as they were. The pairs of a stage end where those of the next begin."""
        starts = np.sort(before.pairs[before.pairs > 0]) - 1
        ends = np.append(starts[1:], search.bandit.used)
        nodes = search.nodes[:count]
        paired = np.flatnonzero(nodes.pairs > 0)
        paired = paired[np.argsort(-nodes.visits[paired], kind="stable")]
        place = np.searchsorted(starts, nodes.pairs[paired] - 1)
        long = (ends - starts)[place]
        fits = np.cumsum(long) <= search.bandit.room // 2
        nodes.pairs[paired[~fits]] = 0
        paired, place, long = paired[fits], place[fits], long[fits]
        begin = np.cumsum(long) - long
        lay = np.repeat(starts[place] - begin, long) + np.arange(long.sum())
        for values in (search.pair_sum, search.pair_count):
            values[: len(lay)] = values[lay]
            values[len(lay) : search.bandit.used] = 0.0
        nodes.pairs[paired] = begin + 1
        search.bandit.used = len(lay)


def couple(search, row_step, column_step):
    """After the two steps of a stage gave search.pay. False: there is no room for their pairs."""
    v = search.pay[0]
    one, a = search.nodes[row_step.node], chosen(row_step)
    two, b = search.nodes[column_step.node], chosen(column_step)
    rows, columns = one.used, two.used
    if one.pairs == 0:
        if search.bandit.used + rows * columns > search.bandit.room:
            return False
        one.pairs = search.bandit.used + 1
        search.bandit.used += rows * columns
    first = one.pairs - 1
    if first + rows * columns > search.bandit.used:
        return False
    row = first + (a - one.first) * columns
    column = first + b - two.first
    for i in range(rows):
        k = column + i * columns
        if one.first + i != a and row_step.slot >= 0:
            search.slots[one.first + i].score += worth(search, k, v) - v
    for j in range(columns):
        k = row + j
        if two.first + j != b and column_step.slot >= 0:
            search.slots[two.first + j].score -= worth(search, k, v) - v
    k = row + b - two.first
    search.pair_sum[k] += v
    search.pair_count[k] += 1.0
    return True


def chosen(step):
    """The slot of the move that was made, by the bandit or in exploring."""
    return step.slot if step.slot >= 0 else -2 - step.slot


def worth(search, k, v):
    """What a pair of moves gave player 0 on average; v is what happened."""
    if search.pair_count[k] > 0.0:
        return search.pair_sum[k] / search.pair_count[k]
    return worth_unplayed(search, v)
