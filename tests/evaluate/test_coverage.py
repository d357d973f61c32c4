"""Intervals of matches hold what is true in 95 of a hundred matches, also where the deal decides:
`benchmarks/coverage.py` in short, with results drawn and not played. Seeds are fixed; the bounds are three standard
errors away from what is to be expected."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import fogspiel as fs
from fogspiel.evaluate.bout import Schedule
from fogspiel.evaluate.referee import GameRecord
from fogspiel.evaluate.sequential import Sequence, SequentialTest, UtilityTest
from fogspiel.experiment.differences import compare


def played(leads, *, agents=2, duplicate=True, by="wins", utility=(-1, 1)):
    """A match in a zero-sum game of two, by what the agent of the lower number got in each game."""
    deals = len(leads) // (agents * (agents - 1))
    schedule = Schedule(agents, 2, 2 * deals, 0, duplicate)
    games = {}
    for n, lead in enumerate(leads):
        seats = schedule.seats(n)
        got = float(lead) if seats[0] < seats[1] else -float(lead)
        deal = n // schedule.games_a_deal if duplicate else n
        games[n] = GameRecord((got, -got), (), (0.0, 0.0), (1, 1), None, None, deal, seats)
    names = tuple(map(str, range(agents)))
    return fs.MatchResult(
        "drawn",
        names,
        (False,) * agents,
        games,
        schedule,
        utility,
        None,
        1,
        "games",
        len(games),
        1.0,
        None,
        None,
        "",
        None,
        by,
    )


def coin(draw, deals):
    """Heads against tails: the coin of a deal decides both its games."""
    return np.repeat(draw.choice([-1, 1], deals), 2)


def coins(draw, deals):
    """The same, with a coin a game."""
    return draw.choice([-1, 1], 2 * deals)


def cards(draw, deals):
    """The better cards mostly win, which change hands with the seats."""
    better = np.repeat(draw.choice([-1, 1], deals), 2) * np.tile([1, -1], deals)
    return np.where(draw.random(2 * deals) < 0.85, better, -better) * draw.choice([1, 2], 2 * deals)


def shares(matches):
    """Of matches of two equals, how often the win rate and the utility of the first were in their intervals, how often
    one was surely the stronger, and how wide the intervals of the win rate were in the mean."""
    held = []
    for one in matches:
        rate, utility = one.standings[0].win_rate, one.standings[0].utility
        sure = not 0.025 <= one.superiority <= 0.975
        held.append((rate.low <= 0.5 <= rate.high, utility.low <= 0 <= utility.high, sure, rate.high - rate.low))
    return np.mean(held, axis=0)


@pytest.mark.parametrize(
    ("results", "deals", "duplicate"), [(coin, 20, True), (coins, 20, False), (cards, 30, True), (cards, 30, False)]
)
def test_intervals_of_matches_hold_what_is_true_in_95_of_a_hundred(results, deals, duplicate):
    draw = np.random.default_rng(1927)
    found = [played(results(draw, deals), duplicate=duplicate, utility=(-2, 2)) for _ in range(800)]
    rate, utility, sure, _ = shares(found)
    assert 0.93 <= rate <= 0.977
    assert 0.93 <= utility <= 0.977
    assert 0.023 <= sure <= 0.07


@pytest.mark.parametrize("results", [coin, coins, cards])
@pytest.mark.parametrize("by", ["wins", "utility"])
def test_of_three_deals_they_hold_it_no_less_often(results, by):
    draw = np.random.default_rng(1928)
    rate, utility, sure, _ = shares([played(results(draw, 3), by=by, utility=(-2, 2)) for _ in range(500)])
    assert min(rate, utility) >= 0.94
    assert sure <= 0.06


def test_intervals_are_no_wider_for_chance_that_both_seats_have():
    """As games apart the shares of 40 wins would have intervals 0.32 wide (Clopper and Pearson)."""
    draw = np.random.default_rng(1929)
    *_, width = shares([played(cards(draw, 20), utility=(-2, 2)) for _ in range(100)])
    assert width < 0.25


@pytest.mark.parametrize("duplicate", [True, False])
def test_where_the_seat_decides_agents_are_level_by_few_deals(duplicate):
    """Who moves first wins: with every order of the seats all is even, whatever the deals."""
    leads = np.tile([1, -1], 20)
    even = played(leads, duplicate=duplicate).standings[0].win_rate
    assert (even.low, even.high) == pytest.approx((0.5 * 0.025 ** (1 / 20), 1 - 0.5 * 0.025 ** (1 / 20)))
    match = played(np.tile([1, -1], 300), duplicate=duplicate)
    sequence = Sequence(SequentialTest(0, 100), match.schedule, (-1, 1))
    assert sequence.decided(match.games)
    assert sequence.reached < 100
    assert sequence.test.verdict(sequence.ratio) == 0


def right(draw, deals, heads):
    """The leads of a round robin in guessing a coin, by how often each agent says heads."""
    for _ in range(deals):
        heads_up = draw.random() < 0.5
        for a, b in combinations(heads, 2):
            for _ in range(2):
                first, second = ((draw.random() < p) == heads_up for p in (a, b))
                yield int(first) - int(second)


@pytest.mark.parametrize("by", ["wins", "utility"])
@pytest.mark.parametrize(("deals", "most"), [(3, 1.0), (20, 0.977)])
def test_ratings_hold_what_is_true_where_the_deal_decides(by, deals, most):
    draw, held = np.random.default_rng(1930), []
    for _ in range(300):
        match = played(list(right(draw, deals, (1, 0, 0.5, 0.75))), agents=4, by=by)
        held += [r.low <= 0 <= r.high for r in match.ratings]
    assert 0.935 <= np.mean(held) <= most


@pytest.mark.parametrize(
    ("test", "results", "duplicate"),
    [(SequentialTest(0, 200), coin, True), (SequentialTest(0, 200), coins, False), (UtilityTest(0, 2), cards, True)],
)
def test_sequential_tests_err_no_oftener_than_they_may_where_the_deal_decides(test, results, duplicate):
    draw, wrong, runs = np.random.default_rng(1931), 0, 300
    for _ in range(runs):
        match = played(results(draw, 200), duplicate=duplicate, utility=(-2, 2))
        sequence = Sequence(test, match.schedule, match.utility)
        sequence.decided(match.games)
        wrong += test.verdict(sequence.ratio) == test.hypotheses[1]
    assert wrong <= stats.binom.ppf(0.995, runs, 0.05)


@pytest.mark.parametrize(("deals", "most"), [(4, 0.0), (30, 0.075)])
def test_equals_on_the_same_deals_are_seldom_told_apart(deals, most):
    """Each plays every deal twice, and the deal decides most of it."""
    draw, found = np.random.default_rng(1932), []
    for _ in range(400):
        kind = draw.choice([0.1, 0.9], deals)
        rows = [
            {"agent": agent, "deal": d, "run": d, "weight": 1.0, "game": "g", "points": float(draw.random() < kind[d])}
            for agent in "ab"
            for d in range(deals)
            for _ in range(2)
        ]
        (apart,) = compare(rows, "agent", "points")
        assert (apart.p < 0.05) == (not apart.estimate.low <= 0 <= apart.estimate.high)
        found.append(apart.p < 0.05)
    assert np.mean(found) <= most
