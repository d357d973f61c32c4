"""Serialized games: those in which one player's choices are shown to the other (Bošanský, Lisý, Čermák, Vítek and
Pěchouček 2013).

They are of perfect information, and alpha-beta search solves them. With player 0's choices shown, a stage is worth at
most what it is worth when both move at once; with player 1's, at least.
"""

import numpy as np

from fogspiel.engine.linking import linked
from fogspiel.solvers.simultaneous.stage_memory import beyond
from fogspiel.solvers.simultaneous.stage_moves import follow_both, in_order, index_of
from fogspiel.solvers.simultaneous.stage_search import at_stage, bounds, count, is_root, value


def never(search, level):
    return False


def count_serialized(search):
    search.counts.nodes += 1
    search.counts.serialized += 1


def as_they_are(game, search, at, alpha, beta, low, high):
    return low, high


def serialized_stage(game, search, at, stage, alpha, beta, hint):
    """A stage in which one player's choice is shown to the other: the value, and the best choice to show."""
    leader = at.shown
    sign = 1.0 if leader == 0 else -1.0
    choices = stage.rows if leader == 0 else stage.columns
    mine = at.first if leader == 0 else at.first + stage.rows
    chosen = begin = index_of(search, mine, choices, hint)
    best = -np.inf * sign
    refutation = 0
    for i in range(choices):
        choice = in_order(i, begin)
        a = alpha
        b = beta
        worth = np.inf * sign
        for j in range(stage.rows + stage.columns - choices):
            reply = in_order(j, refutation)
            row = choice if leader == 0 else reply
            column = reply if leader == 0 else choice
            follow_both(
                game,
                search,
                at.level,
                stage.who,
                search.moves[at.first + row],
                search.moves[at.first + stage.rows + column],
            )
            v = value(game, search, beyond(at, stage.rows + stage.columns, 0), a, b)
            if search.stand.stop != 0:
                return 0.0, hint
            worth = min(worth, v) if leader == 0 else max(worth, v)
            if leader == 0:
                b = min(b, v)
            else:
                a = max(a, v)
            if a >= b:
                refutation = reply
                break
        if sign * worth > sign * best:
            best = worth
            chosen = choice
        if leader == 0:
            alpha = max(alpha, worth)
        else:
            beta = min(beta, worth)
        if alpha >= beta:
            break
    return best, search.moves[mine + chosen]


serialized = linked(value, {is_root: never, count: count_serialized, bounds: as_they_are, at_stage: serialized_stage})
"""The value of a state in the game in which the choices of `at.shown` are shown to the other."""
