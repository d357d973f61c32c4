"""Random play: many games from the start to the end, every legal move as likely, in one compiled loop."""

from dataclasses import dataclass

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Reals, Words
from fogspiel.engine.primitives import address_of
from fogspiel.errors import GameError
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
    infoset,
    mix,
    moves,
    payoff,
    pick,
    play,
    sample,
)

LONGEST = 1_000_000
"""Moves after which a playout is given up: a game that random play does not end."""


@kernel
def _playouts(
    game: Ints,
    count: Int,
    hashed: Int,
    state: Words,
    buffer: Ints,
    prob: Reals,
    pay: Reals,
    rng: Words,
    totals: Reals,
    trace: Words,
) -> Int:
    """Play `count` games. totals: moves played, the longest game, a sum of payoffs a player. trace: with `hashed`, a hash of all play.

    Returns 0, or tells of a mistake: -1 - n moves where fewer have room, or -1 for a game that does not end.
    """
    s = address_of(state)
    for _ in range(count):
        copy_state(game, s, game[ROOT])
        length = 0
        while True:
            who = actor(game, s)
            if who == OVER:
                break
            if length >= LONGEST:
                return -1
            if who == CHANCE:
                n = chances(game, s, buffer, 0, prob, 0)
                choice = sample(prob, 0, n, rng)
            else:
                n = moves(game, s, buffer, 0)
                choice = pick(rng, n)
            if n > game[LIMIT] or n < 1:
                return -1 - max(n, 1)
            if hashed:
                for player in range(game[PLAYERS]):
                    trace[0] = mix(trace[0], infoset(game, s, player))
                trace[0] = mix(trace[0], buffer[choice])
            play(game, s, buffer[choice])
            length += 1
        payoff(game, s, pay, 0)
        totals[0] += length
        totals[1] = max(totals[1], length)
        for player in range(game[PLAYERS]):
            totals[2 + player] += pay[player]
            if hashed:
                trace[0] = mix(trace[0], int(pay[player] * 1048576.0))
    return 0


@dataclass(frozen=True)
class Playouts:
    """What random play showed: how many games, moves in all, the longest, the mean payoff of each player."""

    games: int
    moves: int
    longest: int
    payoff: tuple[float, ...]
    trace: int


def playouts(game: Game, count: int, seed: int = 0, *, hashed: bool = False) -> Playouts:
    """Play `count` random games. With `hashed`, `trace` is a hash of all keys, moves and payoffs met."""
    state = np.zeros(-(-game.dtype.itemsize // 8), np.uint64)
    totals = np.zeros(2 + game.players)
    pay = np.zeros(max(game.players, game.max_moves))
    prob, rng = np.zeros(game.max_moves + 4096), np.array([seed], np.uint64)
    trace = np.zeros(1, np.uint64)
    status = game.finish(_playouts(game.table, count, int(hashed), state, game.buffer(), prob, pay, rng, totals, trace))
    if status == -1:
        raise GameError(f"{game.name}: random play did not end the game within {LONGEST:,} moves")
    if status < 0:
        n = -1 - status
        raise (
            game.too_many_moves(n)
            if n > game.max_moves
            else GameError(f"{game.name}: a state that is not over has no moves")
        )
    mean = tuple((totals[2:] / max(count, 1)).tolist())
    return Playouts(count, int(totals[0]), int(totals[1]), mean, int(trace[0]))


def behaviour(game: Game) -> str:
    """A short hash of how the game plays, the same for any two versions of the rules that play alike.

    Stored in files made for a game, so that they are not used with another.
    """
    return f"{playouts(game, 64, seed=20130, hashed=True).trace:016x}"
