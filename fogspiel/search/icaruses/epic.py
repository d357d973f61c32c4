"""A tree for each kind of episode, which chooses in playouts."""

import math

import numpy as np

from fogspiel.game.spec import Number
from fogspiel.game.table import CHANCE, mix, pick
from fogspiel.search.icaruses.policies import best
from fogspiel.search.records import NONE, TABLE, empty, found, made, table
from fogspiel.search.traces import ROOM, look_for_episode

THETA = (("total", "f8"), ("tries", "i8"), ("chances", "i8"))

MOST = 1 << 18
"""Records that may be available in a simulation, one for each move that could be made at each step."""

LOGS = 1 << 12
"""Whole numbers whose logarithms are looked up, which is faster."""


class Epic:
    """EPIC, episodic information capture (Whitehouse 2014, sec. 8.3, Specification 7): outside the tree, a tree for
    each kind of episode, in which UCB1 chooses. Games tell their episodes by the rule `episode`."""

    ACTS = "playout"
    WITH = ("line", "episodes")
    PARAMETERS = (Number("exploration", 0.7, 0, 1e6, "the constant of UCB1 in episodes"),)
    RECORD = (*TABLE, ("available", "i8"), ("noted", "i8"), ("chosen", "i8"))
    """How many records were available in this simulation; of which move of the line this was noted last, and the record
    of that move."""
    ABOUT = (
        "forest: an episode, what was seen of it, a move and its player",
        "reward, visits, availability",
        "UCB1 for arms not always there",
    )

    def memory(game, room):
        """search.epic_available: records that were available; search.epic_legal: those of the legal moves;
        search.epic_taken: those of the moves of the line; search.epic_logs: logarithms."""
        logs = [0.0, *(math.log(k) for k in range(1, LOGS))]
        return {
            "epic_available": np.zeros(MOST, np.int64),
            "epic_legal": game.buffer(),
            "epic_taken": np.zeros(ROOM, np.int64),
            "epic_logs": np.array(logs),
        } | table("epic", THETA)

    def begin(game, search):
        search.epic.available = 0
        search.epic.noted = -1

    def read(search, i, who, move):
        return by_position(search.positions[i], who, move)

    def policy(game, search, s, n):
        """alpha: a highest bound; a move without a record has an infinite one. Any move where the line is full."""
        own, length = search.epic, search.line.length
        if length == search.line.room:
            return pick(search.rng, n)
        look_for_episode(game, search, s, length)
        note(search, search.episode_seen[search.facts.who], search.facts.who, n)
        for i in range(n):
            search.prob[i] = upper(search, search.epic_legal[i])
        chosen = best(search, n)
        own.noted = length
        own.chosen = search.epic_legal[chosen]
        return chosen

    def trace(game, search, s, who, move):
        """In the tree, and wherever else another policy chooses, what is available is noted here."""
        if who == CHANCE or search.line.beyond > 0:
            return
        own, last = search.epic, search.line.length - 1
        if own.noted != last:
            note(search, search.positions[last], who, search.walk.moves)
            own.chosen = NONE
            for i in range(search.walk.moves):
                if search.moves[i] == move:
                    own.chosen = search.epic_legal[i]
        search.epic_taken[last] = own.chosen

    def capture(game, search, s):
        """xi: what was available at every move of the simulation; and every move."""
        for k in range(search.epic.available):
            search.epic_records[search.epic_available[k]].chances += 1
        for i in range(search.line.length):
            row = search.moved[i]
            if row.who >= 0:
                visit(
                    search,
                    search.epic_taken[i],
                    by_position(search.positions[i], row.who, row.move),
                    search.rewards[row.who],
                )

    def forget(search):
        empty(search.epic, search.epic_index)


def by_position(position, who, move):
    """R: what a player has seen of an episode, and a move of its own."""
    return mix(mix(position, who), move)


def note(search, position, who, n):
    """Put the records of the legal moves search.moves[0:n], or NONE, in search.epic_legal, and note for capture that
    they were available."""
    own = search.epic
    for i in range(n):
        record = found(own, search.epic_index, search.epic_records, by_position(position, who, search.moves[i]))
        search.epic_legal[i] = record
        if record >= 0 and own.available < MOST:
            search.epic_available[own.available] = record
            own.available += 1


def upper(search, record):
    if record == NONE:
        return math.inf
    theta = search.epic_records[record]
    log = search.epic_logs[theta.chances] if theta.chances < LOGS else math.log(theta.chances)
    return theta.total / theta.tries + search.epic.exploration * math.sqrt(log / theta.tries)


def visit(search, record, key, reward):
    """omega. A record is there, and available, from its first visit on."""
    if record == NONE:
        record = made(search.epic, search.epic_index, search.epic_records, key)
    if record >= 0:
        theta = search.epic_records[record]
        theta.total += reward
        theta.tries += 1
        theta.chances = max(theta.chances, theta.tries)
