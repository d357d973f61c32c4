"""Playouts: how a game is played to the end outside the tree; and evaluations, which say what everyone can expect of a
state where a playout is cut.

A playout policy fills `policy`, and `candidates` where it lists moves in its own way. The loop of a playout is the
game's own random play, compiled with its rules (`game/rollout.py`), or, where a part has a say in it, that of
`Stepwise`. An evaluation fills `evaluation`.
"""

from fogspiel.game.needs import rule
from fogspiel.game.spec import Whole
from fogspiel.game.table import CHANCE, LIMIT, OVER, STOPPED, actor, chances, evaluate, guide, payoff, play, sample
from fogspiel.search.hooks import candidates, happen, policy, trace
from fogspiel.search.status import LISTED, OUTSIDE


class Random:
    """Every move as likely. The game's own random play does that."""


class Guide:
    """Moves are drawn as the game's rule `guide` says: sensible play."""

    NEEDS = (rule("guide"),)

    def candidates(game, search, s):
        return guide(game, s, search.moves, 0, search.odds, 0)

    def policy(game, search, s, n):
        return sample(search.odds, 0, n, search.rng)


class Stepwise:
    """A playout step by step, for parts that choose its moves, follow it, or have a say in what chance does."""

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
            else:
                i = policy(game, search, s, n)
                if i < 0 or i >= n:
                    search.walk.status = OUTSIDE
                    return STOPPED
                move = search.moves[i]
            trace(game, search, s, who, move)
            play(game, s, move)
            length += 1


# --- evaluations, and where playouts are cut


class ToTheEnd:
    """Games are played out to the end."""

    NOTHING = True


class Evaluate:
    """What the game's rule `evaluate` says."""

    NEEDS = (rule("evaluate"),)

    def evaluation(game, search, s):
        evaluate(game, s, search.pay, 0)


class Cut:
    """Playouts end after so many moves, and an evaluation is taken."""

    PARAMETERS = (Whole("cut", 0, 0, 10**6, "moves of a playout before the evaluation is taken"),)

    def cut(search, longest):
        return search.cut.cut


class CutFromRoot(Cut):
    """Simulations end so many moves from the root (Lisý 2014, sec. 5.5.1), in the tree or outside it, and an evaluation
    is taken.

    Chance's moves count, too. A stage of simultaneous moves that was begun in the tree is finished there, if the growth
    finishes stages."""

    RECORD = (("moves", "i8"),)
    """Moves that the simulation made in the tree."""

    def begin(game, search):
        search.cut_from_root.moves = 0

    def told(search, who, move):
        own = search.cut_from_root
        own.moves += 1
        if own.moves >= own.cut:
            search.walk.growing = 0

    def cut(search, longest):
        return max(0, search.cut_from_root.cut - search.cut_from_root.moves)
