"""The average joint play of a learner, and its distance from a coarse correlated equilibrium.

In iteration t every player has a strategy. Draw an iteration (each with its weight in the average strategy) and let all
play the strategies of that one: this is the average joint play. It correlates the players, and is in general none that
they could agree on one by one, as the average strategy is. It is a *coarse correlated equilibrium* (Moulin and Vial
1978) if nobody gains by turning to a fixed strategy before the draw. What a player would gain is its average external
regret,

    max over its strategies s of  mean over t of u(s, others at t)  -  mean over t of u(all at t),

which regret minimization drives to zero in any game, for any number of players (Hart and Mas-Colell 2000), and CFR by
Zinkevich et al. 2007, Theorem 4. A Nash equilibrium follows from that only for two players whose utilities add up to a
constant.

The promise is about players who all learn from the same profiles (updates=simultaneous). With alternating updates each
is without regret against strategies of which some are an iteration newer; the gap is that of the profiles that began
the iterations, and in practice smaller.

Utilities are linear in what a player plays, so the mean over t of what each of its sequences is worth is all that has
to be kept.
"""

from dataclasses import dataclass

import numpy as np

from fogspiel.tree.payoffs import products
from fogspiel.tree.sequence import SequenceForm, respond


@dataclass(frozen=True)
class JointPlay:
    """Average joint play. For each player: `value`, its mean utility; `best`, the most that a fixed strategy would have
    got against the others; `gain`, the difference."""

    value: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def gain(self) -> tuple[float, ...]:
        return tuple(b - v for b, v in zip(self.best, self.value, strict=True))

    @property
    def gap(self) -> float:
        """The sum over the players who would gain, as NashConv is: 0 exactly at a coarse correlated equilibrium.
        A fixed strategy may also do worse than correlated play, which makes up for nothing."""
        return float(sum(max(gain, 0.0) for gain in self.gain))

    def as_dict(self) -> dict[str, list[float]]:
        return {"value": list(self.value), "best": list(self.best), "gain": list(self.gain)}


def room(form: SequenceForm) -> np.ndarray:
    """Memory for `witness`: for every sequence the sum of what it was worth, then for each player the sum of its
    utilities."""
    return np.zeros(form.sequences + form.players)


def joint_play(form: SequenceForm, seen: np.ndarray, weight: float) -> JointPlay | None:
    """What `witness` has seen, given the sum of the iterations' weights; None before the first."""
    if not weight > 0:
        return None
    value, best = seen[form.sequences :] / weight, []
    for p in range(form.players):
        worth = seen[: form.sequences] / weight
        respond(form.sets[p], form.sets[p + 1], form.first, form.count, form.parent, worth, np.ones(form.sequences))
        best.append(float(worth[form.begin[p]]))
    return JointPlay(tuple(value.tolist()), tuple(best))


def witness(decay, form, payoffs, plan, seen, worth, panel):
    """One iteration: what every sequence is worth against the others' plans, added to `decay` times what was seen
    before.

    Scratch: `worth` and `panel`.
    """
    begin, players = form.begin, form.facts.players
    for p in range(players):
        for s in range(begin[p], begin[p + 1]):
            worth[s] = 0.0
        products(p, players, payoffs, plan, worth, panel)
        utility = 0.0
        for s in range(begin[p], begin[p + 1]):
            seen[s] = seen[s] * decay + worth[s]
            utility += plan[s] * worth[s]
        at = begin[players] + p
        seen[at] = seen[at] * decay + utility
