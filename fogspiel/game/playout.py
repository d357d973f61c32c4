"""Random play: many games from the start to the end, every legal move as likely, in one compiled loop."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Reals, Words
from fogspiel.engine.primitives import address_of
from fogspiel.errors import SpecError
from fogspiel.game.game import Game
from fogspiel.game.load import Source, load
from fogspiel.game.state import State
from fogspiel.game.table import LONGEST, PLAYERS, SIZE, STOPPED, copy_state, infoset, mix, play_out, resample

Room: Any = Bundle(state=Words, buffer=Ints, prob=Reals, pay=Reals)
"""What random play needs: a state, its moves, their probabilities, and what everyone gets."""


@kernel
def _playouts(
    game: Ints,
    count: Int,
    hashed: Int,
    starts: Bytes,
    different: Int,
    room: Room,
    rng: Words,
    totals: Reals,
    trace: Words,
) -> Int:
    """Play `count` games, from `different` starts in turn. totals: moves played, the longest game, a sum of payoffs a
    player. trace: with `hashed`, a hash of all play.

    Returns 0, or STOPPED of a game that does not end.
    """
    buffer, prob, pay = room.buffer, room.prob, room.pay
    s = address_of(room.state)
    most = 1 if hashed else LONGEST
    which = 0
    for _ in range(count):
        copy_state(game, s, address_of(starts) + which * game[SIZE])
        which = which + 1 if which + 1 < different else 0
        length = 0
        status = STOPPED
        while status == STOPPED:
            if length >= LONGEST:
                return STOPPED
            if hashed:
                for player in range(game[PLAYERS]):
                    trace[0] = mix(trace[0], infoset(game, s, player))
            status = play_out(game, s, buffer, prob, pay, rng, most)
            length += most if status == STOPPED else status
            if hashed:
                trace[0] = mix(trace[0], buffer[0])
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


def playouts(
    game: Source, count: int, seed: int = 0, *, starts: Sequence[State] = (), hashed: bool = False
) -> Playouts:
    """Play `count` random games, from the start or from the given states in turn.

    With `hashed`, `trace` is a hash of all keys, moves and payoffs met.
    """
    game, count, seed = load(game), given.whole("count", count), given.seed(seed)
    hashed, starts = given.flag("hashed", hashed), given.several("starts", starts, "a list of states")
    for start in starts:
        if not isinstance(start, State) or start.game.dtype != game.dtype:
            raise SpecError(f"starts must be states of {game.spec}, not {given.shown(start)}")
    begin = np.concatenate([start.data for start in starts or [game.start()]]).view(np.int8)
    room = Bundled(
        Room,
        state=np.zeros(-(-game.dtype.itemsize // 8), np.uint64),
        buffer=game.buffer(),
        prob=np.zeros(game.max_moves + 4096),
        pay=np.zeros(max(game.players, game.max_moves)),
    )
    rng, totals, trace = np.array([seed], np.uint64), np.zeros(2 + game.players), np.zeros(1, np.uint64)
    different = max(1, len(starts))
    status = game.finish(_playouts(game.table, count, int(hashed), begin, different, room, rng, totals, trace))
    if status == STOPPED:
        raise game.unending
    mean = tuple((totals[2:] / max(count, 1)).tolist())
    return Playouts(count, int(totals[0]), int(totals[1]), mean, int(trace[0]))


@kernel
def _redraws(game: Ints, count: Int, starts: Bytes, seats: Ints, different: Int, state: Words, rng: Words) -> Int:
    s = address_of(state)
    which = 0
    for _ in range(count):
        copy_state(game, s, address_of(starts) + which * game[SIZE])
        resample(game, s, seats[which], rng)
        which = which + 1 if which + 1 < different else 0
    return 0


def redraws(game: Game, count: int, seed: int = 0, *, starts: Sequence[State]) -> None:
    """Redraw `count` times what the player to move cannot see, in the given states in turn."""
    begin, seats = np.concatenate([start.data for start in starts]).view(np.int8), np.array([s.actor for s in starts])
    state, rng = np.zeros(-(-game.dtype.itemsize // 8), np.uint64), np.array([seed], np.uint64)
    game.finish(_redraws(game.table, count, begin, seats, len(starts), state, rng))


@kernel
def _redraw(game: Ints, count: Int, states: Bytes, turns: Int, players: Ints, rng: Words) -> None:
    for i in range(count):
        for turn in range(turns):
            resample(game, address_of(states) + i * game[SIZE], players[turn], rng)


def redraw(game: Game, states: np.ndarray, players: Sequence[int], rng: np.ndarray) -> None:
    """Redraw in each of the states, whose bytes are the rows of an array, what one after another of the players cannot
    see."""
    _redraw(game.table, len(states), states.view(np.int8), len(players), np.array(players), rng)
    game.finish()


def behaviour(game: Game) -> str:
    """A short hash of how the game plays, the same for any two versions of the rules that play alike.

    Stored in files made for a game, so that they are not used with another.
    """
    return f"{playouts(game, 64, seed=20130, hashed=True).trace:016x}"
