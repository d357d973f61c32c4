"""As `infoset`, by a look at a state, which tells the key of the player to move."""

from fogspiel.game.table import CHANCE, look, mix, step
from fogspiel.search.views.infoset import known_to_all


def see(game, search, s):
    return look(game, s, search.moves, 0, search.odds, 0, search.facts)


def go(game, search, s, move):
    return step(game, s, s, move, search.moves, 0, search.odds, 0, search.facts)


def key_of(game, search, s, who):
    if who != CHANCE:
        return mix(search.facts[1], who)
    return known_to_all(game, s)
