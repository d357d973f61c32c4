"""The words of the documents are read alike everywhere: by the interval of a difference, and a margin where one is told."""

import pytest
from tables import table_of

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row
from fogspiel.reproduce.judging import alike, at_most, far_below, less, nearer, row_of, trend


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
