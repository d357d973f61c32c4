"""LGR, the last good reply (Drake 2009; Whitehouse 2014, sec. 8.2, Specification 4): what answered a move in the last
simulation that was won is played when the move is made again."""

from fogspiel.engine.kernel import inlined
from fogspiel.game.spec import Number
from fogspiel.game.table import mix, pick
from fogspiel.search.enhancements.line import UNSEEN, seen
from fogspiel.search.records import TABLE, empty, found, made, table

ACTS = "playout"
WITH = ("line",)
PARAMETERS = (Number("above", 0.5, 0, 1, "a simulation is won that brings more than this, scaled to [0, 1]"),)
THETA = (("known", "i8"), ("reply", "i8"))
"""Whether a reply is known (theta_init: none is), and which."""
RECORD = TABLE
ABOUT = ("flat: a move and who replies", "a move", "the reply, with probability 1")


NOTHING = UNSEEN + 1
"""What the first move of a simulation replies to."""


def memory(game, room):
    return table("lgr", THETA)


def key(search, i, who):
    """R: a record for the player who replies, and the move before the i-th as it saw it."""
    return mix(seen(search, i - 1, who) if i > 0 else NOTHING, who)


def read(search, i, who, move):
    return key(search, i, who)


def policy(game, search, s, n):
    """alpha."""
    return answer(search, search.lgr, search.lgr_index, search.lgr_records, n)


def answer(search, own, index, records, n):
    """The reply, if one is known and legal; otherwise any move."""
    if n == 1:
        return 0
    record = found(own, index, records, key(search, search.line.length, search.facts.who))
    if record >= 0 and records[record].known != 0:
        reply = records[record].reply
        for i in range(n):
            if search.moves[i] == reply:
                return i
    return pick(search.rng, n)


def capture(game, search, s):
    """xi: every move but the first, as a reply to the one before."""
    tell(search, update)


@inlined
def tell(search, update):
    """Hand replies to `update`, each with the key of its record and what the simulation brought its player."""
    for i in range(1, search.line.length):
        row = search.moved[i]
        if row.who >= 0:
            update(search, key(search, i, row.who), row.move, search.rewards[row.who])


def update(search, before, reply, reward):
    """omega: what won is kept."""
    if reward > search.lgr.above:
        record = made(search.lgr, search.lgr_index, search.lgr_records, before)
        if record >= 0:
            search.lgr_records[record].known = 1
            search.lgr_records[record].reply = reply


def forget(search):
    empty(search.lgr, search.lgr_index)
