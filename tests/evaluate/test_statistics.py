"""Intervals, Elo, ratings and the sequential test, against SciPy and closed forms."""

import math
import random
from itertools import product

import numpy as np
import pytest
from scipy import optimize, special, stats

import fogspiel as fs
from fogspiel.evaluate.ratings import ratings, strengths
from fogspiel.evaluate.referee import GameRecord
from fogspiel.evaluate.samples import UNBOUNDED, sample
from fogspiel.evaluate.sequential import SequentialTest
from fogspiel.evaluate.standings import Comparison, comparisons, points, standings
from fogspiel.evaluate.statistics import (
    ELO,
    Estimate,
    beta_quantile,
    elo,
    expected_score,
    incomplete_beta,
    percentage,
    student_quantile,
)


def record(utilities, *, seats=(0, 1), deal=0, forfeit=None, seconds=(0.5, 0.25), decisions=(2, 1)):
    return GameRecord(utilities, (), seconds, decisions, forfeit, None, deal, seats)


def test_the_incomplete_beta_function_and_its_inverse_are_scipys():
    draw = random.Random(1)
    for _ in range(300):
        a, b = 10 ** draw.uniform(-0.5, 4), 10 ** draw.uniform(-0.5, 4)
        middle, spread = a / (a + b), math.sqrt(a * b / (a + b + 1)) / (a + b)
        x = min(max(draw.gauss(middle, 3 * spread), 0.0), 1.0)
        assert incomplete_beta(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-8, abs=1e-12)
    for p, a, b in product((0.025, 0.5, 0.975), (0.5, 1, 3, 200), (0.5, 1, 40)):
        assert beta_quantile(p, a, b) == pytest.approx(stats.beta.ppf(p, a, b), rel=1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 7, 30, 5000])
def test_students_quantile_is_scipys(freedom):
    assert student_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-9)


def wins(won, games):
    return sample([1.0] * won + [0.0] * (games - won), range(games))


@pytest.mark.parametrize(("won", "games"), [(3, 10), (50, 100), (999, 1000), (123, 4567)])
def test_the_interval_of_a_share_is_wilsons_by_students_quantile(won, games):
    found = wins(won, games).interval((0, 1))
    level = 2 * stats.norm.cdf(stats.t.ppf(0.975, games - 1)) - 1
    known = stats.binomtest(won, games).proportion_ci(level, "wilson")
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-9)
    worth = sample([-3.0] * won + [7.0] * (games - won), range(games)).interval((-3, 7))
    assert (worth.low, worth.high) == pytest.approx((7 - 10 * known.high, 7 - 10 * known.low), abs=1e-8)


@pytest.mark.parametrize("games", [1, 10, 300])
def test_without_a_win_or_a_loss_the_interval_is_that_of_clopper_and_pearson(games):
    bound = 1 - 0.025 ** (1 / games)
    for won, ends in ((0, (0, bound)), (games, (1 - bound, 1))):
        found = wins(won, games).interval((0, 1))
        assert (found.low, found.high) == pytest.approx(ends)


@pytest.mark.parametrize("limits", [UNBOUNDED, (-1e6, 1e6)])
def test_the_mean_of_independent_games_has_students_interval(limits):
    values = [1.0, -1.0, 0.5, 0.25, -0.5, 1.0]
    found = sample(values, range(6)).interval(limits)
    low, high = stats.t.interval(0.95, 5, np.mean(values), stats.sem(values))
    assert (found.value, found.low, found.high) == pytest.approx((np.mean(values), low, high))


def test_games_of_one_deal_count_as_one():
    # the deal decides: what one seat wins the other seat loses, and the mean of every deal is nearly the same
    values, deals = [1, -0.9, 1, -1.1, 1, -1.0], [0, 0, 1, 1, 2, 2]
    found = sample(values, deals).interval(UNBOUNDED)
    means = [np.mean(values[i : i + 2]) for i in (0, 2, 4)]
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, 2, np.mean(means), stats.sem(means)))
    assert found.high - found.low < sample(values, range(6)).interval(UNBOUNDED).high / 2


@pytest.mark.parametrize("deals", range(1, 9))
def test_fewer_than_six_deals_are_never_sure_whoever_wins_them(deals):
    """A coin falls five times on one side with 6 %, six times with 3 %, whatever else varies a little."""
    values = [1.0, 0.9] * deals
    found = sample(values, np.repeat(range(deals), 2)).interval((-1, 1))
    assert (found.low > 0) == (deals > 5)
    varied = sample([1.0 - 0.01 * (i % 3) for i in range(deals)], range(deals))
    assert varied.superiority((-1, 1)) <= 1 - 0.5**deals
    assert (varied.interval((-1, 1)).low > 0) == (varied.superiority((-1, 1)) > 0.975) == (deals > 5)


def test_the_interval_of_a_mean_holds_the_true_mean_nineteen_times_in_twenty():
    draw = np.random.default_rng(3)
    held = 0
    for _ in range(1000):
        shared = np.repeat(draw.normal(size=40), 2)
        found = sample(0.3 + shared + draw.normal(size=80), np.repeat(np.arange(40), 2)).interval((-99, 99))
        held += found.low <= 0.3 <= found.high
    assert 930 <= held <= 968


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("deals", [6, 20, 60])
def test_shares_are_in_their_intervals_wherever_they_are(share, deals):
    """Where both games of a deal go alike; exactly, over all that may be won."""
    held = sum(
        float(stats.binom.pmf(won, deals, share))
        for won in range(deals + 1)
        for found in [
            sample([float(i // 2 < won) for i in range(2 * deals)], np.arange(2 * deals) // 2).interval((0, 1))
        ]
        if found.low <= share <= found.high
    )
    assert held > 0.935


def test_equal_results_leave_room_for_what_was_not_seen():
    unseen = 1 - 0.025 ** (1 / 20)
    alike = sample([1.0] * 20, range(20)).interval((-1, 1))
    assert alike == Estimate(1.0, pytest.approx(1 - 2 * unseen), 1.0)
    alone = sample([0.5], [0]).interval((0, 1))
    assert alone == Estimate(0.5, pytest.approx(0.0125), pytest.approx(0.9875))


def test_elo_is_the_logistic_one():
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)
    for difference in (-300, -1, 50, 800):
        assert elo(expected_score(difference)) == pytest.approx(difference)
    assert Estimate(1.0, -math.inf, 2.0).as_dict() == {"value": 1.0, "low": None, "high": 2.0}


def test_a_point_is_shared_by_the_best_and_never_by_one_who_forfeits():
    assert points([1, -1]) == [1, 0]
    assert points([0, 0]) == [0.5, 0.5]
    assert points([2, 2, -4]) == [0.5, 0.5, 0]
    assert points([0, 0], [0]) == [0, 1]


def test_standings_add_up_wins_draws_losses_seats_forfeits_and_time():
    records = [
        record((1.0, -1.0)),
        record((0.0, 0.0), seats=(1, 0)),
        record((1.0, -1.0), deal=1, forfeit=1),
        record((3.0, -3.0), seats=(1, 0), deal=1),
        record((), deal=2),
    ]
    first, second = standings(records, 2, 2, (-3, 3))
    assert (first.games, first.wins, first.draws, first.losses, first.points, first.forfeits) == (4, 2, 1, 1, 2.5, 0)
    assert (second.wins, second.draws, second.losses, second.forfeits) == (1, 1, 2, 1)
    assert [(s.games, s.wins, s.draws, s.losses, s.utility) for s in first.seats] == [
        (2, 2, 0, 0, 1.0),
        (2, 0, 1, 1, -1.5),
    ]
    assert first.utility.value == pytest.approx(-0.25)
    assert first.decisions == 6
    assert first.seconds_a_move == pytest.approx(1.5 / 6)
    decided, _ = standings([record((1.0, -1.0), deal=d) for d in range(9)], 2, 2, (-1, 1))
    assert (decided.win_rate.low, decided.win_rate.high) == pytest.approx((0.025 ** (1 / 9), 1))


def test_who_plays_alone_is_compared_with_others_on_the_same_deal():
    records = [
        record((u,), seats=(a,), deal=d, seconds=(0,), decisions=(1,))
        for a, d, u in [(0, 0, 5.0), (1, 0, 3.0), (0, 1, 1.0), (1, 1, 1.0), (0, 2, 9.0)]
    ]
    assert [c.agents for c in comparisons(records, 1)] == [(0, 1), (0, 1), (0,)]
    first, second = standings(records, 2, 1, (0, 9))
    assert (first.games, first.wins, first.draws, first.losses) == (3, 1, 1, 0)
    assert (second.games, second.points) == (2, 0.5)


def test_ratings_are_the_likeliest_of_bradley_and_terry():
    won = np.array([[0, 30, 45], [20, 0, 28.5], [5, 21.5, 0]])
    found = strengths(won)
    more = won + 0.5 * (1 - np.eye(3))  # a drawn game more for each two

    def unlikelihood(strength):
        return -sum(
            more[i, j] * math.log(expected_score(ELO * (strength[i] - strength[j])))
            for i in range(3)
            for j in range(3)
            if i != j
        )

    best = optimize.minimize(unlikelihood, np.zeros(3)).x
    assert ELO * found == pytest.approx(ELO * (best - best.mean()), abs=0.01)
    assert sum(found) == pytest.approx(0, abs=1e-6)


def games_between(*results):
    """Who plays whom, each game a deal of its own, and what the first gets."""
    return [Comparison(d, (a, b), (0, 1), (u, -u)) for d, (a, b, u) in enumerate(results)]


def test_ratings_are_finite_for_who_never_lost_and_unknown_for_who_never_played():
    undefeated, beaten = ratings(games_between(*[(0, 1, 1.0)] * 50), 2)
    assert undefeated.value == pytest.approx(elo(50.5 / 51) / 2)
    assert beaten.value == -undefeated.value
    assert undefeated.low > 0 > beaten.high
    lonely = ratings(games_between((0, 1, 1.0), (1, 0, 1.0)), 3)[2]
    assert (lonely.value, lonely.low, lonely.high) == (0, -math.inf, math.inf)
    assert [r.low for r in ratings([], 2)] == [-math.inf, -math.inf]


def test_ratings_of_two_have_the_interval_of_their_elo_difference():
    draw = np.random.default_rng(2)
    games = games_between(*((0, 1, draw.choice([1.0, 0.0, -1.0], p=[0.6, 0.1, 0.3])) for _ in range(400)))
    won = sample([c.points[0] for c in games], range(400)).interval((0, 1))
    found = ratings(games, 2)[0]
    for end in ("value", "low", "high"):
        assert getattr(found, end) == pytest.approx(elo(getattr(won, end)) / 2, abs=0.4)


def test_a_game_of_three_counts_as_a_result_between_every_two():
    three = [Comparison(d, (2, 0, 1), (0, 1, 2), (4.0, -2.0, -2.0)) for d in range(20)]
    two = [
        Comparison(d, pair, (0, 1), u)
        for d in range(20)
        for pair, u in (((2, 0), (4, -2)), ((2, 1), (4, -2)), ((0, 1), (0, 0)))
    ]
    for one, other in zip(ratings(three, 3), ratings(two, 3), strict=True):
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


@pytest.mark.parametrize(
    "bad", [(50, 0, 0.05, 0.05), (0, 0, 0.05, 0.05), (0, 10, 0, 0.05), (0, 10, 0.05, 0.7), (0, math.inf, 0.05, 0.05)]
)
def test_a_test_that_makes_no_sense_is_refused(bad):
    with pytest.raises(fs.SpecError):
        SequentialTest(*bad)


def test_the_ratio_of_the_sequential_test_is_that_of_the_likeliest_distributions():
    test, counts = SequentialTest(-10, 40), {0.0: 3, 0.25: 8, 0.5: 20, 0.75: 14, 1.0: 6}
    scores, n = np.array(list(counts)), np.array(list(counts.values()))

    def best(mean):
        limits = [{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lambda p: p @ scores - mean}]
        return -optimize.minimize(
            lambda p: -(n * np.log(p)).sum(), np.full(5, 0.2), bounds=[(1e-9, 1)] * 5, constraints=limits, tol=1e-12
        ).fun

    assert test.ratio(counts) == pytest.approx(best(expected_score(40)) - best(expected_score(-10)), abs=1e-3)
    assert test.ratio(dict.fromkeys(counts, 0)) == 0


def test_a_run_of_wins_decides_the_sequential_test_only_after_a_while():
    test = SequentialTest(0, 50)
    ratios = [test.ratio({0.0: 0, 0.5: 0, 1.0: n}) for n in range(40)]
    # all wins: each is likelier by expected score, log(0.5715 / 0.5)
    assert ratios[30] == pytest.approx(30 * math.log(expected_score(50) / 0.5), rel=0.01)
    assert test.verdict(ratios[20]) is None
    assert test.verdict(ratios[30]) == 50


@pytest.mark.parametrize("true", [0, 60])
def test_the_sequential_test_errs_no_oftener_than_it_may(true):
    draw, test, runs = np.random.default_rng(5 + true), SequentialTest(0, 60, 0.1, 0.1), 80
    more = expected_score(true) - 0.5
    wrong = 0
    for _ in range(runs):
        counts, verdict = {0.0: 0, 0.5: 0, 1.0: 0}, None
        while verdict is None:
            counts[draw.choice([0.0, 0.5, 1.0], p=[0.4 - more, 0.2, 0.4 + more])] += 1
            verdict = test.verdict(test.ratio(counts))
        wrong += verdict != true
    assert wrong <= stats.binom.ppf(0.995, runs, 0.1)


def test_games_make_nothing_certain():
    assert [percentage(p) for p in (0.0, 0.0001, 0.5, 0.9999, 0.99991, 1.0)] == [
        "<0.01%",
        "0.01%",
        "50.00%",
        "99.99%",
        ">99.99%",
        ">99.99%",
    ]
