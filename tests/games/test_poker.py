"""Poker: the sizes and bounds of the literature, showdowns and folds, play as OpenSpiel's Leduc."""

import pytest
from peers import assert_plays_as_in_openspiel
from positions import after, census, load

import fogspiel as fs


@pytest.mark.parametrize(
    ("spec", "infosets", "ends", "most"),
    [
        ("poker", 288, 1116, 13),
        ("poker(see_suits=yes)", 936, 5520, 13),
        ("poker(ranks=3,suits=3,bets=2,raises=2)", 7920, 44883, 37),
    ],
)
def test_poker_has_the_sizes_and_bounds_of_the_literature(spec, infosets, ends, most):
    game = load(spec)
    assert game.about.utility == (-most, most)
    assert census(game) == (infosets, ends, -most, most)


def test_the_large_poker_of_lisy_is_played_for_at_most_121():
    assert load("poker(ranks=6,suits=4,bets=4,raises=4)").about.utility == (-121, 121)


def test_the_bounds_of_poker_are_exact_with_three_rounds_and_with_one():
    for spec in ("poker(rounds=3)", "poker(rounds=1,bets=2,raises=0)", "poker(ranks=2,suits=2,rounds=3)"):
        game = load(spec)
        assert census(game)[2:] == game.about.utility


def test_a_deck_too_small_for_the_rounds_is_refused():
    with pytest.raises(fs.SpecError, match="a deck of 2 cards is too small for 2 rounds, which need 3"):
        load("poker(ranks=2,suits=1)")


def test_with_two_public_cards_any_pair_beats_none_and_the_higher_pair_wins():
    game = load("poker(rounds=3)")
    jack, queen, king, check = 0, 1, 2, (1, 1)

    def end(hand0, hand1, card0, card1):
        return after(game, hand0, hand1, *check, card0, *check, card1, *check).payoff()

    assert end(jack, king, jack, queen) == [1, -1]
    assert end(queen, king, king, queen) == [-1, 1]
    assert end(king, queen, jack, jack) == [1, -1]
    assert end(king, king, jack, jack) == [0, 0]


def test_a_fold_loses_what_was_paid():
    game = load("poker")
    assert after(game, 2, 0, 2, 2, 0).payoff() == [-3, 3]
    assert 0 not in after(game, 2, 0).moves()


def test_poker_by_rank_and_by_card_plays_as_openspiels_leduc():
    assert_plays_as_in_openspiel("poker", "leduc_poker(suit_isomorphism=True)", 1500)
    assert_plays_as_in_openspiel("poker(see_suits=yes)", "leduc_poker", 1500)
