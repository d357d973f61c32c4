"""LGRF, the last good reply with forgetting (Baier and Drake 2010; Whitehouse 2014, sec. 8.2, Specification 4): as LGR,
and a reply that lost is forgotten."""

from fogspiel.search.icaruses.lgr import ABOUT, ACTS, PARAMETERS, RECORD, THETA, WITH, answer, key, read, tell
from fogspiel.search.records import empty, found, made, table


def memory(game, room):
    return table("lgrf", THETA)


def policy(game, search, s, n):
    """alpha."""
    return answer(search, search.lgrf, search.lgrf_index, search.lgrf_records, n)


def capture(game, search, s):
    """xi: every move but the first, as a reply to the one before."""
    tell(search, update)


def update(search, before, reply, reward):
    """omega: what won is kept, and what lost is forgotten."""
    own, index, records = search.lgrf, search.lgrf_index, search.lgrf_records
    won = reward > own.above
    record = found(own, index, records, before)
    if record < 0 and won:
        record = made(own, index, records, before)
    if record >= 0:
        theta = records[record]
        theta.known = 1 if won else theta.known & int(theta.reply != reply)
        theta.reply = reply if won else theta.reply


def forget(search):
    empty(search.lgrf, search.lgrf_index)
