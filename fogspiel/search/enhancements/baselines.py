"""Baselines in online outcome sampling: a guess stands in for moves that were not sampled, the mean of what they were
worth before (Schmid et al. 2019)."""

from fogspiel.game.needs import ZERO_SUM

NEEDS = (ZERO_SUM,)
"""What a move was worth to one player is taken for what it cost the other."""


def baseline_of(search, owner, slot):
    if slot.tries == 0:
        return 0.0
    worth = search.low[owner] + search.span[owner] * slot.total / slot.tries
    return worth if owner == search.walk.update else -worth
