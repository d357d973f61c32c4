"""Values that nobody here chose: closed forms, OpenSpiel's and the literature's."""

import pytest

import fogspiel as fs
from fogspiel.solvers.exact.induction import stages

VALUES = {
    "kuhn": -1 / 18,
    "leduc": -0.0856064240780,
    "leduc(see_suits=yes)": -0.0856064240780,
    "bluff(faces=2)": 1 / 2,
    "bluff(faces=3)": 1 / 9,
    "bluff(faces=4)": 1 / 16,
    "bluff(faces=5)": 0.008,
    "liars_dice": -7 / 258,
    "small_poker": -0.11135308803867544,
    "goofspiel(cards=3)": 0.0,
    "goofspiel(cards=4)": 0.0,
    "goofspiel(cards=5)": 0.0,
    "nonlocality": 1.0,
    "matrix(game=rps)": 0.0,
    "matrix(game=tie_break)": 0.0,
}


@pytest.mark.parametrize("game", VALUES)
def test_the_linear_program_gives_the_known_value(game):
    result = fs.solve(game, "lp")
    assert result.value[0] == pytest.approx(VALUES[game], abs=1e-9)
    assert result.value[1] == pytest.approx(-VALUES[game], abs=1e-9)
    assert abs(result.nash_conv) < 1e-9


@pytest.mark.parametrize(
    ("game", "win", "error"), [("pig(dice=1)", 0.5306, 5e-5), ("pig(target=30)", 0.56141875846, 1e-9)]
)
def test_value_iteration_solves_pig(game, win, error):
    # one die: Neller and Presser 2004; two dice: an independent value iteration over the same rules
    result = fs.solve(game, "value-iteration")
    assert (result.value[0] + 1) / 2 == pytest.approx(win, abs=error)


def test_stages_of_goofspiel_that_need_mixing_are_as_recomputed():
    # Lisý 2014, sec. 4.1, prints (0, 1) at the root and (334, 66) at depth 2: there his solver mixed in a pure-solvable
    # stage
    assert stages("goofspiel(cards=5,bids=open)").count() == [(1, 0), (17, 8), (336, 64), (3354, 246), (14400, 0)]


def test_stages_of_oshi_zumo_are_as_many_as_printed():
    found = stages("oshi_zumo")
    totals = [pure + mixed for pure, mixed in found.count()]
    assert totals == [1, 99, 2016, 14784, 48546, 79926, 69938, 33538, 8351, 861]
    assert [mixed for _, mixed in found.count()] == [0, 0, 2, 14, 8, 0, 0, 0, 0, 0]
    assert found.value[0] == 0


@pytest.mark.parametrize(("coins", "mixed"), [(10, 0), (11, 0), (12, 1)])
def test_oshi_zumo_has_a_pure_equilibrium_up_to_eleven_coins(coins, mixed):
    assert stages(f"oshi_zumo(coins={coins})").count()[0] == (1 - mixed, mixed)


def test_backward_induction_agrees_with_the_linear_program():
    for game in (
        "goofspiel(cards=4,bids=open)",
        "goofspiel(cards=3,bids=open,payoff=points)",
        "random_game(actions=3,depth=3,seed=4)",
    ):
        found, exact = fs.solve(game, "backward-induction"), fs.solve(game, "lp")
        assert found.value[0] == pytest.approx(exact.value[0], abs=1e-9)
        assert abs(found.nash_conv) < 1e-9


def test_value_iteration_and_backward_induction_agree_that_tic_tac_toe_is_a_draw():
    assert fs.solve("tic_tac_toe", "value-iteration").value == (0.0, 0.0)
    assert fs.solve("tic_tac_toe", "backward-induction").value == (0.0, 0.0)
