"""Tic-tac-toe: its number of games, and play as in OpenSpiel."""

from explore import explored
from hints import guessed
from peers import assert_plays_as_in_openspiel
from positions import after, load


def test_tic_tac_toe_has_its_known_number_of_games():
    assert explored(load("tic_tac_toe")) == [294778, 255168]


def test_tic_tac_toe_plays_as_in_openspiel():
    assert_plays_as_in_openspiel("tic_tac_toe", "tic_tac_toe", 500)


def test_guesses_count_the_lines_that_are_open():
    assert [guessed(after("tic_tac_toe", square))[0] for square in (4, 0, 1)] == [4 / 8, 3 / 8, 2 / 8]
