"""The moves of a stage: whether both players move in it, in what order moves are tried, and the states after them."""

from fogspiel.game.table import actor, copy_state, follow, infoset, moves, play, state_at
from fogspiel.search.minimax.line_end import are_wrong
from fogspiel.solvers.simultaneous.stage_memory import UNKNOWN


def follow_one(game, search, level, move):
    """Write the state after a move on the next level."""
    follow(game, state_at(game, search.states, level + 1), state_at(game, search.states, level), move)


def follow_both(game, search, level, who, row, column):
    """Write the state after a joint move on the next level; `who` is asked first."""
    child = state_at(game, search.states, level + 1)
    copy_state(game, child, state_at(game, search.states, level))
    play(game, child, row if who == 0 else column)
    play(game, child, column if who == 0 else row)


def stage_moves(game, search, at, who):
    """Write the moves of a stage, player 0's before player 1's, and return how many each has; 0 where only the other
    moves."""
    listed, first = search.moves, at.first
    s = state_at(game, search.states, at.level)
    child = state_at(game, search.states, at.level + 1)
    mine = moves(game, s, listed, first)
    if are_wrong(game, search, mine):
        return 0, 0
    theirs = 0
    if mine > 1:
        follow(game, child, s, listed[first])
        after = actor(game, child)
        if after == 1 - who and unaware(game, search, s, child, first, mine, after):
            theirs = moves(game, child, listed, first + mine)
            are_wrong(game, search, theirs)
    if who == 0:
        return mine, theirs
    for i in range(mine):
        listed[first + mine + theirs + i] = listed[first + i]
    for i in range(theirs):
        listed[first + i] = listed[first + mine + i]
    for i in range(mine):
        listed[first + theirs + i] = listed[first + mine + theirs + i]
    return theirs, mine


def unaware(game, search, s, child, first, n, after):
    """Whether player `after` moves next without knowing which of n moves was made: after all of them, or else after
    none."""
    if search.asked.simultaneous != 0:
        return after == 1
    key = infoset(game, child, after)
    alike = 1
    for i in range(1, n):
        follow(game, child, s, search.moves[first + i])
        alike += actor(game, child) == after and infoset(game, child, after) == key
    if 1 < alike < n:
        search.stand.stop = UNKNOWN
    return alike == n


def in_order(i, begin):
    """Of 0, 1, 2, ... the i-th, if `begin` comes first."""
    return begin if i == 0 else i - 1 if i <= begin else i


def index_of(search, first, n, move):
    """Where a move is among n, or 0."""
    for i in range(n):
        if search.moves[first + i] == move:
            return i
    return 0
