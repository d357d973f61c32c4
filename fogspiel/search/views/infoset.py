"""A node is what the player to move knows: its information set or, in a game with an abstraction, all those that share
one strategy.

IS-MCTS of Lisý 2014, sec. 3.2.3, and of Whitehouse 2014, sec. 7.2 (one node an information set, for every player); on
games of perfect information, UCT with transpositions; on simultaneous moves, decoupled SM-MCTS. Chance sees what all
players know.
"""

from fogspiel.game.table import CHANCE, PLAYERS, infoset, look, mix, situation, step

BY_INFOSET = True


def see(game, search, s):
    """A look at a state tells the key of the player to move, too."""
    return look(game, s, search.moves, 0, search.odds, 0, search.facts)


def go(game, search, s, move):
    return step(game, s, s, move, search.moves, 0, search.odds, 0, search.facts)


def key_of(game, search, s, who):
    if who != CHANCE:
        return mix(search.facts.key, who)
    return known_to_all(game, s)


def key_unseen(game, search, s, who):
    if who != CHANCE:
        return mix(situation(game, s, who), who)
    return known_to_all(game, s)


def known_to_all(game, s):
    key = mix(0, CHANCE)
    for p in range(game[PLAYERS]):
        key = mix(mix(key, infoset(game, s, p)), 0)
    return key
