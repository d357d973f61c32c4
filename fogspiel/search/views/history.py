"""A node is all moves since the root, chance's too, as if everyone saw them (SO-ISMCTS, Whitehouse 2014, sec. 5.2.3;
UCT on a determinization, sec. 5.1)."""

from fogspiel.game.table import mix

RECORD = (("history", "u8"), ("moved", "u8"))
"""The moves before the stage, and with those pending in it."""


def begin_view(game, search, s):
    search.seen.moved = 0


def stage_begins(game, search, s):
    search.seen.history = search.seen.moved


def key_of(game, search, s, who):
    return mix(search.seen.history, who)


def told(search, who, move):
    search.seen.moved = mix(search.seen.moved, move)
