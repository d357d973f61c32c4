"""Moves are drawn as the game's rule `guide` says: sensible play."""

from fogspiel.game.needs import rule
from fogspiel.game.table import guide, sample

NEEDS = (rule("guide"),)


def candidates(game, search, s):
    return guide(game, s, search.moves, 0, search.odds, 0)


def policy(game, search, s, n):
    return sample(search.odds, 0, n, search.rng)
