"""States consistent with what a player has seen, for any game, whether or not it has a rule `resample`.

A player's record is the sequence of its keys, one each time the key changed, and its own moves. A draw replays the game
from the start: the player repeats its moves, chance and the others move at random, and a move after which the player
would know something else than it did is not made. Where no move fits, the last choice is taken back.

Chance is drawn by its probabilities and others' moves uniformly, among those that fit at that point; so every
consistent state can be drawn, though not exactly with its posterior probability.

`draw` gives the state, `draw_moves` the moves that lead to one. A `Replay` can do more: hold the player's own moves to
the points at which they were made, take all of chance's outcomes for equally likely, begin in another state, and go
through all histories that fit.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from fogspiel.belief.histories import (
    ANYONE,
    FOUND,
    GAVE_UP,
    NONE,
    TOO_MANY,
    TOO_SMALL,
    Asked,
    Counts,
    Frame,
    Space,
    Walk,
    Work,
    replay,
)
from fogspiel.engine.bundle import Bundled
from fogspiel.errors import FogspielError
from fogspiel.game.game import Game
from fogspiel.game.rules import PUBLIC
from fogspiel.game.state import State
from fogspiel.game.table import starting_in

LEVELS = 64
"""Moves of a history that there is room for at first."""


class GaveUp(FogspielError):
    """So many moves were tried that whether anything more fits is not known."""


@dataclass
class Record:
    """What a player has seen: its key at the start and after each change, its own moves, and the public keys
    likewise."""

    player: int
    keys: list[int] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    public: list[int] = field(default_factory=list)

    def known(self, state: State) -> int:
        """How many of its keys the player had in a state that it has passed or is in: the last time it had the present
        one."""
        key = state.key(self.player)
        return next(n for n in range(len(self.keys), 0, -1) if self.keys[n - 1] == key)

    def see(self, state: State) -> None:
        """Take in what the player, and what everyone, knows now."""
        self.saw(state.key(self.player), state.key(PUBLIC))

    def saw(self, key: int, public: int) -> None:
        """Take in the keys of what the player, and of what everyone, knows now."""
        if not self.keys or self.keys[-1] != key:
            self.keys.append(key)
        if not self.public or self.public[-1] != public:
            self.public.append(public)


@dataclass
class Draws:
    """How replaying went: states drawn, and moves tried for them. `acceptance` is the share of moves that were kept. Of
    a tracked belief (`belief/tracked.py`), `lost`: nothing that was believed in before fitted what the player saw
    since; `short`: some states that fitted were left out, for want of room or time; `effective`: the effective sample
    size of what is believed."""

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
    game: Game,
    record: Record,
    rng: np.ndarray,
    *,
    actor: int = ANYONE,
    draws: Draws | None = None,
    most: int = 1_000_000,
) -> list[int]:
    """The moves, chance's too, of a random history consistent with the record, at whose end it is `actor`'s turn (a
    player, OVER or ANYONE). Gives up after `most` moves tried."""
    work = Replay(game, record, actor, rng, most)
    return work.moves(work.find(draws))


class Replay:
    """Room to replay a record in. It grows where a history turns out to be longer, or to have more moves.

    `when` says of each own move with how many keys known it was made, and whether it changed the key: 2 * known +
    changed; without it they are made in their order, wherever that fits. With `level`, what chance may do is all
    equally likely. `root` are the bytes of the state to begin in, in which the player has the record's first key; by
    default the start of the game.
    """

    def __init__(
        self,
        game: Game,
        record: Record,
        actor: int,
        rng: np.ndarray,
        most: int,
        *,
        when: list[int] | None = None,
        level: bool = False,
        root: np.ndarray | None = None,
    ):
        self.game, self.record, self.actor, self.rng, self.most = game, record, actor, rng, most
        self.when = np.array((when or [0]) if when is not None else [-1] * max(len(record.own), 1), np.int64)
        self.level = level
        self.table = game.table
        if root is not None:
            self.root = root.copy()
            self.table = starting_in(game.table, self.root)
        self.asked = np.array([(record.player, actor, len(record.keys), len(record.own), level, most)], Asked)
        self.walk, self.counts = np.zeros(1, Walk), np.zeros(1, Counts)
        self.keys, self.own = np.array(record.keys, np.uint64).view(np.int64), np.array(record.own or [0], np.int64)
        self.stack, self.frames = np.zeros(0, np.int8), np.zeros(0, Frame)
        self.buffer, self.odds = np.zeros(0, np.int64), np.zeros(0)
        self._lay_out(LEVELS, 2)

    def _lay_out(self, levels: int, rows: int) -> None:
        """Make room for so many levels, and in all for so many times the most moves of a state; what is there stays."""
        game = self.game
        self.levels, self.rows = levels, rows
        space = np.array([(levels, rows * game.max_moves)], Space)
        self.stack = _longer(self.stack, (levels + 1) * game.dtype.itemsize)
        self.frames = _longer(self.frames, levels + 1)
        self.buffer = _longer(self.buffer, len(game.buffer(rows)))
        self.odds = _longer(self.odds, len(self.buffer))
        work = Bundled(
            Work,
            asked=self.asked,
            space=space,
            walk=self.walk,
            counts=self.counts,
            keys=self.keys,
            own=self.own,
            when=self.when,
            frames=self.frames,
            stack=self.stack,
            buffer=self.buffer,
            odds=self.odds,
            rng=self.rng,
        )
        self._go_on = replay.bind(self.table, work)

    def _begin(self) -> None:
        self.walk["depth"] = self.walk["onward"] = self.counts["tried"] = 0

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
                f"no state of {game.spec} that fits what player {player} has seen was found in {self.most:,} moves "
                "tried"
            )
        return depth

    def histories(self) -> Iterator[list[int]]:
        """The moves of every history that fits, each once. Raises GaveUp when `most` moves have been tried for all of
        them together."""
        self._begin()
        while (status := self._look()) == FOUND:
            yield self.moves(self._depth)
            self.walk["onward"] = 1
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
        return int(self.counts["tried"][0])

    @property
    def _depth(self) -> int:
        return int(self.walk["depth"][0])

    def state(self, depth: int) -> State:
        """The state at a depth, which knows where its stage began."""
        actors, began = self.frames["actor"], depth
        while self.game.about.simultaneous and began > 0 and self._bare(began).in_stage_with(actors[began - 1]):
            began -= 1
        return State(self.game, self._bytes(depth), self._bare(began) if began < depth else None)

    def _bare(self, depth: int) -> State:
        """The state at a depth, without where its stage began."""
        return State(self.game, self._bytes(depth))

    def _bytes(self, depth: int) -> np.ndarray:
        size = self.game.dtype.itemsize
        return self.stack[depth * size : (depth + 1) * size].view(np.uint8)

    def moves(self, depth: int) -> list[int]:
        return self.frames["move"][:depth].tolist()


def _longer(values: np.ndarray, length: int) -> np.ndarray:
    """The values, and zeros after them."""
    if length == len(values):
        return values
    out = np.zeros(length, values.dtype)
    out[: len(values)] = values
    return out
