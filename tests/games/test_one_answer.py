"""The game of Lanctot 2013, Fig. 4.1, whose shape makes the regret bound of Theorem 3 as small as it can be."""

import math
from collections import Counter

import pytest

import fogspiel as fs


def spread(tree, player):
    """M of Theorem 3: over the player's sequences of moves, the square roots of the numbers of sets that come after
    them."""
    sets = [i for i in range(tree.infosets) if tree.player[i] == player]
    owner = {int(tree.first[i]) + k: i for i in sets for k in range(tree.count[i])}

    def before(i):
        pair = int(tree.parent[i])
        return () if pair < 0 else (*before(owner[pair]), int(tree.move[pair]))

    return sum(math.sqrt(n) for n in Counter(before(i) for i in sets).values())


def test_the_answering_player_has_four_information_sets_after_one_sequence_of_moves():
    tree = fs.unroll("one_answer")
    assert [int((tree.player == p).sum()) for p in range(2)] == [1, 4]
    assert (spread(tree, 0), spread(tree, 1)) == (1, 2)
    assert spread(fs.unroll("one_answer(choices=9)"), 1) == 3


@pytest.mark.parametrize("game", ["leduc", "goofspiel(cards=4)"])
def test_other_players_are_between_the_least_and_the_most_that_there_can_be(game):
    tree = fs.unroll(game)
    for player in range(2):
        sets = int((tree.player == player).sum())
        assert math.sqrt(sets) < spread(tree, player) < sets


def test_who_sees_the_move_answers_it_and_wins():
    exact = fs.solve("one_answer", "lp")
    assert exact.value == pytest.approx((-1, 1))
    sampled = fs.solve("one_answer", "es-mccfr", iterations=2000)
    # Theorem 3 with p = 0.05 and delta = 1 for the regret of each: payoffs differ by 2
    shapes = [(1, 1, 4), (2, 4, 2)]  # M, information sets, actions
    bound = [(m + math.sqrt(2 * sets / 0.05)) * 2 * math.sqrt(actions / 2000) for m, sets, actions in shapes]
    assert 0 <= sampled.nash_conv < sum(bound)
