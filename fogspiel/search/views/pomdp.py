"""A node is a decision of the searcher, by all that it did and saw: PO-UCT, the search of POMCP (Silver and Veness
2010).

Whatever else happens is the environment's: others move as playouts do, chance as it may, and where the searcher has one
move it makes it. So a simulation goes from one choice of the searcher's to the next, as in a partially observable
Markov decision process.
"""

from fogspiel.game.table import CHANCE, LIMIT, LONGEST, OVER, STOPPED, actor, chances, infoset, mix, moves, play
from fogspiel.search.hooks import candidates, happen, policy
from fogspiel.search.status import LISTED


def see(game, search, s):
    """Have the environment move until the searcher has a choice, or the game is over."""
    searcher = search.asked.searcher
    for _ in range(LONGEST):
        who = actor(game, s)
        search.facts.who = who
        if who == OVER:
            return 0
        if who == CHANCE:
            n = chances(game, s, search.moves, 0, search.odds, 0)
        elif who == searcher:
            n = moves(game, s, search.moves, 0)
        else:
            n = candidates(game, search, s)
        if n < 1 or n > game[LIMIT]:
            return stuck(search, LISTED)
        if who == searcher and n > 1:
            return n
        i = 0
        if who == CHANCE:
            i = happen(game, search, s, n)
        elif who != searcher:
            i = policy(game, search, s, n)
        play(game, s, search.moves[i])
    return stuck(search, STOPPED)


def stuck(search, status):
    """A game that cannot be played on: the simulation ends, and the search is told why."""
    search.walk.status = status
    search.facts.who = OVER
    return 0


def go(game, search, s, move):
    play(game, s, move)
    return see(game, search, s)


def key_of(game, search, s, who):
    return mix(infoset(game, s, who), who)
