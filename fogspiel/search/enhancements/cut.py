"""Playouts end after so many moves, and an evaluation is taken (`search/evaluations`)."""

from fogspiel.game.spec import Whole

PARAMETERS = (Whole("cut", 0, 0, 10**6, "moves of a playout before the evaluation is taken"),)


def cut(search, longest):
    return search.cut.cut
