"""Criteria pass by what was printed and fail by the reverse (Lisý et al. 2013); what they are computed from is
right."""

import math
from statistics import fmean, stdev

import pytest
from tables import table_of

import fogspiel as fs
from fogspiel.reproduce.lisy_2013 import means, worst_cases
from fogspiel.reproduce.lisy_2013.measuring import floor, losses


def falling(gap, floors=(0.01, 0.02, 0.03), start=0.2, middle=0.1):
    """Curves of two methods over three settings; RMM is `gap` above RM, more so in later settings."""
    found = {}
    for i, low in enumerate(floors):
        for n, x in ((10, start), (100, middle), (1000, low)):
            found |= {(i, "RM", n): x, (i, "RMM", n): x + gap * (i + 1), (i, means.GAP, n): gap * (i + 1)}
    return found


BOTH = [means.STEP_BY_STEP, means.FLATTENING]


@pytest.mark.parametrize("claims", BOTH)
def test_means_are_slower_and_more_so_in_deeper_games(claims):
    by, judge = ("depth", "method", "simulations"), claims.and_the_gap_grows_with_the_depth
    assert judge(table_of(by, falling(0.01)))
    assert judge(table_of(by, falling(0.01), half=0.1)) is None
    assert not judge(table_of(by, falling(-0.01)))
    assert not judge(table_of(by, falling(0.01, start=0.005)))


def test_curves_must_fall_step_by_step_or_end_lower_and_flat():
    by = ("depth", "method", "simulations")
    for middle, step_by_step, flattening in ((0.1, True, True), (0.15, True, False), (0.25, False, False)):
        table = table_of(by, falling(0.01, middle=middle))
        told = [claims.and_the_gap_grows_with_the_depth(table) for claims in BOTH]
        assert told == [step_by_step, flattening]


def test_means_may_be_ahead_at_first_where_that_is_allowed():
    by = ("depth", "method", "simulations")
    ahead = falling(0.01) | {(i, means.GAP, 10): -0.1 for i in range(3)}
    told = [claims.and_the_gap_grows_with_the_depth(table_of(by, ahead)) for claims in BOTH]
    assert told == [True, False]


@pytest.mark.parametrize("claims", BOTH)
@pytest.mark.parametrize("floors", [(0.01, 0.02, 0.03), (0.03, 0.02, 0.01)])
def test_more_exploration_ends_higher_with_every_number_of_actions(claims, floors):
    gammas, by = (0.05, 0.1, 0.2), ("actions", "gamma", "method", "simulations")

    def with_actions(actions, ends):
        return {(actions, gammas[i], method, n): x for (i, method, n), x in falling(0.001, ends).items()}

    judge = claims.and_more_exploration_ends_higher
    assert judge(table_of(by, with_actions(2, floors))) == (floors[0] < floors[-1])
    both = with_actions(2, (0.01, 0.02, 0.03)) | with_actions(5, floors)
    assert judge(table_of(by, both)) == (floors[0] < floors[-1])


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
    assert not worst_cases.the_floor_is_reached(table_of(table.by, dict.fromkeys(found, 0.94)))
    assert worst_cases.the_floor_is_reached(table_of(table.by, dict.fromkeys(found, 1.04)))
    assert worst_cases.the_floor_is_reached(table_of(table.by, dict.fromkeys(found, 1.04), half=0.02)) is None


@pytest.mark.parametrize(
    ("before", "last", "passes"), [(1.5, 1.3, True), (1.3, 1.3, False), (1.2, 1.3, False), (1.5, 0.9, False)]
)
def test_exp3_must_come_to_the_floor_from_above(before, last, passes):
    found = {(game, name, n): 1.0 for game in ("even", "late") for name in ("RM", "RMM") for n in (10, 100)}
    found |= {
        (game, name, n): x
        for game in ("even", "late")
        for name in ("Exp3", "Exp3M")
        for n, x in ((10, before), (100, last))
    }
    assert worst_cases.all_come_to_the_floor(table_of(("game", "method", "simulations"), found)) is passes


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
    assert floor(fs.sequence_form("worst_case"), 0.05) == pytest.approx(0.0369, abs=5e-5)


@pytest.mark.parametrize(("how", "known"), [("no", 0.174), ("yes", 0.229)])
def test_the_hardest_game_is_as_hard_as_for_the_printed_pseudo_code(how, known):
    # Algorithm 1 of Lisý et al. 2013 written down literally, 4000 runs: gamma 0.05, 1000 simulations
    form = fs.sequence_form("worst_case")
    spec = f"sm-mcts(bandit=rm(gamma=0.05,unplayed=zero),means={how},growth=joint,nodes=1024)"
    found = [losses(form, 1.0, spec, [1000], seed)[0] for seed in range(200)]
    assert fmean(found) == pytest.approx(known, abs=4 * stdev(found) / math.sqrt(len(found)))
