"""EPIC, episodic information capture (Whitehouse 2014, sec. 8.3, Specification 7): outside the tree, a tree for each kind of episode, in which
UCB1 chooses. Games tell their episodes by the rule `episode`."""

import math

import numpy as np

from fogspiel.game.spec import Number
from fogspiel.game.table import CHANCE, mix
from fogspiel.search.enhancements.episodes import NEEDS, look
from fogspiel.search.icaruses.policies import best
from fogspiel.search.records import TABLE, empty, found, made, table

ACTS = "playout"
WITH = ("line", "episodes")
PARAMETERS = (Number("exploration", 0.7, 0, 1e6, "the constant of UCB1 in episodes"),)
THETA = (("total", "f8"), ("tries", "i8"), ("chances", "i8"))
RECORD = (*TABLE, ("available", "i8"))
ABOUT = (
    "forest: an episode, what was seen of it, a move and its player",
    "reward, visits, availability",
    "UCB1 for arms not always there",
)

MOST = 1 << 18
"""Records that may be available in a simulation, one for each move that could be made at each step."""


def memory(game, room):
    return {"available": np.zeros(MOST, np.int64)} | table("epic", THETA)


def begin(game, search):
    search.epic.available = 0


def key(position, who, move):
    """R: what a player has seen of an episode, and a move of its own."""
    return mix(mix(position, who), move)


def read(search, i, who, move):
    return key(search.positions[i], who, move)


def policy(game, search, s, n):
    """alpha: a highest bound; a move without a record has an infinite one."""
    look(game, search, s, search.line.length)
    note(search, search.episode_seen[search.facts[0]], search.facts[0], n)
    return best(search, n)


def note(search, position, who, n):
    """Put the bounds of the legal moves search.moves[0:n] in search.prob, and note what is available."""
    for i in range(n):
        record = noted(search, key(position, who, search.moves[i]))
        search.prob[i] = upper(search.epic_records[record], search.epic.exploration) if record >= 0 else math.inf


def trace(game, search, s, who, move):
    """In the tree, where another policy chooses."""
    if search.walk.playing == 0 and who != CHANCE:
        for i in range(search.walk.moves):
            noted(search, key(search.positions[search.line.length - 1], who, search.moves[i]))


def noted(search, key):
    """The record of a legal move, or NONE. For capture it is noted that it was available."""
    own = search.epic
    record = found(own, search.epic_index, search.epic_records, key)
    if record >= 0 and own.available < MOST:
        search.available[own.available] = record
        own.available += 1
    return record


def upper(theta, exploration):
    return theta.total / theta.tries + exploration * math.sqrt(math.log(theta.chances) / theta.tries)


def capture(game, search, s):
    """xi: what was available at every move of the simulation; and every move."""
    for k in range(search.epic.available):
        search.epic_records[search.available[k]].chances += 1
    for i in range(search.line.length):
        row = search.moved[i]
        if row.who >= 0:
            visit(search, key(search.positions[i], row.who, row.move), search.rewards[row.who])


def visit(search, key, reward):
    """omega. A record is there, and available, from its first visit on."""
    record = made(search.epic, search.epic_index, search.epic_records, key)
    if record >= 0:
        theta = search.epic_records[record]
        theta.total += reward
        theta.tries += 1
        theta.chances = max(theta.chances, theta.tries)


def forget(search):
    empty(search.epic, search.epic_index)
