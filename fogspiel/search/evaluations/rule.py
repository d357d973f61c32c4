"""What the game's rule `evaluate` says."""

from fogspiel.game.needs import rule
from fogspiel.game.table import evaluate

NEEDS = (rule("evaluate"),)


def evaluation(game, search, s):
    evaluate(game, s, search.pay, 0)
