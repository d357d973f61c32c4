"""The maxilinear combination of ICARUSes that act in the tree (Whitehouse 2014, sec. 8.2.4): lambda I1 (+) (1 - lambda)
I2 takes a move of the highest lambda v1 + (1 - lambda) v2, where v1 and v2 are the bounds that each would compare by
itself.

Weights are the same at every node, or that of one fades with its visits n: lambda = sqrt(k / (3n + k)), as AMAF's does
in RAVE (eq. 8.2 and 8.3).
"""

import math
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.linking import linked
from fogspiel.engine.part import Part
from fogspiel.search.icaruses.tree import share
from fogspiel.search.kinds import ICARUS


def maxilinear(name: str, operands: list[tuple[float, Part | None]], fading: tuple[int, float] | None) -> Part:
    """A part that compares weighted sums of the operands' bounds, None for the baseline. Weights add up to 1; with
    `fading`, that of the operand of this number is lambda with this k, and the others share the rest."""
    which, k = fading or (-1, 1.0)
    weights = np.array([weight for weight, _ in operands])

    def memory(game: Any, room: Any) -> dict[str, Any]:
        return {
            "shares": weights.copy(),
            "found": np.zeros(len(game.buffer())),
            "summed": np.zeros(len(game.buffer())),
            "fading": which,
            "k": k,
        }

    fades = all(part is None or i == which or part.tells("FADES") for i, (_, part) in enumerate(operands))
    space = SimpleNamespace(
        bound=_chain(tuple(as_found if part is None else part.space.bound for _, part in operands)),
        memory=memory,
        RECORD=(("next", "i8"), ("fading", "i8"), ("k", "f8")),
        FADES=fades,
    )
    return Part(MAXILINEAR, name, space)


MAXILINEAR = replace(ICARUS, name="maxilinear", record="maxilinear")


@cache
def _chain(bounds: tuple[Function, ...]) -> Function:
    whole = nothing_left
    for one in reversed(bounds):
        whole = linked(one_and_rest, {one_bound: one, rest: whole})
    return linked(bound, {rest: whole})


def one_bound(search, here, n):
    raise NotImplementedError


def rest(search, here, n):
    raise NotImplementedError


def as_found(search, here, n):
    """The baseline's bounds are there already."""


def nothing_left(search, here, n):
    """All operands are added."""


def bound(search, here, n):
    """alpha."""
    for i in range(n):
        search.found[i] = search.prob[i]
        search.summed[i] = 0.0
    search.maxilinear.next = 0
    rest(search, here, n)
    for i in range(n):
        search.prob[i] = search.summed[i]


def one_and_rest(search, here, n):
    """Add the bounds of one operand, found as if it were alone."""
    for i in range(n):
        search.prob[i] = search.found[i]
    one_bound(search, here, n)
    weight = weight_of(search, here.visits)
    for i in range(n):
        search.summed[i] = plus(search.summed[i], weight, search.prob[i])
    search.maxilinear.next += 1
    rest(search, here, n)


def weight_of(search, visits):
    """That of the next operand at a node."""
    own = search.maxilinear
    if own.fading < 0:
        return search.shares[own.next]
    weight = share(own.k, visits)
    return weight if own.next == own.fading else (1.0 - weight) * search.shares[own.next]


def plus(total, weight, value):
    """A move that one operand rules out stays so; what is infinite counts where it has any weight."""
    if total == -math.inf or value == -math.inf:
        return -math.inf
    return total + weight * value if weight > 0.0 else total
