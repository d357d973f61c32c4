"""Alpha-beta search of zero-sum games in which nothing is hidden but moves made at the same time, stage by stage.

What varies is what is done in a stage in which both players move, and what is known of a value before it is searched:
`at_stage` and `bounds` stand for that. In a serialized game (`serialized.py`) one player's choices are shown to the
other, in the game itself (`do_search.py`) nobody's.

Values are player 0's. They are inside the window, or bounds on its side of it (fail-soft).
"""

import numpy as np

from fogspiel.game.table import CHANCE, LIMIT, actor, chances, known_key, state_at
from fogspiel.search.minimax.line_end import DEEP, LEVELS, NODES, ROOM, are_wrong, line_end
from fogspiel.solvers.simultaneous.stage_memory import (
    TABLE,
    Place,
    Stage,
    beyond,
    entry_key,
    place,
    remember,
    shallower_hint,
)
from fogspiel.solvers.simultaneous.stage_moves import follow_one, in_order, index_of, stage_moves


def is_root(search, level):
    """Whether the strategies of the stage on this level are wanted."""
    raise NotImplementedError


def count(search):
    """A node is visited."""
    raise NotImplementedError


def bounds(game, search, at, alpha, beta, low, high):
    """Bounds of a value that are better than these, in the window."""
    raise NotImplementedError


def at_stage(game, search, at, stage, alpha, beta, hint):
    """The value of a stage in which both players move, and the best choice to show; `hint` is one to try first."""
    raise NotImplementedError


def value(game, search, at, alpha, beta):
    """The value of a state."""
    asked, stand, counts = search.asked, search.stand, search.counts
    s = state_at(game, search.states, at.level)
    who = actor(game, s)
    count(search)
    is_leaf, v = leaf(game, search, at, s, who)
    if is_leaf:
        return v
    root = is_root(search, at.level)
    here = known_key(game, s, who)
    key = entry_key(here, at.shown, at.left)
    low = asked.low
    high = asked.high
    hint = shallower_hint(search, here, at)
    known = search.table[place(search, key)]
    if known.key == key and not root:
        low = known.low
        high = known.high
        hint = known.hint
        if low >= beta or high <= alpha or low >= high:
            counts.hits += 1
            counts.horizon += known.judged
            return high if high <= alpha else low
    judged = counts.horizon
    low, high = bounds(game, search, at, alpha, beta, low, high)
    if stand.stop != 0:
        return 0.0
    v = high if high <= alpha else low
    if root or (alpha < high and low < beta and low < high):
        a = alpha if root else max(alpha, low)
        b = beta if root else min(beta, high)
        if who == CHANCE:
            v = chance_node(game, search, at, a, b)
        else:
            v, hint = decision_node(game, search, at, who, a, b, hint)
        v = min(max(v, low), high)
        low = v if v > a else low
        high = v if v < b else high
    if stand.stop == 0:
        remember(search, key, low, high, hint, 1 if counts.horizon > judged else 0)
    return v


def leaf(game, search, at, s, who):
    """Whether nothing below a node is searched, and what it is worth then: at the end of the game, at the horizon, or
    where the search stops."""
    asked, room, stand, counts = search.asked, search.room, search.stand, search.counts
    counts.deepest = max(counts.deepest, at.level)
    ends, v = line_end(game, search, s, who, at.left < 0 or (at.left == 0 and who >= 0))
    if ends:
        return True, v
    if counts.nodes > asked.most:
        stand.stop = NODES
    elif at.level + 1 >= LEVELS:
        stand.stop = DEEP
    elif at.first + 4 * game[LIMIT] > room.moves or at.cell + game[LIMIT] > room.cells:
        stand.stop = ROOM
    elif counts.entries > room.entries:
        stand.stop = TABLE
    return stand.stop != 0, 0.0


def decision_node(game, search, at, who, alpha, beta, hint):
    """One player's decision, or a stage of both players': the value, and the best move of who decides or shows its
    choice."""
    room, stand = search.room, search.stand
    rows, columns = stage_moves(game, search, at, who)
    if at.cell + rows * columns > room.cells or max(rows, columns) > room.wide:
        stand.stop = ROOM
    if stand.stop != 0:
        return 0.0, hint
    if is_root(search, at.level):
        stand.first, stand.rows, stand.columns = who, rows, columns
    if rows == 0 or columns == 0:
        return lone_decision(game, search, at, who, rows + columns, alpha, beta, hint)
    return at_stage(game, search, at, Stage(who, rows, columns), alpha, beta, hint)


def lone_decision(game, search, at, who, n, alpha, beta, hint):
    """One player's decision with everything known: alpha-beta search."""
    sign = 1.0 if who == 0 else -1.0
    chosen = begin = index_of(search, at.first, n, hint)
    best = -np.inf * sign
    for i in range(n):
        k = in_order(i, begin)
        follow_one(game, search, at.level, search.moves[at.first + k])
        v = value(game, search, beyond(at, n, 0), alpha, beta)
        if search.stand.stop != 0:
            return 0.0, hint
        if sign * v > sign * best:
            best = v
            chosen = k
        if who == 0:
            alpha = max(alpha, v)
        else:
            beta = min(beta, v)
        if alpha >= beta:
            break
    if is_root(search, at.level):
        for i in range(n):
            search.answer[who * game[LIMIT] + i] = 1.0 if i == chosen else 0.0
    return best, search.moves[at.first + chosen]


def chance_node(game, search, at, alpha, beta):
    """The mean over chance's outcomes, each searched with the window that the bounds of the others leave (Star1,
    Ballard 1983)."""
    odds, cells = search.odds, search.cells
    n = chances(game, state_at(game, search.states, at.level), search.moves, at.first, odds, at.first)
    if are_wrong(game, search, n):
        return 0.0
    for i in range(n):
        cells[at.cell + i].low = search.asked.low
        cells[at.cell + i].high = search.asked.high
    after = Place(at.level + 1, at.left, at.first + n, at.cell + n, at.shown)
    total = 0.0
    for i in range(n):
        p = odds[at.first + i]
        if p <= 0.0:
            continue
        least = most = 0.0
        for k in range(n):
            if k != i and odds[at.first + k] > 0.0:
                least += odds[at.first + k] * cells[at.cell + k].low
                most += odds[at.first + k] * cells[at.cell + k].high
        a = (alpha - most) / p
        b = (beta - least) / p
        follow_one(game, search, at.level, search.moves[at.first + i])
        if actor(game, state_at(game, search.states, at.level + 1)) == CHANCE:
            # chance may follow chance without end
            v = value(game, search, beyond(at, n, n), a, b)
        else:
            v = value(game, search, after, a, b)
        if search.stand.stop != 0:
            return 0.0
        if v <= a:
            return min(most + p * v, alpha)
        if v >= b:
            return max(least + p * v, beta)
        cells[at.cell + i].low = v
        cells[at.cell + i].high = v
        total += p * v
    return total
