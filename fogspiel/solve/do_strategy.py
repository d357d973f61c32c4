"""What double-oracle alpha-beta search (`do_search.py`) is asked for: the value of a state, or the strategies of a game, written down."""

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Real, Record, Records
from fogspiel.game.table import CHANCE, LIMIT, OVER, actor, chances, infoset
from fogspiel.solve.do_search import EXACT, value
from fogspiel.solve.stage_memory import (
    DEEP,
    FOREVER,
    LINES,
    NO_MOVES,
    ROOM,
    TOO_MANY,
    Entry,
    Memory,
    Work,
    Written,
    beginning,
    beyond,
    entry_key,
    follow_both,
    follow_one,
    place,
    position,
    remember,
    state_at,
)

EVERYBODY = np.int64(3)
"""Both players' strategies come to a place: a bit for each."""


@kernel(short=True)
def search(game: Ints, w: Record(Work), memory: Memory) -> Real:
    """The value of the first of `states`, looking `w.depth` stages ahead; nothing if `w.stop` is set. Where `w.root` is 0, both players'
    strategies there are written to `answer`, and their moves to `buffer`."""
    return value(game, w, memory, EXACT, beginning(w.depth), -np.inf, np.inf)


@kernel(group="strategy", short=True)
def write_down(game: Ints, w: Record(Work), memory: Memory, out: Written) -> Real:
    """The value of the first of `states`, and the players' strategies from there on, written down; not all, if `w.stop` is set."""
    w.root = -1
    v = value(game, w, memory, EXACT, beginning(FOREVER), -np.inf, np.inf)
    write_stage(game, w, memory, out, beginning(FOREVER), EVERYBODY)
    return v


def write_stage(game, w, memory, out, at, comes):
    """Solve a stage, write it down, and go on where one of the players goes by its own strategy. `comes`: who came here so."""
    level, _, first, _ = at
    states, buffer, odds, table = memory.states, memory.buffer, memory.odds, memory.table
    s = state_at(game, states, level)
    who = actor(game, s)
    if level + 1 >= w.levels:
        w.stop = DEEP
    elif first + 4 * game[LIMIT] > w.room:
        w.stop = ROOM
    if who == OVER or w.stop != 0:
        return
    key = entry_key(position(game, s, who), -w.salt, comes)
    if table[place(w, table, key)].key == key:
        return
    if who == CHANCE:
        n = chances(game, s, buffer, first, odds, first)
        if n > game[LIMIT] or n < 1:
            w.stop = TOO_MANY if n > 0 else NO_MOVES
            w.culprit = n
            return
        for i in range(n):
            if odds[first + i] > 0.0:
                follow_one(game, states, level, buffer[first + i])
                write_stage(game, w, memory, out, beyond(at, n, 0), comes)
    else:
        w.root = level
        value(game, w, memory, EXACT, at, -np.inf, np.inf)
        rows = w.rows
        columns = w.columns
        if w.stop != 0 or w.lines + 2 > w.line_room or w.written + rows + columns > w.move_room:
            w.stop = w.stop if w.stop != 0 else LINES
            return
        for i in range(rows):
            odds[first + i] = memory.answer[i]
        for j in range(columns):
            odds[first + rows + j] = memory.answer[game[LIMIT] + j]
        mine = rows if who == 0 else columns
        follow_one(game, states, level, buffer[first if who == 0 else first + rows])
        write_line(w, memory, out, who, infoset(game, s, who), first if who == 0 else first + rows, mine)
        if rows > 0 and columns > 0:
            unaware = infoset(game, state_at(game, states, level + 1), 1 - who)
            write_line(w, memory, out, 1 - who, unaware, first + rows if who == 0 else first, rows + columns - mine)
        after = beyond(at, rows + columns, 0)
        for i in range(max(rows, 1)):
            for j in range(max(columns, 1)):
                plays = 1 if rows == 0 or odds[first + i] > 0.0 else 0
                plays += 2 if columns == 0 or odds[first + rows + j] > 0.0 else 0
                if comes & plays != 0:
                    if rows > 0 and columns > 0:
                        follow_both(game, states, level, who, buffer[first + i], buffer[first + rows + j])
                    else:
                        follow_one(game, states, level, buffer[first + max(i, j)])
                    write_stage(game, w, memory, out, after, comes & plays)
    if w.stop == 0:
        remember(w, table, key, 0.0, 0.0, -1, 0)


def write_line(w, memory, out, player, key, at, n):
    line = out.lines[w.lines]
    line.player = player
    line.key = np.uint64(key)
    line.count = n
    for i in range(n):
        out.moves[w.written + i] = memory.buffer[at + i]
        out.probabilities[w.written + i] = memory.odds[at + i]
    w.lines += 1
    w.written += n


@kernel(group="table")
def copy_entries(w: Record(Work), old: Records(Entry), places: Int, table: Records(Entry)) -> None:
    for i in range(places):
        e = old[i]
        if e.key != np.uint64(0):
            remember(w, table, e.key, e.low, e.high, e.hint, e.judged)
