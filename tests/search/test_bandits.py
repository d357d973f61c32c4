"""Bandits keep their textbook promises. The policies are plain functions, so they are tested un-compiled, one step at a time."""

import math

import numpy as np
import pytest

from fogspiel.search.bandits import (
    COUPLED,
    EXP3,
    FIRST,
    RANDOM,
    REGRET_MATCHING,
    UCB,
    UCB_TUNED,
    choose,
    exponential_weights,
    learn,
    matched_regrets,
)


class Bandit:
    """One node with k moves, all of them always there."""

    def __init__(self, policy, k, constant, ties=RANDOM, seed=1, failure=0.05):
        self.policy, self.k, self.constant, self.ties, self.failure = policy, k, constant, ties, failure
        self.slot = np.arange(k)
        self.prob = np.zeros(k)
        self.tries, self.seen, self.total, self.square, self.score = (np.zeros(k) for _ in range(5))
        self.rng = np.array([seed], np.uint64)

    def choose(self):
        c = choose(
            self.policy,
            self.constant,
            self.failure,
            self.ties,
            self.k,
            self.slot,
            self.prob,
            self.tries,
            self.seen,
            self.total,
            self.square,
            self.score,
            self.rng,
        )
        self.seen[(self.tries > 0) | (np.arange(self.k) == c)] += 1
        return c

    def learn(self, c, reward):
        learn(self.policy, c, reward, reward, self.prob[c], 0, self.k, self.tries, self.total, self.square, self.score)


def test_exp3_is_the_stable_form_of_the_textbook_softmax():
    rng = np.random.default_rng(0)
    for k in (2, 3, 7):
        for gamma in (0.05, 0.5, 1.0):
            score, prob = rng.normal(0, 20, k), np.zeros(k)
            exponential_weights(gamma, gamma / k, k, np.arange(k), prob, score)
            weights = np.exp(gamma / k * (score - score.max()))
            assert prob == pytest.approx((1 - gamma) * weights / weights.sum() + gamma / k)
            assert prob.sum() == pytest.approx(1)
            assert (prob >= gamma / k - 1e-15).all()
            shifted = np.zeros(k)
            exponential_weights(gamma, gamma / k, k, np.arange(k), shifted, score + 1000)
            assert shifted == pytest.approx(prob)


def test_exp3_does_not_overflow():
    prob = np.zeros(3)
    exponential_weights(0.1, 0.1 / 3, 3, np.arange(3), prob, np.array([1e6, 0.0, -1e6]))
    assert np.isfinite(prob).all()
    assert prob == pytest.approx([0.9 + 0.1 / 3, 0.1 / 3, 0.1 / 3])


def test_regret_matching_explores_within_its_probability():
    # the printed formula lacks the factor 1 - gamma and sums to 1 + gamma
    prob = np.zeros(4)
    matched_regrets(0.2, 4, np.arange(4), prob, np.array([3.0, -1.0, 1.0, 0.0]))
    assert prob == pytest.approx([0.8 * 0.75 + 0.05, 0.05, 0.8 * 0.25 + 0.05, 0.05])
    matched_regrets(0.2, 4, np.arange(4), prob, np.array([-3.0, -1.0, -1.0, 0.0]))
    assert prob == pytest.approx(np.full(4, 0.25))


def test_regret_matching_charges_the_drawn_move_too():
    bandit = Bandit(REGRET_MATCHING, 3, 0.1)
    bandit.choose()
    bandit.learn(1, 0.5)
    assert bandit.score == pytest.approx([-0.5, 0.5 / (1 / 3) - 0.5, -0.5])


def test_importance_weighted_rewards_are_unbiased():
    means, seen = np.array([0.2, 0.9, 0.5]), np.zeros(3)
    runs = 20_000
    bandit = Bandit(EXP3, 3, 0.3, seed=5)
    bandit.score[:] = (4.0, 1.0, 0.0)
    start = bandit.score.copy()
    for _ in range(runs):
        bandit.score[:] = start
        c = bandit.choose()
        bandit.learn(c, means[c])
        seen += bandit.score - start
    assert seen / runs == pytest.approx(means, abs=0.05)


@pytest.mark.parametrize("policy", [UCB, UCB_TUNED])
def test_ucb_keeps_its_regret_bound(policy):
    means = np.array([0.9, 0.6, 0.5])
    gaps = means.max() - means
    runs, steps = 20, 1500
    regret = np.zeros(steps)
    luck = np.random.default_rng(3)
    for run in range(runs):
        bandit = Bandit(policy, 3, math.sqrt(2), seed=run)
        lost = 0.0
        for t in range(steps):
            c = bandit.choose()
            bandit.learn(c, float(luck.random() < means[c]))
            lost += gaps[c]
            regret[t] += lost / runs
    n = np.arange(1, steps + 1)
    bound = 8 * np.log(n) * (1 / gaps[gaps > 0]).sum() + (1 + math.pi**2 / 3) * gaps.sum()
    assert (regret <= bound).all()


def test_a_deterministic_bandit_is_at_the_mercy_of_an_adversary():
    steps, k = 600, 3
    bandit, best = Bandit(UCB, k, math.sqrt(2), FIRST), np.zeros(k)
    for _ in range(steps):
        c = bandit.choose()
        best += np.arange(k) != c
        bandit.learn(c, 0.0)
    assert best.max() >= steps * (k - 1) / k


def test_exp3_keeps_its_regret_bound_against_an_oblivious_adversary():
    k, steps, gamma = 3, 2000, 0.15
    rewards = np.random.default_rng(1).random((steps, k)) * np.array([0.4, 1.0, 0.7])
    bandit, gained = Bandit(EXP3, k, gamma), 0.0
    for t in range(steps):
        c = bandit.choose()
        gained += rewards[t, c]
        bandit.learn(c, rewards[t, c])
    assert rewards.sum(axis=0).max() - gained <= (math.e - 1) * gamma * steps + k * math.log(k) / gamma


def test_a_moves_bonus_does_not_grow_while_it_is_not_there():
    bandit = Bandit(UCB, 3, 1.0)
    for c in range(3):
        bandit.seen[c] += 1
        bandit.learn(c, 0.5)
    before = bandit.seen[2]
    for _ in range(50):
        # only moves 0 and 1 can be played
        c = choose(
            UCB,
            1.0,
            0.05,
            RANDOM,
            2,
            bandit.slot[:2],
            bandit.prob,
            bandit.tries,
            bandit.seen,
            bandit.total,
            bandit.square,
            bandit.score,
            bandit.rng,
        )
        bandit.seen[:2] += 1
        bandit.learn(c, 0.5)
    assert bandit.seen[2] == before


def test_coupled_regret_matching_learns_nothing_from_its_own_reward_alone():
    bandit = Bandit(COUPLED, 3, 0.1)
    bandit.choose()
    bandit.learn(0, 0.7)
    assert (bandit.score == 0).all()
