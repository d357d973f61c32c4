"""Pictures of results can be read."""

import math
from itertools import pairwise

import pytest

from fogspiel.app.experiment_plots import figure_of
from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment.tables import Row, Table

LONG = ["mo-ismcts(simulations=1000)", "so-ismcts(simulations=1000)", "cheating-mcts(simulations=1000)"]
GAMES = ["kuhn", "leduc", "goofspiel", "bluff", "poker"]


def table(*by: tuple[str, list], measure: str = "points") -> Table:
    keys: list[tuple] = [()]
    for _, values in by:
        keys = [(*key, value) for key in keys for value in values]
    return Table(tuple(name for name, _ in by), measure, tuple(Row(key, Estimate(0.5, 0.4, 0.6), 9, 9) for key in keys))


def drawn(figure):
    figure.canvas.draw()
    return [axes for axes in figure.axes if axes.get_title() or len(figure.axes) <= 2]


@pytest.mark.parametrize("kind", ["bars", "heat"])
def test_names_are_turned_about_their_ends_where_they_do_not_fit(kind):
    def labels(names):
        by = [("agent", names)] if kind == "bars" else [("seat 0", names), ("seat 1", names)]
        return drawn(figure_of(table(*by), "x", kind))[0].get_xticklabels()

    for names in (LONG, [*LONG, "random"]):
        assert [label.get_text() for label in labels(names)] == names
        assert {(label.get_rotation(), label.get_ha(), label.get_rotation_mode()) for label in labels(names)} == {
            (30.0, "right", "anchor")
        }
    assert {label.get_rotation() for label in labels(["a", "b", "c"])} == {0.0}
    boxes = [label.get_window_extent() for label in labels(["one", "two", "three"])]
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


@pytest.mark.parametrize(
    ("kind", "by"),
    [
        ("bars", [("game", GAMES), ("agent", LONG)]),
        ("heat", [("game", GAMES), ("seat 0", LONG), ("seat 1", LONG)]),
        ("curves", [("game", GAMES), ("player", ["cfr"]), ("budget", [1, 10])]),
    ],
)
def test_a_panel_with_none_below_it_has_labels(kind, by):
    panels = drawn(figure_of(table(*by), "x", kind))
    shown = [any(label.get_visible() and label.get_text() for label in axes.get_xticklabels()) for axes in panels]
    assert shown == [False, False, True, True, True]
    left = [any(label.get_visible() and label.get_text() for label in axes.get_yticklabels()) for axes in panels]
    assert left == [True, False, False, True, False]


def test_a_single_run_is_drawn_without_an_interval():
    single = Table(("agent",), "points", (Row(("a",), Estimate(0.4, -math.inf, math.inf), 1, 1),))
    (axes,) = drawn(figure_of(single, "x", "bars"))
    assert axes.get_ylim()[1] < 1


def test_a_point_that_is_alone_has_its_interval():
    whole = table(("agent", ["a"]), ("n", [1, 2]))
    alone = Row(("b", 1), Estimate(0.5, 0.3, 0.7), 9, 9)
    (axes,) = drawn(figure_of(Table(whole.by, "points", (*whole, alone)), "x", "curves"))
    (bar,) = axes.containers
    assert bar.get_label() == "b"
    assert bar.has_yerr
