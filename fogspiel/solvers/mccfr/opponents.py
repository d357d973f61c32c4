"""What the others may do: play as they learn, or be held to a fixed strategy for a share of the traversals (Lanctot
2013, sec. 4.8.1)."""

from typing import Any, NamedTuple

import numpy as np

from fogspiel.engine.kinds import Record
from fogspiel.game.game import Game
from fogspiel.game.table import infoset, uniform
from fogspiel.solvers.mccfr.arena import FIXED, lookup
from fogspiel.solvers.mccfr.averaging.whose import updating_player
from fogspiel.solvers.mccfr.following import sample_once
from fogspiel.solvers.mccfr.node import played
from fogspiel.solvers.mccfr.parts import Part, begin, begin_averaging, is_held, sample_fixed
from fogspiel.solvers.strategy import Strategy

Response = np.dtype([("responder", "i8"), ("share", "f8"), ("situations", "i8"), ("held", "i8")], align=True)
"""Who responds, to strategies that are followed in this share of its traversals; whether they name situations rather
than information sets; and whether this traversal is one of them."""


class Held(NamedTuple):
    """In this share of the responder's traversals, all others play the strategy."""

    strategy: Strategy
    responder: int
    share: float


def begin_free(run, me):
    return True


def is_never_held(run, who):
    return False


def sample_nothing(game, run, place):
    """Nobody is held to anything."""
    return 0


def begin_response(run, me):
    """Where the others are always held, they learn nothing."""
    response = run.response
    response.held = 0
    if me != response.responder:
        return response.share < 1.0
    response.held = int(uniform(run.rng) < response.share)
    return True


def is_held_now(run, who):
    return run.response.held != 0 and who != run.response.responder


def sample_given(game, run, place):
    """The fixed strategies of those responded to are part of the game, like chance; where they say nothing, all actions
    are as likely."""
    n, top = place.n, place.top
    name = place.key if run.response.situations != 0 else infoset(game, place.state, place.who)
    node = lookup(run.table, name, place.who + FIXED, n)
    if node >= 0:
        played(run.table, node, n, run.work, top)
    else:
        for a in range(n):
            run.work[top + a] = 1.0 / n
    return sample_once(run, place.key, n, top, 1.0)


def response(game: Game, parameters: dict[str, Any]) -> np.ndarray:
    strategy, responder, share = parameters["held"]
    return np.array([(responder, share, strategy.situations, 0)], Response)


FREE = Part("free", {begin: begin_free, is_held: is_never_held, sample_fixed: sample_nothing})
HELD = Part(
    "held",
    {begin: begin_response, is_held: is_held_now, sample_fixed: sample_given},
    memory={"response": (Record(Response), response)},
)
HELD_ALWAYS = Part("held-always", {**HELD.functions, begin_averaging: updating_player}, memory=HELD.memory)
"""Nobody but the responder learns, so that only its averages grow."""
