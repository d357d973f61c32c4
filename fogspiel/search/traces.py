"""What is written down of a simulation, for parts that want to know its moves: all of them (`Trace`), or its line as
ICARUSes (`search/icaruses`) look at it (`Line`), with how often each was made (`Tally`) and the episodes that they
belong to (`Episodes`)."""

from functools import lru_cache

import numpy as np

from fogspiel.engine.index import FREE, find
from fogspiel.game.needs import rule
from fogspiel.game.rules import CONTINUES
from fogspiel.game.table import (
    CHANCE,
    OVER,
    PLAYERS,
    actor,
    copy_state,
    episode,
    infoset,
    mix,
    pick,
    play,
    state_at,
)

MOVE = (("move", "i8"), ("who", "i8"))
"""What every record of moves has: a move, and who made it."""

Traced = np.dtype([*MOVE, ("knew", "u8"), ("playing", "i8")], align=True)
TRACED = 1 << 16
"""Moves that a trace has room for."""


class Trace:
    """A record of every simulation, for parts that want to know its moves: who made each, and what that player knew.

    search.traced[0:search.trace.length] are the moves, in the tree and in the playout; `playing` tells which. A game
    longer than there is room for is remembered up to there."""

    RECORD = (("length", "i8"), ("room", "i8"))

    def memory(game, room):
        return {"traced": np.zeros(TRACED, Traced), "room": TRACED}

    def begin(game, search):
        search.trace.length = 0

    def trace(game, search, s, who, move):
        if search.trace.length < search.trace.room:
            row = written(search.trace, search.traced, who, move)
            row.knew = infoset(game, s, who) if who >= 0 else 0
            row.playing = search.walk.playing


def written(own, rows, who, move):
    """The next row of a record in which there is room, with a move."""
    row = rows[own.length]
    row.move, row.who = move, who
    own.length += 1
    return row


# --- the line of a simulation


Moved = np.dtype([*MOVE, ("veiled", "i8"), ("step", "i8")], align=True)
"""A move and who made it; whether somebody does not see which it is; and the step of the path that it was in the tree,
or -1."""

ROOM = 1 << 14

OPEN, HIDDEN, MIXED = range(3)

UNSEEN = -1 << 62
"""What a player calls a move of which it sees no more than that it was made."""


class Line:
    """The line of a simulation: its moves, in the tree and in the playout, and whether all players see them. For
    ICARUSes (`search/icaruses`).

    search.moved[0:search.line.length] are the moves; a game longer than there is room for is remembered up to there.
    What a player sees of a move, [a] with the player's index in Whitehouse 2014, sec. 8.2, is found by what others
    would know after another move in its place. Where they would know the same, they see that a move was made, and not
    which. In most games that holds for every move of the players, or for none, and likewise for chance's; this is found
    by playing (`visibility`). Only in the other games is it asked at every move."""

    RECORD = (("length", "i8"), ("beyond", "i8"), ("room", "i8"), ("players", "i8"), ("chance", "i8"))
    """`beyond`: moves for which there was no room. `players`, `chance`: whether their moves are seen (OPEN, HIDDEN or
    MIXED)."""

    def memory(game, room):
        size = game.dtype.itemsize + 64
        players, chance = visibility(game)
        return {
            "moved": np.zeros(ROOM, Moved),
            "room": ROOM,
            "players": players,
            "chance": chance,
            "rewards": np.zeros(game.players),
            "after": np.zeros(size, np.int8),
            "instead": np.zeros(size, np.int8),
        }

    def begin(game, search):
        search.line.length, search.line.beyond = 0, 0

    def trace(game, search, s, who, move):
        line = search.line
        if line.length == line.room:
            line.beyond += 1
            return
        row = written(line, search.moved, who, move)
        row.step = step_of(search.walk, who)
        row.veiled = is_veiled(game, search, s, who, move)

    def capture(game, search, s):
        """Before ICARUSes capture: what the simulation brought each player, scaled to [0, 1], into search.rewards."""
        for p in range(game[PLAYERS]):
            search.rewards[p] = (search.pay[p] - search.low[p]) / search.span[p]


@lru_cache(maxsize=16)
def visibility(game, games=5, decisions=120):
    """Whether players' moves, and chance's, are seen by all who did not make them, in random games: always, never, or
    now and then."""
    found, rng = {True: set(), False: set()}, np.array([1], np.uint64)
    for _ in range(games):
        state = game.start()
        for _ in range(decisions):
            if state.over:
                break
            who, legal = state.actor, state.moves()
            after = [child for child in (_after(state, move) for move in legal[:8]) if not child.over]
            if len(after) > 1:
                others = [p for p in range(game.players) if p != who]
                keys = [[child.key(p) for child in after] for p in others]
                found[who == CHANCE].add(all(len(set(known)) == len(after) for known in keys))
            state = _after(state, legal[pick(rng, len(legal))])
    return tuple(
        OPEN if found[chance] <= {True} else HIDDEN if found[chance] == {False} else MIXED for chance in (False, True)
    )


def _after(state, move):
    child = state.copy()
    child.play(move)
    return child


def step_of(walk, who):
    return walk.depth - 1 if walk.playing == 0 and who != CHANCE else -1


def is_veiled(game, search, s, who, move):
    """Whether somebody does not see which move is made."""
    seen = search.line.chance if who == CHANCE else search.line.players
    return seen != OPEN and (seen == HIDDEN or not told_apart(game, search, s, who, move))


def told_apart(game, search, s, who, move):
    """Whether all others can tell a move from the one after it in the list of moves."""
    n = search.walk.moves
    if n == 1:
        return True
    other = search.moves[0]
    for i in range(n - 1):
        if search.moves[i] == move:
            other = search.moves[i + 1]
    after, instead = state_at(game, search.after, 0), state_at(game, search.instead, 0)
    copy_state(game, after, s)
    play(game, after, move)
    copy_state(game, instead, s)
    play(game, instead, other)
    if actor(game, after) == OVER or actor(game, instead) == OVER:
        return True
    for p in range(game[PLAYERS]):
        if p != who and infoset(game, after, p) == infoset(game, instead, p):
            return False
    return True


def seen(search, i, player):
    """What a player calls the i-th move of the line."""
    row = search.moved[i]
    return UNSEEN if row.veiled != 0 and row.who != player else row.move


# --- how often a move was made


Made = np.dtype([("key", "u8"), ("times", "i8"), ("place", "i8")], align=True)
"""A player and a move, in one; how often it was made; and its place in the index, which is freed for the next
simulation."""

MASK = 2 * ROOM - 1


class Tally:
    """How often each player made each move, in the part of a simulation that was gone through: for AMAF."""

    RECORD = (("used", "i8"),)

    def memory(game, room):
        """There is room for all moves of a line."""
        return {"tallied": np.zeros(ROOM, Made), "tally_index": np.zeros(MASK + 1, np.int32)}


def begin_tally(search):
    """Nothing was gone through yet."""
    for i in range(search.tally.used):
        search.tally_index[search.tallied[i].place] = FREE
    search.tally.used = 0


def tally_move(search, who, move):
    """A player made a move."""
    key, index, tallied, own = mix(move, who), search.tally_index, search.tallied, search.tally
    at = find(key, index, MASK, is_made, key, tallied)
    if index[at] == FREE:
        row = tallied[own.used]
        row.key, row.times, row.place = key, 0, at
        own.used += 1
        index[at] = own.used
    tallied[index[at] - 1].times += 1


def times_made(search, who, move):
    key, index, tallied = mix(move, who), search.tally_index, search.tallied
    entry = index[find(key, index, MASK, is_made, key, tallied)]
    return tallied[entry - 1].times if entry != FREE else 0


def is_made(entry, key, tallied):
    return tallied[entry - 1].key == key


# --- episodes


class Episodes:
    """Episodes of a simulation (Whitehouse 2014, sec. 8.3), by the game's rule `episode`: which one the game is in, and
    what each player has seen of it.

    The thesis counts from the start of the game. A simulation here starts from a state, and does not know what led to
    it: an episode that began before the root has no label, and positions in it are told apart by what follows the root,
    not by what others did before it unseen by the searcher."""

    NEEDS = (rule("episode"),)
    RECORD = (("label", "i8"), ("looked", "i8"))
    """The label of the episode; and how many moves had been made when this was last looked at."""

    def memory(game, room):
        """search.episode_seen: what each player has seen of the episode; search.episode_labels and search.positions:
        the label, and what the player to move had seen, before each move of the line."""
        return {
            "episode_seen": np.zeros(game.players, np.uint64),
            "episode_labels": np.zeros(ROOM, np.int64),
            "positions": np.zeros(ROOM, np.uint64),
        }

    def begin(game, search):
        search.episodes.label = CONTINUES
        search.episodes.looked = -1
        for p in range(game[PLAYERS]):
            search.episode_seen[p] = 0

    def trace(game, search, s, who, move):
        if search.line.beyond > 0:
            return
        i = search.line.length - 1
        look_for_episode(game, search, s, i)
        search.episode_labels[i] = search.episodes.label
        if who >= 0:
            search.positions[i] = search.episode_seen[who]
        for p in range(game[PLAYERS]):
            search.episode_seen[p] = mix(search.episode_seen[p], seen(search, i, p))


def look_for_episode(game, search, s, i):
    """Note whether an episode begins at s, after i moves."""
    if search.episodes.looked == i:
        return
    search.episodes.looked = i
    label = episode(game, s)
    if label != CONTINUES:
        search.episodes.label = label
        for p in range(game[PLAYERS]):
            search.episode_seen[p] = mix(1, label)
