"""The information-set tree of any game, as a game: a node is the set of states in which its player may be (Lisý 2014,
sec. 3.2.1).

Player 0 is the one who searches. Where it decides, its move is made in all states of the set. What then happens is an
observation: of the states that may follow, those stay that the player cannot tell from one another. Player 1 chooses
what is seen (the paranoid model), or chance does (the overconfident one, in which others move at random). A set of
states in which the game is over is worth the least of what they pay, or the mean; what the thesis leaves open. States
from which the game goes on in the same way are one. One move of another at a time is observed, not all until the player
moves again: both models make the same of it.

The rules of the game itself are reached through its table (`game/table.py`), so this is compiled once for all games.
"""

import numpy as np

from fogspiel.engine.index import FREE, clear, find
from fogspiel.engine.memory import raise_flag
from fogspiel.engine.primitives import mix
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.table import actor as who_moves
from fogspiel.game.table import bytes_key, chances, copy_state, game_at, state_at
from fogspiel.game.table import evaluate as judge
from fogspiel.game.table import infoset as known
from fogspiel.game.table import moves as legal
from fogspiel.game.table import payoff as paid
from fogspiel.game.table import play as make
from fogspiel.game.table import position as what_follows

OTHERS, OWN, ENDED, SHOWN = range(4)
"""Whose turn it is: others', the player's, nobody's; or the player has moved and is yet to see what came of it."""
BYTES, STATES, MAX_MOVES, PLAYERS = 1 << 16, 1 << 10, 1 << 9, 64
PLACES = 2 * STATES
FINE = 2.0**40
"""Weights count as equal that agree in so many parts of one."""

State = np.dtype(
    [
        ("turn", "i1"),
        ("searcher", "i1"),
        ("overconfident", "i1"),
        ("count", "i8"),
        ("room", "i8"),
        ("base", "i8"),
        ("overflow", "i8"),
        ("weight", "f8", STATES),
        ("out", "i8", MAX_MOVES),
        ("odds", "f8", MAX_MOVES),
        ("share", "f8", MAX_MOVES),
        ("pay", "f8", PLAYERS),
        ("key", "u8", STATES),
        ("index", "i2", PLACES),
        ("worlds", "i1", BYTES),
    ],
    align=True,
)
"""`worlds` holds `count` states, each padded to whole words, with room for `room`; behind them lie those that follow,
while a move is made. `base` is the game's table, `searcher` the player's number there. `overflow` is a flag, raised
where there was too little room. The rest is for rules to work with."""


def start(s):
    """Made of the states in which the player may be; without any, the game is over."""
    s.turn = OWN if s.count > 0 else ENDED


def actor(s):
    if s.turn == OWN:
        return 0
    if s.turn == ENDED:
        return OVER
    return CHANCE if s.overconfident else 1


def moves(s, out):
    if s.turn == OWN:
        return legal(game_at(s.base), world(s, 0), out, 0)
    return observations(s, out)


def chance(s, out, prob):
    n = observations(s, out)
    total = 0.0
    for i in range(n):
        total += s.share[i]
    for i in range(n):
        prob[i] = s.share[i] / total
    return n


def world(s, i):
    """A state of the set."""
    return state_at(game_at(s.base), s.worlds, i)


def observations(s, out):
    """All that the player may see next, with the weights of what it follows from in `share`."""
    game = game_at(s.base)
    spare = world(s, s.room)
    n = 0
    for i in range(s.count):
        if s.turn == SHOWN:
            n = note(s, out, n, seen(s, world(s, i)), s.weight[i])
        else:
            for k in range(ways(s, i)):
                if s.odds[k] > 0.0:
                    copy_state(game, spare, world(s, i))
                    make(game, spare, s.out[k])
                    n = note(s, out, n, seen(s, spare), s.weight[i] * s.odds[k])
    return n


def note(s, out, n, what, weight):
    """Add an observation to n that are listed, if it is not among them; returns how many there are."""
    at = 0
    while at < n and out[at] != what:
        at += 1
    if at == n:
        if n == MAX_MOVES:
            raise_flag(s.overflow)
            return n
        out[n] = what
        s.share[n] = 0.0
        n += 1
    s.share[at] += weight
    return n


def ways(s, i):
    """What may happen in a state where others move, into `out`, and how likely it is, into `odds`; returns in how many
    ways."""
    game = game_at(s.base)
    if who_moves(game, world(s, i)) == CHANCE:
        return chances(game, world(s, i), s.out, 0, s.odds, 0)
    n = legal(game, world(s, i), s.out, 0)
    for k in range(n):
        s.odds[k] = 1.0 / n
    return n


def turn_of(s, state):
    who = who_moves(game_at(s.base), state)
    return OWN if who == s.searcher else ENDED if who == OVER else OTHERS


def seen(s, state):
    """What tells the player a state from others, as a number that is a move."""
    return np.int64(np.uint64(mix(known(game_at(s.base), state, s.searcher), turn_of(s, state))) >> np.uint64(2))


def play(s, move):
    if s.turn == OWN:
        decide(s, move)
    elif s.turn == SHOWN:
        sift(s, move)
    else:
        observe(s, move)


def decide(s, move):
    """The player moves in all states; if it sees the same in all of them, that is no observation."""
    game = game_at(s.base)
    alike = True
    for i in range(s.count):
        make(game, world(s, i), move)
        alike = alike and seen(s, world(s, i)) == seen(s, world(s, 0))
    s.turn = turn_of(s, world(s, 0)) if alike else SHOWN


def sift(s, what):
    """The player sees what came of its own move."""
    game = game_at(s.base)
    n = 0
    for i in range(s.count):
        if seen(s, world(s, i)) == what:
            copy_state(game, world(s, n), world(s, i))
            s.weight[n] = s.weight[i]
            n += 1
    settle(s, n)


def observe(s, what):
    """Others move, and the player sees this of it."""
    game = game_at(s.base)
    before, n = s.count, 0
    clear(s.index, PLACES - 1)
    for i in range(before):
        for k in range(ways(s, i)):
            if s.odds[k] <= 0.0:
                continue
            if before + n >= s.room:
                raise_flag(s.overflow)
                continue
            after = world(s, before + n)
            copy_state(game, after, world(s, i))
            make(game, after, s.out[k])
            if seen(s, after) == what:
                n = add(s, before, n, what_follows(game, after), s.weight[i] * s.odds[k])
    for i in range(n):
        copy_state(game, world(s, i), world(s, before + i))
        s.weight[i] = s.weight[before + i]
    settle(s, n)


def add(s, before, n, key, weight):
    """Count the state behind n others in, or add its weight to that of one that is the same; returns how many there
    are."""
    at = find(key, s.index, PLACES - 1, is_state, s, key)
    if s.index[at] != FREE:
        s.weight[before + s.index[at] - 1] += weight
        return n
    s.index[at] = n + 1
    s.key[n] = key
    s.weight[before + n] = weight
    return n + 1


def is_state(entry, s, key):
    return s.key[entry - 1] == key


def settle(s, n):
    """There are n states now."""
    total = 0.0
    for i in range(n):
        total += s.weight[i]
    for i in range(n):
        s.weight[i] /= total
    s.count = n
    s.turn = turn_of(s, world(s, 0)) if n > 0 else ENDED


def payoff(s, out):
    aggregate(s, out, True)


def evaluate(s, out):
    aggregate(s, out, False)


def aggregate(s, out, ended):
    """The least of what the states are worth to the player, or the mean."""
    game = game_at(s.base)
    pay = s.pay
    worst, mean = np.inf, 0.0
    for i in range(s.count):
        if ended:
            paid(game, world(s, i), pay, 0)
        else:
            judge(game, world(s, i), pay, 0)
        worst = min(worst, pay[s.searcher])
        mean += s.weight[i] * pay[s.searcher]
    out[0] = 0.0 if s.count == 0 else mean if s.overconfident else worst
    out[1] = -out[0]


def infoset(s, player):
    """Everybody knows the set, and the weights where they count."""
    key = mix(s.turn, s.count)
    for i in range(s.count):
        key = mix(key, bytes_key(game_at(s.base), world(s, i)))
        if s.overconfident:
            key = mix(key, int(s.weight[i] * FINE + 0.5))
    return key


def position(s):
    return infoset(s, 0)
