"""What solvers need of a game (`game/needs.py`): the needs that are theirs alone, and those that several share, in the
order in which they are asked."""

from fogspiel.game.needs import (
    AT_MOST_TWO,
    ENDLESS,
    KNOWN_STAGES,
    NO_ABSTRACTION,
    ONE_SIDED,
    PERFECT_INFORMATION,
    PERFECT_RECALL,
    TWO_PLAYERS,
    ZERO_SUM,
    Need,
    remembers,
)
from fogspiel.tree.estimate import estimate, too_many
from fogspiel.tree.recall import strictly_informative
from fogspiel.tree.tree import Tree, memory_limit


def _forgets_shared(tree: Tree) -> str:
    return remembers(tree.game) if tree.shared and not tree.perfect_recall else ""


def _meets_twice(tree: Tree) -> str:
    return "lets one be twice in one information set" if tree.shared and not strictly_informative(tree) else ""


UNROLLS = Need(
    "a game small enough to unroll",
    lambda game: too_many(game, estimate(game), memory_limit()),
    unrolled=lambda tree: "",
)
ONCE_IN_EACH = Need("players who come to an information set once in a game", lambda game: "", unrolled=_meets_twice)
"""Lanctot 2013, eq. 5.1: without it counterfactual values have no meaning."""
SHARED_RECALL = Need(
    "perfect recall where information sets share a strategy", PERFECT_RECALL.fault, unrolled=_forgets_shared
)
"""For averages that tell apart what players who share a strategy do not."""

SEQUENCE_FORM = (UNROLLS, PERFECT_RECALL, NO_ABSTRACTION)
OPPOSED = (TWO_PLAYERS, UNROLLS, ZERO_SUM, PERFECT_RECALL, NO_ABSTRACTION)
STAGES = (AT_MOST_TWO, UNROLLS, ZERO_SUM, KNOWN_STAGES)
SIMULTANEOUS = (TWO_PLAYERS, ZERO_SUM, KNOWN_STAGES)
KNOWN_STATES = (AT_MOST_TWO, ZERO_SUM, PERFECT_INFORMATION)
ONE_SIDED_GAMES = (*ENDLESS, ONE_SIDED)
