"""Criteria pass by what was printed and fail by the reverse (Lisý et al. 2013); what they are computed from is right."""

import math
from statistics import fmean, stdev

import pytest
from tables import table_of

from fogspiel.reproduce.lisy_2013 import means, worst_cases
from fogspiel.reproduce.lisy_2013.measuring import floor, losses
from fogspiel.solve.response import form_of


def falling(gap, floors=(0.01, 0.02, 0.03), start=0.2):
    """Curves of two methods over three settings; RMM is `gap` above RM, more so in later settings."""
    found = {}
    for i, low in enumerate(floors):
        for n, x in ((10, start), (100, 0.1), (1000, low)):
            found |= {(i, "RM", n): x, (i, "RMM", n): x + gap * (i + 1), (i, means.GAP, n): gap * (i + 1)}
    return found


def test_means_are_slower_and_more_so_in_deeper_games():
    by = ("depth", "method", "simulations")
    assert means.the_gap_grows_with_the_depth(table_of(by, falling(0.01)))
    assert means.the_gap_grows_with_the_depth(table_of(by, falling(0.01), half=0.1)) is None
    assert not means.the_gap_grows_with_the_depth(table_of(by, falling(-0.01)))
    assert not means.the_gap_grows_with_the_depth(table_of(by, falling(0.01, start=0.05)))


@pytest.mark.parametrize("floors", [(0.01, 0.02, 0.03), (0.03, 0.02, 0.01)])
def test_more_exploration_ends_higher(floors):
    gammas = (0.05, 0.1, 0.2)
    found = {(2, gammas[i], method, n): x for (i, method, n), x in falling(0.001, floors).items()}
    table = table_of(("actions", "gamma", "method", "simulations"), found)
    assert means.more_exploration_costs_more(table) == (floors[0] < floors[-1])


@pytest.mark.parametrize("slower", [0.1, -0.1])
def test_means_are_never_faster_in_hard_games(slower):
    found = {
        (game, name, n): 1 + slower * name.endswith("M") * (name != "RM")
        for game in ("even", "late")
        for name in ("RM", "RMM", "Exp3", "Exp3M")
        for n in (100, 1000)
    }
    table = table_of(("game", "method", "simulations"), found, half=0.01)
    assert worst_cases.means_are_never_faster(table) is (slower > 0)
    assert worst_cases.means_are_never_faster(table_of(table.by, found, half=0.5)) is None
    assert not worst_cases.the_floor_is_reached(table_of(table.by, dict.fromkeys(found, 1.06)))
    assert worst_cases.the_floor_is_reached(table_of(table.by, dict.fromkeys(found, 1.04)))
    assert worst_cases.the_floor_is_reached(table_of(table.by, dict.fromkeys(found, 1.04), half=0.02)) is None


def test_the_search_for_hard_games_is_judged():
    assert worst_cases.hard_for_both(table_of((), {(): 0.5}, 0.2))
    assert worst_cases.hard_for_both(table_of((), {(): 0.2}, 0.2)) is None
    assert worst_cases.hard_for_both(table_of((), {(): 0.05}, 0.02)) is False
    assert worst_cases.never_better(table_of((), {(): 0}))
    assert not worst_cases.never_better(table_of((), {(): 0.25}))


def test_games_are_measured_by_both_methods():
    found = means.in_a_random_game(3, "rm", 2, 2, 0.1, 10, 2)
    assert found["simulations"] == [10, 100, 1000] * 3
    (rm, rmm, gap) = (found["exploitability"][i : i + 3] for i in (0, 3, 6))
    assert gap == pytest.approx([b - a for a, b in zip(rm, rmm, strict=True)])
    assert all(0 <= x <= 1 for x in rm + rmm)
    searched = worst_cases.on_any_game(3, "rm", 4, 2, 3)
    assert set(searched) == {"shared", "correlation", "better"}


def test_the_floor_of_the_hardest_game_is_the_computed_one():
    # recomputed from the matrices: the optimal strategy with 5% of uniform play mixed in loses 0.0369 in the first game
    assert floor(form_of("worst_case"), 0.05) == pytest.approx(0.0369, abs=5e-5)


@pytest.mark.parametrize(("how", "known"), [("no", 0.174), ("yes", 0.229)])
def test_the_hardest_game_is_as_hard_as_for_the_printed_pseudo_code(how, known):
    # Algorithm 1 of Lisý et al. 2013 written down literally, 4000 runs: gamma 0.05, 1000 simulations
    form = form_of("worst_case")
    spec = f"sm-mcts(selection=rm,means={how},growth=joint,unplayed=zero,gamma=0.05,nodes=1024)"
    found = [losses(form, 1.0, spec, [1000], seed)[0] for seed in range(200)]
    assert fmean(found) == pytest.approx(known, abs=4 * stdev(found) / math.sqrt(len(found)))
