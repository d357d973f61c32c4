"""One-card poker: its sizes, its payoffs, play as OpenSpiel's Kuhn and universal poker."""

import pytest
from peers import assert_same_tree
from positions import after

import fogspiel as fs
from fogspiel.games.one_card_poker import BET, PASS


@pytest.mark.parametrize("cards", [3, 13, 500])
def test_one_card_poker_has_four_information_sets_a_card_and_nine_histories_a_deal(cards):
    tree = fs.unroll(f"one_card_poker(cards={cards})")
    deals = cards * (cards - 1)
    assert (tree.infosets, tree.pairs) == (4 * cards, 8 * cards)
    assert (tree.size, tree.terminals) == (9 * deals + cards + 1, 5 * deals)
    assert tree.utility == (-2, 2)


def test_three_cards_have_the_value_of_kuhn_poker():
    assert fs.solve("one_card_poker(cards=3)", "lp").value[0] == pytest.approx(-1 / 18, abs=1e-9)


def test_folds_cost_the_ante_and_showdowns_one_or_two():
    game = fs.load("one_card_poker(cards=5)")
    assert after(game, 4, 0, BET, PASS).payoff() == after(game, 0, 4, BET, PASS).payoff() == [1, -1]
    assert after(game, 4, 0, PASS, BET, PASS).payoff() == [-1, 1]
    assert after(game, 4, 0, PASS, PASS).payoff() == [1, -1]
    assert after(game, 1, 2, BET, BET).payoff() == [-2, 2]
    assert after(game, 3, 2, PASS, BET, BET).payoff() == [2, -2]


def test_three_cards_play_as_openspiels_kuhn_poker():
    pyspiel = pytest.importorskip("pyspiel")
    assert_same_tree(fs.load("one_card_poker(cards=3)"), pyspiel.load_game("kuhn_poker"))


@pytest.mark.parametrize("cards", [4, 13])
def test_more_cards_play_as_openspiels_universal_poker(cards):
    pyspiel = pytest.importorskip("pyspiel")
    rules = {
        "betting": "limit",
        "numPlayers": 2,
        "numRounds": 1,
        "blind": "1 1",
        "raiseSize": "1",
        "firstPlayer": "1",
        "maxRaises": "1",
        "numSuits": 1,
        "numRanks": cards,
        "numHoleCards": 1,
        "numBoardCards": "0",
    }
    assert_same_tree(fs.load(f"one_card_poker(cards={cards})"), pyspiel.load_game("universal_poker", rules))
