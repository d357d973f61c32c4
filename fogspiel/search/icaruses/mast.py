"""MAST, the move-average sampling technique (Finnsson and Björnsson 2008; Whitehouse 2014, sec. 8.2, Specification 3):
what a move of a player brought on average, wherever in a simulation it was made."""

from fogspiel.game.table import mix
from fogspiel.search.icaruses.averages import THETA, chosen, tell
from fogspiel.search.icaruses.policies import PARAMETERS
from fogspiel.search.records import TABLE, empty, table

ACTS = "playout"
WITH = ("line",)
RECORD = TABLE
ABOUT = ("flat: a move and its player", "reward, visits", "Gibbs, epsilon-greedy, roulette or UCB1")


def memory(game, room):
    return table("mast", THETA)


def key(search, i, who):
    """R: a record for each player, whatever came before, and move."""
    return who


def read(search, i, who, move):
    return mix(key(search, i, who), move)


def policy(game, search, s, n):
    """alpha."""
    context = key(search, search.line.length, search.facts.who)
    return chosen(search, search.mast, search.mast_index, search.mast_records, context, n)


def capture(game, search, s):
    """xi: every move of the simulation."""
    tell(search, search.mast, search.mast_index, search.mast_records, key)


def forget(search):
    empty(search.mast, search.mast_index)
