"""Others who are held to a fixed strategy for a share of the traversals (Lanctot 2013, sec. 4.8.1); where nobody is,
they play as they learn."""

from dataclasses import dataclass

from fogspiel.game.table import infoset, uniform
from fogspiel.solvers.mccfr.arena import FIXED, lookup
from fogspiel.solvers.mccfr.node import played
from fogspiel.solvers.mccfr.traversal import sample_once
from fogspiel.solvers.strategy import Strategy


@dataclass(frozen=True)
class Fixed:
    """In this share of the responder's traversals, all others play the strategy."""

    strategy: Strategy
    responder: int
    share: float


class Held:
    """held to fixed strategies, in a share of the traversals of who responds to them

    `held`: whether this traversal is one of them; `situations`: whether the strategies name situations rather than
    information sets."""

    RECORD = (("responder", "i8"), ("share", "f8"), ("situations", "i8"), ("held", "i8"))

    def begin(run, me):
        # where the others are always held they learn nothing, and only the responder's averages grow
        opponents = run.opponents
        opponents.held = 0
        if me != opponents.responder:
            return opponents.share < 1.0
        opponents.held = int(uniform(run.rng) < opponents.share)
        if opponents.share >= 1.0:
            run.walk.averaged = me
        return True

    def is_held(run, who):
        return run.opponents.held != 0 and who != run.opponents.responder

    def sample_fixed(game, run, place):
        """The fixed strategies of those responded to are part of the game, like chance; where they say nothing, all
        actions are as likely."""
        n, top = place.n, place.top
        name = place.key if run.opponents.situations != 0 else infoset(game, place.state, place.who)
        node = lookup(run.table, name, place.who + FIXED, n)
        if node >= 0:
            played(run.table, node, n, run.work, top)
        else:
            for a in range(n):
                run.work[top + a] = 1.0 / n
        return sample_once(run, place.key, n, top, 1.0)
