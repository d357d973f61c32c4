"""Double-oracle alpha-beta search of zero-sum games in which nothing is hidden but moves made at the same time (Bošanský, Lisý,
Čermák, Vítek and Pěchouček 2013; Bošanský, Lisý, Lanctot, Čermák and Winands 2016).

A stage of simultaneous moves is a matrix game, whose cells are the values of the stages after it. Two bounds of its value need no
program. Where one player's choices are shown to the other, the game is one of perfect information, which alpha-beta search solves: it
is *serialized*. With player 0's choices shown its value is at most that of the game, with player 1's at least.

Where the two do not meet, the double oracle solves the stage. The *restricted game* starts with the best serialized row and column, and
grows by best responses until none is better. Its cells are solved, and of the others those that matter: a row is given up as soon as its
cells, by their upper bounds, are worth no more against the column player's strategy than the best row so far. From the bounds of the row's
other cells follows what a cell must be worth for the row to matter, and that is the window its own search is given.

Values are player 0's. They are inside the window, or bounds on its side of it (fail-soft).
"""

import numpy as np

from fogspiel.game.matrix_game import matrix_game
from fogspiel.game.table import CHANCE, EVALUATE, LIMIT, OVER, actor, chances, evaluate, payoff
from fogspiel.solve.stage_memory import (
    BLIND,
    DEEP,
    NO_MOVES,
    NODES,
    ROOM,
    TABLE,
    TOO_MANY,
    admit,
    beyond,
    entry_key,
    follow_both,
    follow_one,
    in_order,
    index_of,
    place,
    position,
    promise,
    remember,
    shallower_hint,
    stage_moves,
    state_at,
)

ROWS_SHOWN, COLUMNS_SHOWN, EXACT = map(np.int64, range(3))
"""Which value is sought: the game's with player 0's or player 1's choices shown to the other, or the game's own.

Here and below, numbers that functions are called with are of NumPy's type: for a literal Numba would compile them again."""
ROW, COLUMN, ONE, NONE = map(np.int64, (0, 1, 1, -1))


def value(game, w, memory, kind, at, alpha, beta):
    """The value of a state. `at`: its level, how many stages may be searched from it, and where its moves and its cells may be written."""
    level, left, first, cell = at
    states, table, pay = memory.states, memory.table, memory.pay
    s = state_at(game, states, level)
    who = actor(game, s)
    w.nodes += 1
    w.serialized += kind != EXACT
    w.deepest = max(w.deepest, level)
    if who == OVER:
        payoff(game, s, pay, 0)
        return pay[0]
    if left < 0 or (left == 0 and who >= 0):
        w.horizon += 1
        if game[EVALUATE] == 0:
            w.stop = BLIND
            return 0.0
        evaluate(game, s, pay, 0)
        return min(max(pay[0], w.low), w.high)
    if w.nodes > w.most:
        w.stop = NODES
    elif level + 1 >= w.levels:
        w.stop = DEEP
    elif first + 4 * game[LIMIT] > w.room or cell + game[LIMIT] > w.cells:
        w.stop = ROOM
    elif w.entries > w.allowed:
        w.stop = TABLE
    if w.stop != 0:
        return 0.0
    root = level == w.root and kind == EXACT
    here = position(game, s, who)
    key = entry_key(here, kind, left)
    low = w.low
    high = w.high
    hint = shallower_hint(w, table, here, kind, left)
    known = table[place(w, table, key)]
    if known.key == key and not root:
        low = known.low
        high = known.high
        hint = known.hint
        if low >= beta or high <= alpha or low >= high:
            w.hits += 1
            w.horizon += known.judged
            return high if high <= alpha else low
    judged = w.horizon
    if kind == EXACT:
        low, high = serialized_bounds(game, w, memory, at, alpha, beta, low, high)
    if w.stop != 0:
        return 0.0
    v = high if high <= alpha else low
    if root or (alpha < high and low < beta and low < high):
        a = alpha if root else max(alpha, low)
        b = beta if root else min(beta, high)
        if who == CHANCE:
            v = chance_node(game, w, memory, kind, at, a, b)
        else:
            v, hint = decision_node(game, w, memory, kind, at, who, a, b, hint)
        v = min(max(v, low), high)
        low = v if v > a else low
        high = v if v < b else high
    if w.stop == 0:
        remember(w, table, key, low, high, hint, 1 if w.horizon > judged else 0)
    return v


def serialized_bounds(game, w, memory, at, alpha, beta, low, high):
    """The bounds of a value by the serialized games; the lower one is not sought if the upper one is below the window."""
    if w.stop != 0:
        return low, high
    v = value(game, w, memory, COLUMNS_SHOWN, at, alpha, beta)
    if v < beta:
        high = min(high, max(v, low))
    if w.stop == 0 and high > alpha:
        v = value(game, w, memory, ROWS_SHOWN, at, alpha, min(beta, high))
        if v > alpha:
            low = max(low, min(v, high))
    return low, high


def decision_node(game, w, memory, kind, at, who, alpha, beta, hint):
    """One player's decision, or a stage of both players': the value, and the best move of who decides or shows its choice."""
    level, _, _, cell = at
    states, buffer = memory.states, memory.buffer
    rows, columns = stage_moves(game, w, states, buffer, at, who)
    if cell + rows * columns > w.cells or max(rows, columns) > w.wide:
        w.stop = ROOM
    if w.stop != 0:
        return 0.0, hint
    if level == w.root and kind == EXACT:
        w.first = who
        w.rows = rows
        w.columns = columns
    if rows == 0 or columns == 0:
        return lone_decision(game, w, memory, kind, at, who, rows + columns, alpha, beta, hint)
    if kind != EXACT:
        return serialized_stage(game, w, memory, kind, at, (who, rows, columns), alpha, beta, hint)
    return double_oracle(game, w, memory, at, (who, rows, columns), alpha, beta), hint


def lone_decision(game, w, memory, kind, at, who, n, alpha, beta, hint):
    """One player's decision with everything known: alpha-beta search."""
    level, _, first, _ = at
    states, buffer, answer = memory.states, memory.buffer, memory.answer
    sign = 1.0 if who == 0 else -1.0
    chosen = begin = index_of(buffer, first, n, hint)
    best = -np.inf * sign
    for i in range(n):
        k = in_order(i, begin)
        follow_one(game, states, level, buffer[first + k])
        v = value(game, w, memory, kind, beyond(at, n, 0), alpha, beta)
        if w.stop != 0:
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
    if level == w.root and kind == EXACT:
        for i in range(n):
            answer[who * game[LIMIT] + i] = 1.0 if i == chosen else 0.0
    return best, buffer[first + chosen]


def chance_node(game, w, memory, kind, at, alpha, beta):
    """The mean over chance's outcomes, each searched with the window that the bounds of the others leave (Star1, Ballard 1983)."""
    level, left, first, cell = at
    states, buffer, odds, cells = memory.states, memory.buffer, memory.odds, memory.cells
    s = state_at(game, states, level)
    n = chances(game, s, buffer, first, odds, first)
    if n > game[LIMIT] or n < 1:
        w.stop = TOO_MANY if n > 0 else NO_MOVES
        w.culprit = n
        return 0.0
    for i in range(n):
        cells[cell + i].low = w.low
        cells[cell + i].high = w.high
    after = level + 1, left, first + n, cell + n
    total = 0.0
    for i in range(n):
        p = odds[first + i]
        if p <= 0.0:
            continue
        least = most = 0.0
        for k in range(n):
            if k != i and odds[first + k] > 0.0:
                least += odds[first + k] * cells[cell + k].low
                most += odds[first + k] * cells[cell + k].high
        a = (alpha - most) / p
        b = (beta - least) / p
        follow_one(game, states, level, buffer[first + i])
        if actor(game, state_at(game, states, level + 1)) == CHANCE:
            # chance may follow chance without end
            v = value(game, w, memory, kind, beyond(at, n, n), a, b)
        else:
            v = value(game, w, memory, kind, after, a, b)
        if w.stop != 0:
            return 0.0
        if v <= a:
            return min(most + p * v, alpha)
        if v >= b:
            return max(least + p * v, beta)
        cells[cell + i].low = v
        cells[cell + i].high = v
        total += p * v
    return total


def serialized_stage(game, w, memory, kind, at, stage, alpha, beta, hint):
    """A stage in which one player's choice is shown to the other: the value, and the best choice to show."""
    level, _, first, _ = at
    who, rows, columns = stage
    states, buffer = memory.states, memory.buffer
    leader = 0 if kind == ROWS_SHOWN else 1
    sign = 1.0 if leader == 0 else -1.0
    choices = rows if leader == 0 else columns
    mine = first if leader == 0 else first + rows
    chosen = begin = index_of(buffer, mine, choices, hint)
    best = -np.inf * sign
    refutation = 0
    for i in range(choices):
        choice = in_order(i, begin)
        a = alpha
        b = beta
        worth = np.inf * sign
        for j in range(rows + columns - choices):
            reply = in_order(j, refutation)
            row = choice if leader == 0 else reply
            column = reply if leader == 0 else choice
            follow_both(game, states, level, who, buffer[first + row], buffer[first + rows + column])
            v = value(game, w, memory, kind, beyond(at, rows + columns, 0), a, b)
            if w.stop != 0:
                return 0.0, hint
            worth = min(worth, v) if leader == 0 else max(worth, v)
            if leader == 0:
                b = min(b, v)
            else:
                a = max(a, v)
            if a >= b:
                refutation = reply
                break
        if sign * worth > sign * best:
            best = worth
            chosen = choice
        if leader == 0:
            alpha = max(alpha, worth)
        else:
            beta = min(beta, worth)
        if alpha >= beta:
            break
    return best, buffer[mine + chosen]


def double_oracle(game, w, memory, at, stage, alpha, beta):
    """The value of a stage: the restricted game, best responses to its equilibrium, and again with those."""
    level, left, first, cell = at
    who, rows, columns = stage
    states, buffer, odds, cells, table = memory.states, memory.buffer, memory.odds, memory.cells, memory.table
    for k in range(rows * columns):
        cells[cell + k].low = w.low
        cells[cell + k].high = w.high
    # the moves by their numbers, those in the restricted game first
    order = first + rows + columns
    s = position(game, state_at(game, states, level), who)
    for player in range(2):
        n = columns if player == 1 else rows
        key = entry_key(s, COLUMNS_SHOWN if player == 1 else ROWS_SHOWN, left)
        entry = table[place(w, table, key)]
        begin = index_of(buffer, first + player * rows, n, entry.hint) if entry.key == key else 0
        for i in range(n):
            buffer[order + player * rows + i] = in_order(i, begin)
    inside = (ONE, ONE)
    while True:
        u = restricted_game(game, w, memory, at, stage, inside)
        if w.stop != 0:
            return 0.0
        row, top = best_response(game, w, memory, at, stage, inside, ROW, u, max(u, alpha))
        if level == w.root and top < beta:
            for j in range(columns):
                memory.answer[game[LIMIT] + j] = odds[first + rows + j]
        if w.stop != 0 or top <= alpha:
            return top
        column, bottom = best_response(game, w, memory, at, stage, inside, COLUMN, u, min(u, beta))
        if level == w.root and alpha < bottom:
            for i in range(rows):
                memory.answer[i] = odds[first + i]
        if w.stop != 0 or bottom >= beta:
            return bottom
        alpha = max(alpha, bottom)
        beta = min(beta, top)
        if row < 0 and column < 0:
            return u
        inside = (admit(buffer, order, inside[0], row), admit(buffer, order + rows, inside[1], column))


def restricted_game(game, w, memory, at, stage, inside):
    """Solve the cells of the restricted game, and then the game; the strategies are written to `odds`, in the order of the moves."""
    first, cell = at[2:]
    _, rows, columns = stage
    buffer, odds, cells = memory.buffer, memory.odds, memory.cells
    matrix, row_mix, column_mix = memory.matrix, memory.mixes.row, memory.mixes.column
    order = first + rows + columns
    for i in range(inside[0]):
        for j in range(inside[1]):
            row = buffer[order + i]
            column = buffer[order + rows + j]
            here = cells[cell + row * columns + column]
            if here.low < here.high:
                search_cell(game, w, memory, EXACT, at, stage, row, column, here.low, here.high)
                if w.stop != 0:
                    return 0.0
    for i in range(inside[0]):
        for j in range(inside[1]):
            matrix[i * inside[1] + j] = cells[cell + buffer[order + i] * columns + buffer[order + rows + j]].low
    w.programs += inside[0] * inside[1] > 1
    u = matrix_game(inside[0], inside[1], matrix, 0, memory.mixes, memory.simplex)
    for i in range(rows):
        odds[first + buffer[order + i]] = row_mix[i] if i < inside[0] else 0.0
    for j in range(columns):
        odds[first + rows + buffer[order + rows + j]] = column_mix[j] if j < inside[1] else 0.0
    return u


def best_response(game, w, memory, at, stage, inside, player, u, cut):
    """The player's best move outside the restricted game, as a place in the order of its moves, and what it is worth against the other's
    strategy. If none is worth more than `cut`: -1, and a bound of what any move is worth, `u` being what those inside are."""
    first, cell = at[2:]
    _, rows, columns = stage
    buffer, odds, cells = memory.buffer, memory.odds, memory.cells
    order = first + rows + columns
    sign = 1.0 if player == 0 else -1.0
    shown = COLUMNS_SHOWN if player == 0 else ROWS_SHOWN
    best = cut
    chosen = -1
    bound = u
    for i in range(inside[player], rows if player == 0 else columns):
        mine = buffer[order + player * rows + i]
        worth = 0.0
        for kind in (shown, EXACT):
            worth, _ = promise(odds, cells, at, stage, player, mine, NONE)
            for j in range(inside[1 - player]):
                if w.stop != 0 or sign * (worth - best) <= w.better:
                    break
                other = buffer[order + (1 - player) * rows + j]
                p = odds[first + (1 - player) * rows + other]
                row = mine if player == 0 else other
                column = other if player == 0 else mine
                here = cells[cell + row * columns + column]
                if p > 0.0 and here.low < here.high:
                    _, rest = promise(odds, cells, at, stage, player, mine, other)
                    needed = (best - rest) / p
                    a = max(here.low, needed) if player == 0 else here.low
                    b = min(here.high, needed) if player == 1 else here.high
                    search_cell(game, w, memory, kind, at, stage, row, column, a, b)
                    worth, _ = promise(odds, cells, at, stage, player, mine, NONE)
        if w.stop != 0:
            return -1, u
        if sign * (worth - best) > w.better:
            best = worth
            chosen = i
        elif chosen < 0:
            worth = sign * min(sign * worth, sign * cut)
            bound = sign * max(sign * bound, sign * worth)
    return chosen, best if chosen >= 0 else bound


def search_cell(game, w, memory, kind, at, stage, row, column, a, b):
    """Search the child after a joint move with a window, and narrow its bounds."""
    level, _, first, cell = at
    who, rows, columns = stage
    states, buffer = memory.states, memory.buffer
    follow_both(game, states, level, who, buffer[first + row], buffer[first + rows + column])
    if actor(game, state_at(game, states, level + 1)) == OVER:
        kind = EXACT
    v = value(game, w, memory, kind, beyond(at, 2 * (rows + columns), rows * columns), a, b)
    if w.stop != 0:
        return
    here = memory.cells[cell + row * columns + column]
    low = here.low
    high = here.high
    v = min(max(v, low), high)
    if v > a and kind != COLUMNS_SHOWN:
        here.low = v
    if v < b and kind != ROWS_SHOWN:
        here.high = v
