"""PAST, the predicate-average sampling technique (Finnsson and Björnsson 2010; Whitehouse 2014, sec. 8.2): as MAST,
told apart by what holds where a move is made. The predicate is the label of the game's episode: who led the trick,
say."""

from fogspiel.game.table import mix
from fogspiel.search.enhancements.episodes import look
from fogspiel.search.icaruses.averages import THETA, chosen, tell
from fogspiel.search.icaruses.policies import PARAMETERS
from fogspiel.search.records import TABLE, empty, table

ACTS = "playout"
WITH = ("line", "episodes")
RECORD = TABLE
ABOUT = ("flat: a predicate, a move and its player", "reward, visits", "Gibbs, epsilon-greedy, roulette or UCB1")


def memory(game, room):
    return table("past", THETA)


def key(label, who):
    """R: a record for each predicate, player, and move."""
    return mix(mix(0, who), label)


def context(search, i, who):
    return key(search.episode_labels[i], who)


def read(search, i, who, move):
    return mix(context(search, i, who), move)


def policy(game, search, s, n):
    """alpha."""
    look(game, search, s, search.line.length)
    here = key(search.episodes.label, search.facts.who)
    return chosen(search, search.past, search.past_index, search.past_records, here, n)


def capture(game, search, s):
    """xi: every move of the simulation."""
    tell(search, search.past, search.past_index, search.past_records, context)


def forget(search):
    empty(search.past, search.past_index)
