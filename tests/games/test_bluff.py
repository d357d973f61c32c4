"""Bluff: its sizes, rolls and calls, play as OpenSpiel's liar's dice; rounds with those below as payoffs (Lanctot 2013,
sec. 3.1.1)."""

import pytest
from peers import assert_plays_as_in_openspiel
from positions import after, census, load

import fogspiel as fs
from fogspiel import CHANCE
from fogspiel.games.bluff import WORTH
from fogspiel.reproduce.lanctot_2013.sizes import bluff_sizes

WILD = ("no", "yes")


def worth(faces, wild, dice):
    return WORTH[WILD.index(wild), faces - 2, dice - 1]


def test_bluff_has_the_sizes_of_the_literature():
    assert fs.unroll("bluff").infosets == 24576
    assert census(load("bluff(faces=3)"))[0] == 3 * 2**6
    assert census(load("bluff(faces=2,dice1=2,dice2=2)"))[0] == 3 * 2**8


def test_rolls_are_unordered_with_multinomial_chances():
    chances = dict(load("bluff(dice1=3,dice2=1)").start().chance())
    assert len(chances) == 56
    assert chances[111] == pytest.approx(1 / 216)
    assert chances[335] == pytest.approx(3 / 216)
    assert chances[256] == pytest.approx(6 / 216)
    assert len(load("bluff(dice1=5,dice2=5)").start().chance()) == 252


def bid(game, quantity, face):
    return game.parameters["faces"] * (quantity - 1) + face


def test_the_top_face_is_wild_unless_told_otherwise():
    game = load("bluff")
    assert after(game, 6, 3, bid(game, 2, 3), 0).payoff() == [1, -1]
    assert after(game, 6, 3, bid(game, 2, 6), 0).payoff() == [-1, 1]
    plain = load("bluff(wild=no)")
    assert after(plain, 6, 3, bid(plain, 2, 3), 0).payoff() == [-1, 1]


def test_in_a_match_dice_are_lost_by_the_difference_and_the_winner_opens():
    game = load("bluff(dice1=3,dice2=3,rounds=match)")
    off_by_two = after(game, 123, 115, bid(game, 5, 1), 0)
    assert list(off_by_two.view.dice) == [1, 3]
    exact = after(game, 123, 115, bid(game, 3, 1), 0)
    assert list(exact.view.dice) == [3, 2]
    too_low = after(game, 116, 116, bid(game, 1, 2), bid(game, 2, 1), 0)
    assert list(too_low.view.dice) == [0, 3]
    assert too_low.payoff() == [-1, 1]
    for move in (1, 111):
        off_by_two.play(move)
    assert off_by_two.actor == 1
    assert max(off_by_two.moves()) == 6 * 4


@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (2, 3), (2, 6)])
def test_bluff_plays_as_openspiels_liars_dice(dice, faces):
    def translate(state, move):
        if state.actor == CHANCE:
            return [int(face) - 1 for face in str(move)]
        return [move - 1 if move else 2 * dice * faces]

    ours, theirs = f"bluff(dice1={dice},dice2={dice},faces={faces})", f"liars_dice(numdice={dice},dice_sides={faces})"
    assert_plays_as_in_openspiel(ours, theirs, 1500, translate)


@pytest.mark.parametrize("wild", WILD)
@pytest.mark.parametrize(("dice", "faces"), [(1, 2), (1, 3), (1, 4), (2, 2), (2, 3)])
def test_a_round_is_worth_what_the_linear_program_says(dice, faces, wild):
    exact = fs.solve(f"bluff(dice1={dice},faces={faces},wild={wild},rounds=valued)", "lp").value[0]
    assert exact == pytest.approx(worth(faces, wild, dice), abs=1e-9)


@pytest.mark.parametrize("wild", WILD)
def test_a_larger_round_is_worth_what_is_left_between_two_best_responses(wild):
    result = fs.solve(f"bluff(dice1=2,faces=4,wild={wild},rounds=valued)", "pcfr+", iterations=300, points=1)
    assert result.nash_conv < 0.005
    assert result.value[0] == pytest.approx(worth(4, wild, 2), abs=result.nash_conv)


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
