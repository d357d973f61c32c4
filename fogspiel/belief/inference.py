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
(`particles.thin`), and at each decision some of the belief goes to states drawn anew from what was seen alone: so no
mistake is for ever.
"""

import numpy as np

from fogspiel.belief.model import Model
from fogspiel.belief.particle_filter import PARTICLES, ParticleFilter, ParticleQueue
from fogspiel.belief.particles import HIDDEN, SEEN, pause
from fogspiel.belief.progress import INFERENCE
from fogspiel.belief.record import Record
from fogspiel.belief.rejection import REPLAYS, usual_belief
from fogspiel.belief.roots import Draws, Roots, States
from fogspiel.engine.part import Part
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
        self.particles = InferringFilter(
            game, seat, self.most, self.watcher, self.noise, tells=self.tells, boost=self.boost
        )
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
        self.account.effective = self.particles.effective

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


class Observing:
    """observe_move (Algorithm 7): what is believed is mixed with what visits say. `weight` is phi at the root times the
    shares of what was done since, `plain` phi carried on."""

    @staticmethod
    def infer(queue):
        pause(queue)
        count, inference = queue.stand.count, queue.inference
        visits, believed, choice = 0.0, 0.0, 0
        for i in range(count):
            here = queue.particles[i]
            visits += here.weight
            believed += here.plain
            choice = max(choice, here.choice)
        tells = choice >= inference.tells
        w = trusted(min(visits * inference.share, 1.0), inference.boost) if tells and visits > 0.0 else 0.0
        for i in range(count):
            here = queue.particles[i]
            here.plain /= believed if believed > 0.0 else 1.0
            if w > 0.0:
                here.plain = (1.0 - w) * here.plain + w * here.weight / visits
            if not tells and inference.first != 0 and visits > 0.0:
                # before the first decision the root is where chance has dealt
                here.weight /= visits

    @staticmethod
    def weigh(queue):
        """What particles count where some are left out: their weights and, as much, their weights `plain`."""
        n, weight, plain = queue.stand.count, 0.0, 0.0
        for i in range(n):
            weight += queue.particles[i].weight
            plain += queue.particles[i].plain
        weight, plain = max(weight, 1e-300), max(plain, 1e-300)
        for i in range(n):
            here = queue.particles[i]
            queue.mass[i] = here.weight / weight + here.plain / plain


def trusted(w, boost):
    """w with its odds so many times as high."""
    return boost * w / (1.0 - w + boost * w) if boost * w > 0.0 else 0.0


class InferringQueue(ParticleQueue):
    """A queue that stops at each event. What is believed is in the weights `plain`."""

    parts = (Part(INFERENCE, "observing", Observing),)

    def look_for(self, record: Record, most: int) -> None:
        super().look_for(record, most)
        least = int(self.particles["known"][: self.stand.count].min(initial=self.decision.recorded))
        if least < self.decision.recorded:
            self.stand.seen, self.stand.to_event = least + 1, 1

    def settle(self, most: int, spare: int, rng: np.ndarray) -> bool:
        self.weights[:] = self.plain
        return super().settle(most, spare, rng)


class InferringFilter(ParticleFilter):
    """Particles that infer from each event that `tells` as much (HIDDEN or SEEN) of others' choices. The odds of what
    visits say count `boost` times."""

    make = InferringQueue

    def __init__(
        self,
        game: Game,
        player: int,
        most: int = 1000,
        watcher: int | None = None,
        noise: float = 0.0,
        *,
        tells: int,
        boost: float,
    ):
        super().__init__(game, player, most, watcher, noise)
        inference = self.queue.inference
        inference.tells, inference.boost, inference.first = tells, boost, 1

    def follow(
        self,
        record: Record,
        model: Model | None,
        rng: np.ndarray,
        tried: int | None = None,
        spare: int = 0,
        share: float = 1.0,
    ) -> None:
        """As of particles; `share` is that of the player's last move in the model's visits."""
        self.queue.inference.share = share
        super().follow(record, model, rng, tried, spare)
        self.queue.inference.first = 0
