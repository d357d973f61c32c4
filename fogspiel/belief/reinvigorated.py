"""Particles, and beside them states that another belief draws anew: particle reinvigoration (Silver and Veness 2010,
sec. 3.2).

A particle is a state to which a simulation came from what was believed at the last decision, and in which the player
has seen what it saw. All count alike. The less likely that was, the fewer they are, and who is wrong in all of them
would stay so; therefore some states are drawn anew at each decision.

Who simulates is a source of particles. One does so for the belief alone (`belief/simulated.py`). In POMCP the
simulations of the search are a source (`agents/pomcp.py`): that is the other half of it, which is not here, since its
particles are the states that passed through a node of its tree.
"""

from math import ceil
from typing import TYPE_CHECKING, Protocol

import numpy as np

from fogspiel.belief.replay import Draws, Record
from fogspiel.belief.roots import Model, Roots, States
from fogspiel.game.game import Game
from fogspiel.game.spec import Whole
from fogspiel.game.state import State

if TYPE_CHECKING:
    from fogspiel.belief.belief import Belief

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
