"""Double-oracle alpha-beta search of zero-sum games in which nothing is hidden but moves made at the same time
(Bošanský, Lisý, Čermák, Vítek and Pěchouček 2013; Bošanský, Lisý, Lanctot, Čermák and Winands 2016).

A stage of simultaneous moves is a matrix game, whose cells are the values of the stages after it. Two bounds of its
value need no program: the values of the serialized games (`serialized.py`).

Where the two do not meet, the double oracle solves the stage. The *restricted game* starts with the best serialized row
and column, and grows by best responses until none is better. Its cells are solved, and of the others those that matter:
a row is given up as soon as its cells, by their upper bounds, are worth no more against the column player's strategy
than the best row so far. From the bounds of the row's other cells follows what a cell must be worth for the row to
matter, and that is the window its own search is given.
"""

import numpy as np

from fogspiel.engine.linking import linked
from fogspiel.game.matrix_game import matrix_game
from fogspiel.game.table import LIMIT, OVER, actor, known_key, state_at
from fogspiel.solvers.simultaneous.serialized import serialized
from fogspiel.solvers.simultaneous.stage_memory import beyond, entry_key, place, showing
from fogspiel.solvers.simultaneous.stage_moves import follow_both, in_order, index_of
from fogspiel.solvers.simultaneous.stage_search import at_stage, bounds, count, is_root, value

ROW, COLUMN, ONE, NONE = map(np.int64, (0, 1, 1, -1))
"""Of NumPy's type: for a literal Numba would compile the functions that are called with them again."""


def is_wanted(search, level):
    return level == search.stand.root


def count_node(search):
    search.counts.nodes += 1


def serialized_bounds(game, search, at, alpha, beta, low, high):
    """The bounds of a value by the serialized games; the lower one is not sought if the upper one is below the
    window."""
    if search.stand.stop != 0:
        return low, high
    v = serialized(game, search, showing(at, COLUMN), alpha, beta)
    if v < beta:
        high = min(high, max(v, low))
    if search.stand.stop == 0 and high > alpha:
        v = serialized(game, search, showing(at, ROW), alpha, min(beta, high))
        if v > alpha:
            low = max(low, min(v, high))
    return low, high


def double_oracle(game, search, at, stage, alpha, beta, hint):
    """The value of a stage: the restricted game, best responses to its equilibrium, and again with those."""
    who, rows, columns = stage
    asked, stand, moves, odds, cells = search.asked, search.stand, search.moves, search.odds, search.cells
    for k in range(rows * columns):
        cells[at.cell + k].low = asked.low
        cells[at.cell + k].high = asked.high
    # the moves by their numbers, those in the restricted game first
    order = at.first + rows + columns
    s = known_key(game, state_at(game, search.states, at.level), who)
    for player in range(2):
        n = columns if player == 1 else rows
        key = entry_key(s, player, at.left)
        entry = search.table[place(search, key)]
        begin = index_of(search, at.first + player * rows, n, entry.hint) if entry.key == key else 0
        for i in range(n):
            moves[order + player * rows + i] = in_order(i, begin)
    inside = (ONE, ONE)
    while True:
        u = restricted_game(game, search, at, stage, inside)
        if stand.stop != 0:
            return 0.0, hint
        row, top = best_response(game, search, at, stage, inside, ROW, u, max(u, alpha))
        if at.level == stand.root and top < beta:
            for j in range(columns):
                search.answer[game[LIMIT] + j] = odds[at.first + rows + j]
        if stand.stop != 0 or top <= alpha:
            return top, hint
        column, bottom = best_response(game, search, at, stage, inside, COLUMN, u, min(u, beta))
        if at.level == stand.root and alpha < bottom:
            for i in range(rows):
                search.answer[i] = odds[at.first + i]
        if stand.stop != 0 or bottom >= beta:
            return bottom, hint
        alpha = max(alpha, bottom)
        beta = min(beta, top)
        if row < 0 and column < 0:
            return u, hint
        inside = (admit(moves, order, inside[0], row), admit(moves, order + rows, inside[1], column))


def restricted_game(game, search, at, stage, inside):
    """Solve the cells of the restricted game, and then the game; the strategies are written to `odds`, in the order of
    the moves."""
    _, rows, columns = stage
    moves, odds, cells, matrix = search.moves, search.odds, search.cells, search.matrix
    row_mix, column_mix = search.mixes.row, search.mixes.column
    order = at.first + rows + columns
    for i in range(inside[0]):
        for j in range(inside[1]):
            row = moves[order + i]
            column = moves[order + rows + j]
            here = cells[at.cell + row * columns + column]
            if here.low < here.high:
                solve_cell(game, search, at, stage, row, column, here.low, here.high)
                if search.stand.stop != 0:
                    return 0.0
    for i in range(inside[0]):
        for j in range(inside[1]):
            matrix[i * inside[1] + j] = cells[at.cell + moves[order + i] * columns + moves[order + rows + j]].low
    search.counts.programs += inside[0] * inside[1] > 1
    u = matrix_game(inside[0], inside[1], matrix, 0, search.mixes, search.simplex)
    for i in range(rows):
        odds[at.first + moves[order + i]] = row_mix[i] if i < inside[0] else 0.0
    for j in range(columns):
        odds[at.first + rows + moves[order + rows + j]] = column_mix[j] if j < inside[1] else 0.0
    return u


def admit(moves, order, inside, new):
    """Let a move into the restricted game, if there is one to let in; how many are inside."""
    if new < 0:
        return inside
    for i in range(new, inside, -1):
        held = moves[order + i]
        moves[order + i] = moves[order + i - 1]
        moves[order + i - 1] = held
    return inside + 1


def best_response(game, search, at, stage, inside, player, u, cut):
    """The player's best move outside the restricted game, as a place in the order of its moves, and what it is worth
    against the other's strategy. If none is worth more than `cut`: -1, and a bound of what any move is worth, `u` being
    what those inside are."""
    _, rows, columns = stage
    order = at.first + rows + columns
    sign = 1.0 if player == 0 else -1.0
    best = cut
    chosen = -1
    bound = u
    for i in range(inside[player], rows if player == 0 else columns):
        mine = search.moves[order + player * rows + i]
        worth = 0.0
        # bounds of its cells may be enough to give a move up
        for exactly in (False, True):
            worth = search_cells(game, search, at, stage, inside, player, mine, best, exactly)
        if search.stand.stop != 0:
            return -1, u
        if sign * (worth - best) > search.asked.better:
            best = worth
            chosen = i
        elif chosen < 0:
            worth = sign * min(sign * worth, sign * cut)
            bound = sign * max(sign * bound, sign * worth)
    return chosen, best if chosen >= 0 else bound


def search_cells(game, search, at, stage, inside, player, mine, best, exactly):
    """Search the cells of a player's move against the other's strategy while it may be worth more than the best so far,
    and return what it is worth at best."""
    _, rows, columns = stage
    order = at.first + rows + columns
    sign = 1.0 if player == 0 else -1.0
    worth, _ = promise(search, at, stage, player, mine, NONE)
    for j in range(inside[1 - player]):
        if search.stand.stop != 0 or sign * (worth - best) <= search.asked.better:
            break
        other = search.moves[order + (1 - player) * rows + j]
        p = search.odds[at.first + (1 - player) * rows + other]
        row = mine if player == 0 else other
        column = other if player == 0 else mine
        here = search.cells[at.cell + row * columns + column]
        if p > 0.0 and here.low < here.high:
            _, rest = promise(search, at, stage, player, mine, other)
            needed = (best - rest) / p
            a = max(here.low, needed) if player == 0 else here.low
            b = min(here.high, needed) if player == 1 else here.high
            if exactly:
                solve_cell(game, search, at, stage, row, column, a, b)
            else:
                bound_cell(game, search, at, stage, player, row, column, a, b)
            worth, _ = promise(search, at, stage, player, mine, NONE)
    return worth


def promise(search, at, stage, player, mine, left_out):
    """What a move is worth to the player at best against the other's strategy, by the bounds of its cells; and without
    one of them."""
    _, rows, columns = stage
    total = rest = 0.0
    for k in range(columns if player == 0 else rows):
        p = search.odds[at.first + (1 - player) * rows + k]
        if p > 0.0:
            if player == 0:
                v = search.cells[at.cell + mine * columns + k].high
            else:
                v = search.cells[at.cell + k * columns + mine].low
            total += p * v
            rest += p * v if k != left_out else 0.0
    return total, rest


def solve_cell(game, search, at, stage, row, column, a, b):
    """Search the child after a joint move with a window, and narrow its bounds."""
    follow_cell(game, search, at, stage, row, column)
    v = value(game, search, after_cell(at, stage), a, b)
    if search.stand.stop == 0:
        narrow(search, at, stage, row, column, a, b, v, True, True)


def bound_cell(game, search, at, stage, player, row, column, a, b):
    """The same in the serialized game that bounds what a move of the player is worth at best."""
    follow_cell(game, search, at, stage, row, column)
    if actor(game, state_at(game, search.states, at.level + 1)) == OVER:
        solve_cell(game, search, at, stage, row, column, a, b)
        return
    v = serialized(game, search, showing(after_cell(at, stage), 1 - player), a, b)
    if search.stand.stop == 0:
        narrow(search, at, stage, row, column, a, b, v, player == 1, player == 0)


def follow_cell(game, search, at, stage, row, column):
    moves, rows = search.moves, stage.rows
    follow_both(game, search, at.level, stage.who, moves[at.first + row], moves[at.first + rows + column])


def after_cell(at, stage):
    return beyond(at, 2 * (stage.rows + stage.columns), stage.rows * stage.columns)


def narrow(search, at, stage, row, column, a, b, v, from_below, from_above):
    """A search of a cell found v in a window, which bounds its value from these sides."""
    here = search.cells[at.cell + row * stage.columns + column]
    v = min(max(v, here.low), here.high)
    if v > a and from_below:
        here.low = v
    if v < b and from_above:
        here.high = v


exact = linked(
    value,
    {is_root: is_wanted, count: count_node, bounds: serialized_bounds, at_stage: double_oracle},
)
"""The value of a state of the game itself."""
