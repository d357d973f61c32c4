"""Contextual Monte Carlo (Rimmel and Teytaud 2010; Whitehouse 2014, sec. 8.2): what two moves of a player brought that
were made in the same simulation, one after the other, with whatever between them. They call such a pair a tile."""

from fogspiel.game.spec import Number, Whole
from fogspiel.game.table import mix, pick, uniform
from fogspiel.search.icaruses.averages import THETA, add
from fogspiel.search.records import TABLE, empty, found, table

ACTS = "playout"
WITH = ("line",)
PARAMETERS = (
    Number("eagerness", 0.5, 0, 1, "how often the best tile is played"),
    Number("above", 0.5, 0, 1, "what a tile must have brought on average"),
    Whole("least", 5, 1, 10**9, "tries of a tile before it is trusted"),
)
RECORD = TABLE
ABOUT = ("flat: two moves of a player", "reward, visits", "the best, now and then")


def memory(game, room):
    return table("contextual", THETA)


def key(who, earlier, move):
    """R: a tile."""
    return mix(mix(mix(0, who), earlier), move)


def read(search, i, who, move):
    last = last_move(search, i, who)
    return key(who, search.moved[last].move, move) if last >= 0 else mix(0, who)


def last_move(search, i, who):
    """Where the last of a player's moves stands among the first i; -1 where it made none."""
    last = i - 1
    while last >= 0 and search.moved[last].who != who:
        last -= 1
    return last


def policy(game, search, s, n):
    """alpha: with some probability the best move after the player's last one."""
    who = search.facts.who
    last = last_move(search, search.line.length, who)
    if last < 0 or uniform(search.rng) >= search.contextual.eagerness:
        return pick(search.rng, n)
    best, most = -1, search.contextual.above
    for i in range(n):
        tile = key(who, search.moved[last].move, search.moves[i])
        record = found(search.contextual, search.contextual_index, search.contextual_records, tile)
        if record >= 0:
            theta = search.contextual_records[record]
            if theta.tries >= search.contextual.least and theta.mean > most:
                best, most = i, theta.mean
    return best if best >= 0 else pick(search.rng, n)


def capture(game, search, s):
    """xi: all pairs of moves of the same player."""
    for j in range(search.line.length):
        later = search.moved[j]
        if later.who >= 0:
            for i in range(j):
                if search.moved[i].who == later.who:
                    update(search, key(later.who, search.moved[i].move, later.move), later.who)


def update(search, tile, who):
    """omega."""
    add(search.contextual, search.contextual_index, search.contextual_records, tile, search.rewards[who])


def forget(search):
    empty(search.contextual, search.contextual_index)
