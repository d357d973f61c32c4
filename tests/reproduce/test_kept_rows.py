"""Rows that come with the package: what one run tells, and printed numbers as printed."""

import json
import math

import pytest

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.tables import Row, Table, tabulate
from fogspiel.reproduce.deciding import narrowed
from fogspiel.reproduce.judging import each
from fogspiel.reproduce.pages import grid
from fogspiel.reproduce.stored import _listed, _table


def one(seed: int) -> dict:
    return {"v": 1.0}


def kept(*row: float | None, **declared) -> Row:
    experiment = Measurements(about="x", function=one, measure="v", scales={"small": Scale(1)}, **declared)
    (found,) = _table(experiment, {"by": ["x"], "measure": "v", "rows": [["a", *row]]})
    return found


def test_a_kept_row_of_one_run_is_exact_only_if_it_was_declared_deterministic():
    assert kept(3.0, 3.0, 3.0, 1, 1, deterministic=True).above(2) is True
    for runs in (1, 5):
        assert kept(3.0, 3.0, 3.0, runs, runs).above(2) is None
    assert kept(0.5, 0.5, 0.5, 9, 9, bounds=(0.0, 1.0)).above(0.2) is True
    assert kept(3.0, 2.5, 3.5, 4, 4).above(2) is True


def test_an_interval_without_ends_is_kept_as_json_and_more_runs_are_taken_to_be_alike():
    row = kept(3.0, None, None, 1, 1)
    assert (row.low, row.high) == (-math.inf, math.inf)
    assert json.loads(json.dumps(_listed(row), allow_nan=False)) == ["a", 3.0, None, None, 1, 1]
    table = Table(("x",), "v", (row,))
    assert [next(iter(narrowed(table, times))).above(2) for times in (1, 2)] == [None, True]
    assert grid(table)[2] == ["a", "3 (no interval)"]


@pytest.mark.parametrize(("weights", "plays"), [((8, 8, 1, 1, 1, 1), 1), ((5, 5, 5), 4)])
def test_rows_of_weighted_deals_are_as_sure_when_kept(weights, plays):
    """Of a sample of deals few may count for nearly all (Kish 1965); of all deals, how each was played varies."""
    every_deal = {"enumerated": True, "game": "g", "points": 0} if plays > 1 else {}
    data = [
        {
            "cell": 0,
            "run": n * len(weights) + d,
            "deal": d,
            "weight": w / sum(weights),
            "x": "a",
            "v": math.sin(5 * n + 2 * d),
        }
        | every_deal
        for n in range(plays)
        for d, w in enumerate(weights)
    ]
    (row,) = tabulate(data, ["x"], "v")
    again = kept(*json.loads(json.dumps(_listed(row)))[1:])
    assert (again.freedom, again.deals) == (pytest.approx(row.freedom), len(weights))
    older = kept(*_listed(row)[1:6])
    assert older.freedom == len(weights) - 1 != row.freedom
    assert [each([one] * 12, lambda one: one.above(row.among(12).high + 1e-6)) for one in (row, again)] == [False] * 2
    assert [each([one] * 12, lambda one: one.above(row.among(12).high - 1e-6)) for one in (row, again)] == [None] * 2


def test_degrees_of_freedom_that_are_whole_but_for_rounding_are_whole():
    row = Row((), Estimate(0.0, -1.0, 1.0), 9, 9)
    nearly, less = (row.with_freedom(freedom).among(12).high for freedom in (3 - 1e-12, 2.9))
    assert nearly == row.with_freedom(3).among(12).high < less


@pytest.mark.parametrize(("printed", "shown"), [(43.25, "43.25"), (10.21, "10.21"), (704643030.0, "704,643,030")])
def test_the_page_shows_printed_numbers_as_printed(printed, shown):
    table = Table(("x",), "v", (Row(("a",), Estimate(43.3, 43.1, 43.5), 9, 9, printed),))
    assert grid(table)[2][1].endswith(f" [{shown}]")
