"""What double-oracle alpha-beta search (`do_search.py`) is asked for: the value of a state, or the strategies of a
game, written down."""

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Real
from fogspiel.game.table import CHANCE, LIMIT, OVER, actor, chances, infoset, known_key, state_at
from fogspiel.search.minimax.line_end import DEEP, LEVELS, ROOM, are_wrong
from fogspiel.solvers.simultaneous.do_search import exact
from fogspiel.solvers.simultaneous.stage_memory import (
    FOREVER,
    LINES,
    Memory,
    Table,
    Written,
    beginning,
    beyond,
    entry_key,
    place,
    remember,
)
from fogspiel.solvers.simultaneous.stage_moves import follow_both, follow_one

EVERYBODY = np.int64(3)
"""Both players' strategies come to a place: a bit for each."""


@kernel(short=True)
def search(game: Ints, search: Memory) -> Real:
    """The value of the first of `states`, looking `asked.depth` stages ahead; nothing if `stand.stop` is set. Where
    `stand.root` is 0, both players' strategies there are written to `answer`, and their moves to `moves`."""
    return exact(game, search, beginning(search.asked.depth), -np.inf, np.inf)


@kernel(group="strategy", short=True)
def write_down(game: Ints, search: Memory, out: Written) -> Real:
    """The value of the first of `states`, and the players' strategies from there on, written down; not all, if
    `stand.stop` is set."""
    search.stand.root = -1
    v = exact(game, search, beginning(FOREVER), -np.inf, np.inf)
    write_stage(game, search, out, beginning(FOREVER), EVERYBODY)
    return v


def write_stage(game, search, out, at, comes):
    """Solve a stage, write it down, and go on where one of the players goes by its own strategy. `comes`: who came here
    so."""
    room, stand, counts, moves, odds = search.room, search.stand, search.counts, search.moves, search.odds
    level, first = at.level, at.first
    s = state_at(game, search.states, level)
    who = actor(game, s)
    if level + 1 >= LEVELS:
        stand.stop = DEEP
    elif first + 4 * game[LIMIT] > room.moves:
        stand.stop = ROOM
    if who == OVER or stand.stop != 0:
        return
    key = entry_key(known_key(game, s, who), -search.asked.run, comes)
    if search.table[place(search, key)].key == key:
        return
    if who == CHANCE:
        n = chances(game, s, moves, first, odds, first)
        if are_wrong(game, search, n):
            return
        for i in range(n):
            if odds[first + i] > 0.0:
                follow_one(game, search, level, moves[first + i])
                write_stage(game, search, out, beyond(at, n, 0), comes)
    else:
        stand.root = level
        exact(game, search, at, -np.inf, np.inf)
        rows = stand.rows
        columns = stand.columns
        if stand.stop != 0 or counts.lines + 2 > room.lines or counts.written + rows + columns > room.written:
            stand.stop = stand.stop if stand.stop != 0 else LINES
            return
        for i in range(rows):
            odds[first + i] = search.answer[i]
        for j in range(columns):
            odds[first + rows + j] = search.answer[game[LIMIT] + j]
        mine = rows if who == 0 else columns
        follow_one(game, search, level, moves[first if who == 0 else first + rows])
        write_line(search, out, who, infoset(game, s, who), first if who == 0 else first + rows, mine)
        if rows > 0 and columns > 0:
            unaware = infoset(game, state_at(game, search.states, level + 1), 1 - who)
            write_line(search, out, 1 - who, unaware, first + rows if who == 0 else first, rows + columns - mine)
        after = beyond(at, rows + columns, 0)
        for i in range(max(rows, 1)):
            for j in range(max(columns, 1)):
                plays = 1 if rows == 0 or odds[first + i] > 0.0 else 0
                plays += 2 if columns == 0 or odds[first + rows + j] > 0.0 else 0
                if comes & plays != 0:
                    if rows > 0 and columns > 0:
                        follow_both(game, search, level, who, moves[first + i], moves[first + rows + j])
                    else:
                        follow_one(game, search, level, moves[first + max(i, j)])
                    write_stage(game, search, out, after, comes & plays)
    if stand.stop == 0:
        remember(search, key, 0.0, 0.0, -1, 0)


def write_line(search, out, player, key, at, n):
    counts = search.counts
    line = out.lines[counts.lines]
    line.player = player
    line.key = np.uint64(key)
    line.count = n
    for i in range(n):
        out.moves[counts.written + i] = search.moves[at + i]
        out.probabilities[counts.written + i] = search.odds[at + i]
    counts.lines += 1
    counts.written += n


@kernel(group="table")
def copy_entries(search: Memory, old: Table, places: Int) -> None:
    """Enter what another table of so many places knew."""
    for i in range(places):
        e = old[i]
        if e.key != np.uint64(0):
            remember(search, e.key, e.low, e.high, e.hint, e.judged)
