"""Rejection: states consistent with what a player has seen, for any game, whether or not it has a rule `resample`.

A draw replays the game from the start: the player repeats its moves, chance and the others move at random, and a move
after which the player would know something else than it did is not made. Where no move fits, the last choice is taken
back.

Chance is drawn by its probabilities and others' moves uniformly, among those that fit at that point; so every
consistent state can be drawn, though not exactly with its posterior probability.

`draw` gives the state, `draw_moves` the moves that lead to one. A `Replay` can do more: hold the player's own moves to
the points at which they were made, take all of chance's outcomes for equally likely, begin in another state, and go
through all histories that fit.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from fogspiel.belief.model import Model
from fogspiel.belief.record import LEFT, Record, agrees
from fogspiel.belief.resampling import NEEDS, PENDING, Resampling
from fogspiel.belief.roots import Draws, Roots
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Reals, Records, Words
from fogspiel.engine.kinds import Record as Row
from fogspiel.errors import FogspielError
from fogspiel.game.game import Game
from fogspiel.game.needs import suits
from fogspiel.game.spec import Whole
from fogspiel.game.state import State
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    ROOT,
    actor,
    chances,
    copy_state,
    infoset,
    moves,
    packed_at,
    play,
    starting_in,
    uniform,
)

FOUND, NONE, GAVE_UP, TOO_SMALL, TOO_MANY = range(5)

ANYONE = -3
"""Whoever is to move, or nobody: a state to draw need only agree with the record."""

Target = np.dtype([(name, "i8") for name in ("player", "wanted", "seen", "played", "level", "most")])
"""What to replay: whose record, of how many keys `seen` and own moves `played`, and who is `wanted` to move in the
state to find; whether what chance may do is all equally likely; and the `most` moves to try."""

ReplayRoom = np.dtype([("levels", "i8"), ("width", "i8")])
"""The room there is: frames (`levels`) and moves (`width`)."""

Walk = np.dtype([("depth", "i8"), ("onward", "i8"), ("tried", "i8")])
"""Where replaying stands: the depth that was come to, in the end that of the state found, whether to go onward from
there to the next that fits, and how many moves were tried."""

Frame = np.dtype([(name, "i8") for name in ("left", "first", "known", "made", "actor", "move")])
"""A point of the history: moves left to try, the first of them in the buffer, keys seen and own moves made before,
whose turn it is, and the move made."""

ReplayMemory: Any = Bundle(
    target=Row(Target),
    space=Row(ReplayRoom),
    walk=Row(Walk),
    keys=Ints,
    own=Ints,
    when=Ints,
    frames=Records(Frame),
    stack=Bytes,
    buffer=Ints,
    odds=Reals,
    rng=Words,
)


@kernel
def replay(game: Ints, work: ReplayMemory) -> Int:
    """Depth-first with random order. Where there is not enough room it returns TOO_SMALL, and goes on when called with
    more."""
    target, space, walk, frames = work.target, work.space, work.walk, work.frames
    depth = walk.depth
    fresh = walk.onward == 0
    if not fresh:
        walk.onward = 0
        frames[depth].left = 0
    elif depth == 0:
        start = packed_at(game, work.stack, 0)
        copy_state(game, start, game[ROOT])
        if infoset(game, start, target.player) != work.keys[0]:
            return NONE
        root = frames[0]
        root.left, root.first, root.known, root.made = 0, 0, 1, 0
    while True:
        at = frames[depth]
        s = packed_at(game, work.stack, depth)
        walk.depth = depth
        if fresh:
            at.actor = actor(game, s)
            complete = at.made == target.played and at.known == target.seen
            if complete and (at.actor == target.wanted or target.wanted == ANYONE):
                return FOUND
            if depth + 1 >= space.levels or at.first + game[LIMIT] > space.width:
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
        if walk.tried >= target.most:
            return GAVE_UP
        walk.tried += 1
        at.move = take(work, at)
        child = packed_at(game, work.stack, depth + 1)
        copy_state(game, child, s)
        play(game, child, at.move)
        after = frames[depth + 1]
        after.known = agrees(game, child, target.player, at.known, target.seen, work.keys)
        if after.known != LEFT and in_time(work, at, after):
            after.made = at.made + (at.actor == target.player)
            after.first = at.first + at.left
            depth += 1
            fresh = True


def continuations(game, work, s, at):
    """What may be done in a state, by whoever's turn it is; how much there is of it."""
    target, buffer, odds = work.target, work.buffer, work.odds
    if at.actor == OVER or (at.actor == target.player and at.made == target.played):
        return 0
    if at.actor == target.player:
        buffer[at.first] = work.own[at.made]
        odds[at.first] = 1.0
        due = work.when[at.made]
        return 1 if due < 0 or due >> 1 == at.known else 0
    if at.actor == CHANCE:
        n = chances(game, s, buffer, at.first, odds, at.first)
        if n > game[LIMIT]:
            return n
        n = possible(n, at.first, buffer, odds)
        if target.level == 0:
            return n
    else:
        n = moves(game, s, buffer, at.first)
    for i in range(n):
        odds[at.first + i] = 1.0
    return n


def possible(n, at, buffer, odds):
    """Leave out what chance does with probability 0; how many outcomes remain."""
    kept = 0
    for i in range(n):
        if odds[at + i] > 0.0:
            buffer[at + kept] = buffer[at + i]
            odds[at + kept] = odds[at + i]
            kept += 1
    return kept


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
    """Whether a move leaves the next of the player's own where it was made: it changes the key as then, or comes
    before."""
    if at.made == work.target.played or work.when[at.made] < 0:
        return True
    due = work.when[at.made]
    if at.actor == work.target.player:
        return after.known - at.known == due & 1
    return after.known <= due >> 1


LEVELS = 64
"""Moves of a history that there is room for at first."""


class GaveUp(FogspielError):
    """So many moves were tried that whether anything more fits is not known."""


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
        self.table = game.table
        if root is not None:
            self.root = root.copy()
            self.table = starting_in(game.table, self.root)
        self.target = np.array([(record.player, actor, len(record.keys), len(record.own), level, most)], Target)
        self.walk = np.zeros(1, Walk)
        self.keys, self.own = np.array(record.keys, np.uint64).view(np.int64), np.array(record.own or [0], np.int64)
        self.stack, self.frames = np.zeros(0, np.int8), np.zeros(0, Frame)
        self.buffer, self.odds = np.zeros(0, np.int64), np.zeros(0)
        self._lay_out(LEVELS, 2)

    def _lay_out(self, levels: int, rows: int) -> None:
        """Make room for so many levels, and in all for so many times the most moves of a state; what is there stays."""
        game = self.game
        self.levels, self.rows = levels, rows
        self.space = np.array([(levels, rows * game.max_moves)], ReplayRoom)
        self.stack = _longer(self.stack, (levels + 1) * game.dtype.itemsize)
        self.frames = _longer(self.frames, levels + 1)
        self.buffer = _longer(self.buffer, len(game.buffer(rows)))
        self.odds = _longer(self.odds, len(self.buffer))
        work = Bundled(ReplayMemory, **{name: getattr(self, name) for name, _ in ReplayMemory.members})
        self._go_on = replay.bind(self.table, work)

    def find(self, draws: Draws | None) -> int:
        """Replay; returns the depth at which something fits."""
        game, player = self.game, self.record.player
        self.walk.fill(0)
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
        self.walk.fill(0)
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
        return int(self.walk["tried"][0])

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


REPLAYS = Whole("replays", 64, 1, 10**6, "states replayed for a decision, where the game's rule resample is not used")
PARAMETERS = (REPLAYS, PENDING)


class Replaying:
    """States that agree with the record, replayed from the start of the game: so many drawn anew for each decision, one
    independently of another; weights are how often each came."""

    PARAMETERS, COUNT = PARAMETERS, REPLAYS.name

    models = False

    def __init__(self, replays: int = REPLAYS.default, pending: str = "tree"):
        self.replays, self.pending, self.account = replays, pending, Draws()

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None:
        self.game, self.rng = game, rng

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        self.record, self.account = record, Draws()

    def draw(self) -> Roots:
        drawn = draw_many(self.game, self.record, self.replays, self.rng, self.account)
        if self.pending != "random":
            drawn = [state.stage for state in drawn]
        states = {state.data.tobytes(): state for state in drawn}
        count = Counter(state.data.tobytes() for state in drawn)
        return Roots(list(states.values()), [float(count[data]) for data in states])


def usual(game: Game) -> str:
    """The name of the belief that is taken in a game where none is named: the game's rule `resample` is as fast as can
    be; where there is none, states are replayed."""
    return "resample" if suits(game, NEEDS) else "replay"


def usual_belief(game: Game, replays: int) -> Resampling | Replaying:
    """That belief, for those that need another to begin with, to draw states anew, or when they are lost; with as many
    replays for a decision where they are needed."""
    return Resampling() if usual(game) == "resample" else Replaying(replays)
