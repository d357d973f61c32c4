"""Bandits: how a node chooses among its moves, and what it learns from a reward. Every node is one of its own.

A bandit fills `choose` and `learn`. search.slot[0:n] are the slots of the moves that can be played now;
search.prob[0:n] is scratch, and holds the probabilities that a randomised bandit (`search/randomised.py`) drew from.
Rewards reach UCB and Exp3 scaled to [0, 1]; regret matching gets utilities as they are, since it does not mind their
scale (Lisý 2014, sec. 3.1.1).

A bandit whose slots have the column `strategy` keeps its mean strategy there. BOUNDS = True tells that it tries the
move of the highest bound, after others had a say in the bounds (`bound`) and in what is the highest (`highest_bound`):
ICARUSes that act in the tree are for such bandits.
"""

import math
from typing import Any

import numpy as np

from fogspiel.engine.linking import linked
from fogspiel.engine.part import PartKind, by_name
from fogspiel.game.parts import PartOf
from fogspiel.game.spec import Number
from fogspiel.game.table import pick, sample, uniform
from fogspiel.search.hooks import bound

# --- which of equal bounds is taken


def highest_bound(search, n):
    """The position of the highest of the bounds in search.prob[0:n]; of equal ones any, each as likely."""
    bounds = search.prob
    most, second = -math.inf, -math.inf
    best = 0
    for i in range(n):
        best = i if bounds[i] > most else best
        second = max(second, min(most, bounds[i]))
        most = max(most, bounds[i])
    if second < most:
        return best
    equal = 0
    for i in range(n):
        equal += bounds[i] == most
    skip = pick(search.rng, equal)
    for i in range(best, n):
        if bounds[i] == most:
            if skip == 0:
                return i
            skip -= 1
    return best


class RandomTies:
    """Of equal bounds any is taken, each as likely."""

    NOTHING = True


class FirstTies:
    """Of equal bounds the first is taken: UCT of Lisý 2014, sec. 3.1.1, where random ties are RUCT."""

    def highest_bound(search, n):
        best = 0
        for i in range(1, n):
            best = i if search.prob[i] > search.prob[best] else best
        return best


class NearTies:
    """Bounds near the highest are taken for ties, and one of them is drawn.

    Two UCB1 players who choose at once fall into step: their bounds are hardly ever quite equal, so that random ties do
    not part them, and the pairs of moves that they never play together remain unknown (Lisý 2014, sec. 3.1.1)."""

    PARAMETERS = (Number("within", 0.005, 0, 1, "how far below the highest bound one still is a tie with it"),)

    def highest_bound(search, n):
        bounds = search.prob
        most = -math.inf
        for i in range(n):
            most = max(most, bounds[i])
        least = most - search.ties.within
        ties = 0
        for i in range(n):
            ties += bounds[i] >= least
        skip = pick(search.rng, ties)
        for i in range(n):
            if bounds[i] >= least:
                if skip == 0:
                    return i
                skip -= 1
        return 0


TIES = PartKind(
    "ties",
    "which of equal bounds is taken",
    __name__,
    lambda: {"random": RandomTies, "first": FirstTies, "near": NearTies},
    stubs=by_name(highest_bound),
    record="ties",
)
TIE = PartOf("ties", "random", TIES, "which of equal bounds is taken")

# --- UCB1


FEW = 4096

ROOTS_OF_LOGARITHMS = np.array([0.0, *np.sqrt(np.log(np.arange(1, FEW)))])

INVERSE_ROOTS = np.array([0.0, *1 / np.sqrt(np.arange(1, FEW))])
"""Of counts below FEW, computed once: a search needs them for every move of every node on its way."""


class Ucb:
    """UCB1 for arms that are not always there: subset-armed UCB1 (Auer et al. 2002; Whitehouse 2014, sec. 5.2.1).

    A move's bound is mean + exploration sqrt(log(chances) / tries), where its chances are how often it could have been
    played. Where all moves are always there, that is UCB1. Untried moves come first.
    """

    PARAMETERS: tuple[Any, ...] = (
        Number("exploration", 0.7, 0, 1e6, "UCB's constant, for rewards scaled to [0, 1]"),
        TIE,
    )
    SLOT: tuple[Any, ...] = (("missed", "i8"),)
    """Visits of the node that do not count for a move, since it was not there."""
    BOUNDS = True

    def choose(search, here, n):
        miss(search, here, n)
        if n == 1:
            return 0
        upper_bounds(search, here.visits, n)
        bound(search, here, n)
        return highest_bound(search, n)

    def learn(search, d, reward, utility):
        """Tries and total are all that it needs."""

    def open_slot(search, here, slot):
        """Visits before a move was first there do not count for it."""
        slot.missed = here.visits


def upper_bounds(search, visits, n):
    few = visits < FEW
    before, width = -1, 0.0
    for i in range(n):
        s = search.slots[search.slot[i]]
        chances = visits - s.missed
        share = INVERSE_ROOTS[np.uint64(s.tries)] if few else 1.0 / math.sqrt(max(s.tries, 1))
        if chances != before:  # moves that are always there have the same
            width = ROOTS_OF_LOGARITHMS[np.uint64(chances)] if few else math.sqrt(math.log(max(chances, 1)))
            before = chances
        most = (s.total * share + search.bandit.exploration * width) * share
        search.prob[i] = most if s.tries > 0 else math.inf


def miss(search, here, n):
    """Count a visit in which only the moves search.slot[0:n] of a node are there: the others missed it."""
    if n < here.used:
        for k in range(here.first, here.first + here.used):
            search.slots[k].missed += 1
        for i in range(n):
            search.slots[search.slot[i]].missed -= 1


def tuned_bounds(search, visits, n):
    for i in range(n):
        s = search.slots[search.slot[i]]
        search.prob[i] = math.inf
        if s.tries > 0:
            mean = s.total / s.tries
            width = math.log(visits - s.missed) / s.tries
            variance = max(s.squares / s.tries - mean * mean, 0.0) + math.sqrt(2.0 * width)
            search.prob[i] = mean + math.sqrt(width * min(0.25, variance))


class Tuned:
    """UCB1-Tuned (Auer et al. 2002): in place of UCB1's constant, the root of a move's variance, as far as it is known
    (Whitehouse 2014, sec. 7.2)."""

    SLOT = (("missed", "i8"), ("squares", "f8"))
    """As UCB1's; and the sum of squared rewards."""
    BOUNDS = True
    PARAMETERS = (TIE,)
    choose = linked(Ucb.choose, {upper_bounds: tuned_bounds})
    open_slot = Ucb.open_slot

    def learn(search, d, reward, utility):
        search.slots[search.path[d].slot].squares += reward * reward


class Smooth(Ucb):
    """Smooth UCT (Heinrich and Silver 2015): UCB1, or else a move drawn from the average strategy, by which the node
    was played so far.

    With probability eta_k = max(eta_least, eta / (1 + decay sqrt(visits))) the move is UCB1's. So an opponent is met as
    it is on average and not as it is now, as in fictitious play, and what is found approaches an equilibrium where that
    of UCB1 goes round in circles."""

    PARAMETERS = (
        *Ucb.PARAMETERS,
        Number(
            "eta",
            0.9,
            0,
            1,
            "how often a node of Smooth UCT takes UCB1's move at first, and not one of its average strategy",
        ),
        Number("eta_least", 0.1, 0, 1, "the same at least, however many visits"),
        Number("decay", 0.001, 0, 1e6, "how fast it falls with the root of the visits"),
    )
    BOUNDS = False

    def choose(search, here, n):
        miss(search, here, n)
        if n == 1:
            return 0
        tries = 0
        for i in range(n):
            tries += search.slots[search.slot[i]].tries
        if tries == 0 or uniform(search.rng) < share_of_ucb(search.bandit, here.visits):
            upper_bounds(search, here.visits, n)
            return highest_bound(search, n)
        for i in range(n):
            search.prob[i] = search.slots[search.slot[i]].tries / tries
        return sample(search.prob, 0, n, search.rng)


def share_of_ucb(own, visits):
    """eta_k at a node with so many visits."""
    return max(own.eta_least, own.eta / (1.0 + own.decay * math.sqrt(visits)))


# --- without bounds


class InTurn:
    """The searcher's moves in turn, each as often as the others: what one-ply rollouts do. Other players move at
    random."""

    def choose(search, here, n):
        return here.visits % n if here.owner == search.asked.searcher else pick(search.rng, n)

    def learn(search, d, reward, utility):
        """Nothing but the mean is of use."""
