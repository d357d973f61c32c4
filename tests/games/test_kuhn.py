"""Kuhn poker: the tree of OpenSpiel's for two players and more."""

import itertools
from collections import Counter

import pytest
from peers import assert_same_tree
from positions import after, generator, load

from fogspiel.games.kuhn import BET, PASS


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kuhn_plays_as_in_openspiel(players):
    pyspiel = pytest.importorskip("pyspiel")
    assert_same_tree(load(f"kuhn(players={players})"), pyspiel.load_game(f"kuhn_poker(players={players})"))


def test_the_highest_card_that_paid_takes_the_pot():
    assert after("kuhn", 2, 0, PASS, PASS).payoff() == [1, -1]
    assert after("kuhn", 0, 1, BET, PASS).payoff() == [1, -1]
    assert after("kuhn", 1, 2, BET, BET).payoff() == [-2, 2]
    assert after("kuhn", 2, 1, PASS, BET, PASS).payoff() == [-1, 1]
    assert after("kuhn(players=3)", 1, 3, 2, PASS, BET, BET, PASS).payoff() == [-1, 3, -2]


@pytest.mark.parametrize(("players", "seat"), [(2, 0), (2, 1), (3, 1), (4, 3)])
def test_the_cards_of_others_are_redrawn_equally_often(players, seat):
    s, draws, rng = after(f"kuhn(players={players})", *range(players)), Counter(), generator(1950)
    for _ in range(12_000):
        s.resample(seat, rng)
        draws[tuple(s.view.card[:players])] += 1
    deals = [deal for deal in itertools.permutations(range(players + 1), players) if deal[seat] == seat]
    assert set(draws) == set(deals)
    assert max(abs(n * len(deals) / 12_000 - 1) for n in draws.values()) < 0.25
