"""The trees of games from the literature have the published sizes."""

import pytest

import fogspiel as fs

SIZES = {
    # Kuhn 1950: 12 information sets, 30 terminals; OpenSpiel counts 58 histories
    "kuhn": {
        "size": 58,
        "terminals": 30,
        "infosets": 12,
        "pairs": 24,
        "sequences": 26,
        "chance_nodes": 4,
        "depth": 5,
        "utility": (-2, 2),
    },
    # Southey et al. 2005; with suits told apart as in OpenSpiel, without as in Lanctot 2013
    "leduc(see_suits=yes)": {"size": 9457, "infosets": 936, "utility": (-13, 13)},
    "leduc": {"infosets": 288, "utility": (-13, 13)},
    # Lisý 2014, sec. 4.1
    "small_poker": {"infosets": 7920, "terminals": 44883, "utility": (-37, 37)},
    # Lanctot 2013: Bluff(1,1,6)
    "bluff": {"size": 294883, "infosets": 24576, "pairs": 49140, "utility": (-1, 1)},
    # Lanctot 2013 and Lisý 2014: histories, information sets, pairs with hidden bids and fixed point cards
    "goofspiel(cards=4)": {"size": 2229, "infosets": 738, "pairs": 924},
    "goofspiel(cards=5)": {"size": 55731, "infosets": 9948, "pairs": 12390},
    "goofspiel(cards=6)": {"size": 2006323, "infosets": 166002, "pairs": 205596},
    # all games of tic-tac-toe: 549946 histories, 255168 of them at an end
    "tic_tac_toe": {"size": 549946, "terminals": 255168, "depth": 9, "utility": (-1, 1)},
    # Abou Risk and Szafron 2010
    "kuhn(players=3)": {"infosets": 48, "pairs": 96, "sequences": 99},
}


@pytest.mark.parametrize("spec", SIZES)
def test_the_tree_has_the_published_size(spec):
    tree = fs.unroll(spec)
    assert {name: getattr(tree, name) for name in SIZES[spec]} == SIZES[spec]
    assert tree.zero_sum
    assert tree.perfect_recall


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=5)", "hidden_coin", "kuhn(players=3)"])
def test_counts_and_arrays_agree(spec):
    tree = fs.unroll(spec)
    assert tree.infosets == len(tree.player) == len(tree.key) == len(tree.first) == len(tree.count) == len(tree.parent)
    assert tree.pairs == len(tree.move) == tree.count.sum()
    assert tree.terminals == len(tree.last) == len(tree.reach) == len(tree.pay)
    assert tree.sequences == tree.pairs + tree.game.players
    assert tree.last.shape == tree.pay.shape == (tree.terminals, tree.game.players)
    assert tree.bytes >= tree.pay.nbytes + tree.move.nbytes


def test_a_game_of_one_line_of_play_is_a_tree_without_branches():
    tree = fs.unroll("random_game(actions=1,depth=1)")
    assert (tree.size, tree.terminals, tree.infosets) == (3, 1, 2)
