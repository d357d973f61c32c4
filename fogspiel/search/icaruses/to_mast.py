"""TO-MAST, tree-only MAST (Finnsson and Björnsson 2010; Whitehouse 2014, sec. 8.2): as MAST, learned from the moves in
the tree alone."""

from fogspiel.game.table import mix
from fogspiel.search.icaruses.averages import THETA, add, chosen
from fogspiel.search.icaruses.mast import ABOUT, ACTS, RECORD, WITH, key, read
from fogspiel.search.icaruses.policies import PARAMETERS
from fogspiel.search.records import empty, table


def memory(game, room):
    return table("to_mast", THETA)


def policy(game, search, s, n):
    """alpha."""
    context = key(search, search.line.length, search.facts.who)
    return chosen(search, search.to_mast, search.to_mast_index, search.to_mast_records, context, n)


def capture(game, search, s):
    """xi: the moves at selection and expansion nodes."""
    for i in range(search.line.length):
        row = search.moved[i]
        if row.step >= 0:
            record = mix(key(search, i, row.who), row.move)
            add(search.to_mast, search.to_mast_index, search.to_mast_records, record, search.rewards[row.who])


def forget(search):
    empty(search.to_mast, search.to_mast_index)
