"""Local learners of the CFR family: each keeps the bound on regret that its source proves, on any scale of payoffs."""

import math

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.solvers.cfr.learners import LEARNERS, project
from fogspiel.solvers.cfr.variants import CFR, VARIANTS
from fogspiel.solvers.registry import read_solver

GAMES = [
    np.array([[0, -25, 50], [25, 0, -5], [-50, 5, 0.0]]),
    np.random.default_rng(1).uniform(-1e-3, 1e-3, (5, 7)),
    np.random.default_rng(2).integers(-1000, 1000, (6, 2)).astype(float),
]


def bounds(learner: str, t: int, actions: int, width: float, spread: float) -> float:
    """Most regret after t steps over so many actions whose values lie `width` apart; `spread` is what the learner
    keeps."""
    return {
        # Cesa-Bianchi and Lugosi 2003, polynomial potentials: degree 2 is regret matching (Lanctot 2013, Theorem 2)
        "rm": width * math.sqrt(t * actions),
        "rm+": width * math.sqrt(t * actions),
        "lagrangian(degree=4)": width * math.sqrt(3 * t * math.sqrt(actions)),
        "lagrangian": width * math.sqrt(t * max(actions, math.e * (2 * math.log(actions) - 1))),
        # exponential weights whose rate falls: (ln K) / rate, and an eighth of the sum of rate times squared ranges
        "hedge": 1.07 * math.sqrt(spread * math.log(actions)) + 2 * width,
        "rwm": 2 * width * math.sqrt(t * math.log(actions)) + width,
        # Zinkevich 2003, Theorem 1: squared diameter 2, here with steps by the gradients met
        "giga": 2 * math.sqrt(spread),
        "giga(eta=0.5)": 2 * math.sqrt(t) + 0.5 * math.sqrt(t) * actions * (width / 2) ** 2,
    }[learner]


def at_work(game: np.ndarray, learner: str, updates: str) -> CFR:
    form = fs.sequence_form(fs.load("matrix", payoffs=str(game.tolist())))
    return CFR(form, VARIANTS["cfr"], read_solver(f"cfr(learner={learner},updates={updates})")[2])


@pytest.mark.parametrize("game", GAMES, ids=["biased_rps", "small", "large"])
@pytest.mark.parametrize("updates", ["simultaneous", "alternating"])
@pytest.mark.parametrize(
    "learner", ["rm", "rm+", "hedge", "rwm", "giga", "giga(eta=0.5)", "lagrangian", "lagrangian(degree=4)"]
)
def test_regret_in_a_matrix_game_stays_below_the_learners_bound(learner, updates, game):
    solver = at_work(game, learner, updates)
    form, width = solver.form, game.max() - game.min()
    for t in (1, 4, 30, 200, 2000):
        solver.advance(t - solver.iterations)
        for p in range(2):
            regret = solver.regret[form.begin[p] + 1 : form.begin[p + 1]]
            assert regret.max() <= bounds(learner, t, len(regret), width, float(solver.spread[p])) * (1 + 1e-9)
    # the folk theorem: exploitability is at most the sum of both average regrets, when all learn from one profile
    if updates == "simultaneous" and learner != "rm+":
        most = sum(solver.regret[form.begin[p] + 1 : form.begin[p + 1]].max() for p in range(2)) / 2000
        assert fs.solve(form, f"cfr(learner={learner},updates={updates})", iterations=2000).nash_conv == pytest.approx(
            most, abs=1e-9 * width
        )


@pytest.mark.parametrize("learner", ["giga", "lagrangian(degree=3)", "hedge", "rwm"])
def test_rock_paper_scissors_is_played_evenly(learner):
    # from the uniform strategy nothing moves; with one payoff doubled the equilibrium is (1/3, 1/3, 1/3) no more
    for payoffs, row in (
        ("[[0,-1,1],[1,0,-1],[-1,1,0]]", [1 / 3] * 3),
        ("[[0,-1,2],[1,0,-1],[-2,1,0]]", [1 / 4, 1 / 2, 1 / 4]),
    ):
        result = fs.solve(fs.load("matrix", payoffs=payoffs), f"cfr(learner={learner})", iterations=20_000)
        assert result.strategy.prob[:3] == pytest.approx(row, abs=0.02)
        assert result.value[0] == pytest.approx(0, abs=0.02)


def test_lagrangian_hedging_of_degree_two_is_regret_matching():
    # a few iterations: rounding differs, and regrets of 0 that are not quite 0 part in the end
    for game in ("kuhn", "leduc", "bluff(faces=2,remember=1)"):
        plain = fs.solve(game, "cfr", iterations=20).strategy.prob
        assert fs.solve(game, "cfr(learner=lagrangian(degree=2))", iterations=20).strategy.prob == pytest.approx(plain)


def test_predictive_regret_matching_is_the_learner_of_pcfr_plus():
    plain = fs.solve("leduc", "pcfr+(gamma=0)", iterations=50).strategy.prob
    np.testing.assert_array_equal(fs.solve("leduc", "cfr(learner=prm+)", iterations=50).strategy.prob, plain)


def test_projection_gives_the_nearest_strategy():
    rng = np.random.default_rng(3)
    for n in (1, 2, 3, 10):
        for scale in (1e-12, 0.1, 1.0, 1e3, 1e17):
            point = scale * rng.normal(size=n)
            found = point.copy()
            project(0, n, found)
            assert found.min() >= 0
            assert found.sum() == pytest.approx(1)
            # the condition of optimality: what was taken off is the same where something is left, and no less elsewhere
            off = point - found
            assert (off[found > 0] >= off.max() - 1e-9 * max(scale, 1)).all()


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("cfr(learner=rwm(eta=1))", "eta must be below 1"),
        ("cfr(learner=lagrangian(degree=1.5))", "degree must be at least 2"),
    ],
)
def test_settings_with_which_nothing_is_learned_are_refused(spec, complaint):
    with pytest.raises(fs.SpecError, match=complaint):
        fs.solve("kuhn", spec, iterations=1)


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_shares_strategies_where_an_abstraction_asks_for_it(learner):
    result = fs.solve("bluff(faces=2,remember=1)", f"cfr(learner={learner})", iterations=300)
    assert result.nash_conv < 0.3
