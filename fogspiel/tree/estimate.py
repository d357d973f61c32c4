"""How large a game is, guessed in a moment: Knuth's estimate of the size of a tree (Knuth 1975).

A walk from the root takes any branch as likely, and multiplies the numbers of branches on its way: the product
estimates, right on average, how many nodes there are at each depth it comes to. Such estimates fall short far more
often than they overshoot: the mean is more than k times the truth with a probability of at most 1 / k.
"""

import math
from dataclasses import dataclass

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Reals, Words
from fogspiel.game.game import Game
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    PLAYERS,
    ROOT,
    actor,
    chances,
    copy_state,
    moves,
    play,
    state_at,
    uniform,
)
from fogspiel.tree.unroll import DEEPEST

FINISHED, ENDLESS, BROKEN = range(3)
WALKS = 1000
SURELY = 1000.0
"""A game whose estimate is so many times a limit is taken to be beyond it."""


@dataclass(frozen=True)
class Size:
    """Estimates: how many histories and terminals a game has, and how many histories it has for the player who has most
    where all others, and chance, make one move each: what one traversal of external sampling walks. `least`: how many
    histories it surely has, four standard errors below the estimate. Infinite where a walk did not end. `walked`: how
    many histories were looked at."""

    histories: float
    terminals: float
    alone: float
    least: float
    walked: float


@kernel
def walks(
    game: Ints, count: Int, state: Bytes, buffer: Ints, odds: Reals, rng: Words, own: Reals, totals: Reals
) -> Int:
    """So many walks. totals: the sums of estimated histories, of their squares, of terminals and of histories on the
    way, then of histories for each player alone.
    Returns how they ended: all at ends of games, one so long that there must be cycles, or one where the rules are
    wrong."""
    s = state_at(game, state, 0)
    players = game[PLAYERS]
    for _ in range(count):
        copy_state(game, s, game[ROOT])
        breadth = 1.0
        found = 0.0
        for p in range(players):
            own[p] = 1.0
        length = 0
        who = actor(game, s)
        while who != OVER:
            found += breadth
            n = chances(game, s, buffer, 0, odds, 0) if who == CHANCE else moves(game, s, buffer, 0)
            length += 1
            if n < 1 or n > game[LIMIT] or who < OVER or who >= players:
                return BROKEN
            if length > DEEPEST:
                return ENDLESS
            breadth *= n
            if who >= 0:
                own[who] *= n
            for p in range(players):
                totals[4 + p] += own[p]
            play(game, s, buffer[int(uniform(rng) * n)])
            who = actor(game, s)
        found += breadth
        totals[0] += found
        totals[1] += found * found
        totals[2] += breadth
        totals[3] += length + 1
    return FINISHED


def estimate(game: Game, count: int = WALKS, seed: int = 0) -> Size:
    """The size of a game, by so many walks; always the same for the same seed. Of a game whose rules are wrong nothing
    is known: its size is 0, and whoever walks it will tell."""
    state, buffer = np.zeros(game.dtype.itemsize, np.int8), game.buffer()
    totals, own = np.zeros(4 + game.players), np.zeros(game.players)
    rng = np.array([seed], np.uint64)
    status = game.finish(walks(game.table, count, state, buffer, np.zeros(len(buffer)), rng, own, totals))
    if status != FINISHED:
        return Size(*[np.inf if status == ENDLESS else 0.0] * 5)
    histories, square, terminals, length, *alone = (float(v) / count for v in totals)
    least = 0.0
    if square < math.inf:
        least = histories - 4 * math.sqrt(max(square - histories * histories, 0.0) / count)
    return Size(histories, terminals, max(alone), max(least, 0.0), length * count)


def bytes_unrolled(size: Size, game: Game) -> float:
    """What the terminals of a game of that size take in the arrays of an unrolled game."""
    return size.terminals * (8 + 12 * game.players)


def too_many(game: Game, size: Size, memory: int) -> str:
    """That a game has too many histories to unroll in so many bytes, in words; nothing where it may not have."""
    if bytes_unrolled(size, game) <= SURELY * memory:
        return ""
    return f"has {f'about {size.histories:.0e}' if size.histories < math.inf else 'endlessly many'} histories"
