"""Information set expectimax (Whitehouse 2014, sec. 5.1.2): the exact counterpart of information set tree search, for
small games.

The searching player j values its information sets. At its own move it takes the best; at another's, each state in the
set has its own worst move for j, and the value is the mean over states:

    v([s]) = max over moves a of v([f(s, a)])                    where j moves
    v([s]) = E over s' in [s] of min over a of v([f(s', a)])      where the opponent moves

An information set that came about in several ways is valued once: a table knows values by the states that are possible,
as the game's rule `position` tells them apart, and their weights.

States are weighted by chance's probabilities: the opponent's moves tell nothing, except which states are possible, and
in how many ways a move could be made (rule `copies`). Of several moves of the opponent that look the same to j, each is
as likely.
"""

from typing import Any

import numpy as np

from fogspiel.belief.exact import Possible
from fogspiel.belief.record import Record
from fogspiel.belief.roots import States
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.index import FREE, clear, find, place
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Reals, Words
from fogspiel.engine.kinds import Record as RecordOf
from fogspiel.engine.primitives import mix
from fogspiel.errors import TooLarge
from fogspiel.game.game import Game
from fogspiel.game.needs import AT_MOST_TWO, IN_TURN, ZERO_SUM, require
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    actor,
    chances,
    copies,
    copy_state,
    infoset,
    moves,
    payoff,
    play,
    position,
    state_at,
    words_of,
)

ROOM, TOO_MANY, TOO_LONG = 1, 2, 3
"""Why a search stopped before its end: its arrays are used up, there are more states than it may look at, or a game has
no end in sight."""
LONGEST = 5000
"""Moves ahead that the recursion goes; a game in which nothing stops players from going round and round would use up
its stack."""

Asked = np.dtype([("player", "i8"), ("most", "i8"), ("room", "i8"), ("mask", "i8")], align=True)
"""Who searches, how many states it may look at, how many the stack holds, and the size of the table less one."""
Stand = np.dtype([("looked", "i8"), ("depth", "i8"), ("stop", "i8")], align=True)
"""How many states were looked at, how many moves ahead the search stands, and why it was given up, 0 if it was not."""
Work: Any = Bundle(
    asked=RecordOf(Asked),
    stand=RecordOf(Stand),
    states=Bytes,
    weight=Reals,
    share=Reals,
    name=Words,
    worth=Reals,
    order=Ints32,
    group=Ints32,
    end=Ints32,
    index=Ints32,
    moves=Ints,
    odds=Reals,
    pay=Reals,
    keys=Words,
    known=Reals,
)
"""States on a stack, each with its weight, chance's probability of it, what the player knows there and what that is
worth. `order` lists those of one expansion by information set; `group` numbers these sets, `end` tells where each ends
in `order`. `moves` and `odds` are a stack of moves. `keys` and `known` are the table."""

NEEDS = (AT_MOST_TWO, ZERO_SUM, IN_TURN)
USUAL_TABLE = 1 << 16
FINE = 2.0**40
"""Weights count as equal that agree in so many parts of one."""


class Table:
    """What is known of information sets, from one search of a game and a player to the next: at least so many
    places."""

    def __init__(self, places: int = USUAL_TABLE):
        places = 1 << max(places - 1, 1).bit_length()
        self.keys, self.known = np.zeros(places, np.uint64), np.zeros(places)


def expectimax(game: Game, record: Record, most: int, table: Table | None = None) -> dict[int, float]:
    """What each move of the player whose record it is is worth to it. TooLarge if there are more than `most` states to
    look at."""
    check(game)
    return value_moves(game, record.player, *Possible(game, record.player, most).at(record), most, table)


def check(game: Game) -> None:
    """Refuse a game that it is not for."""
    require(game, "is-expectimax", NEEDS, instead="mo-ismcts")


def value_moves(
    game: Game, player: int, states: States, weights: np.ndarray, most: int, table: Table | None = None
) -> dict[int, float]:
    """What each move is worth to a player who may be in any of these states, which it cannot tell apart."""
    room, table = max(1024, 2 * len(states)), table or Table()
    count, size = states.data.shape
    while True:
        work = _work(game, player, most, room, table)
        work.states.reshape(room, -1)[:count, :size] = states.data.view(np.int8)
        work.weight[:count], work.order[:count] = weights, np.arange(count)
        values = np.zeros(len(game.buffer()))
        n = game.finish(decide(game.table, work, count, values))
        if work.stand.stop != ROOM:
            break
        room *= 4
    if work.stand.stop == TOO_LONG:
        raise TooLarge(
            f"{game.spec} is too long for information set expectimax: it may go on for more than {LONGEST:,} moves"
        )
    if work.stand.stop == TOO_MANY:
        raise _too_large(game, most)
    return dict(zip(states[0].moves(), values[:n].tolist(), strict=True))


def _work(game: Game, player: int, most: int, room: int, table: Table) -> Bundled:
    asked = np.array([(player, most, room, len(table.keys) - 1)], Asked)
    stack = room + len(game.buffer())
    reals = {name: np.zeros(room) for name in ("weight", "share", "worth")}
    wholes = {name: np.zeros(room, np.int32) for name in ("order", "group", "end")}
    return Bundled(
        Work,
        asked=asked,
        stand=np.zeros(1, Stand),
        states=np.zeros(8 * room * words_of(game.table), np.int8),
        name=np.zeros(room, np.uint64),
        index=np.zeros(4 * room, np.int32),
        moves=np.zeros(stack, np.int64),
        odds=np.zeros(stack),
        pay=np.zeros(game.players),
        keys=table.keys,
        known=table.known,
        **reals,
        **wholes,
    )


def _too_large(game: Game, most: int) -> TooLarge:
    return TooLarge(
        f"{game.spec} is too large for information set expectimax: there are more than {most:,} states to look at; "
        "let it look at more, or play mo-ismcts"
    )


@kernel
def decide(game: Ints, work: Work, states: Int, values: Reals) -> Int:
    """What each move is worth where the player may be in so many states, the first of the stack; returns how many moves
    there are."""
    n = moves(game, state_at(game, work.states, 0), work.moves, 0)
    for i in range(n):
        values[i] = by_own_move(game, work, work.moves[i], 0, states, states, n)
    return n


def value(game, work, first, last, top, above):
    """The value of an information set, the states order[first:last]; the stack is free from `top` on, that of moves
    from `above` on."""
    key = key_of(game, work, first, last)
    at = place(key, work.asked.mask)
    if work.keys[at] == key:
        return work.known[at]
    here = state_at(game, work.states, work.order[first])
    if actor(game, here) == work.asked.player:
        v = by_player(game, work, here, first, last, top, above)
    else:
        v = by_others(game, work, first, last, top, above)
    if work.stand.stop == 0:
        work.keys[at] = key
        work.known[at] = v
    return v


def key_of(game, work, first, last):
    """A key of the states order[first:last] and their weights."""
    total = 0.0
    for k in range(first, last):
        total += work.weight[work.order[k]]
    key = mix(last - first, 0)
    for k in range(first, last):
        s = work.order[k]
        key = mix(mix(key, position(game, state_at(game, work.states, s))), int(work.weight[s] / total * FINE + 0.5))
    return key


def by_player(game, work, here, first, last, top, above):
    """The value of the player's best move."""
    n = moves(game, here, work.moves, above)
    best = -np.inf
    for i in range(n):
        best = max(best, by_own_move(game, work, work.moves[above + i], first, last, top, above + n))
    return best


def by_own_move(game, work, move, first, last, top, above):
    end = top
    for k in range(first, last):
        add(game, work, work.order[k], move, work.weight[work.order[k]], 1.0, end)
        end += 1
    return judge(game, work, top, end, above)


def by_others(game, work, first, last, top, above):
    """The mean over states of what each is worth: chance's mean, the opponent's least, or the end."""
    end = top
    for k in range(first, last):
        end += branch(game, work, work.order[k], end, above)
    if end > top:
        judge(game, work, top, end, above)
    if work.stand.stop != 0:
        return 0.0
    total = 0.0
    weights = 0.0
    child = top
    for k in range(first, last):
        s = work.order[k]
        here = state_at(game, work.states, s)
        who = actor(game, here)
        v = work.worth[s]
        if who == CHANCE:
            v = 0.0
            for _ in range(chances(game, here, work.moves, above, work.odds, above)):
                v += work.share[child] * work.worth[child]
                child += 1
        elif who != OVER:
            v = np.inf
            for _ in range(moves(game, here, work.moves, above)):
                v = min(v, work.worth[child])
                child += 1
        total += work.weight[s] * v
        weights += work.weight[s]
    return total / weights


def branch(game, work, s, end, above):
    """Put all states that may follow a state, where another moves, on the stack; returns how many."""
    here = state_at(game, work.states, s)
    who = actor(game, here)
    if who == OVER:
        return 0
    if who == CHANCE:
        n = chances(game, here, work.moves, above, work.odds, above)
        for i in range(n):
            p = work.odds[above + i]
            add(game, work, s, work.moves[above + i], work.weight[s] * p, p, end + i)
        return n
    n = moves(game, here, work.moves, above)
    for i in range(n):
        add(game, work, s, work.moves[above + i], work.weight[s], 1.0, end + i)
    if work.stand.stop != 0:
        return 0
    for i in range(end, end + n):
        alike = 0
        for j in range(end, end + n):
            alike += is_alike(j + 1, i, work)
        work.weight[i] = work.weight[s] * copies(game, here, work.moves[above + i - end]) / alike
    return n


def add(game, work, s, move, weight, share, at):
    """Put the state after a move on the stack, with what the player knows there."""
    asked, stand = work.asked, work.stand
    stand.looked += 1
    if stand.looked > asked.most:
        stand.stop = TOO_MANY
    if at >= asked.room:
        stand.stop = ROOM
    if stand.stop != 0:
        return
    child = state_at(game, work.states, at)
    copy_state(game, child, state_at(game, work.states, s))
    play(game, child, move)
    who = actor(game, child)
    work.worth[at] = 0.0
    if who == OVER:
        payoff(game, child, work.pay, 0)
        work.worth[at] = work.pay[asked.player]
    turn = 1 if who == asked.player else 2 if who == OVER else 0
    work.name[at] = mix(infoset(game, child, asked.player), turn)
    work.weight[at] = weight
    work.share[at] = share


def is_alike(entry, at, work):
    """Whether two states are one to the player: at the end, what it is paid counts too."""
    return work.name[entry - 1] == work.name[at] and work.worth[entry - 1] == work.worth[at]


def judge(game, work, top, end, above):
    """The mean value of the states from `top` on, each that of its information set, which is written to `worth`."""
    if above + game[LIMIT] > work.asked.room:
        work.stand.stop = ROOM
    if work.stand.depth > LONGEST:
        work.stand.stop = TOO_LONG
    if work.stand.stop != 0:
        return 0.0
    total = 0.0
    weights = 0.0
    first = top
    for g in range(sort(work, top, end)):
        last = work.end[top + g]
        v = work.worth[work.order[first]]
        if actor(game, state_at(game, work.states, work.order[first])) != OVER:
            work.stand.depth += 1
            v = value(game, work, first, last, end, above)
            work.stand.depth -= 1
        if work.stand.stop != 0:
            return 0.0
        for k in range(first, last):
            s = work.order[k]
            work.worth[s] = v
            total += work.weight[s] * v
            weights += work.weight[s]
        first = last
    return total / weights


def sort(work, top, end):
    """Order the states from `top` on by information set, in the order in which these are first met; returns how many
    there are."""
    mask = 1
    while mask < 2 * (end - top):
        mask = 2 * mask + 1
    clear(work.index, mask)
    groups = 0
    for s in range(top, end):
        at = find(work.name[s], work.index, mask, is_alike, s, work)
        if work.index[at] == FREE:
            work.index[at] = s + 1
            work.group[s] = groups
            work.end[top + groups] = 0
            groups += 1
        g = work.group[work.index[at] - 1]
        work.group[s] = g
        work.end[top + g] += 1
    begin = top
    for g in range(groups):
        begin += work.end[top + g]
        work.end[top + g] = begin - work.end[top + g]
    for s in range(top, end):
        g = work.group[s]
        work.order[work.end[top + g]] = s
        work.end[top + g] += 1
    return groups
