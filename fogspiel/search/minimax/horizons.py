"""Where the horizon lies. A chance node right after another counts as a decision does, for chance can follow chance
without end (in Can't Stop, turns lost at the first roll)."""

from fogspiel.game.needs import IN_TURN, PERFECT_INFORMATION
from fogspiel.game.table import CHANCE
from fogspiel.search.minimax.parts import Part, is_horizon, left_after, left_after_chance


def at_decision(search, at, who):
    """At a decision, when none is left to go."""
    return at.left < 0 or (at.left == 0 and who >= 0)


def one_less(left, who):
    return left - 1


def one_less_before_chance(left, after):
    return left - 1 if after == CHANCE else left


def at_own_decision(search, at, who):
    """At a decision of player 0. At depth 0 what follows right after its move is judged."""
    return at.left < 0 or (at.left == 0 and at.level > 0 and (who == 0 or (who > 0 and search.asked.depth == 0)))


def one_less_of_ones_own(left, who):
    return max(left - 1, 0) if who == 0 else left


def nowhere(search, at, who):
    return False


def all_that_was_left(left, who):
    return left


DECISIONS = Part(
    "decisions",
    {is_horizon: at_decision, left_after: one_less, left_after_chance: one_less_before_chance},
    needs=(PERFECT_INFORMATION,),
)
"""Depth counts everybody's decisions, as in V_d (Lanctot 2013, eq. 2.20)."""

OWN_DECISIONS = Part(
    "own-decisions",
    {is_horizon: at_own_decision, left_after: one_less_of_ones_own, left_after_chance: one_less_before_chance},
    needs=(PERFECT_INFORMATION,),
)
"""Depth counts those of player 0: a step of a search on one player's information-set tree (Lisý 2014, sec. 5.5.1)."""

END = Part(
    "end", {is_horizon: nowhere, left_after: all_that_was_left, left_after_chance: all_that_was_left}, needs=(IN_TURN,)
)
"""The end of the game is the only horizon, and everything in a state counts as seen, whatever the game hides: the
minimax of a determinization."""
