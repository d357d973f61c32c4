"""Antithetic variates (Lanctot 2013, sec. 7.3): every second simulation of a move has the stream of the one before,
each outcome replaced by its opposite, by the game's rule `mirror`."""

from fogspiel.game.needs import rule
from fogspiel.game.table import mirror

NEEDS = (rule("mirror"),)
WITH = ("stream",)
RECORD = (("mirrored", "i8"),)


def begin(game, search):
    search.antithetic.mirrored = 0


def pair(search, tries):
    search.antithetic.mirrored = tries % 2
    return tries // 2


def turn(game, search, s, i):
    if search.antithetic.mirrored != 0:
        search.moves[i] = mirror(game, s, search.moves[i])
