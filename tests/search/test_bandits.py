"""Bandits keep their textbook promises. They are plain functions, so they are tested un-compiled, one step at a
time."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.belief.roots import Roots
from fogspiel.engine.linking import linked
from fogspiel.game import uniform
from fogspiel.search.bandits import FirstTies, NearTies, highest_bound, share_of_ucb
from fogspiel.search.nodes import NODE, SLOT
from fogspiel.search.parts import part, parts
from fogspiel.search.plain import do
from fogspiel.search.randomised import couple, exponential_weights, matched_regrets
from fogspiel.search.search import TreeSearch


class Bandit:
    """A node with k moves, all of them always there, that a bandit of this name chooses at."""

    def __init__(self, name, k, seed=1, ties=None, **parameters):
        self.part = part("bandit", name, parameters)
        self.search = one_search(self.part, k, seed=seed)
        self.node, self.slots, self.prob = self.search.nodes[0], self.search.slots, self.search.prob
        self.chooses = self.part.space.choose
        if ties is not None:
            self.chooses = linked(self.chooses, {highest_bound: ties.highest_bound})

    def choose(self, n=None):
        """Choose among the first n moves, or all."""
        return self.chooses(self.search, self.node, n or self.node.used)

    def learn(self, c, reward):
        """As the loop does after the step of a simulation."""
        self.node.visits += 1
        self.slots[c].tries += 1
        self.slots[c].total += reward
        self.search.path[0] = SimpleNamespace(node=0, slot=c, prob=self.prob[c], pending=0)
        do(self.part, "learn", self.search, 0, reward, reward)


def one_search(bandit, *counts, seed=1):
    """What a bandit sees of a search with nodes of so many moves each, one after another; it is asked about the
    first."""
    nodes = np.zeros(len(counts), [*NODE, *bandit.columns("NODE", 2)]).view(np.recarray)
    nodes.used, nodes.first = counts, np.cumsum(counts) - counts
    slots = np.zeros(sum(counts), [*SLOT, *bandit.columns("SLOT", 2)]).view(np.recarray)
    if "there" in slots.dtype.names:
        slots.there = 1  # in the simulation under way all moves can be played
    record = SimpleNamespace(
        **dict.fromkeys((name for name, *_ in bandit.fields), 0)
        | {p.name: p.stored(bandit.settings[p.name]) for p in bandit.parameters if p.field}
    )
    return SimpleNamespace(
        bandit=record,
        nodes=nodes,
        slots=slots,
        slot=np.arange(counts[0]),
        prob=np.zeros(counts[0]),
        rng=np.array([seed], np.uint64),
        path=[None, None],
        walk=SimpleNamespace(depth=1),
        counts=SimpleNamespace(done=0),
        pay=np.zeros(2),
    )


def with_scores(name, scores):
    search = one_search(part("bandit", name), len(scores))
    search.slots.score = scores
    return search


def simulated(game, simulations, **how):
    """The memory after a search from the start of a game."""
    search = TreeSearch(game, parts(growth="stage", **how), seed=1)
    search.simulate(Roots([game.start()]), 0, simulations)
    return search.memory


def test_exp3_is_the_stable_form_of_the_textbook_softmax():
    rng = np.random.default_rng(0)
    for k in (2, 3, 7):
        for gamma in (0.05, 0.5, 1.0):
            score = rng.normal(0, 20, k)
            search = with_scores("exp3", score)
            exponential_weights(search, k, gamma, gamma / k)
            prob = search.prob
            weights = np.exp(gamma / k * (score - score.max()))
            assert prob == pytest.approx((1 - gamma) * weights / weights.sum() + gamma / k)
            assert prob.sum() == pytest.approx(1)
            assert (prob >= gamma / k - 1e-15).all()
            shifted = with_scores("exp3", score + 1000)
            exponential_weights(shifted, k, gamma, gamma / k)
            assert shifted.prob == pytest.approx(prob)


def test_exp3_does_not_overflow():
    search = with_scores("exp3", [1e6, 0.0, -1e6])
    exponential_weights(search, 3, 0.1, 0.1 / 3)
    assert np.isfinite(search.prob).all()
    assert search.prob == pytest.approx([0.9 + 0.1 / 3, 0.1 / 3, 0.1 / 3])


def test_regret_matching_explores_within_its_probability():
    # the printed formula lacks the factor 1 - gamma and sums to 1 + gamma
    search = with_scores("rm", [3.0, -1.0, 1.0, 0.0])
    matched_regrets(search, 4, 0.2)
    assert search.prob == pytest.approx([0.8 * 0.75 + 0.05, 0.05, 0.8 * 0.25 + 0.05, 0.05])
    search.slots.score = (-3.0, -1.0, -1.0, 0.0)
    matched_regrets(search, 4, 0.2)
    assert search.prob == pytest.approx(np.full(4, 0.25))


def test_regret_matching_charges_the_drawn_move_too():
    bandit = Bandit("rm", 3, gamma=0.1)
    bandit.choose()
    bandit.learn(1, 0.5)
    assert bandit.slots.score == pytest.approx([-0.5, 0.5 / (1 / 3) - 0.5, -0.5])


def test_importance_weighted_rewards_are_unbiased():
    means, seen = np.array([0.2, 0.9, 0.5]), np.zeros(3)
    runs = 20_000
    bandit = Bandit("exp3", 3, gamma=0.3, seed=5)
    bandit.slots.score = (4.0, 1.0, 0.0)
    start = bandit.slots.score.copy()
    for _ in range(runs):
        bandit.slots.score = start
        c = bandit.choose()
        bandit.learn(c, means[c])
        seen += bandit.slots.score - start
    assert seen / runs == pytest.approx(means, abs=0.05)


@pytest.mark.parametrize("name", ["ucb", "tuned"])
def test_ucb_keeps_its_regret_bound(name):
    means = np.array([0.9, 0.6, 0.5])
    gaps = means.max() - means
    runs, steps = 8, 1500
    regret = np.zeros(steps)
    picks = np.random.default_rng(3)
    for run in range(runs):
        bandit = Bandit(name, 3, exploration=math.sqrt(2), seed=run)
        lost = 0.0
        for t in range(steps):
            c = bandit.choose()
            bandit.learn(c, float(picks.random() < means[c]))
            lost += gaps[c]
            regret[t] += lost / runs
    n = np.arange(1, steps + 1)
    bound = 8 * np.log(n) * (1 / gaps[gaps > 0]).sum() + (1 + math.pi**2 / 3) * gaps.sum()
    assert (regret <= bound).all()


@pytest.mark.parametrize("name", ["ucb", "tuned"])
@pytest.mark.parametrize("visits", [40, 4000, 4096, 10**7])
def test_ucb_plays_the_move_of_the_highest_printed_bound(name, visits):
    # UCB1 and UCB1-Tuned as printed (Auer et al. 2002), with the number of chances a move had (Whitehouse 2014, sec.
    # 5.2.1)
    rng = np.random.default_rng(visits)
    for _ in range(50):
        bandit = Bandit(name, 5, exploration=0.7)
        bandit.node.visits = visits
        slots = bandit.slots
        slots.missed = rng.integers(0, visits // 2, 5)
        slots.tries = rng.integers(1, visits // 5, 5)
        slots.total = slots.tries * rng.random(5)
        mean, width = slots.total / slots.tries, np.log(visits - slots.missed) / slots.tries
        if name == "tuned":
            slots.squares = slots.total
        variance = mean - mean**2 + np.sqrt(2 * width)
        bound = mean + (0.7 * np.sqrt(width) if name == "ucb" else np.sqrt(width * np.minimum(0.25, variance)))
        assert bandit.choose() == bound.argmax()
        assert bandit.prob == pytest.approx(bound)
        slots.tries[rng.integers(5)] = 0
        assert slots.tries[bandit.choose()] == 0


def test_ties_are_broken_evenly_or_by_the_first():
    bandit = Bandit("ucb", 4, exploration=0.7)
    bandit.node.visits, bandit.slots.tries, bandit.slots.total = 40, 10, (5, 8, 2, 8)
    chosen = np.bincount([bandit.choose() for _ in range(2000)], minlength=4)
    assert chosen[[0, 2]].tolist() == [0, 0]
    assert chosen[1] == pytest.approx(1000, abs=100)
    first = Bandit("ucb", 4, exploration=0.7, ties=FirstTies)
    assert first.choose() == 0
    first.node.visits, first.slots.tries, first.slots.total = 40, 10, (5, 8, 2, 8)
    assert first.choose() == 1


def test_bounds_near_the_highest_are_ties():
    bandit = Bandit("ucb", 4, exploration=0.7, ties=NearTies)
    bandit.search.ties = SimpleNamespace(within=0.11)
    bandit.node.visits, bandit.slots.tries, bandit.slots.total = 40, 10, (5, 8, 2, 7)
    chosen = np.bincount([bandit.choose() for _ in range(2000)], minlength=4)
    assert chosen[[0, 2]].tolist() == [0, 0]
    assert chosen[1] == pytest.approx(1000, abs=100)
    bandit.slots[0].tries = 0
    assert bandit.choose() == 0


def test_smooth_uct_takes_ucb1s_move_or_draws_from_its_average():
    """Heinrich and Silver 2015: eta_k = max(eta_least, eta / (1 + decay sqrt(visits)))."""
    bandit = Bandit("smooth", 3, eta=0.8, eta_least=0.25, decay=0.1)
    assert [share_of_ucb(bandit.search.bandit, n) for n in (0, 100, 10**6)] == pytest.approx([0.8, 0.4, 0.25])
    for c, (tries, total) in enumerate([(60, 30), (30, 27), (10, 1)]):
        bandit.slots[c].tries, bandit.slots[c].total = tries, total
    bandit.node.visits = 100
    drawn = np.bincount([bandit.choose() for _ in range(5000)], minlength=3) / 5000
    assert drawn == pytest.approx([0.6 * 0.6, 0.4 + 0.6 * 0.3, 0.6 * 0.1], abs=0.03)  # UCB1's is the second


def test_a_deterministic_bandit_is_at_the_mercy_of_an_adversary():
    steps, k = 600, 3
    bandit, best = Bandit("ucb", k, exploration=math.sqrt(2), ties=FirstTies), np.zeros(k)
    for _ in range(steps):
        c = bandit.choose()
        best += np.arange(k) != c
        bandit.learn(c, 0.0)
    assert best.max() >= steps * (k - 1) / k


def test_exp3_keeps_its_regret_bound_against_an_oblivious_adversary():
    k, steps, gamma = 3, 2000, 0.15
    rewards = np.random.default_rng(1).random((steps, k)) * np.array([0.4, 1.0, 0.7])
    bandit, gained = Bandit("exp3", k, gamma=gamma), 0.0
    for t in range(steps):
        c = bandit.choose()
        gained += rewards[t, c]
        bandit.learn(c, rewards[t, c])
    assert rewards.sum(axis=0).max() - gained <= (math.e - 1) * gamma * steps + k * math.log(k) / gamma


def test_a_moves_bonus_does_not_grow_while_it_is_not_there():
    bandit = Bandit("ucb", 3, exploration=1.0)
    for _ in range(3):
        bandit.learn(bandit.choose(), 0.5)

    def counted():
        return bandit.node.visits - bandit.slots.missed

    before = counted()
    for _ in range(50):
        # only moves 0 and 1 can be played
        c = bandit.choose(2)
        assert c < 2
        bandit.learn(c, 0.5)
    assert (counted() - before == [50, 50, 0]).all()


def test_coupled_regret_matching_learns_nothing_from_its_own_reward_alone():
    bandit = part("bandit", "coupled", {"gamma": 0.1})
    search = one_search(bandit, 3, 2)
    search.bandit.room, search.pair_sum, search.pair_count = 6, np.zeros(6), np.zeros(6)
    search.path = [
        SimpleNamespace(node=0, slot=0, prob=0.3, pending=0),
        SimpleNamespace(node=1, slot=3, prob=0.5, pending=1),
    ]
    search.walk.depth, search.pay[:] = 2, (0.7, -0.7)
    do(bandit, "learn", search, 1, 0.15, -0.7)
    do(bandit, "learn", search, 0, 0.85, 0.7)
    assert (search.slots.score == 0).all()
    assert search.pair_sum[0] == 0.7
    # who has nobody to be coupled with matches regrets for itself
    search.walk.depth = 1
    do(bandit, "learn", search, 0, 0.85, 0.7)
    assert search.slots.score == pytest.approx([0.7 / 0.3 - 0.7, -0.7, -0.7, 0, 0])


def test_exp3p_keeps_its_bound_with_high_probability():
    # Lisý 2014, Theorem 2.2.8: regret is at most 5.15 sqrt(n K log(K / failure)) but with probability `failure`; the
    # rewards of the second half are those of the first for another move, so that what was learned is wrong
    k, steps, failure, runs = 3, 1200, 0.1, 12
    rewards = np.random.default_rng(2).random((steps, k)) * np.array([0.3, 1.0, 0.6])
    rewards[steps // 2 :] = np.roll(rewards[steps // 2 :], 1, axis=1)
    bound = 5.15 * math.sqrt(steps * k * math.log(k / failure))
    missed = 0
    for run in range(runs):
        bandit, gained = Bandit("exp3p", k, horizon=steps, seed=run, failure=failure), 0.0
        for t in range(steps):
            c = bandit.choose()
            gained += rewards[t, c]
            bandit.learn(c, rewards[t, c])
        missed += rewards.sum(axis=0).max() - gained > bound
    assert missed <= failure * runs


def test_exp3p_gives_every_move_a_bonus_and_the_drawn_one_its_reward():
    # the printed update has the bonus for the drawn move alone, which could not make estimates upper bounds
    k, horizon, failure = 4, 500, 0.05
    bandit = Bandit("exp3p", k, horizon=horizon, failure=failure)
    c = bandit.choose()
    p = bandit.prob.copy()
    bandit.learn(c, 0.75)
    beta = math.sqrt(math.log(k / failure) / (horizon * k))
    assert bandit.slots.score == pytest.approx((0.75 * (np.arange(k) == c) + beta) / p)
    gamma, eta = 1.05 * math.sqrt(k * math.log(k) / horizon), 0.95 * math.sqrt(math.log(k) / (horizon * k))
    weights = np.exp(eta * bandit.slots.score)
    bandit.choose()
    assert bandit.prob == pytest.approx((1 - gamma) * weights / weights.sum() + gamma / k)


@pytest.mark.parametrize("payoffs", [[[0, -25, 50], [25, 0, -5], [-50, 5, 0]], [[3, -1, 0], [-2, 4, 1]]])
def test_regret_matching_with_full_information_finds_the_equilibrium_of_a_known_game(payoffs):
    # regret R_i += u(i, j) - u(played, j) for every own move i: the coupled form on exact payoffs (Lisý 2014, ch. 2 and
    # sec. 3.1.1)
    u = np.array(payoffs, float)
    rows, columns = u.shape
    search, mean = (
        one_search(part("bandit", "coupled"), rows, columns),
        np.zeros(rows + columns),
    )
    # the mean of every pair is its payoff
    search.pair_sum, search.pair_count = u.ravel().copy(), np.ones(u.size)
    search.nodes[0].pairs, search.bandit.used, search.bandit.room = 1, u.size, u.size
    prob = [np.zeros(rows), np.zeros(columns)]
    expected = np.zeros(rows + columns)
    for _ in range(8_000):
        picked = []
        for side, slot in enumerate((np.arange(rows), rows + np.arange(columns))):
            search.slot, search.prob = slot, prob[side]
            matched_regrets(search, len(slot), 0.0)
            mean[slot] += prob[side]
            picked.append(int(np.searchsorted(np.cumsum(prob[side]), uniform(search.rng), side="right")))
        a, b = picked
        expected[:rows] += u[:, b] - u[a, b]
        expected[rows:] += u[a, b] - u[a]
        search.pair_sum[:], search.pair_count[:] = u.ravel(), 1
        search.pay[:] = u[a, b], -u[a, b]
        couple(search, SimpleNamespace(node=0, slot=a), SimpleNamespace(node=1, slot=rows + b))
    assert search.slots.score == pytest.approx(expected)
    x, y = mean[:rows] / mean[:rows].sum(), mean[rows:] / mean[rows:].sum()
    assert (u @ y).max() - (x @ u).min() < 0.03 * (u.max() - u.min())


def test_exploration_that_teaches_nothing_leaves_the_bandit_as_it_was():
    # A* of Lisý et al. 2013, Def. 4.3: no variable of the learner is touched, nor is its number of trials
    game = fs.load("matrix(game=matching_pennies)")
    memory = simulated(game, 1000, bandit="rm", enhancements=["aside"], gamma=0.1, aside=1.0)
    assert memory.node_count == 2
    assert (memory.nodes.passed[:2] >= 999).all()
    assert (memory.nodes.visits[:2] == 0).all()
    for name in ("score", "tries", "strategy", "total"):
        assert (memory.slots[name][:4] == 0).all()


def test_who_does_not_explore_learns_from_an_opponent_who_does():
    # A* is a wrapper of each player's own learner (Lisý et al. 2013, Def. 4.3): in matching pennies, coupled, the
    # regret of a player is that of regret matching with full information over the stages in which it did not explore
    # itself
    game = fs.load("matrix(game=matching_pennies)")
    search = TreeSearch(
        game, parts(bandit="coupled", enhancements=["aside"], growth="stage", gamma=0.1, aside=0.5), seed=3
    )
    matrix, regrets, learned = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.zeros((2, 2)), np.zeros(2, int)
    seen = np.zeros((2, 2))
    for _ in range(300):
        before = search.memory.slots.tries[:4].copy()
        search.run(Roots([game.start()]), 0, simulations=1)
        path = search.search.path[: int(search.search.walk.depth)]
        if len(path) == 0:
            continue  # the root was added
        first = search.memory.nodes.first[path.node]
        played = [int(s if s >= 0 else -2 - s) - int(begin) for s, begin in zip(path.slot, first, strict=True)]
        v = matrix[played[0], played[1]]
        for player in range(2):
            if path.slot[player] >= 0:
                learned[player] += 1
                other = 1 - played[player]
                pair = (other, played[1]) if player == 0 else (played[0], other)
                worth = matrix[pair] if seen[pair] else v
                regrets[player, other] += (1 if player == 0 else -1) * (worth - v)
        seen[played[0], played[1]] += any(path.slot >= 0)
        assert (search.memory.slots.tries[:4] - before).sum() == (path.slot >= 0).sum()
    assert 100 < learned.min() <= learned.max() < 200
    for node, player in enumerate(search.memory.nodes.owner[:2]):
        assert search.memory.slots.score[search.memory.slots_of(node)] == pytest.approx(regrets[player])


@pytest.mark.parametrize("bandit", ["exp3", "rm", "coupled"])
def test_frequencies_and_mean_strategies_agree_in_the_end(bandit):
    # Lisý et al. 2013, Lemma 4.5, with exploration left in both
    game = fs.load("matrix(game=biased_rps)")
    memory = simulated(game, 300_000, bandit=bandit, gamma=0.1)
    for node in range(2):
        slots = memory.slots[memory.slots_of(node)]
        used, played = slots.tries, slots.strategy
        assert used / used.sum() == pytest.approx(played / played.sum(), abs=0.01)
        assert (used > 0).all()


def test_both_bandits_of_a_matrix_game_stay_within_their_regret_of_its_value():
    # Lisý et al. 2013, Lemma 4.6: where both have an average regret of at most eps, their mean strategies are within 2
    # eps of the value; eps is Exp3's bound, and the payoffs of rock, paper, scissors span 2
    game, steps, gamma = fs.load("matrix(game=rps)"), 100_000, 0.05
    memory = simulated(game, steps, bandit="exp3", gamma=gamma)
    eps = 2 * ((math.e - 1) * gamma + 3 * math.log(3) / (gamma * steps))
    u = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    x, y = (memory.slots.tries[memory.slots_of(node)] for node in range(2))
    assert (u @ (y / y.sum())).max() <= 2 * eps
    assert ((x / x.sum()) @ u).min() >= -2 * eps
