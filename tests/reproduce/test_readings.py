"""The words of the documents are read alike everywhere: by the interval of a difference, and a margin where one is
told."""

import numpy as np
import pytest
from scipy import stats
from tables import table_of

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, tabulate
from fogspiel.reproduce.judging import (
    alike,
    all_below,
    at_most,
    difference,
    each,
    far_below,
    less,
    lowest,
    nearer,
    number,
    ratio,
    rises_somewhere,
    row_of,
    somewhere,
    trend,
)


def row(value, half=1.0):
    return Row((), Estimate(value, value - half, value + half), 9, 9)


@pytest.mark.parametrize(("one", "other", "told"), [(10, 12, True), (10, 11, None), (12, 10, False), (10, 10, None)])
def test_less_is_told_by_the_interval_of_the_difference(one, other, told):
    """Two intervals of 1 to either side are 1.4 together: they may overlap where the means are told apart."""
    assert less(row(one), row(other)) is told
    assert less(row(one, 1.05), row(12, 1.05)) is (True if one == 10 else None)


@pytest.mark.parametrize(("one", "told"), [(8, True), (10, True), (12, None), (14, False)])
def test_at_most_is_told_with_a_margin_within_which_results_are_equal(one, told):
    assert at_most(row(one), row(10), 2) is told
    assert at_most(row(one), 10, 2) is told
    assert at_most(-10, row(-one), 2) is told
    assert at_most(row(10, 0), row(10, 0)) is True


def test_what_is_level_is_at_most_the_other_only_within_a_margin():
    assert at_most(row(10), row(10)) is None
    assert at_most(row(10), row(10), 1.5) is True
    assert alike(row(10), row(10), 1.5) is True
    assert alike(row(10), row(13), 1.5) is False
    assert alike(row(10), row(11), 1.5) is None


@pytest.mark.parametrize(("one", "told"), [(50, True), (66, None), (80, False)])
def test_far_below_is_lower_than_two_thirds(one, told):
    assert far_below(row(one), row(100)) is told


def test_a_trend_may_falter_by_a_margin_and_must_get_somewhere():
    assert trend([row(x) for x in (10, 20, 19, 30)], 3) is True
    assert trend([row(x) for x in (10, 20, 14, 30)], 3) is False
    assert trend([row(x) for x in (10, 20, 18, 10.5)], 12) is None
    assert trend([row(x) for x in (10, 20, 18, 5)], 15) is False


@pytest.mark.parametrize("sign", [1, -1])
def test_one_is_nearer_to_a_number_on_either_side_of_it(sign):
    far = row(50 + 20 * sign)
    for apart, told in ((10, True), (-10, True), (30, False), (-30, False), (20, None)):
        assert nearer(row(50 + apart * sign), far, 50) is told


def test_of_a_row_that_is_not_there_nothing_is_told():
    nothing = row_of(table_of(("a",), {"a": 1.0}), "b")
    assert less(nothing, 5) is less(row(5), nothing) is at_most(nothing, row(5), 9) is at_most(7, nothing) is None
    assert alike(nothing, row(5), 9) is far_below(row(5), nothing) is nearer(nothing, row(5), 50) is None


def shown_above(bound):
    return lambda row: row.above(bound)


@pytest.mark.parametrize("runs", [3, 9])
def test_one_of_many_fails_only_by_students_interval_for_all_at_once(runs):
    """Of 12 claims, by the t quantiles of their degrees of freedom: an interval of 3 runs is 3.59 times as wide."""
    times = stats.t.ppf(1 - 0.025 / 12, runs - 1) / stats.t.ppf(0.975, runs - 1)
    for beyond, told in ((0.99, None), (1.01, False)):
        claims = [*[row(10)] * 11, row(-times * beyond)]
        assert each([Row((), one.estimate, runs, runs) for one in claims], shown_above(0)) is told
    assert each([row(10)] * 12, shown_above(0)) is True
    endless = Row((), Estimate(-1.0, -2.4, 0.4), 9, 9).with_freedom(1e15)
    assert each([row(10)] * 11 + [endless], shown_above(0)) is None
    assert each([row(10)] * 11 + [endless], shown_above(1.1)) is False  # the normal quantile is 1.46 times as far
    assert each([row(10)] * 11 + [row(0)], shown_above(0)) is None


def test_all_of_many_true_claims_are_seldom_told_to_fail():
    """Of 3 runs each, where every mean is level with what it is claimed not to be above."""
    rng, failed, rose, least = np.random.default_rng(6), 0, 0, 0
    times = stats.t.ppf(0.975, 2) / np.sqrt(3)
    for _ in range(200):
        runs = rng.normal(size=(12 + 6 + 4, 3))
        ends = zip(runs.mean(axis=1), times * runs.std(axis=1, ddof=1), strict=True)
        rows = [Row((i,), Estimate(x, x - half, x + half), 3, 3) for i, (x, half) in enumerate(ends)]
        found = rows[:12], rows[12:18], rows[18:]
        failed += each(found[0], lambda one: at_most(one, 0)) is False
        rose += rises_somewhere(table_of_rows("x", found[1]), "x") is True
        least += lowest(0, dict(enumerate(found[2]))) is False
    for told in (failed, rose, least):
        assert stats.binomtest(told, 200).proportion_ci(0.999).low < 0.05


def table_of_rows(name, rows):
    table = table_of(("search", "budget"), {})
    return type(table)(table.by, "", tuple(Row((name, *one.key), one.estimate, one.runs, one.deals) for one in rows))


@pytest.mark.parametrize(("won", "games"), [(2, 9), (15, 30), (29, 30)])
@pytest.mark.parametrize("worth", [1, 100])
def test_wins_fail_by_the_score_interval_for_all_at_once(won, games, worth):
    data = [
        {"cell": 0, "run": i, "deal": i, "weight": 1.0, "points": worth * float(i < won), "game": "g"}
        for i in range(games)
    ]
    first, wider = (tabulate(data, (), "points", bounds=(0, worth), confidence=c)[()] for c in (0.95, 1 - 0.05 / 12))
    sure = Row((), Estimate(1e3, 999, 1001), 9, 9)
    for beyond, told in ((0.001, False), (-0.001, None)):
        assert each([first] + [sure] * 11, shown_above(wider.high + beyond * worth)) is told


@pytest.mark.parametrize("values", [[1.0] * 6, [0.5] * 6, [0.5, 1.0] * 3, [0.0, 0.5, 1.0, 1.0]])
def test_points_fail_only_by_intervals_of_that_level(values):
    """As tables have them: of alike values, and cut off where points end."""
    data = [{"cell": 0, "run": i, "deal": i, "weight": 1.0, "points": x, "game": "g"} for i, x in enumerate(values)]
    first, wide = (tabulate(data, (), "points", confidence=c)[()] for c in (0.95, 1 - 0.05 / 12))
    least = first.low - 12 * (first.value - first.low) - 1
    sure = Row((), Estimate(least, least, least + 1e-9), 9, 9)
    assert each([first] + [sure] * 11, lambda row: row.below(wide.low + 1e-6)) is not False
    assert each([first] + [sure] * 11, lambda row: row.below(least)) is False


def test_what_is_exact_is_no_claim_that_could_be_wrong():
    exact = Row((), Estimate(1.0, 1.0, 1.0), 1, 1)
    assert each([exact] * 9 + [row(-1.1)], shown_above(0)) is False
    assert each([exact] * 9, shown_above(2)) is False
    assert each([difference(row(1), exact)] * 2, shown_above(3)) is False


def test_ratios_fail_by_students_intervals_of_both_results_for_all_at_once():
    times = stats.t.ppf(1 - 0.025 / 12, 8) / stats.t.ppf(0.975, 8)
    least, most = (2 - 0.1 * times) / (4 + 0.5 * times), (2 + 0.1 * times) / (4 - 0.5 * times)
    one = ratio(row(2, 0.1), row(4, 0.5))
    assert each([one] * 12, lambda row: row.above(most + 0.001)) is False
    assert each([one] * 12, lambda row: row.above(most - 0.001)) is None
    assert each([one] * 12, lambda row: row.below(least - 0.001)) is False
    assert each([one] * 12, lambda row: row.below(least + 0.001)) is None
    near = ratio(row(2, 0.1), row(4, 3.0))  # for all at once the second may be 0
    assert each([near], lambda row: row.above(3)) is False
    assert each([near] * 12, lambda row: row.above(3)) is None
    assert each([ratio(number(2), number(4))] * 12, lambda row: row.above(1)) is False


def test_a_ratio_may_be_what_any_two_numbers_of_the_intervals_make():
    for first, low, high in ((8, 7 / 5, 9 / 3), (0, -1 / 3, 1 / 3), (-8, -9 / 3, -7 / 5)):
        found = ratio(row(first), row(4))
        assert (found.low, found.high) == pytest.approx((low, high))


def test_what_holds_somewhere_is_told_by_intervals_for_all_at_once():
    times = stats.t.ppf(1 - 0.025 / 6, 8) / stats.t.ppf(0.975, 8)
    for beyond, told in ((0.99, None), (1.01, True)):
        assert somewhere([row(0)] * 5 + [row(times * beyond)], shown_above(0)) is told
    assert somewhere([row(-2)] * 6, shown_above(0)) is False
    assert somewhere([], shown_above(0)) is None


def test_of_several_together_all_must_hold_somewhere():
    """Of 6 points each has to be above both ends: each by intervals for 6, while one fails by intervals for the two."""
    six, two = (stats.t.ppf(1 - 0.025 / n, 8) / stats.t.ppf(0.975, 8) for n in (6, 2))
    for beyond, told in ((0.99, None), (1.01, True)):
        assert somewhere([[row(9), row(0)]] * 5 + [[row(9), row(six * beyond)]], shown_above(0)) is told
    for beyond, told in ((0.99, None), (1.01, False)):
        assert somewhere([[row(9), row(-two * beyond)]] * 6, shown_above(0)) is told
    assert somewhere([[row(9), row(-9)], [row(-9), row(9)]], shown_above(0)) is False
    assert somewhere([[]], shown_above(0)) is None


def test_all_below_is_told_for_all_pairs_at_once():
    assert all_below([(row(1), row(5)), (row(2), row(7))]) is True
    assert all_below([(row(1), row(5))] * 9 + [(row(2), row(0.5))]) is None
    assert all_below([(row(1), row(5))] * 9 + [(row(5), row(1))]) is False
