"""Bluff with the rounds below as payoffs: Bluff(2,1) and Bluff(2,2) of Lanctot 2013, sec. 3.1.1."""

import pytest
from positions import after, load

import fogspiel as fs
from fogspiel.app.sizes import bluff_sizes
from fogspiel.games.bluff import WORTH

WILD = ("no", "yes")


def worth(faces, wild, dice):
    return WORTH[WILD.index(wild), faces - 2, dice - 1]


@pytest.mark.parametrize("wild", WILD)
@pytest.mark.parametrize(("dice", "faces"), [(1, 2), (1, 3), (1, 4), (2, 2), (2, 3)])
def test_a_round_is_worth_what_the_linear_program_says(dice, faces, wild):
    exact = fs.solve(f"bluff(dice1={dice},faces={faces},wild={wild},rounds=valued)", "lp").value[0]
    assert exact == pytest.approx(worth(faces, wild, dice), abs=1e-9)


@pytest.mark.parametrize("wild", WILD)
def test_a_larger_round_is_worth_what_is_left_between_two_best_responses(wild):
    result = fs.solve(f"bluff(dice1=2,faces=4,wild={wild},rounds=valued)", "pcfr+", iterations=300, points=1)
    assert result.exploitability < 0.005
    assert result.value[0] == pytest.approx(worth(4, wild, 2), abs=result.exploitability)


@pytest.mark.parametrize("dice", [(2, 1), (1, 2)])
@pytest.mark.parametrize("wild", WILD)
def test_a_round_with_the_values_below_is_worth_as_much_as_the_match(dice, wild):
    given = f"dice1={dice[0]},dice2={dice[1]},faces=2,wild={wild}"
    match, valued = (fs.unroll(f"bluff({given},rounds={rounds})") for rounds in ("match", "valued"))
    assert match.size > 4 * valued.size
    assert fs.solve(match, "lp").value[0] == pytest.approx(fs.solve(valued, "lp").value[0], abs=1e-9)


def test_more_dice_are_worth_more_and_the_values_are_those_of_the_literature():
    assert (WORTH[:, :, 0] < WORTH[:, :, 1]).all()
    assert worth(6, "yes", 1) == pytest.approx(-0.02713178294573644)
    # found independently, within 0.0005, with the rules of the thesis
    assert worth(6, "yes", 2) == pytest.approx(0.6150, abs=5e-4)


def test_the_winner_of_a_call_gets_what_opening_the_next_round_is_worth():
    def called(game, *rolls_and_bids):
        return after(f"bluff({game},rounds=valued)", *rolls_and_bids, 0).payoff()[0]

    def bid(quantity, face):
        return 6 * (quantity - 1) + face

    # two dice each: the bid of two fives is exact; so the caller, player 1, loses one of its two
    assert called("dice1=2,dice2=2", 15, 25, bid(2, 5)) == worth(6, "yes", 2)
    # off by one and by two: the bidder loses one die, or both
    assert called("dice1=2,dice2=2", 15, 24, bid(2, 5)) == -worth(6, "yes", 2)
    assert called("dice1=2,dice2=2", 15, 24, bid(3, 5)) == -1
    # two dice against one: who has two loses one, and the other opens with one die each
    assert called("dice1=2,dice2=1", 15, 2, bid(2, 5)) == -worth(6, "yes", 1)
    assert called("dice1=2,dice2=1", 15, 2, bid(1, 5)) == 1
    assert called("dice1=2,dice2=1,wild=no", 15, 2, bid(2, 5)) == -worth(6, "no", 1)


def test_the_games_have_the_sizes_of_the_literature():
    assert bluff_sizes((2, 1), 6, 18) == (3_538_944, 7_077_861)
    assert bluff_sizes((2, 2), 6, 24) == (352_321_536, 704_643_030)
    small = fs.unroll("bluff(dice1=2,dice2=2,faces=2,rounds=valued)")
    assert (small.infosets, small.pairs) == bluff_sizes((2, 2), 2, 8)


def test_rounds_whose_values_are_not_known_are_refused():
    with pytest.raises(fs.SpecError, match="rounds=valued knows the rounds below 2 dice each, not below 3 and 1"):
        load("bluff(dice1=3,rounds=valued)")
