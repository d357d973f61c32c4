"""Growths: when a simulation leaves the tree, and so how many nodes it adds. A growth fills the five functions below,
all but `leaves_after` if it wants to.

GROWS = False tells that there is no node but the root's, and so nothing to be known of later decisions.
"""

import numpy as np

from fogspiel.engine.part import by_name
from fogspiel.game.needs import AT_MOST_TWO
from fogspiel.game.table import pick


def expands(search, here, n, pending):
    """The position of the move with which a stage is expanded, before any is chosen; -1: none. `pending`: others have
    moved in this stage."""
    return -1


def leaves_at(search, created, pending):
    """Whether to leave the tree at a node, before a move is chosen there."""
    return False


def leaves_after(search, created, untried):
    """Whether to leave the tree after the stage of a node at which a move was chosen."""
    raise NotImplementedError


def adds(search, created):
    """Whether a move is chosen at what the simulation adds to the tree: that is then the node, and not what the move
    leads to."""
    return False


def finishes_stage(search):
    """Whether the tree makes the rest of a stage's moves before it is left."""
    return True


STUBS = by_name(expands, leaves_at, leaves_after, adds, finishes_stage)


class Root:
    """Out of the tree after the root: there is no other node."""

    GROWS = False

    def leaves_after(search, created, untried):
        return True


class Untried:
    """Out of the tree after the first move that was never tried (Whitehouse 2014, sec. 3.2, Algorithm 1)."""

    def leaves_after(search, created, untried):
        return untried


class Created:
    """Out of the tree after the first move of a new node, which learns from it (IS-MCTS, Lisý 2014, sec. 3.2.3)."""

    def leaves_after(search, created, untried):
        return created

    def adds(search, created):
        return created


class CreatedAlone(Created):
    """As `created`, and the rest of a stage's moves is made by the playout: the printed reading of IS-MCTS (Lisý 2014,
    sec. 4.4)."""

    def finishes_stage(search):
        return False


class Stage:
    """Out of the tree at a new stage, which does not learn from this simulation (SM-MCTS, Lisý 2014, sec. 3.1.1). The
    rest of a stage belongs to the node that its first player made."""

    def leaves_at(search, created, pending):
        return created and not pending

    def leaves_after(search, created, untried):
        return False


MOST = 256
"""Moves of a stage's second player that are told apart. Those beyond are left to the bandit."""


class Joint:
    """All joint moves of a stage are tried once before any is chosen, and each adds the stage that it leads to, from
    which the game is played out (Lisý et al. 2013, Algorithm 1). The root is in the tree from the start.

    Bandits learn from such a simulation, too, with the probabilities that they would have chosen with. For stages of at
    most two players. Where chance follows, a stage that was not there yet is added as in `stage`."""

    NEEDS = (AT_MOST_TWO,)
    NODE = (("columns", "i8"),)
    """Of a stage's first node: how many moves the second player has, 1 where there is no second, 0 where that is not
    known yet."""
    SLOT = (("tried_with", "u8", MOST // 64), ("partners", "i8"))
    """Of a move of the first player: the second player's moves that were tried against it, as bits, and how many those
    are."""

    def expands(search, here, n, pending):
        """A move of a joint move that was never tried; all are as likely."""
        if pending and search.walk.expanding == 0:
            return -1
        row = search.path[search.walk.depth - 1].slot if pending else 0
        c, left = -1, 0
        for i in range(n):
            k = search.slot[i]
            fresh = (
                not tried_with(search.slots[row], k - here.first) if pending else not complete(here, search.slots[k])
            )
            if fresh:
                left += 1
                if pick(search.rng, left) == 0:
                    c = i
        return c

    def leaves_at(search, created, pending):
        return not pending and (search.walk.expanding != 0 or (created and search.walk.depth > 0))

    def leaves_after(search, created, untried):
        return False

    def learned(game, search, d, reward):
        """Write down which joint move was tried, at the stage's first node."""
        step = search.path[d]
        here, last = search.nodes[step.node], d + 1 == search.walk.depth
        if here.owner < 0 or step.pending != 0 or step.slot < 0 or (last and search.walk.pending != 0):
            return
        column, columns = 0, 1
        if not last and search.path[d + 1].pending != 0:
            other = search.path[d + 1]
            if other.slot < 0:
                return
            column = other.slot - search.nodes[other.node].first
            columns = min(search.nodes[other.node].used, MOST)
        here.columns = columns
        row = search.slots[step.slot]
        if not tried_with(row, column):
            row.tried_with[column // 64] |= np.uint64(1) << np.uint64(column % 64)
            row.partners += 1


def complete(here, row):
    """Whether all joint moves with this one were tried."""
    return here.columns > 0 and row.partners >= here.columns


def tried_with(row, column):
    return column >= MOST or row.tried_with[column // 64] >> np.uint64(column % 64) & np.uint64(1) != np.uint64(0)
