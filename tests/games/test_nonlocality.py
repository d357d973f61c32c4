"""The game of nonlocality: its equilibrium, and one information set a player."""

import itertools

import pytest
from positions import after, every_history, expected

import fogspiel as fs


def test_the_equilibrium_of_the_nonlocality_game_leaves_nobody_a_better_move():
    root = fs.load("nonlocality").start()
    for mine, yours in itertools.product([(1, 0), (0, 1), (0.5, 0.5)], [(1, 0), (0, 1), (1 / 3, 2 / 3)]):
        value = expected(root, lambda s: (mine, yours)[s.actor])  # noqa: B023
        if mine == (0.5, 0.5) or yours == (1 / 3, 2 / 3):
            assert value == pytest.approx(1)
    assert expected(root, lambda s: ((1, 0), (0.5, 0.5))[s.actor]) == 5 / 4
    assert expected(root, lambda s: ((0, 1), (0.5, 0.5))[s.actor]) == 3 / 4
    assert expected(fs.load("nonlocality(leaf=5)").start(), lambda s: ((1, 0), (0, 1))[s.actor]) == 2.5


def test_each_player_of_the_nonlocality_game_has_one_information_set():
    assert {(s.actor, s.key(s.actor)) for s in every_history("nonlocality") if s.actor >= 0} == {
        (0, after("nonlocality", 0).key(0)),
        (1, after("nonlocality", 1, 0).key(1)),
    }
