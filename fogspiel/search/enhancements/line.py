"""The line of a simulation: its moves, in the tree and in the playout, and whether all players see them. For ICARUSes
(`search/icaruses`).

search.moved[0:search.line.length] are the moves; a game longer than there is room for is remembered up to there. What a
player sees of a move, [a] with the player's index in Whitehouse 2014, sec. 8.2, is found by what others would know
after another move in its place. Where they would know the same, they see that a move was made, and not which. In most
games that holds for every move of the players, or for none, and likewise for chance's; this is found by playing
(`visibility`). Only in the other games is it asked at every move.
"""

from functools import lru_cache

import numpy as np

from fogspiel.game.table import CHANCE, OVER, PLAYERS, actor, copy_state, infoset, pick, play, state_at
from fogspiel.search.enhancements.trace import MOVE, written

Moved = np.dtype([*MOVE, ("veiled", "i8"), ("step", "i8")], align=True)
"""A move and who made it; whether somebody does not see which it is; and the step of the path that it was in the tree,
or -1."""
RECORD = (("length", "i8"), ("beyond", "i8"), ("room", "i8"), ("players", "i8"), ("chance", "i8"))
"""`beyond`: moves for which there was no room. `players`, `chance`: whether their moves are seen (OPEN, HIDDEN or
MIXED)."""

ROOM = 1 << 14
OPEN, HIDDEN, MIXED = range(3)
UNSEEN = -1 << 62
"""What a player calls a move of which it sees no more than that it was made."""


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


def step_of(walk, who):
    return walk.depth - 1 if walk.playing == 0 and who != CHANCE else -1


def is_veiled(game, search, s, who, move):
    """Whether somebody does not see which move is made."""
    seen = search.line.chance if who == CHANCE else search.line.players
    return seen != OPEN and (seen == HIDDEN or not told_apart(game, search, s, who, move))


def capture(game, search, s):
    """Before ICARUSes capture: what the simulation brought each player, scaled to [0, 1], into search.rewards."""
    for p in range(game[PLAYERS]):
        search.rewards[p] = (search.pay[p] - search.low[p]) / search.span[p]


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
