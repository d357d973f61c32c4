"""The excessive gap technique (Nesterov 2005; for games Hoda, Gilpin, Peña and Sandholm 2010; Lanctot 2013, sec. 2.2.1).

Two smoothed problems, f(x) = min_y { xAy + mu2 d2(y) } and phi(y) = max_x { xAy - mu1 d1(x) }, and a pair (x, y) that keeps
the excessive gap condition f(x) >= phi(y). Then the true gap of the pair is at most mu1 max d1 + mu2 max d2, so shrinking
mu1 and mu2 while keeping the condition drives it to zero, in O(1 / epsilon) steps.

The prox function is the dilated entropy over a player's information sets, weighted by how much lies below each (Farina et
al. 2021), so `smooth` has a closed form, one information set at a time, bottom-up.
"""

import math

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints32, Real, Reals
from fogspiel.errors import Unsuitable
from fogspiel.solve.solver import Iterative, is_plan
from fogspiel.tree.sequence import SequenceForm


class ExcessiveGap(Iterative):
    """Each iteration shrinks the larger of the two mus by a factor 1 - tau."""

    arrays = ("pair", "mu", "tau")

    def __init__(self, form: SequenceForm, parameters: dict):
        super().__init__(form.tree.game, form)
        if form.players != 2 or not form.tree.zero_sum:
            raise Unsuitable(f"egt solves two-player zero-sum games, and {form.tree.game.spec} is not one; try cfr+")
        self.aggressive = parameters["aggressive"] > 0.5
        self.spans = [slice(form.begin[p], form.begin[p + 1]) for p in range(2)]
        self.weight = np.zeros(max(len(form.first), 1))
        weigh(len(form.first), form.first, form.count, form.parent, self.weight, np.zeros(form.sequences))
        self.tau = np.array(0.5)
        self.mu = np.full(2, 1e-3)
        self.pair = self._start()

    @property
    def touched_each(self) -> int:
        return 5 * self.form.tree.size

    def _smooth(self, gradient: np.ndarray, player: int, mu: float) -> tuple[float, np.ndarray]:
        """max_x { x . gradient - mu d(x) } over the player's plans, and where it is attained."""
        form, values = self.form, gradient.copy()
        behaviour = np.ones(form.sequences)
        smooth(
            form.sets[player],
            form.sets[player + 1],
            form.first,
            form.count,
            form.parent,
            mu,
            self.weight,
            values,
            behaviour,
        )
        return float(values[form.begin[player]]), form.plan(behaviour)

    def _best(self, plan: np.ndarray, player: int, mu: float) -> tuple[float, np.ndarray]:
        return self._smooth(self.form.gradient(plan, player), player, mu)

    def _join(self, mine: np.ndarray, theirs: np.ndarray, player: int) -> np.ndarray:
        joined = theirs.copy()
        joined[self.spans[player]] = mine[self.spans[player]]
        return joined

    def _start(self) -> np.ndarray:
        """From the most even plan: respond, and respond to the response; with mus just large enough for the condition."""
        even = self._smooth(np.zeros(self.form.sequences), 0, 1.0)[1]
        while True:
            y = self._best(even, 1, self.mu[1])[1]
            x = self._best(y, 0, self.mu[0])[1]
            pair = self._join(x, y, 0)
            if self.excess(pair, self.mu) >= 0:
                return pair
            self.mu = 2 * self.mu

    def excess(self, pair: np.ndarray, mu: np.ndarray) -> float:
        """f(x) - phi(y): how far the excessive gap condition holds. Player 1 maximises its own utility, -xAy."""
        return -self._best(pair, 1, mu[1])[0] - self._best(pair, 0, mu[0])[0]

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            self.iterations += 1
            player = 0 if self.mu[0] >= self.mu[1] else 1
            tau = float(self.tau) if self.aggressive else 2.0 / (self.iterations + 3)
            pair, mu = self._shrink(player, tau)
            while self.aggressive and self.excess(pair, mu) < 0 and tau > 1e-9:
                tau /= 2
                pair, mu = self._shrink(player, tau)
            self.tau = np.array(min(1.5 * tau, 0.5))
            self.pair, self.mu = pair, mu

    def _shrink(self, player: int, tau: float) -> tuple[np.ndarray, np.ndarray]:
        """Hoda et al. 2010, Algorithm 2: one player's mu becomes (1 - tau) times itself."""
        other, mu = 1 - player, float(self.mu[player])
        toward = self.form.gradient(self.pair, player)
        x = self._smooth(toward, player, mu)[1]
        ahead = (1 - tau) * self.pair + tau * self._join(x, self.pair, player)
        y = self._best(ahead, other, float(self.mu[other]))[1]
        # the Bregman step from x: x itself answers `toward`, so its prox gradient is `toward` / mu
        bent = toward + tau / (1 - tau) * self.form.gradient(self._join(y, self.pair, other), player)
        step = self._join(self._smooth(bent, player, mu)[1], y, player)
        shrunk = self.mu.copy()
        shrunk[player] = (1 - tau) * mu
        return (1 - tau) * self.pair + tau * step, shrunk

    def plan(self) -> np.ndarray:
        return self.form.plan(self.form.behaviour(self.pair))

    def flaw(self) -> str:
        if not is_plan(self.form, self.pair):
            return "pair is no plan"
        return "" if np.all(self.mu > 1e-100) and 0 < self.tau <= 0.5 else "mu or tau is out of range"


@kernel
def weigh(sets: Int, first: Ints32, count: Ints32, parent: Ints32, weight: Reals, below: Reals) -> None:
    """weight[I] = 1 + the most, over I's actions, of the total weight of the sets right after it."""
    for i in range(sets - 1, -1, -1):
        most = 0.0
        for s in range(first[i], first[i] + count[i]):
            most = max(most, below[s])
        weight[i] = 1.0 + most
        below[parent[i]] += weight[i]


@kernel
def smooth(
    low: Int,
    high: Int,
    first: Ints32,
    count: Ints32,
    parent: Ints32,
    mu: Real,
    weight: Reals,
    values: Reals,
    behaviour: Reals,
) -> None:
    """Bottom-up: at each set a softmax, and its value log-sum-exp minus log n, both at temperature mu * weight."""
    for i in range(high - 1, low - 1, -1):
        heat = mu * weight[i]
        most = values[first[i]]
        for s in range(first[i], first[i] + count[i]):
            most = max(most, values[s])
        total = 0.0
        for s in range(first[i], first[i] + count[i]):
            behaviour[s] = math.exp((values[s] - most) / heat)
            total += behaviour[s]
        for s in range(first[i], first[i] + count[i]):
            behaviour[s] /= total
        values[parent[i]] += most + heat * math.log(total / count[i])
