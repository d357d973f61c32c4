"""Phantom tic-tac-toe: its information sets, what goes unnoticed, hidden stones redrawn, play as in OpenSpiel."""

import pytest
from explore import explored
from peers import assert_plays_as_in_openspiel
from phantoms import assert_redrawn_as_likely_as_random_play_makes_them
from positions import after, load


def test_phantom_tic_tac_toe_has_its_known_number_of_information_sets():
    """Of the first squares to try, four corners are alike and four edges; each player has one set before its first
    try."""
    game = load("phantom_tic_tac_toe")
    total = 0
    for player in range(2):
        corner, edge, centre = (explored(game, player, first)[0] - 1 for first in (0, 1, 4))
        total += 1 + 4 * corner + 4 * edge + centre
    assert total == 5_990_669


def test_both_must_try_the_centre_first_if_so_told():
    game = load("phantom_tic_tac_toe(start=forced_centre)")
    assert after(game).moves() == [4]
    assert after(game, 4).moves() == [4]
    assert after(game, 4, 4).actor == 1
    assert after(game, 4, 4).moves() == [0, 1, 2, 3, 5, 6, 7, 8]
    assert after(game, 4, 4, 0).moves() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_tries_of_the_other_go_unnoticed():
    game = load("phantom_tic_tac_toe")
    assert after(game, 4, 0).key(0) == after(game, 4, 8).key(0) == after(game, 4, 4, 0).key(0)
    assert after(game, 4).key(0) == after(game, 4, 4).key(0)
    assert after(game, 4, 4, 0).key(1) != after(game, 8, 4, 0).key(1)


def test_the_order_of_own_tries_is_remembered():
    game = load("phantom_tic_tac_toe")
    assert after(game, 0, 3, 1, 4).key(0) != after(game, 1, 3, 0, 4).key(0)
    assert after(game, 0, 3, 1, 4).key(1) != after(game, 0, 4, 1, 3).key(1)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    "spec",
    [
        "phantom_tic_tac_toe",
        "phantom_tic_tac_toe(start=forced_centre)",
        "phantom_tic_tac_toe(retry=no)",
        "phantom_tic_tac_toe(retry=no,start=forced_centre)",
    ],
)
def test_hidden_stones_and_tries_are_redrawn_as_likely_as_random_play_makes_them(spec, player):
    assert_redrawn_as_likely_as_random_play_makes_them(spec, player)


@pytest.mark.parametrize(("retry", "version"), [("yes", "classical"), ("no", "abrupt")])
def test_phantom_tic_tac_toe_plays_as_in_openspiel(retry, version):
    theirs = f"phantom_ttt(obstype=reveal-nothing,gameversion={version})"
    assert_plays_as_in_openspiel(f"phantom_tic_tac_toe(retry={retry})", theirs, 1000)
