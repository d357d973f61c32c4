"""Progressive history (Nijssen and Winands 2011; Whitehouse 2014, sec. 8.2): MAST's average of a move is added to its
bound in the tree, the less the more often the move was tried there and lost: x W / (n (1 - mean) + 1)."""

from fogspiel.game.spec import Number
from fogspiel.game.table import mix
from fogspiel.search.icaruses.averages import THETA, tell
from fogspiel.search.icaruses.mast import key, read
from fogspiel.search.records import TABLE, empty, found, table

ACTS = "tree"
FADES = False
ADDS = True
WITH = ("line",)
PARAMETERS = (Number("weight", 3, 0, 1e6, "W, of what a move brought elsewhere"),)
RECORD = TABLE
ABOUT = ("flat: a move and its player", "reward, visits", "UCB1 with a bonus")


def memory(game, room):
    return table("history", THETA)


def bound(search, here, n):
    """alpha: a bonus beside the tree's bounds."""
    context = key(search, 0, here.owner)
    for i in range(n):
        slot = search.slots[search.slot[i]]
        record = found(search.history, search.history_index, search.history_records, mix(context, slot.move))
        if record >= 0:
            lost = slot.tries - slot.total
            search.prob[i] += search.history_records[record].mean * search.history.weight / (lost + 1.0)


def capture(game, search, s):
    """xi: every move of the simulation."""
    tell(search, search.history, search.history_index, search.history_records, key)


def forget(search):
    empty(search.history, search.history_index)
