"""An unweighted particle filter (Silver and Veness 2010, sec. 3.2): states are carried on from decision to decision by
simulating, and some are drawn anew.

It begins with the start of the game. What is believed costs the same however much others can do that is not seen, where
beliefs that go through all of it (`belief/tracking.py`) take longer, or leave more out; it says less where what was
seen is rare, since few simulations come to it.
"""

import numpy as np

from fogspiel.belief.inference import INJECT
from fogspiel.belief.reinvigorated import FEWEST, Reinvigorated
from fogspiel.belief.replay import Record
from fogspiel.belief.replaying import REPLAYS
from fogspiel.belief.resampling import Resampling
from fogspiel.belief.roots import Model, Roots, States
from fogspiel.belief.rows import EMPTY, Table
from fogspiel.belief.simulating import ASK, AT_RANDOM, BY_PYTHON, BY_TABLE, DONE, Asked, Stand, Work, simulate
from fogspiel.belief.tracked import PARTICLES
from fogspiel.belief.usual import usual_belief
from fogspiel.engine.bundle import Bundled
from fogspiel.game.game import Game
from fogspiel.game.state import State
from fogspiel.game.view import view_type

PARAMETERS = (PARTICLES, INJECT, REPLAYS)
TRIED = 200
"""Moves made, at most, for each particle that is wanted."""


class Simulating:
    """A source of particles that simulates by itself: up to so many. Without a model, others' moves are each as
    likely."""

    def __init__(self, wanted: int):
        self.wanted = wanted

    def begin(self, game: Game, seat: int) -> None:
        self.game, self.words = game, -(-game.dtype.itemsize // 8)
        records = {"asked": np.zeros(1, Asked), "stand": np.zeros(1, Stand)}
        self.asked, self.stand = (view_type(record.dtype).from_buffer(record.data) for record in records.values())
        self.asked.player, self.asked.simultaneous = seat, game.about.simultaneous
        self.asked.wanted, self.asked.most = self.wanted, TRIED * self.wanted
        nothing, buffer = np.zeros(1, np.int64), game.buffer()
        self.work = Bundled(
            Work,
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
        self.asked.states, self.asked.known, self.asked.made = len(states), known, made

    def arrived(self, record: Record, state: State, model: Model | None, rng: np.ndarray) -> States:
        asked, stand, work = self.asked, self.stand, self.work
        work.keys, work.own = np.array(record.keys, np.uint64).view(np.int64), np.array(record.own or [0], np.int64)
        asked.seen, asked.played = len(record.keys), len(record.own)
        asked.how = AT_RANDOM if model is None else BY_TABLE if isinstance(model, Table) else BY_PYTHON
        stand.count = stand.tried = stand.going = stand.asked = 0
        rows = model.rows if isinstance(model, Table) else EMPTY
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
        states = roots.several(self.wanted, self.asked.player, rng) if few else roots.states
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
