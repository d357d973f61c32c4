"""Inference from what a search has the others do: the particle filter of Whitehouse 2014, sec. 7.3 (Algorithm 7).

phi is what is believed of each determinization d, a state that agrees with what was seen. A move by another leads to a
node v of the tree of the last decision, which n(v) of N iterations visited, c(v, d) of them from d. What is believed is
then mixed with what these visits say:

    w = n(v) / N        phi(d) = (1 - w) phi(d) + w c(v, d) / n(v)

so that what the search hardly looked at says little, and nothing becomes impossible that was not. With a node for each
information set of the others (sec. 7.2), what is chosen there is the same whichever d led there. So c(v, d) / N is
phi(d) at the root times the shares that the moves on the way have of the visits of their nodes, and that is how it is
computed: the same number on average, without the noise of counting, for any number of states, and hidden moves are no
other than visible ones. Where w is 1 this is Bayes' rule with the search as the model of the others.

Before that, phi is carried on (`plain` in `belief/progress.py`): what a state had goes to those that agree with what
was seen next, each as likely. Where there is no room for all of them, some are left out at random, without a bias
(`room.thin`), and at each decision some of the belief goes to states drawn anew from what was seen alone: so no mistake
is for ever.
"""

import numpy as np

from fogspiel.belief.inferring import Inferring
from fogspiel.belief.particle import HIDDEN, SEEN
from fogspiel.belief.replay import Draws, Record
from fogspiel.belief.replaying import REPLAYS
from fogspiel.belief.roots import Model, Roots, States
from fogspiel.belief.tracked import PARTICLES
from fogspiel.belief.usual import usual_belief
from fogspiel.game.game import Game
from fogspiel.game.playout import redraw
from fogspiel.game.rules import PUBLIC
from fogspiel.game.spec import Choice, Number
from fogspiel.game.state import State

BOOST = Number(
    "boost",
    1,
    0,
    1e12,
    "how many times the odds of the weight w that inference gives to what the visits say; 0: infer nothing",
)
NOISE = Number("noise", 0, 0, 1, "how likely others are taken to move at random, whatever the search has them do")
INJECT = Number("inject", 0.01, 0, 1, "share of the belief that goes to states drawn anew at each decision")
REVEALS = Choice(
    "reveals", "yes", ("yes", "no"), "whether to infer from hidden moves when chance shows them; no: as printed"
)
PARAMETERS = (PARTICLES, BOOST, NOISE, INJECT, REVEALS, REPLAYS)

FIRST_TRIED = 50_000
"""Moves tried to go through all that may have happened before the first decision. Where that does not suffice, states
are drawn."""

REDRAWS = 9
"""How often a state is redrawn for the public, from one player's view after another's."""


class Inferred:
    """States carried from decision to decision by what the search had the others do, as far as that is to be trusted
    (Whitehouse 2014, sec. 7.3).

    `watcher` PUBLIC: what somebody would infer who sees what all see and no more (psi of sec. 7.4), at the seat's
    decisions. States drawn anew for it are not free of what the seat knows, so they are for when it is lost only."""

    PARAMETERS, NEEDS_MODEL = PARAMETERS, True

    models = True

    def __init__(
        self,
        particles: int = PARTICLES.default,
        boost: float = BOOST.default,
        noise: float = NOISE.default,
        inject: float = INJECT.default,
        reveals: str = "yes",
        replays: int = REPLAYS.default,
        watcher: int | None = None,
    ):
        self.most, self.boost, self.noise, self.inject, self.replays = particles, boost, noise, inject, replays
        self.tells = HIDDEN if reveals == "yes" else SEEN
        self.watcher, self.account = watcher, Draws()

    def begin(self, game: Game, seat: int, rng: np.ndarray) -> None:
        self.game, self.seat, self.rng = game, seat, rng
        self.particles = Inferring(game, seat, self.most, self.watcher, self.noise, tells=self.tells, boost=self.boost)
        self.anew = usual_belief(game, self.replays)
        self.anew.begin(game, seat, rng)
        self.before: State | None = None
        """The last decision."""
        self.made = 0
        """How many moves of its own the seat had made there."""

    def update(self, record: Record, state: State, model: Model | None = None) -> None:
        first = self.before is None
        moved = 1.0
        if self.before is not None and model is not None and self.watcher is None:
            moved = model(self.before).get(record.own[self.made], 0.0)
        injected = self.inject if self.watcher is None else 0.0
        spare = min(int(np.ceil(injected * self.most)), self.most - 1)
        self.particles.follow(record, model, self.rng, FIRST_TRIED if first else None, spare, moved)
        self.account = Draws(lost=self.particles.lost and not first, short=self.particles.short)
        self.anew.update(record, state)
        if first and self.particles.short:
            self.particles.forget()
        share = 1.0 if self.particles.lost else injected
        if share > 0:
            count = self.most if share == 1 else int(np.ceil(share * self.most))
            self.particles.admit(self._drawn_anew(count), share, record, self.rng)
        self.before, self.made = state.copy(), len(record.own)
        self.account.effective = self.effective

    @property
    def effective(self) -> float:
        """The effective sample size, 1 / sum of phi^2 (Kong et al. 1994): that many states, each as likely, would tell
        as much."""
        return float(1 / np.square(self.particles.prob).sum())

    def draw(self) -> Roots:
        return Roots(self.particles.states, self.particles.prob.tolist())

    def _drawn_anew(self, count: int) -> States:
        """States of which no more is known than what was seen. For the public, what is hidden from one or another is
        redrawn in turn, until little is left of what the seat knows."""
        states = self.anew.draw().several(count, self.seat, self.rng)
        if self.watcher == PUBLIC and "resample" in self.game.functions:
            players = [(self.seat + 1 + turn) % self.game.players for turn in range(REDRAWS)]
            redraw(self.game, states.data, players, self.rng)
        return states
