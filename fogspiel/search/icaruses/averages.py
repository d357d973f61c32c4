"""What MAST and its relatives share: records of the mean reward and the tries of a move in some context, policies over
their averages, and what they capture. Contexts are whole numbers: `context(search, i, who)` is that of a player who
moves after i moves of the line."""

from fogspiel.engine.kernel import inlined
from fogspiel.game.table import mix, pick
from fogspiel.search.icaruses.policies import GIBBS, ROULETTE, TRIES, accepted, drawn
from fogspiel.search.records import found, made

THETA = (("mean", "f8"), ("tries", "i8"))

LONG = 2048
"""Moves after which a playout goes on at random: averages do not change during a playout, so that UCB1 may go in
circles."""


def chosen(search, own, index, records, context, n):
    """alpha: one of the legal moves search.moves[0:n], by the policy in `own` over the averages of the records
    (context, move)."""
    if n == 1:
        return 0
    if search.line.length > LONG:
        return pick(search.rng, n)
    if own.policy == GIBBS or own.policy == ROULETTE:
        for _ in range(TRIES):
            i = pick(search.rng, n)
            if accepted(search, own, value(records, found(own, index, records, mix(context, search.moves[i])))):
                return i
    for i in range(n):
        record = found(own, index, records, mix(context, search.moves[i]))
        search.prob[i] = value(records, record)
        search.odds[i] = records[record].tries if record >= 0 else 0
    return drawn(search, own, n)


def value(records, record):
    """The mean of a record's rewards; 1 where there is none."""
    return records[record].mean if record >= 0 else 1.0


@inlined
def tell(search, own, index, records, context):
    """xi: every move that a player made in the simulation; its record is told the reward of that player."""
    for i in range(search.line.length):
        row = search.moved[i]
        if row.who >= 0:
            add(own, index, records, mix(context(search, i, row.who), row.move), search.rewards[row.who])


def add(own, index, records, key, reward):
    """omega: a record, which is made if need be, is told a reward."""
    record = made(own, index, records, key)
    if record >= 0:
        theta = records[record]
        theta.tries += 1
        theta.mean += (reward - theta.mean) / theta.tries
