"""ICARUSes that act in the tree, by the bounds that the bandit compares: AMAF and RAVE, and bonuses of what is known
elsewhere or beforehand."""

import math
from typing import Any

import numpy as np

from fogspiel.game.needs import rule
from fogspiel.game.spec import Number, Whole
from fogspiel.game.table import guide, mix
from fogspiel.search.bandits import FEW, INVERSE_ROOTS, ROOTS_OF_LOGARITHMS
from fogspiel.search.icaruses.averages import THETA, Mast, by_player, tell
from fogspiel.search.records import TABLE, empty, found, table
from fogspiel.search.traces import begin_tally, tally_move, times_made

# --- all moves as first


class Amaf:
    """AMAF, all moves as first (Whitehouse 2014, sec. 8.2, Specification 2): what a move brought on average that was
    made at a node or, by the same player, at any time later."""

    ACTS = "tree"
    FADES = False
    WITH = ("line", "tally")
    PARAMETERS: tuple[Any, ...] = (Number("exploration", 0.7, 0, 1e6, "the constant of AMAF's UCB1"),)
    SLOT = (("amaf_total", "f8"), ("amaf_tries", "i8"), ("offered", "i8"))
    """R and Theta: for each node and move its reward and visits; and the last simulation in which it could be made
    here."""
    ABOUT = ("forest: a node and a move", "reward, visits", "UCB1")

    def memory(game, room):
        """search.selecting: whether a step was taken at a selection node."""
        return {"selecting": np.zeros(room.levels + 1, np.int64)}

    def offered(game, search, s, here, n):
        """A node is a selection node if every move was tried."""
        selecting = 1
        for i in range(n):
            slot = search.slots[search.slot[i]]
            slot.offered = search.counts.done + 1
            if slot.tries == 0:
                selecting = 0
        search.selecting[search.walk.depth] = selecting

    def bound(search, here, n):
        """alpha: the bounds of AMAF instead of the tree's, where every move was tried."""
        width = search.amaf.exploration * spread(search, n)
        for i in range(n):
            if search.prob[i] < math.inf:
                search.prob[i] = upper(search.slots[search.slot[i]], width)

    def capture(game, search, s):
        """xi: at every selection node the moves that were made there or later, and could have been made there; as often
        as they were made."""
        begin_tally(search)
        for i in range(search.line.length - 1, -1, -1):
            row = search.moved[i]
            if row.who >= 0:
                tally_move(search, row.who, row.move)
            if row.step >= 0 and search.selecting[row.step] != 0:
                credit(search, search.path[row.step], row.move, search.rewards[row.who])


def spread(search, n):
    """The root of the logarithm of AMAF's visits, those of all moves that are there."""
    trials = 0
    for i in range(n):
        trials += search.slots[search.slot[i]].amaf_tries
    return ROOTS_OF_LOGARITHMS[np.uint64(trials)] if trials < FEW else math.sqrt(math.log(trials))


def upper(slot, width):
    tries = slot.amaf_tries
    if tries == 0:
        return math.inf
    share = INVERSE_ROOTS[np.uint64(tries)] if tries < FEW else 1.0 / math.sqrt(tries)
    return (slot.amaf_total * share + width) * share


def credit(search, step, move, reward):
    here = search.nodes[step.node]
    for k in range(here.first, here.first + here.used):
        slot = search.slots[k]
        if slot.offered == search.counts.done + 1:
            times = times_made(search, here.owner, slot.move)
            # where a node's moves are told apart by what the searcher sees, the one made goes by another name
            update(slot, times + (k == step.slot and slot.move != move), reward)


def update(slot, times, reward):
    """omega."""
    slot.amaf_tries += times
    slot.amaf_total += times * reward


class Rave(Amaf):
    """RAVE, rapid action value estimation (Gelly and Silver 2007; Whitehouse 2014, eq. 8.2 and 8.3): AMAF's bounds at
    first, and the tree's own ever more, lambda AMAF + (1 - lambda) baseline."""

    FADES = True
    PARAMETERS = (Number("k", 250, 1e-3, 1e9, "visits of a node after which both count alike"), *Amaf.PARAMETERS)
    ABOUT = ("forest: a node and a move", "reward, visits", "UCB1, mixed with the tree's")

    def bound(search, here, n):
        """alpha. Expansion is left to the tree: what was never tried has an infinite bound there."""
        weight = share(search.rave.k, here.visits)
        width = search.rave.exploration * spread(search, n)
        for i in range(n):
            if search.prob[i] < math.inf:
                of_amaf = upper(search.slots[search.slot[i]], width)
                search.prob[i] = weight * of_amaf + (1.0 - weight) * search.prob[i]


def share(k, visits):
    """lambda: 1 at first, 1/2 after k visits, and 0 in the end."""
    return math.sqrt(k / (3.0 * visits + k))


# --- what a move brought elsewhere


class History:
    """Progressive history (Nijssen and Winands 2011; Whitehouse 2014, sec. 8.2): MAST's average of a move is added to
    its bound in the tree, the less the more often the move was tried there and lost: x W / (n (1 - mean) + 1)."""

    ACTS = "tree"
    FADES = False
    ADDS = True
    WITH = ("line",)
    PARAMETERS = (Number("weight", 3, 0, 1e6, "W, of what a move brought elsewhere"),)
    RECORD = TABLE
    ABOUT = ("flat: a move and its player", "reward, visits", "UCB1 with a bonus")
    read = Mast.read

    def memory(game, room):
        return table("history", THETA)

    def bound(search, here, n):
        """alpha: a bonus beside the tree's bounds."""
        context = by_player(search, 0, here.owner)
        for i in range(n):
            slot = search.slots[search.slot[i]]
            record = found(search.history, search.history_index, search.history_records, mix(context, slot.move))
            if record >= 0:
                lost = slot.tries - slot.total
                search.prob[i] += search.history_records[record].mean * search.history.weight / (lost + 1.0)

    def capture(game, search, s):
        """xi: every move of the simulation."""
        tell(search, search.history, search.history_index, search.history_records, by_player)

    def forget(search):
        empty(search.history, search.history_index)


# --- what is known beforehand


class Bias:
    """Progressive bias (Chaslot et al. 2008; Whitehouse 2014, sec. 8.2): what is known of a move beforehand is added to
    its bound, H / (n + 1) after n tries. H is the probability that the game's rule `guide` gives it."""

    ACTS = "tree"
    FADES = True
    ADDS = True
    NEEDS = (rule("guide"),)
    PARAMETERS: tuple[Any, ...] = (Number("weight", 1, 0, 1e6, "of what is known beforehand"),)
    SLOT = (("guided", "i8"), ("liking", "f8"))
    """R and Theta: for each node and move, whether the rule was asked, and what it said (theta_init). Nothing is
    captured."""
    ABOUT = ("forest: a node and a move", "what is known beforehand", "UCB1 with a bonus")

    def memory(game, room):
        return {"advised": game.buffer(), "advice": np.zeros(len(game.buffer()))}

    def offered(game, search, s, here, n):
        """theta_init: ask the rule for moves that are new."""
        for i in range(n):
            if search.slots[search.slot[i]].guided == 0:
                ask(game, search, s, n)
                return

    def bound(search, here, n):
        """alpha."""
        for i in range(n):
            slot = search.slots[search.slot[i]]
            search.prob[i] += search.bias.weight * slot.liking / (slot.tries + 1.0)


def ask(game, search, s, n):
    count = guide(game, s, search.advised, 0, search.advice, 0)
    for i in range(n):
        slot = search.slots[search.slot[i]]
        if slot.guided == 0:
            slot.guided = 1
            for k in range(count):
                if search.advised[k] == slot.move:
                    slot.liking = search.advice[k]


class Unpruning(Bias):
    """Progressive unpruning (Chaslot et al. 2008; Whitehouse 2014, sec. 8.2): a node has its most promising moves at
    first, by the game's rule `guide`, and one more after A, A B, A B^2, ... visits."""

    PARAMETERS = (
        Whole("first", 5, 1, 10**6, "moves that a node begins with"),
        Number("wait", 50, 1, 1e9, "A: visits before there is one more"),
        Number("factor", 1.3, 1.001, 1e6, "B: how much longer the wait is for each after that"),
    )
    ABOUT = ("forest: a node and a move", "what is known beforehand", "UCB1 over the best of them")

    def misfit(names):
        return "bias and unpruning use the rule guide in two ways: choose one of them" if "bias" in names else ""

    def bound(search, here, n):
        """alpha: the moves that are still pruned come last."""
        few = unpruned(search.unpruning, here.visits)
        if few < n:
            for i in range(n):
                better = 0
                liking = search.slots[search.slot[i]].liking
                for j in range(n):
                    other = search.slots[search.slot[j]].liking
                    better += other > liking or (other == liking and j < i)
                if better >= few:
                    search.prob[i] = -math.inf


def unpruned(own, visits):
    """How many moves a node with so many visits has."""
    if visits < own.wait:
        return own.first
    return own.first + 1 + int(math.log(visits / own.wait) / math.log(own.factor))
