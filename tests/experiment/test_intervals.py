"""Which interval results have: by what a store knows of their experiment, by how deals weigh, and by how many are asked
of at once."""

import numpy as np
import pytest
from scipy import stats

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.intervals import interval_of
from fogspiel.experiment.tables import Row, Table, tabulate


@pytest.mark.parametrize(
    ("facts", "interval"),
    [
        ({}, "auto"),
        ({"deterministic": False}, "auto"),
        ({"deterministic": True}, "none"),
        ({"luck": True}, "auto"),
        ({"luck": False}, "none"),
    ],
)
def test_what_is_deterministic_has_none_in_stores_of_before_too(facts, interval):
    assert interval_of(facts) == interval


def games(values, weights=None, again=1):
    """Games of as many deals, each played again and again with the same result."""
    return [
        {
            "cell": 0,
            "run": len(values) * k + i,
            "deal": i,
            "weight": 1.0 if weights is None else weights[i],
            "points": x,
            "game": "g",
        }
        for k in range(again)
        for i, x in enumerate(values)
    ]


@pytest.mark.parametrize("again", [1, 20])
@pytest.mark.parametrize("value", [1.0, 0.5, 0.0])
def test_a_bootstrap_of_values_that_are_all_alike_leaves_open_what_the_others_do(value, again):
    """By deals: that one was played again and again tells nothing of others."""
    drawn, usual = (
        tabulate(games([value] * 5, again=again), (), "points", interval=i)[()] for i in ("bootstrap", "auto")
    )
    assert (drawn.low, drawn.high) == (usual.low, usual.high)
    if value == 1:
        assert (drawn.low, drawn.high) == pytest.approx((0.025**0.2, 1))
    (alone,) = tabulate([row | {"y": 3.0} for row in games([value] * 5)], (), "y", interval="bootstrap")
    assert (alone.low, alone.high) == (-np.inf, np.inf)


@pytest.mark.parametrize("weights", [[0.5] + [0.05] * 8, [0.4, 0.3, 0.1, 0.05], [0.1] * 5])
def test_deals_of_which_few_weigh_most_are_no_surer_than_as_many_of_equal_weight(weights):
    """A part of all deals, as those of `EveryDeal(step=3)` are."""
    rng, held = np.random.default_rng(2), 0
    for _ in range(300):
        row = tabulate([one | {"y": rng.normal()} for one in games([0.0] * len(weights), weights)], (), "y")[()]
        held += row.low <= 0 <= row.high
    assert stats.binomtest(held, 300).proportion_ci(0.999).high > 0.95


def test_a_deal_that_is_nearly_all_of_the_weight_is_like_a_single_one():
    (row,) = tabulate([one | {"y": 3.0 * one["deal"]} for one in games([0.0, 0.0], [1.0, 1e-9])], (), "y")
    assert (row.low, row.high) == (-np.inf, np.inf)


def test_that_printed_numbers_are_not_found_is_told_by_intervals_for_all_at_once():
    times = stats.t.ppf(1 - 0.025 / 20, 8) / stats.t.ppf(0.975, 8)
    for off, told in ((0.9, True), (1.1, None), (times - 0.01, None), (times + 0.01, False)):
        rows = [Row((i,), Estimate(0.0, -1.0, 1.0), 9, 9, off * (i == 0)) for i in range(20)]
        assert Table(("x",), "y", tuple(rows)).agrees() is told
    exact = [Row((i,), Estimate(0.0, 0.0, 0.0), 1, 1, 0.1 * (i == 0)) for i in range(20)]
    assert Table(("x",), "y", tuple(exact)).agrees() is False
