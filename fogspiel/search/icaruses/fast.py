"""FAST, features-to-action sampling (Finnsson and Björnsson 2010; Whitehouse 2014, sec. 8.2): values of moves, learned
by TD(lambda), in a Gibbs distribution. A move is its own feature; what the authors learn before the search is the value
that a move begins with."""

import numpy as np

from fogspiel.game.spec import Number
from fogspiel.game.table import PLAYERS, mix
from fogspiel.search.icaruses.policies import PARAMETERS as POLICY
from fogspiel.search.icaruses.policies import gibbs
from fogspiel.search.records import TABLE, empty, found, made, table

ACTS = "playout"
WITH = ("line",)
PARAMETERS = (
    POLICY[1],
    Number("rate", 0.1, 0, 1, "how far a value moves towards what was met"),
    Number(
        "decay",
        0.9,
        0,
        1,
        "lambda: 1 learns from what the simulation brought alone, 0 from the value of the player's next move",
    ),
    Number("initial", 0.5, 0, 1, "the value that a move begins with"),
)
THETA = (("value", "f8"),)
RECORD = TABLE
ABOUT = ("flat: a move and its player", "a value", "Gibbs")


def memory(game, room):
    return {"returns": np.zeros(game.players)} | table("fast", THETA)


def key(who, move):
    """R: a record for each player and move."""
    return mix(mix(0, who), move)


def read(search, i, who, move):
    return key(who, move)


def policy(game, search, s, n):
    """alpha."""
    for i in range(n):
        record = found(search.fast, search.fast_index, search.fast_records, key(search.facts.who, search.moves[i]))
        search.prob[i] = search.fast_records[record].value if record >= 0 else search.fast.initial
    return gibbs(search, search.fast.temperature, n)


def capture(game, search, s):
    """xi: every move of the simulation, the last one first, since a value is learned from that of the player's next
    move."""
    for who in range(game[PLAYERS]):
        search.returns[who] = search.rewards[who]
    for i in range(search.line.length - 1, -1, -1):
        row = search.moved[i]
        if row.who >= 0:
            update(search, key(row.who, row.move), row.who)


def update(search, key, who):
    """omega: TD(lambda). The move before learns from the value that this one had until now."""
    before = search.fast.used
    record = made(search.fast, search.fast_index, search.fast_records, key)
    if record < 0:
        return
    theta = search.fast_records[record]
    if search.fast.used > before:
        theta.value = search.fast.initial
    value, brought = theta.value, search.returns[who]
    theta.value += search.fast.rate * (brought - value)
    search.returns[who] = search.fast.decay * brought + (1.0 - search.fast.decay) * value


def forget(search):
    empty(search.fast, search.fast_index)
