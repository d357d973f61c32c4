"""The excessive gap technique (Nesterov 2005; for games Hoda, Gilpin, Peña and Sandholm 2010; Lanctot 2013, sec.
2.2.1).

Two smoothed problems, f(x) = min_y { xAy + mu2 d2(y) } and phi(y) = max_x { xAy - mu1 d1(x) }, and a pair (x, y) that
keeps the excessive gap condition f(x) >= phi(y). Then the true gap of the pair is at most mu1 max d1 + mu2 max d2, so
shrinking mu1 and mu2 while keeping the condition drives it to zero, in O(1 / epsilon) steps.

The prox function is the dilated entropy over a player's information sets, weighted by how much lies below each (Farina
et al. 2021), so `smooth` has a closed form, one information set at a time, bottom-up.
"""

import math
from typing import Any

import numpy as np

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Int, Ints32, Real, Reals
from fogspiel.solvers.solver import Solver, is_plan
from fogspiel.tree.payoffs import FUSED, PANEL, Table, products
from fogspiel.tree.sequence import Form, SequenceForm

Problem: Any = Bundle(
    form=Form,
    payoffs=Table,
    weight=Reals,
    toward=Reals,
    values=Reals,
    behaviour=Reals,
    ahead=Reals,
    step=Reals,
    tried=Reals,
    panel=Reals,
)
"""The sequence form, its payoffs, and the weights of its information sets; then room to work in, a real for each
sequence."""


class ExcessiveGap(Solver):
    """Each iteration shrinks the larger of the two mus by a factor 1 - tau."""

    arrays = ("pair", "mu", "tau")

    form: SequenceForm

    def __init__(self, form: SequenceForm, parameters: dict[str, Any]):
        super().__init__(form.tree.game, form)
        self.aggressive = parameters["aggressive"] > 0.5
        self.weight = np.zeros(max(len(form.first), 1))
        weigh(len(form.first), form.first, form.count, form.parent, self.weight, np.zeros(form.sequences))
        self._problem = Bundled(
            Problem,
            form=form.bundle,
            payoffs=form.payoffs.bundle,
            weight=self.weight,
            panel=np.zeros(PANEL),
            **{name: np.ones(form.sequences) for name in ("toward", "values", "behaviour", "ahead", "step", "tried")},
        )
        self.tau = np.array(0.5)
        self.mu = np.full(2, 1e-3)
        self.pair = np.ones(form.sequences)
        start(self._problem, self.pair, self.mu)

    @property
    def touched_each(self) -> int:
        return 5 * self.form.tree.size

    def excess(self, pair: np.ndarray, mu: np.ndarray) -> float:
        """f(x) - phi(y): how far the excessive gap condition holds."""
        return excess_of(self._problem, pair, mu)

    def advance(self, iterations: int) -> None:
        iterate(iterations, self.iterations, self.aggressive, self._problem, self.pair, self.mu, self.tau.reshape(1))
        self.iterations += iterations

    def plan(self) -> np.ndarray:
        return self.form.plan(self.form.behaviour(self.pair))

    def flaw(self) -> str:
        if not is_plan(self.form, self.pair):
            return "pair is no plan"
        return "" if np.all(self.mu > 1e-100) and 0 < self.tau <= 0.5 else "mu or tau is out of range"


@kernel(fastmath=FUSED)
def start(game: Problem, pair: Reals, mu: Reals) -> None:
    """From the most even plan: respond, and respond to the response; with mus just large enough for the condition."""
    for s in range(game.form.begin[2]):
        game.values[s] = 0.0
    smooth(0, 1.0, game, game.ahead)
    while True:
        best(game.ahead, 1, mu[1], game, pair)
        best(pair, 0, mu[0], game, pair)
        if excess(pair, mu[0], mu[1], game) >= 0.0:
            return
        mu[0] *= 2.0
        mu[1] *= 2.0


@kernel(fastmath=FUSED)
def excess_of(game: Problem, pair: Reals, mu: Reals) -> Real:
    return excess(pair, mu[0], mu[1], game)


@kernel(fastmath=FUSED)
def iterate(
    iterations: Int, done: Int, aggressive: Int, game: Problem, pair: Reals, mu: Reals, last_tau: Reals
) -> None:
    """So many iterations after `done` others. An aggressive one tries a larger tau than last time, and halves it until
    the condition holds."""
    for t in range(done + 1, done + iterations + 1):
        player = 0 if mu[0] >= mu[1] else 1
        tau = last_tau[0] if aggressive != 0 else 2.0 / (t + 3)
        shrunk = shrink(player, tau, pair, mu, game)
        while aggressive != 0 and tau > 1e-9 and falls_short(player, shrunk, mu, game):
            tau /= 2.0
            shrunk = shrink(player, tau, pair, mu, game)
        mu[player] = shrunk
        last_tau[0] = min(1.5 * tau, 0.5)
        for s in range(game.form.begin[2]):
            pair[s] = game.tried[s]


def shrink(player, tau, pair, mu, game):
    """Hoda et al. 2010, Algorithm 2: one player's mu becomes (1 - tau) times itself, which is returned; the pair goes
    to `tried`."""
    other = 1 - player
    begin = game.form.begin
    low, high = begin[player], begin[player + 1]
    gradient(pair, player, game, game.toward)
    for s in range(low, high):
        game.values[s] = game.toward[s]
    smooth(player, mu[player], game, game.ahead)
    for s in range(low, high):
        game.ahead[s] = (1.0 - tau) * pair[s] + tau * game.ahead[s]
    best(game.ahead, other, mu[other], game, game.step)
    # the Bregman step from x: x itself answers `toward`, so its prox gradient is `toward` / mu
    gradient(game.step, player, game, game.values)
    for s in range(low, high):
        game.values[s] = game.toward[s] + tau / (1.0 - tau) * game.values[s]
    smooth(player, mu[player], game, game.step)
    for s in range(game.form.begin[2]):
        game.tried[s] = (1.0 - tau) * pair[s] + tau * game.step[s]
    return (1.0 - tau) * mu[player]


def falls_short(player, shrunk, mu, game):
    """Whether the pair that was tried breaks the condition, with that player's mu shrunk."""
    return excess(game.tried, shrunk if player == 0 else mu[0], shrunk if player == 1 else mu[1], game) < 0.0


def excess(pair, mu1, mu2, game):
    """f(x) - phi(y). The second player maximises its own utility, -xAy."""
    return -best(pair, 1, mu2, game, game.step) - best(pair, 0, mu1, game, game.step)


def best(plan, player, mu, game, out):
    """The smoothed best response to the other's part of a plan, into the player's own part of `out`; returns its
    value."""
    gradient(plan, player, game, game.values)
    return smooth(player, mu, game, out)


def gradient(plan, player, game, out):
    """What each of the player's sequences adds to its utility, the other's plan being fixed."""
    begin = game.form.begin
    for s in range(begin[player], begin[player + 1]):
        out[s] = 0.0
    products(player, 2, game.payoffs, plan, out, game.panel)


def smooth(player, mu, game, out):
    """max_x { x . values - mu d(x) } over the player's plans, and where it is attained, into its part of `out`.

    Bottom-up: at each set a softmax, and its value log-sum-exp minus log n, both at temperature mu * weight.
    """
    form, values, behaviour = game.form, game.values, game.behaviour
    first, count, parent = form.first, form.count, form.parent
    for i in range(form.sets[player + 1] - 1, form.sets[player] - 1, -1):
        heat = mu * game.weight[i]
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
    out[form.begin[player]] = 1.0
    for i in range(form.sets[player], form.sets[player + 1]):
        above = out[parent[i]]
        for s in range(first[i], first[i] + count[i]):
            out[s] = above * behaviour[s]
    return values[form.begin[player]]


@kernel
def weigh(sets: Int, first: Ints32, count: Ints32, parent: Ints32, weight: Reals, below: Reals) -> None:
    """weight[I] = 1 + the most, over I's actions, of the total weight of the sets right after it."""
    for i in range(sets - 1, -1, -1):
        most = 0.0
        for s in range(first[i], first[i] + count[i]):
            most = max(most, below[s])
        weight[i] = 1.0 + most
        below[parent[i]] += weight[i]
