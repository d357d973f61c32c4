"""Information set expectimax (Whitehouse 2014, sec. 5.1.2): the exact counterpart of information set tree search, for small games.

The searching player j values its information sets. At its own move it takes the best; at another's, each state in the set has its
own worst move for j, and the value is the mean over states:

    v([s]) = max over moves a of v([f(s, a)])                    where j moves
    v([s]) = E over s' in [s] of min over a of v([f(s', a)])      where the opponent moves

States are weighted by chance's probabilities alone: the opponent's moves tell nothing, except which states are possible. Of several
moves of the opponent that look the same to j, each is as likely.
"""

from collections import Counter

import numpy as np

from fogspiel.belief.replay import Record
from fogspiel.belief.tracking import Particles
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.index import FREE, clear, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Ints32, Reals, Words
from fogspiel.engine.kinds import Record as RecordOf
from fogspiel.engine.primitives import address_of, mix
from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.state import State, advance
from fogspiel.game.table import CHANCE, LIMIT, OVER, SIZE, actor, chances, copy_state, infoset, moves, payoff, play

ROOM, TOO_MANY, TOO_LONG = 1, 2, 3
"""Why a search stopped before its end: its arrays are used up, there are more states than it may look at, or a game has no end in sight."""
LONGEST = 5000
"""Moves ahead that the recursion goes; a game in which nothing stops players from going round and round would use up its stack."""

Look = np.dtype(
    [("player", "i8"), ("most", "i8"), ("room", "i8"), ("looked", "i8"), ("depth", "i8"), ("stop", "i8")], align=True
)
Work = Bundle(
    look=RecordOf(Look), states=Bytes, weight=Reals, share=Reals, name=Words, worth=Reals, order=Ints32, group=Ints32, end=Ints32,
    index=Ints32, moves=Ints, odds=Reals, pay=Reals,
)  # fmt: skip
"""States on a stack, each with its weight, chance's probability of it, what the player knows there and what that is worth. `order`
lists those of one expansion by information set; `group` numbers these sets, `end` tells where each ends in `order`. `moves` and `odds`
are a stack of moves."""


def expectimax(game: Game, record: Record, most: int) -> dict[int, float]:
    """What each move of the player whose record it is is worth to it. TooLarge if there are more than `most` states to look at."""
    if game.players > 2 or not (game.about.zero_sum or game.players == 1):
        raise Unsuitable(
            f"information set expectimax is for zero-sum games of at most two players; {game.spec} is not one"
        )
    if game.about.simultaneous:
        raise Unsuitable(
            f"information set expectimax is for players who move in turn; in {game.spec} they move at once; try sm-mcts"
        )
    belief = Particles(game, record.player, most)
    belief.follow(record, _Opponent(game, record.player, most), np.zeros(1, np.uint64))
    if belief.short:
        raise _too_large(game, most)
    states = belief.states
    room = max(1024, 2 * len(states))
    while True:
        work = _work(game, record.player, most, room)
        for i, state in enumerate(states):
            work.states[i * game.dtype.itemsize : (i + 1) * game.dtype.itemsize] = state.data.view(np.int8)
            work.weight[i], work.order[i] = belief.prob[i], i
        values = np.zeros(len(game.buffer()))
        n = game.finish(decide(game.table, work, len(states), values))
        if work.look.stop != ROOM:
            break
        room *= 4
    if work.look.stop == TOO_LONG:
        raise TooLarge(
            f"{game.spec} is too long for information set expectimax: it may go on for more than {LONGEST:,} moves"
        )
    if work.look.stop == TOO_MANY:
        raise _too_large(game, most)
    return dict(zip(states[0].moves(), values[:n].tolist(), strict=True))


def _work(game: Game, player: int, most: int, room: int) -> Bundled:
    look = np.zeros(1, Look)
    look["player"], look["most"], look["room"] = player, most, room
    stack = room + len(game.buffer())
    reals = {name: np.zeros(room) for name in ("weight", "share", "worth")}
    wholes = {name: np.zeros(room, np.int32) for name in ("order", "group", "end")}
    return Bundled(
        Work, look=look, states=np.zeros(room * game.dtype.itemsize, np.int8), name=np.zeros(room, np.uint64),
        index=np.zeros(4 * room, np.int32), moves=np.zeros(stack, np.int64), odds=np.zeros(stack),
        pay=np.zeros(game.players), **reals, **wholes,
    )  # fmt: skip


class _Opponent:
    """A model of the opponent: moves that look the same to the player share the weight of one."""

    def __init__(self, game: Game, player: int, most: int):
        self.game, self.player, self.most, self.looked = game, player, most, 0

    def __call__(self, state: State) -> dict[int, float]:
        seen = {move: self._after(state, move) for move in state.moves()}
        count = Counter(seen.values())
        return {move: 1.0 / count[known] for move, known in seen.items()}

    def _after(self, state: State, move: int) -> tuple[int, bool, float | None]:
        """What the player knows after a move: at the end, what it is paid too."""
        self.looked += 1
        if self.looked > self.most:
            raise _too_large(self.game, self.most)
        after = state.copy()
        advance(after, move)
        who = after.actor
        return after.key(self.player), who == self.player, after.payoff()[self.player] if who == OVER else None


def _too_large(game: Game, most: int) -> TooLarge:
    return TooLarge(
        f"{game.spec} is too large for information set expectimax: there are more than {most:,} states to look at; "
        "let it look at more, or play mo-ismcts"
    )


@kernel
def decide(game: Ints, work: Work, states: Int, values: Reals) -> Int:
    """What each move is worth where the player may be in so many states, the first of the stack; returns how many moves there are."""
    n = moves(game, state_at(game, work, 0), work.moves, 0)
    for i in range(n):
        values[i] = by_own_move(game, work, work.moves[i], 0, states, states, n)
    return n


def value(game, work, first, last, top, above):
    """The value of an information set, the states order[first:last]; the stack is free from `top` on, that of moves from `above` on."""
    here = state_at(game, work, work.order[first])
    if actor(game, here) != work.look.player:
        return by_others(game, work, first, last, top, above)
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
    if work.look.stop != 0:
        return 0.0
    total = 0.0
    weights = 0.0
    child = top
    for k in range(first, last):
        s = work.order[k]
        here = state_at(game, work, s)
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
    here = state_at(game, work, s)
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
    if work.look.stop != 0:
        return 0
    for i in range(end, end + n):
        alike = 0
        for j in range(end, end + n):
            alike += is_alike(j + 1, i, work)
        work.weight[i] = work.weight[s] / alike
    return n


def add(game, work, s, move, weight, share, at):
    """Put the state after a move on the stack, with what the player knows there."""
    look = work.look
    look.looked += 1
    if look.looked > look.most:
        look.stop = TOO_MANY
    if at >= look.room:
        look.stop = ROOM
    if look.stop != 0:
        return
    child = state_at(game, work, at)
    copy_state(game, child, state_at(game, work, s))
    play(game, child, move)
    who = actor(game, child)
    work.worth[at] = 0.0
    if who == OVER:
        payoff(game, child, work.pay, 0)
        work.worth[at] = work.pay[look.player]
    turn = 1 if who == look.player else 2 if who == OVER else 0
    work.name[at] = mix(infoset(game, child, look.player), turn)
    work.weight[at] = weight
    work.share[at] = share


def is_alike(entry, at, work):
    """Whether two states are one to the player: at the end, what it is paid counts too."""
    return work.name[entry - 1] == work.name[at] and work.worth[entry - 1] == work.worth[at]


def judge(game, work, top, end, above):
    """The mean value of the states from `top` on, each that of its information set, which is written to `worth`."""
    if above + game[LIMIT] > work.look.room:
        work.look.stop = ROOM
    if work.look.depth > LONGEST:
        work.look.stop = TOO_LONG
    if work.look.stop != 0:
        return 0.0
    total = 0.0
    weights = 0.0
    first = top
    for g in range(sort(work, top, end)):
        last = work.end[top + g]
        v = work.worth[work.order[first]]
        if actor(game, state_at(game, work, work.order[first])) != OVER:
            work.look.depth += 1
            v = value(game, work, first, last, end, above)
            work.look.depth -= 1
        if work.look.stop != 0:
            return 0.0
        for k in range(first, last):
            s = work.order[k]
            work.worth[s] = v
            total += work.weight[s] * v
            weights += work.weight[s]
        first = last
    return total / weights


def sort(work, top, end):
    """Order the states from `top` on by information set, in the order in which these are first met; returns how many there are."""
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


def state_at(game, work, s):
    """The address of a state on the stack."""
    return address_of(work.states) + game[SIZE] * s
