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
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Reals, Records, Words
from fogspiel.engine.kinds import Record as RecordOf
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

Job = np.dtype([
    ("player", "i8"), ("wanted", "i8"), ("seen", "i8"), ("played", "i8"), ("level", "i8"), ("most", "i8"), ("levels", "i8"), ("width", "i8"),
    ("tried", "i8"), ("depth", "i8"), ("onward", "i8"),
])  # fmt: skip
"""What to replay and how it went: whose record, of how many keys `seen` and own moves `played`, and who is `wanted` to move in the state to find;
whether what chance may do is all equally likely; the `most` moves to try; the room there is, frames (`levels`) and moves (`width`). Then the
moves tried, the depth that was come to, in the end that of the state found, and whether to go onward from there to the next that fits."""

Frame = np.dtype([
    ("left", "i8"), ("first", "i8"), ("known", "i8"), ("made", "i8"), ("actor", "i8"), ("move", "i8"),
])  # fmt: skip
"""A point of the history: moves left to try, the first of them in the buffer, keys seen and own moves made before, whose turn it is, and the move made."""

Work = Bundle(
    job=RecordOf(Job),
    keys=Ints,
    own=Ints,
    when=Ints,
    frames=Records(Frame),
    stack=Bytes,
    buffer=Ints,
    odds=Reals,
    rng=Words,
)


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
        self.job = np.zeros(1, Job)
        self.job["player"], self.job["wanted"], self.job["most"], self.job["level"] = record.player, actor, most, level
        self.job["seen"], self.job["played"] = len(record.keys), len(record.own)
        self.keys, self.own = np.array(record.keys, np.uint64).view(np.int64), np.array(record.own or [0], np.int64)
        self.stack, self.frames = np.zeros(0, np.int8), np.zeros(0, Frame)
        self.buffer, self.odds = np.zeros(0, np.int64), np.zeros(0)
        self._lay_out(LEVELS, 2)

    def _lay_out(self, levels: int, rows: int) -> None:
        """Make room for so many levels, and in all for so many times the most moves of a state; what is there stays."""
        game = self.game
        self.levels, self.rows = levels, rows
        self.job["levels"], self.job["width"] = levels, rows * game.max_moves
        self.stack = _longer(self.stack, (levels + 1) * game.dtype.itemsize)
        self.frames = _longer(self.frames, levels + 1)
        self.buffer = _longer(self.buffer, len(game.buffer(rows)))
        self.odds = _longer(self.odds, len(self.buffer))
        work = Bundled(
            Work, job=self.job, keys=self.keys, own=self.own, when=self.when, frames=self.frames, stack=self.stack, buffer=self.buffer,
            odds=self.odds, rng=self.rng,
        )  # fmt: skip
        self._go_on = replay.bind(self.table, work)

    def _begin(self) -> None:
        self.job["tried"] = self.job["depth"] = self.job["onward"] = 0

    def find(self, draws: Draws | None) -> int:
        """Replay; returns the depth at which something fits."""
        game, player = self.game, self.record.player
        self._begin()
        status = self._look()
        tried, depth = self.tried, self._depth
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
        self._begin()
        while (status := self._look()) == FOUND:
            yield self.moves(self._depth)
            self.job["onward"] = 1
        if status == GAVE_UP:
            raise GaveUp(f"{self.most:,} moves tried")

    def _look(self) -> int:
        """FOUND, NONE or GAVE_UP."""
        while (status := self.game.finish(self._go_on())) == TOO_SMALL:
            deep = self._depth + 1 >= self.levels
            self._lay_out(4 * self.levels if deep else self.levels, self.rows if deep else 4 * self.rows)
        if status == TOO_MANY:
            raise self.game.too_many_moves(int(self.frames["left"][self._depth]))
        return status

    @property
    def tried(self) -> int:
        """Moves tried for the histories found last."""
        return int(self.job["tried"][0])

    @property
    def _depth(self) -> int:
        return int(self.job["depth"][0])

    def state(self, depth: int) -> State:
        """The state at a depth, which knows where its stage began."""
        actors, began = self.frames["actor"], depth
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
        return self.frames["move"][:depth].tolist()


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
def replay(game: Ints, work: Work) -> Int:
    """Depth-first with random order. Where there is not enough room it returns TOO_SMALL, and goes on when called with more."""
    job, frames = work.job, work.frames
    base = address_of(work.stack)
    depth = job.depth
    fresh = job.onward == 0
    if not fresh:
        job.onward = 0
        frames[depth].left = 0
    elif depth == 0:
        copy_state(game, base, game[ROOT])
        if infoset(game, base, job.player) != work.keys[0]:
            return NONE
        root = frames[0]
        root.left, root.first, root.known, root.made = 0, 0, 1, 0
    while True:
        at = frames[depth]
        s = base + depth * game[SIZE]
        job.depth = depth
        if fresh:
            at.actor = actor(game, s)
            if at.made == job.played and at.known == job.seen and (at.actor == job.wanted or job.wanted == ANYONE):
                return FOUND
            if depth + 1 >= job.levels or at.first + game[LIMIT] > job.width:
                return TOO_SMALL
            at.left = continuations(game, work, s, at)
            if at.left > game[LIMIT]:
                return TOO_MANY
            fresh = False
        if at.left == 0:
            if depth == 0:
                return NONE
            depth -= 1
            continue
        if job.tried >= job.most:
            return GAVE_UP
        job.tried += 1
        at.move = take(work, at)
        child = s + game[SIZE]
        copy_state(game, child, s)
        play(game, child, at.move)
        after = frames[depth + 1]
        after.known = agrees(game, child, job.player, at.known, job.seen, work.keys)
        if after.known != LEFT and in_time(work, at, after):
            after.made = at.made + (at.actor == job.player)
            after.first = at.first + at.left
            depth += 1
            fresh = True


def continuations(game, work, s, at):
    """What may be done in a state, by whoever's turn it is; how much there is of it."""
    job, buffer, odds = work.job, work.buffer, work.odds
    if at.actor == OVER or (at.actor == job.player and at.made == job.played):
        return 0
    if at.actor == job.player:
        buffer[at.first] = work.own[at.made]
        odds[at.first] = 1.0
        due = work.when[at.made]
        return 1 if due < 0 or due >> 1 == at.known else 0
    if at.actor == CHANCE:
        n = chances(game, s, buffer, at.first, odds, at.first)
        if n > game[LIMIT]:
            return n
        n = possible(n, at.first, buffer, odds)
        if job.level == 0:
            return n
    else:
        n = moves(game, s, buffer, at.first)
    for i in range(n):
        odds[at.first + i] = 1.0
    return n


def take(work, at):
    """One of the moves left, by weight, which leaves them."""
    buffer, odds, first, n = work.buffer, work.odds, at.first, at.left
    total = 0.0
    for i in range(n):
        total += odds[first + i]
    x = uniform(work.rng) * total
    i = 0
    while i < n - 1 and x >= odds[first + i]:
        x -= odds[first + i]
        i += 1
    picked = buffer[first + i]
    buffer[first + i] = buffer[first + n - 1]
    odds[first + i] = odds[first + n - 1]
    at.left = n - 1
    return picked


def in_time(work, at, after):
    """Whether a move leaves the next of the player's own where it was made: it changes the key as then, or comes before."""
    if at.made == work.job.played or work.when[at.made] < 0:
        return True
    due = work.when[at.made]
    if at.actor == work.job.player:
        return after.known - at.known == due & 1
    return after.known <= due >> 1


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
