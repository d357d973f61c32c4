"""States consistent with what a player has seen, for any game, whether or not it has a rule `resample`.

A player's record is the sequence of its keys, one each time the key changed, and its own moves. A draw replays the game from
the start: the player repeats its moves, chance and the others move at random, and a move after which the player would know
something else than it did is not made. Where no move fits, the last choice is taken back.

Chance is drawn by its probabilities and others' moves uniformly, among those that fit at that point; so every consistent state
can be drawn, though not exactly with its posterior probability.

`draw` gives the state, `draw_moves` the moves that lead to one.
"""

from dataclasses import dataclass, field

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Reals, Words
from fogspiel.engine.primitives import address_of
from fogspiel.errors import FogspielError
from fogspiel.game.game import Game
from fogspiel.game.rules import PUBLIC
from fogspiel.game.state import State
from fogspiel.game.table import CHANCE, OVER, ROOT, SIZE, actor, chances, copy_state, infoset, moves, play, uniform

FOUND, NONE, GAVE_UP, TOO_DEEP = range(4)

ANYONE = -3
"""Whoever is to move, or nobody: a state to draw need only agree with the record."""


@dataclass
class Record:
    """What a player has seen: its key at the start and after each change, its own moves, and the public keys likewise."""

    player: int
    keys: list[int] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    public: list[int] = field(default_factory=list)

    def see(self, state: State) -> None:
        """Take in what the player, and what everyone, knows now."""
        for known, key in ((self.keys, state.key(self.player)), (self.public, state.key(PUBLIC))):
            if not known or known[-1] != key:
                known.append(key)


@dataclass
class Draws:
    """How replaying went: states drawn, and moves tried for them. `acceptance` is the share of moves that were kept."""

    drawn: int = 0
    tried: int = 0
    kept: int = 0

    @property
    def acceptance(self) -> float:
        return self.kept / self.tried if self.tried else 1.0


def draw(game: Game, record: Record, rng: np.ndarray, draws: Draws | None = None, most: int = 1_000_000) -> State:
    """A random state consistent with the record, at the player's decision. Gives up after `most` moves tried."""
    stack, _, depth = _replayed(game, record, record.player, rng, draws, most)
    size = game.dtype.itemsize
    return State(game, stack[depth * size : (depth + 1) * size].view(np.uint8).copy())


def draw_moves(
    game: Game, record: Record, rng: np.ndarray, *, actor: int = ANYONE, draws: Draws | None = None, most: int = 1_000_000
) -> list[int]:  # fmt: skip
    """The moves, chance's too, of a random history consistent with the record, at whose end it is `actor`'s turn (a player, OVER
    or ANYONE). Gives up after `most` moves tried."""
    _, frames, depth = _replayed(game, record, actor, rng, draws, most)
    return frames[5 : 6 * depth : 6].tolist()


def _replayed(
    game: Game, record: Record, actor: int, rng: np.ndarray, draws: Draws | None, most: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """The stack of states, the frames, and the depth at which `replay` found what fits."""
    room = 256
    keys, own = np.array(record.keys, np.uint64).view(np.int64), np.array(record.own or [0], np.int64)
    while True:
        stack = np.zeros((room + 1) * game.dtype.itemsize, np.int8)
        frames, counts = np.zeros(6 * (room + 1), np.int64), np.zeros(2, np.int64)
        buffer, odds = game.buffer(room), np.zeros(game.max_moves * room + 4096)
        status = game.finish(
            replay(
                game.table,
                record.player,
                actor,
                len(keys),
                keys,
                len(record.own),
                own,
                room,
                most,
                stack,
                frames,
                buffer,
                odds,
                rng,
                counts,
            )
        )
        if status != TOO_DEEP:
            break
        room *= 4
    if draws is not None:
        draws.drawn += status == FOUND
        draws.tried += int(counts[0])
        draws.kept += int(counts[1])
    if status == NONE:
        raise FogspielError(f"no state of {game.spec} fits what player {record.player} has seen")
    if status == GAVE_UP:
        raise FogspielError(
            f"no state of {game.spec} that fits what player {record.player} has seen was found in {most:,} moves tried"
        )
    return stack, frames, int(counts[1])


@kernel
def replay(
    game: Ints, player: Int, wanted: Int, seen: Int, keys: Ints, played: Int, own: Ints, room: Int, most: Int, stack: Bytes, frames: Ints, buffer: Ints,
    odds: Reals, rng: Words, counts: Ints,
) -> Int:  # fmt: skip
    """Depth-first with random order. A frame: moves left, first of them in `buffer`, keys seen, own moves made, actor, move made.

    `wanted` is who must be to move in the state to find. counts: moves tried in all, and in the end the depth of the state found.
    """
    size = game[SIZE]
    base = address_of(stack)
    copy_state(game, base, game[ROOT])
    if infoset(game, base, player) != keys[0]:
        return NONE
    depth = 0
    fresh = True
    frames[2] = 1
    frames[3] = 0
    frames[1] = 0
    frames[0] = 0
    while True:
        f = 6 * depth
        s = base + depth * size
        if fresh:
            who = actor(game, s)
            frames[f + 4] = who
            if frames[f + 3] == played and frames[f + 2] == seen and (who == wanted or wanted == ANYONE):
                counts[1] = depth
                return FOUND
            if who == player and frames[f + 3] == played:
                frames[f] = 0
            elif who == OVER:
                frames[f] = 0
            elif who == player:
                buffer[frames[f + 1]] = own[frames[f + 3]]
                odds[frames[f + 1]] = 1.0
                frames[f] = 1
            elif who == CHANCE:
                frames[f] = chances(game, s, buffer, frames[f + 1], odds, frames[f + 1])
            else:
                n = moves(game, s, buffer, frames[f + 1])
                for i in range(n):
                    odds[frames[f + 1] + i] = 1.0
                frames[f] = n
            fresh = False
        if frames[f] == 0:
            if depth == 0:
                return NONE
            depth -= 1
            continue
        if counts[0] >= most:
            return GAVE_UP
        counts[0] += 1
        # take one of the moves left, by weight, and close the gap
        at = frames[f + 1]
        n = frames[f]
        sum_ = 0.0
        for i in range(n):
            sum_ += odds[at + i]
        x = uniform(rng) * sum_
        i = 0
        while i < n - 1 and x >= odds[at + i]:
            x -= odds[at + i]
            i += 1
        picked = buffer[at + i]
        buffer[at + i] = buffer[at + n - 1]
        odds[at + i] = odds[at + n - 1]
        frames[f] = n - 1
        if depth + 1 >= room:
            return TOO_DEEP
        child = s + size
        copy_state(game, child, s)
        play(game, child, picked)
        key = infoset(game, child, player)
        known = frames[f + 2]
        if key == keys[known - 1]:
            frames[f + 8] = known
        elif known < seen and key == keys[known]:
            frames[f + 8] = known + 1
        else:
            continue
        frames[f + 9] = frames[f + 3] + (1 if frames[f + 4] == player else 0)
        frames[f + 7] = at + n - 1
        frames[f + 5] = picked
        depth += 1
        fresh = True
