"""NAST, the n-gram average sampling technique (Tak et al. 2012; Whitehouse 2014, sec. 8.2, Specification 5): what a
move brought on average after the n - 1 moves before it, as the player saw them. With n = 1 it is MAST with the policy
UCB1."""

from dataclasses import replace

from fogspiel.game.spec import Whole
from fogspiel.game.table import mix
from fogspiel.search.enhancements.line import seen
from fogspiel.search.icaruses import policies
from fogspiel.search.icaruses.averages import THETA, chosen, tell
from fogspiel.search.records import TABLE, empty, table

ACTS = "playout"
WITH = ("line",)
PARAMETERS = (
    Whole("n", 2, 1, 16, "moves of an n-gram"),
    replace(policies.PARAMETERS[0], default="ucb1"),
    *policies.PARAMETERS[1:],
)
RECORD = TABLE
ABOUT = ("flat: n moves and the last one's player", "reward, visits", "UCB1; or Gibbs, epsilon-greedy, roulette")


def memory(game, room):
    return table("nast", THETA)


def key(search, i, who):
    """R: a record for each player, the n - 1 moves before the i-th, fewer where the simulation has just begun, and
    move."""
    gram = mix(0, who)
    for k in range(max(i - search.nast.n + 1, 0), i):
        gram = mix(gram, seen(search, k, who))
    return gram


def read(search, i, who, move):
    return mix(key(search, i, who), move)


def policy(game, search, s, n):
    """alpha."""
    context = key(search, search.line.length, search.facts.who)
    return chosen(search, search.nast, search.nast_index, search.nast_records, context, n)


def capture(game, search, s):
    """xi: every n moves in a row."""
    tell(search, search.nast, search.nast_index, search.nast_records, key)


def forget(search):
    empty(search.nast, search.nast_index)
