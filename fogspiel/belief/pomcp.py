"""The unweighted particle filter of POMCP, and particle reinvigoration (Silver and Veness 2010, sec. 3.2).

A particle is a state to which a simulation came from what was believed at the last decision, and in which the player
has seen what it saw. All count alike. What is believed costs the same however much others can do that is not seen,
where a filter that goes through all of it (`belief/particle_filter.py`) takes longer, or leaves more out; it says less
where what was seen is rare, since few simulations come to it. Who is wrong in all of them would stay so; therefore some
states are drawn anew at each decision, beside the particles.

Who simulates is a source of particles. One does so for the belief alone: a simulation starts in a state of those at the
last decision, each as likely. The player makes the moves that it made, chance and the others move as they may, one way
for each simulation; one that leaves the player's record is given up. Where a model of Python's is to be asked, the
kernel stops (ASK), and goes on when the odds are filled in. In POMCP the simulations of the search are a source
(`agents/pomcp.py`): that is the other half of it, which is not here, since its particles are the states that passed
through a node of its tree.
"""

from math import ceil
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from fogspiel.belief.inference import INJECT
from fogspiel.belief.model import EMPTY, Model, Rows, TableModel, fill_in
from fogspiel.belief.particle_filter import PARTICLES
from fogspiel.belief.record import LEFT, Record, agrees
from fogspiel.belief.rejection import REPLAYS, usual_belief
from fogspiel.belief.resampling import Resampling
from fogspiel.belief.roots import Draws, Roots, States
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Int, Ints, Reals, Words
from fogspiel.engine.kinds import Record as Row
from fogspiel.game.game import Game
from fogspiel.game.spec import Whole
from fogspiel.game.state import State
from fogspiel.game.table import (
    CHANCE,
    LIMIT,
    OVER,
    actor,
    chances,
    copy_state,
    infoset,
    moves,
    pick,
    play,
    sample,
    stage_goes_on,
    state_at,
)
from fogspiel.game.view import view_type

if TYPE_CHECKING:
    from fogspiel.belief.belief import Belief

PARAMETERS = (PARTICLES, INJECT, REPLAYS)
TRIED = 200
"""Moves made, at most, for each particle that is wanted."""

DONE, ASK, TOO_MANY = range(3)
AT_RANDOM, BY_TABLE, BY_PYTHON = range(3)
"""How others move: each move as likely, by a table of their odds, or as Python says."""

Batch = np.dtype(
    [
        (name, "i8")
        for name in ("player", "simultaneous", "how", "states", "known", "made", "seen", "played", "wanted", "most")
    ]
)
"""Whose decision is looked for, whether the game is simultaneous, and how others move; so many states to start in, at a
decision with so many keys and own moves behind it; how many keys are recorded now, and own moves; how many particles
are wanted, and the `most` moves to make for them."""

Simulation = np.dtype([(name, "i8") for name in ("count", "tried", "going", "asked", "known", "own", "actor", "moves")])
"""How many particles have come, and how many moves were made, or begun with. Of the simulation at hand: whether one is
going on, and Python was asked; how many keys and own moves of the record are behind it; who is to move, and how many
moves there are."""

SimulationMemory: Any = Bundle(
    batch=Row(Batch),
    stand=Row(Simulation),
    starts=Ints,
    came=Ints,
    here=Ints,
    keys=Ints,
    own=Ints,
    moves=Ints,
    odds=Reals,
)
"""The states to start in and those of the particles, each in whole words; the state that a simulation has come to, and
that in which its stage began; the record; and the moves in the state at hand, with their odds."""

FEWEST = Whole(
    "fewest",
    64,
    1,
    10**6,
    "fewest states that simulations start from; what is missing is drawn anew from what was seen",
)


class Source(Protocol):
    """Where particles come from. `begin` is called before each game, `arrived` at each decision: it returns the
    particles, in which the stage of the decision began; and then `set_out`, with all that is believed there: particles
    for the next decision start from that."""

    def begin(self, game: Game, seat: int) -> None: ...

    def arrived(self, record: Record, state: State, model: Model | None, rng: np.ndarray) -> States: ...

    def set_out(self, record: Record, roots: Roots, rng: np.ndarray) -> None: ...


class Reinvigorated:
    """The particles of a source, and states that `anew` draws: `share` times as many as there are particles, and at
    least so many that all together are the fewest. Where nothing arrived, and at the first decision if nothing can, all
    is as `anew` believes."""

    def __init__(self, source: Source, anew: "Belief", fewest: int, share: float):
        self.source, self.anew, self.fewest, self.share = source, anew, fewest, share

    @property
    def models(self) -> bool:
        return self.anew.models

    @property
    def account(self) -> Draws:
        return self.anew.account

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None:
        self.game, self.seat, self.rng = game, seat, rng
        self.anew.begin(game, seat, rng)
        self.source.begin(game, seat)

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        self.anew.update(record, state, model)
        self.reached = self.source.arrived(record, state, model, self.rng)
        self.roots = self._believed()
        self.source.set_out(record, self.roots, self.rng)

    def draw(self) -> Roots:
        return self.roots

    def _believed(self) -> Roots:
        roots, have = self.anew.draw(), len(self.reached)
        if have == 0:
            return roots
        missing = max(ceil(have * self.share), self.fewest - have)
        drawn = [roots.one(self.seat, self.rng).data[None] for _ in range(missing)]
        return Roots(States(self.game, np.concatenate([self.reached.data, *drawn])))


class Simulating:
    """A source of particles that simulates by itself: up to so many. Without a model, others' moves are each as
    likely."""

    def __init__(self, wanted: int):
        self.wanted = wanted

    def begin(self, game: Game, seat: int) -> None:
        self.game, self.words = game, -(-game.dtype.itemsize // 8)
        records = {"batch": np.zeros(1, Batch), "stand": np.zeros(1, Simulation)}
        self.batch, self.stand = (view_type(record.dtype).from_buffer(record.data) for record in records.values())
        self.batch.player, self.batch.simultaneous = seat, game.about.simultaneous
        self.batch.wanted, self.batch.most = self.wanted, TRIED * self.wanted
        nothing, buffer = np.zeros(1, np.int64), game.buffer()
        self.work = Bundled(
            SimulationMemory,
            **records,
            starts=nothing,
            came=np.zeros(self.words * self.wanted, np.int64),
            here=np.zeros(2 * self.words, np.int64),
            keys=nothing,
            own=nothing,
            moves=buffer,
            odds=np.zeros(len(buffer)),
        )
        self._start_in(game.root.view(np.uint8)[None], 1, 0)

    def _start_in(self, states: np.ndarray, known: int, made: int) -> None:
        """What comes next starts in these states, with so many keys and own moves behind them."""
        rows = np.zeros((len(states), self.words), np.int64)
        rows.view(np.uint8)[:, : states.shape[1]] = states
        self.work.starts.fill(0)
        self.work.starts = rows.reshape(-1)
        self.batch.states, self.batch.known, self.batch.made = len(states), known, made

    def arrived(self, record: Record, state: State, model: Model | None, rng: np.ndarray) -> States:
        batch, stand, work = self.batch, self.stand, self.work
        work.keys, work.own = np.array(record.keys, np.uint64).view(np.int64), np.array(record.own or [0], np.int64)
        batch.seen, batch.played = len(record.keys), len(record.own)
        batch.how = AT_RANDOM if model is None else BY_TABLE if isinstance(model, TableModel) else BY_PYTHON
        stand.count = stand.tried = stand.going = stand.asked = 0
        rows = model.rows if isinstance(model, TableModel) else EMPTY
        while (status := self.game.finish(simulate(self.game.table, work, rows, rng))) != DONE:
            if status != ASK or model is None:
                raise self.game.too_many_moves(stand.moves)
            odds, n = model(self._here()), stand.moves
            work.odds[:n] = [odds.get(move, 0.0) for move in work.moves[:n].tolist()]
        came = work.came.reshape(-1, self.words)[: stand.count].view(np.uint8)
        return States(self.game, came[:, : self.game.dtype.itemsize].copy())

    def _here(self) -> State:
        """The state that the simulation at hand has come to."""
        size = self.game.dtype.itemsize
        here, stage = self.work.here.reshape(2, -1).view(np.uint8)[:, :size]
        return State(self.game, here, None if np.array_equal(here, stage) else State(self.game, stage))

    def set_out(self, record: Record, roots: Roots, rng: np.ndarray) -> None:
        few = roots.redraw or roots.weights is not None
        states = roots.several(self.wanted, self.batch.player, rng) if few else roots.states
        self._start_in(Roots(states).data, len(record.keys), len(record.own))


def merged(states: States) -> Roots:
    """Each state once, with how often it is there for its weight."""
    data = np.ascontiguousarray(states.data)
    _, first, times = np.unique(data.view(f"V{data.shape[1]}")[:, 0], return_index=True, return_counts=True)
    return Roots(States(states.game, data[first]), times.astype(float).tolist())


class Simulated(Reinvigorated):
    """States carried from decision to decision by simulating, all alike, and some drawn anew (Silver and Veness 2010,
    sec. 3.2).

    Where nothing that is simulated comes to the decision, the belief is lost: all is drawn anew there, as it is
    usually."""

    PARAMETERS = PARAMETERS

    models = True

    def __init__(
        self, particles: int = PARTICLES.default, inject: float = INJECT.default, replays: int = REPLAYS.default
    ):
        spare = min(int(np.ceil(inject * particles)), particles - 1)
        # which belief draws anew is known when the game is
        super().__init__(
            Simulating(particles - spare), Resampling(), min(FEWEST.default, particles), inject if spare else 0.0
        )
        self.replays = replays

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None:
        self.anew, self.first = usual_belief(game, self.replays), True
        super().begin(game, seat, rng)

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        super().update(record, state, model)
        account, lost = self.account, len(self.reached) == 0
        if not lost:
            self.roots = merged(States(self.game, self.roots.data))
        account.effective = None if lost else float(1 / np.square(self.roots.shares).sum())
        account.lost, self.first = lost and not self.first, False


@kernel
def simulate(game: Ints, work: SimulationMemory, rows: Rows, rng: Words) -> Int:
    """Simulate until as many have come as are wanted, or so many moves are made (DONE); TOO_MANY where a state has more
    moves than can be."""
    batch, stand = work.batch, work.stand
    while stand.count < batch.wanted and stand.tried < batch.most:
        if stand.going == 0:
            set_out(game, work, rng)
        status = go_on(game, work, rows, rng)
        if status != DONE:
            return status
    return DONE


def set_out(game, work, rng):
    """Begin a simulation in one of the states."""
    batch, stand = work.batch, work.stand
    s, stage = state_at(game, work.here, 0), state_at(game, work.here, 1)
    copy_state(game, s, state_at(game, work.starts, pick(rng, batch.states)))
    copy_state(game, stage, s)
    key = infoset(game, s, batch.player)
    stand.known = batch.known
    # others' moves that are still to come in the stage may have told the player more
    while stand.known > 1 and work.keys[stand.known - 1] != key:
        stand.known -= 1
    stand.own, stand.going = batch.made, 1
    stand.tried += 1


def go_on(game, work, rows, rng):
    """Carry the simulation at hand on to the decision, and keep where the stage of that began."""
    batch, stand = work.batch, work.stand
    s = state_at(game, work.here, 0)
    while stand.going != 0 and stand.tried < batch.most:
        if stand.asked == 0:
            who = actor(game, s)
            stand.actor, stand.moves = who, 0
            if who == OVER or (who == batch.player and stand.own == batch.played):
                stand.going = 0
                if who != OVER and stand.known == batch.seen:
                    copy_state(game, state_at(game, work.came, stand.count), state_at(game, work.here, 1))
                    stand.count += 1
                return DONE
            stand.moves = (
                chances(game, s, work.moves, 0, work.odds, 0) if who == CHANCE else moves(game, s, work.moves, 0)
            )
            if stand.moves > game[LIMIT]:
                return TOO_MANY
            if others_move(game, work, rows, s):
                stand.asked = 1
                return ASK
        stand.asked = 0
        move(game, work, s, rng)
    return DONE


def others_move(game, work, rows, s):
    """How likely another player is to make each move. True where Python is to say."""
    batch, stand = work.batch, work.stand
    if stand.actor == CHANCE or stand.actor == batch.player:
        return False
    for i in range(stand.moves):
        work.odds[i] = 1.0 / stand.moves
    if batch.how == BY_TABLE:
        fill_in(game, s, stand.actor, rows, 0, stand.moves, work.moves, work.odds)
    return batch.how == BY_PYTHON


def move(game, work, s, rng):
    """Make a move, and see whether the simulation still agrees with the record."""
    batch, stand = work.batch, work.stand
    who = stand.actor
    i = own_move(work) if who == batch.player else sample(work.odds, 0, stand.moves, rng)
    stand.tried += 1
    if i >= stand.moves:
        stand.going = 0
        return
    play(game, s, work.moves[i])
    stand.own += 1 if who == batch.player else 0
    stand.known = agrees(game, s, batch.player, stand.known, batch.seen, work.keys)
    if stand.known == LEFT:
        stand.going = 0
    elif not stage_goes_on(game, s, batch.simultaneous, who, actor(game, s)):
        copy_state(game, state_at(game, work.here, 1), s)


def own_move(work):
    """The place of the move that the player made, of those that it has; behind them all where that is none of them."""
    i = 0
    while i < work.stand.moves and work.moves[i] != work.own[work.stand.own]:
        i += 1
    return i
