"""The recursion of the minimax family (Lanctot 2013, eq. 2.20, Algorithm 6): Max, Min and chance in any order.

Values are player 0's, who is Max; Max and Min need not alternate. Depth counts decisions only, as in the finite-horizon
value V_d: chance's outcomes at the horizon are still looked at, and the game's rule `evaluate`, or another evaluation,
judges the decision nodes below. Values outside a window are bounds of the right side (fail-soft).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from fogspiel.engine.closure import Function
from fogspiel.engine.kernel import Kernel, kernel
from fogspiel.engine.kinds import Ints, Kind, Real
from fogspiel.engine.linking import annotated
from fogspiel.engine.part import Part
from fogspiel.engine.part import assembled as put_together
from fogspiel.game.table import (
    CHANCE,
    actor,
    chances,
    copy_state,
    follow,
    moves,
    state_at,
)
from fogspiel.search.minimax.hooks import (
    chance_node,
    entry_of,
    first_to_try,
    is_better,
    is_closed,
    is_horizon,
    is_settled,
    left_after,
    left_after_chance,
    line_after,
    most_outcomes,
    narrowed,
    outcomes_searched,
    recalled,
    remember,
    worth,
)
from fogspiel.search.minimax.line_end import DEEP, NODES, ROOM, are_wrong, line_end
from fogspiel.search.minimax.memory import Place, Window

ZERO = np.int64(0)
"""Of NumPy's type: for a literal Numba would compile the recursion again."""


def assembled(parts: Sequence[Part]) -> Function:
    """The recursion made of these parts, un-compiled."""
    return _assembled(tuple(replace(p, values=()) for p in parts))


@cache
def _assembled(parts: tuple[Part, ...]) -> Function:
    return put_together(search_roots, parts)


@cache
def recursion(whole: Function, name: str, kind: Kind) -> Kernel:
    """The same compiled, for memory of this kind."""
    made = annotated(whole, {"game": Ints, "search": kind, "return": Real})
    return kernel(made, group=name, alone=True, short=True)


def search_roots(game, search):
    """Search `asked.roots` states one after the other and write their best moves to `best`; what is there before is
    tried first if it is legal. Returns the value of the last; nothing if `stand.stop` is set."""
    asked, stand = search.asked, search.stand
    root = state_at(game, search.states, 0)
    found = 0.0
    for i in range(asked.roots):
        if i > 0:
            search.counts.nodes = 0
        copy_state(game, root, state_at(game, search.roots, i))
        stand.best = search.best[i]
        at = Place(ZERO, asked.depth, asked.seed, ZERO)
        found = value(game, search, at, actor(game, root), Window(asked.alpha, asked.beta))
        search.best[i] = stand.best
        if stand.stop != 0:
            break
    return found


def value(game, search, at, who, window):
    """The value of a node, where `who` is to move, in the window from alpha to beta."""
    is_leaf, v = leaf(game, search, at, who)
    if is_leaf:
        return v
    entry = entry_of(game, search, at, who)
    if at.level > 0 and is_settled(search, entry, window):
        return recalled(search, entry)
    best = search.stand.best if at.level == 0 else first_to_try(search, entry, at)
    judged = search.counts.horizon
    if who == CHANCE:
        v = chance_node(game, search, at, window)
    else:
        v, best = decision_node(game, search, at, who, window, best)
    if at.level == 0:
        search.stand.best = best
    if search.stand.stop == 0:
        remember(search, entry, window, v, best, judged)
    return v


def leaf(game, search, at, who):
    """Whether nothing below a node is searched, and what it is worth then: at the end of the game, at the horizon, or
    where the search stops."""
    asked, stand, counts = search.asked, search.stand, search.counts
    counts.nodes += 1
    counts.deepest = max(counts.deepest, at.level)
    if counts.nodes > asked.most:
        stand.stop = NODES
        return True, 0.0
    ends, v = line_end(game, search, state_at(game, search.states, at.level), who, is_horizon(search, at, who))
    if ends:
        return True, v
    if at.level + 1 >= asked.levels:
        stand.stop = DEEP
    elif at.first + most_outcomes(game, search) > asked.room:
        stand.stop = ROOM
    return stand.stop != 0, 0.0


def decision_node(game, search, at, who, window, best):
    """Max or Min: the value and the best move. The move `best` is tried first."""
    n = list_moves(game, search, at, best)
    if search.stand.stop != 0:
        return 0.0, best
    chosen = search.moves[at.first]
    found = -np.inf if who == 0 else np.inf
    total = 0.0
    for i in range(n):
        move = search.moves[at.first + i]
        below, after = follow_move(game, search, at, who, n, move)
        v = value(game, search, below, after, window)
        if search.stand.stop != 0:
            return 0.0, best
        total += v
        if is_better(who, v, found):
            found = v
            chosen = move
        window = narrowed(window, who, v)
        if is_closed(window):
            break
    return worth(search, found, total, n), chosen


def list_moves(game, search, at, best):
    """Write the moves of a node to the stack, `best` first, and return how many there are."""
    listed, first = search.moves, at.first
    n = moves(game, state_at(game, search.states, at.level), listed, first)
    if are_wrong(game, search, n):
        return n
    for i in range(1, n):
        if listed[first + i] == best:
            for j in range(i, 0, -1):
                listed[first + j] = listed[first + j - 1]
            listed[first] = best
    return n


def follow_move(game, search, at, who, n, move):
    """Go on to the state after a move of `who`, one of n: where that node stands, and who moves there."""
    child = state_at(game, search.states, at.level + 1)
    follow(game, child, state_at(game, search.states, at.level), move)
    return Place(at.level + 1, left_after(at.left, who), line_after(at.line, move), at.first + n), actor(game, child)


def list_outcomes(game, search, at):
    """Write chance's outcomes and their probabilities to the stacks, and return how many there are."""
    n = chances(game, state_at(game, search.states, at.level), search.moves, at.first, search.odds, at.first)
    are_wrong(game, search, n)
    return n


def follow_outcome(game, search, at, n, i, k):
    """Go on to the state after outcome k of n, the i-th that is searched: where that node stands, and who moves
    there."""
    child = state_at(game, search.states, at.level + 1)
    follow(game, child, state_at(game, search.states, at.level), search.moves[at.first + k])
    after = actor(game, child)
    above = at.first + max(n, outcomes_searched(search, n))
    return Place(at.level + 1, left_after_chance(at.left, after), line_after(at.line, i), above), after
