"""Where the horizon of a minimax search lies, and what a decision is worth. A chance node right after another counts as
a decision does, for chance can follow chance without end (in Can't Stop, turns lost at the first roll)."""

from fogspiel.game.needs import IN_TURN, PERFECT_INFORMATION
from fogspiel.game.spec import Number
from fogspiel.game.table import CHANCE


class Decisions:
    """Depth counts everybody's decisions, as in V_d (Lanctot 2013, eq. 2.20)."""

    NEEDS = (PERFECT_INFORMATION,)

    def is_horizon(search, at, who):
        """At a decision, when none is left to go."""
        return at.left < 0 or (at.left == 0 and who >= 0)

    def left_after(left, who):
        return left - 1

    def left_after_chance(left, after):
        return left - 1 if after == CHANCE else left


class OwnDecisions(Decisions):
    """Depth counts those of player 0: a step of a search on one player's information-set tree (Lisý 2014, sec.
    5.5.1)."""

    def is_horizon(search, at, who):
        """At a decision of player 0. At depth 0 what follows right after its move is judged."""
        return at.left < 0 or (at.left == 0 and at.level > 0 and (who == 0 or (who > 0 and search.asked.depth == 0)))

    def left_after(left, who):
        return max(left - 1, 0) if who == 0 else left


class End:
    """The end of the game is the only horizon, and everything in a state counts as seen, whatever the game hides: the
    minimax of a determinization."""

    NEEDS = (IN_TURN,)

    def is_horizon(search, at, who):
        return False

    def left_after(left, who):
        return left

    def left_after_chance(left, who):
        return left


# --- what a decision is worth


ROUNDING = 1e-12
"""Moves whose values differ by less are the same."""


class Mistakes:
    """Minimax that seeks the opponent's mistakes among moves of the same worth (Whitehouse 2014, sec. 5.1.2): to the
    value of a decision is added that of a random move, epsilon times."""

    PARAMETERS = (Number("epsilon", 0, 0, 1e9, "how much the value of a random move counts"),)

    def is_better(who, v, best):
        return v > best + ROUNDING if who == 0 else v < best - ROUNDING

    def worth(search, best, total, n):
        return best + search.seeking.epsilon * total / n
