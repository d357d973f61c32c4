"""As `history`, without chance's outcomes: a node stands for all that may have happened (open loop, Whitehouse 2014,
sec. 3.2)."""

from fogspiel.game.table import CHANCE, mix
from fogspiel.search.views.history import RECORD, begin_view, key_of, stage_begins

__all__ = ["RECORD", "begin_view", "key_of", "stage_begins", "told"]


def told(search, who, move):
    if who != CHANCE:
        search.seen.moved = mix(search.seen.moved, move)
