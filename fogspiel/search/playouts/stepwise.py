"""A playout step by step, for parts that choose its moves, follow it, or have a say in what chance does."""

from fogspiel.game.table import CHANCE, LIMIT, OVER, STOPPED, actor, chances, payoff, play
from fogspiel.search.hooks import candidates, happen, happened, policy, trace
from fogspiel.search.status import LISTED, OUTSIDE


def playout(game, search, s, most):
    """At most so many moves. Returns as `game.table.play_out` does."""
    length = 0
    while True:
        who = actor(game, s)
        if who == OVER:
            payoff(game, s, search.pay, 0)
            return length
        if length >= most:
            return STOPPED
        n = chances(game, s, search.moves, 0, search.odds, 0) if who == CHANCE else candidates(game, search, s)
        if n < 1 or n > game[LIMIT]:
            search.walk.status = LISTED
            return STOPPED
        search.facts.who = who
        search.walk.moves = n
        if who == CHANCE:
            move = search.moves[happen(game, search, s, n)]
            happened(game, search, s, move)
        else:
            i = policy(game, search, s, n)
            if i < 0 or i >= n:
                search.walk.status = OUTSIDE
                return STOPPED
            move = search.moves[i]
        trace(game, search, s, who, move)
        play(game, s, move)
        length += 1
