"""States consistent with what a player has seen, for any game, whether or not it has a rule `resample`.

A player's record is the sequence of its keys, one each time the key changed, and its own moves. A draw replays the game from
the start: the player repeats its moves, chance and the others move at random, and a move after which the player would know
something else than it did is not made. Where no move fits, the last choice is taken back.

Chance is drawn by its probabilities and others' moves uniformly, among those that fit at that point; so every consistent state
can be drawn, though not exactly with its posterior probability.

`draw` gives the state, `draw_moves` the moves that lead to one. A `Replay` can do more: hold the player's own moves to the points at which
they were made, take all of chance's outcomes for equally likely, begin in another state, and go through all histories that fit.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from fogspiel.belief.agreement import LEFT, agrees
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Reals, Words
from fogspiel.engine.primitives import address_of
from fogspiel.errors import FogspielError
from fogspiel.game.game import Game
from fogspiel.game.rules import PUBLIC
from fogspiel.game.state import State
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    ROOT,
    SIZE,
    actor,
    chances,
    copy_state,
    infoset,
    moves,
    play,
    uniform,
)

FOUND, NONE, GAVE_UP, TOO_SMALL, TOO_MANY = range(5)

LEVELS = 64
"""Moves of a history that there is room for at first."""

ANYONE = -3
"""Whoever is to move, or nobody: a state to draw need only agree with the record."""


class GaveUp(FogspielError):
    """So many moves were tried that whether anything more fits is not known."""


@dataclass
class Record:
    """What a player has seen: its key at the start and after each change, its own moves, and the public keys likewise."""

    player: int
    keys: list[int] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    public: list[int] = field(default_factory=list)

    def known(self, state: State) -> int:
        """How many of its keys the player had in a state that it has passed or is in: the last time it had the present one."""
        key = state.key(self.player)
        return next(n for n in range(len(self.keys), 0, -1) if self.keys[n - 1] == key)

    def see(self, state: State) -> None:
        """Take in what the player, and what everyone, knows now."""
        for known, key in ((self.keys, state.key(self.player)), (self.public, state.key(PUBLIC))):
            if not known or known[-1] != key:
                known.append(key)


@dataclass
class Draws:
    """How replaying went: states drawn, and moves tried for them. `acceptance` is the share of moves that were kept. Of a tracked
    belief (`belief/tracked.py`), `lost`: nothing that was believed in before fitted what the player saw since; `short`: some states that fitted were left out, for
    want of room or time; `effective`: the effective sample size of what is believed."""

    drawn: int = 0
    tried: int = 0
    kept: int = 0
    lost: bool = False
    short: bool = False
    effective: float | None = None

    @property
    def acceptance(self) -> float:
        return self.kept / self.tried if self.tried else 1.0


def draw(game: Game, record: Record, rng: np.ndarray, draws: Draws | None = None, most: int = 1_000_000) -> State:
    """A random state consistent with the record, at the player's decision. Gives up after `most` moves tried."""
    return draw_many(game, record, 1, rng, draws, most)[0]


def draw_many(
    game: Game, record: Record, count: int, rng: np.ndarray, draws: Draws | None = None, most: int = 1_000_000
) -> list[State]:
    """So many states drawn, one independently of another."""
    work = Replay(game, record, record.player, rng, most)
    return [work.state(work.find(draws)) for _ in range(count)]


def draw_moves(
    game: Game, record: Record, rng: np.ndarray, *, actor: int = ANYONE, draws: Draws | None = None, most: int = 1_000_000
) -> list[int]:  # fmt: skip
    """The moves, chance's too, of a random history consistent with the record, at whose end it is `actor`'s turn (a player, OVER
    or ANYONE). Gives up after `most` moves tried."""
    work = Replay(game, record, actor, rng, most)
    return work.moves(work.find(draws))


class Replay:
    """Room to replay a record in. It grows where a history turns out to be longer, or to have more moves.

    `when` says of each own move with how many keys known it was made, and whether it changed the key: 2 * known + changed; without it
    they are made in their order, wherever that fits. With `level`, what chance may do is all equally likely. `root` are the bytes of
    the state to begin in, in which the player has the record's first key; by default the start of the game.
    """

    def __init__(
        self, game: Game, record: Record, actor: int, rng: np.ndarray, most: int, *, when: list[int] | None = None,
        level: bool = False, root: np.ndarray | None = None,
    ):  # fmt: skip
        self.game, self.record, self.actor, self.rng, self.most = game, record, actor, rng, most
        self.when = np.array((when or [0]) if when is not None else [-1] * max(len(record.own), 1), np.int64)
        self.level = level
        self.table = game.table
        if root is not None:
            self.root, self.table = root.copy(), game.table.copy()
            self.table[ROOT] = self.root.ctypes.data
        self.keys, self.own = np.array(record.keys, np.uint64).view(np.int64), np.array(record.own or [0], np.int64)
        self.counts = np.zeros(3, np.int64)
        self.stack, self.frames = np.zeros(0, np.int8), np.zeros(0, np.int64)
        self.buffer, self.odds = np.zeros(0, np.int64), np.zeros(0)
        self._lay_out(LEVELS, 2)

    def _lay_out(self, levels: int, rows: int) -> None:
        """Make room for so many levels, and in all for so many times the most moves of a state; what is there stays."""
        game, width = self.game, rows * self.game.max_moves
        self.levels, self.rows = levels, rows
        self.stack = _longer(self.stack, (levels + 1) * game.dtype.itemsize)
        self.frames = _longer(self.frames, 6 * (levels + 1))
        self.buffer = _longer(self.buffer, len(game.buffer(rows)))
        self.odds = _longer(self.odds, len(self.buffer))
        self._go_on = replay.bind(
            self.table, self.record.player, self.actor, len(self.keys), self.keys, len(self.record.own), self.own, self.when,
            int(self.level), levels, width, self.most, self.stack, self.frames, self.buffer, self.odds, self.rng, self.counts,
        )  # fmt: skip

    def find(self, draws: Draws | None) -> int:
        """Replay; returns the depth at which something fits."""
        game, player = self.game, self.record.player
        self.counts[:] = 0
        status = self._look()
        tried, depth, _ = self.counts.tolist()
        if draws is not None:
            draws.drawn += status == FOUND
            draws.tried += tried
            draws.kept += depth if status == FOUND else 0
        if status == NONE:
            raise FogspielError(f"no state of {game.spec} fits what player {player} has seen")
        if status == GAVE_UP:
            raise GaveUp(
                f"no state of {game.spec} that fits what player {player} has seen was found in {self.most:,} moves tried"
            )
        return depth

    def histories(self) -> Iterator[list[int]]:
        """The moves of every history that fits, each once. Raises GaveUp when `most` moves have been tried for all of them together."""
        self.counts[:] = 0
        while (status := self._look()) == FOUND:
            yield self.moves(int(self.counts[1]))
            self.counts[2] = 1
        if status == GAVE_UP:
            raise GaveUp(f"{self.most:,} moves tried")

    def _look(self) -> int:
        """FOUND, NONE or GAVE_UP."""
        while (status := self.game.finish(self._go_on())) == TOO_SMALL:
            deep = self.counts[1] + 1 >= self.levels
            self._lay_out(4 * self.levels if deep else self.levels, self.rows if deep else 4 * self.rows)
        if status == TOO_MANY:
            raise self.game.too_many_moves(int(self.counts[1]))
        return status

    @property
    def tried(self) -> int:
        """Moves tried for the histories found last."""
        return int(self.counts[0])

    def state(self, depth: int) -> State:
        """The state at a depth, which knows where its stage began."""
        actors, began = self.frames[4::6], depth
        while self.game.about.simultaneous and began > 0 and 0 <= actors[began - 1] < actors[began]:
            began -= 1
        return State(self.game, self._bytes(depth), State(self.game, self._bytes(began)) if began < depth else None)

    def _bytes(self, depth: int) -> np.ndarray:
        size = self.game.dtype.itemsize
        return self.stack[depth * size : (depth + 1) * size].view(np.uint8)

    def __del__(self):
        for name in {"stack", "keys", "root"} & vars(self).keys():
            getattr(self, name).fill(0)  # memory is handed out again, to other seats too

    def moves(self, depth: int) -> list[int]:
        return self.frames[5 : 6 * depth : 6].tolist()


def _longer(values: np.ndarray, length: int) -> np.ndarray:
    """The values, and zeros after them."""
    if length == len(values):
        return values
    out = np.zeros(length, values.dtype)
    out[: len(values)] = values
    values.fill(0)
    return out


def possible(n, at, buffer, odds):
    """Leave out what chance does with probability 0; how many outcomes remain."""
    kept = 0
    for i in range(n):
        if odds[at + i] > 0.0:
            buffer[at + kept] = buffer[at + i]
            odds[at + kept] = odds[at + i]
            kept += 1
    return kept


@kernel
def replay(
    game: Ints, player: Int, wanted: Int, seen: Int, keys: Ints, played: Int, own: Ints, when: Ints, level: Int, levels: Int, width: Int, most: Int, stack: Bytes, frames: Ints, buffer: Ints,
    odds: Reals, rng: Words, counts: Ints,
) -> Int:  # fmt: skip
    """Depth-first with random order. A frame: moves left, first of them in `buffer`, keys seen, own moves made, actor, move made.

    `wanted` is who must be to move in the state to find. counts: moves tried in all, the depth: in the end that of the state
    found, and whether to go on from there to the next that fits. Where `levels` or the `width` of `buffer` does not suffice it returns TOO_SMALL, and goes on when called with more.
    """
    size = game[SIZE]
    base = address_of(stack)
    depth = counts[1]
    fresh = counts[2] == 0
    if not fresh:
        counts[2] = 0
        frames[6 * depth] = 0
    elif depth == 0:
        copy_state(game, base, game[ROOT])
        if infoset(game, base, player) != keys[0]:
            return NONE
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
            if depth + 1 >= levels or frames[f + 1] + game[LIMIT] > width:
                counts[1] = depth
                return TOO_SMALL
            if who == OVER or (who == player and frames[f + 3] == played):
                frames[f] = 0
            elif who == player:
                buffer[frames[f + 1]] = own[frames[f + 3]]
                odds[frames[f + 1]] = 1.0
                due = when[frames[f + 3]]
                frames[f] = 1 if due < 0 or due >> 1 == frames[f + 2] else 0
            elif who == CHANCE:
                frames[f] = chances(game, s, buffer, frames[f + 1], odds, frames[f + 1])
                if frames[f] <= game[LIMIT]:
                    frames[f] = possible(frames[f], frames[f + 1], buffer, odds)
                    if level != 0:
                        for i in range(frames[f]):
                            odds[frames[f + 1] + i] = 1.0
            else:
                n = moves(game, s, buffer, frames[f + 1])
                for i in range(n):
                    odds[frames[f + 1] + i] = 1.0
                frames[f] = n
            if frames[f] > game[LIMIT]:
                counts[1] = frames[f]
                return TOO_MANY
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
        child = s + size
        copy_state(game, child, s)
        play(game, child, picked)
        known = frames[f + 2]
        frames[f + 8] = agrees(game, child, player, known, seen, keys)
        if frames[f + 8] == LEFT:
            continue
        made = frames[f + 3]
        if made < played and when[made] >= 0:
            if frames[f + 4] == player:
                if frames[f + 8] - known != when[made] & 1:
                    continue
            elif frames[f + 8] > when[made] >> 1:
                continue
        frames[f + 9] = frames[f + 3] + (1 if frames[f + 4] == player else 0)
        frames[f + 7] = at + n - 1
        frames[f + 5] = picked
        depth += 1
        fresh = True


@kernel
def forks(game: Ints, player: Int, length: Int, line: Ints, stack: Bytes, buffer: Ints, odds: Reals, out: Ints) -> Int:
    """For each event of the history `line` that is not `player`'s own move: the other moves that give the player the same key. `out` holds
    three numbers each: event, depth, move. `stack` has room for two states. Returns how many there are."""
    s = address_of(stack)
    child = s + game[SIZE]
    copy_state(game, s, game[ROOT])
    before = infoset(game, s, player)
    events, count = 0, 0
    for depth in range(length):
        who = actor(game, s)
        copy_state(game, child, s)
        play(game, child, line[depth])
        key = infoset(game, child, player)
        if who != player and key != before:
            if who == CHANCE:
                n = possible(chances(game, s, buffer, 0, odds, 0), 0, buffer, odds)
            else:
                n = moves(game, s, buffer, 0)
            for i in range(n):
                if buffer[i] != line[depth]:
                    copy_state(game, child, s)
                    play(game, child, buffer[i])
                    if infoset(game, child, player) == key:
                        out[3 * count] = events
                        out[3 * count + 1] = depth
                        out[3 * count + 2] = buffer[i]
                        count += 1
        if who == player or key != before:
            events += 1
        play(game, s, line[depth])
        before = key
    return count
