"""Dark Hex: the same tree as OpenSpiel's where that is small, the same play elsewhere, hidden stones redrawn."""

import pytest
from peers import assert_plays_as_in_openspiel, assert_same_tree
from phantoms import assert_redrawn_as_likely_as_random_play_makes_them
from positions import after, generator, load, random_states

VERSIONS = [("yes", "cdh"), ("no", "adh")]


def known(other, player):
    """What a player knows in OpenSpiel, without the number of all tries, which is told there in spite of
    reveal-nothing."""
    *board, _, tries = other.information_state_string(player).split("\n")
    return (*board, tries)


@pytest.mark.parametrize(("retry", "version"), VERSIONS)
def test_on_two_by_two_cells_the_tree_is_that_of_openspiel(retry, version):
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game(f"dark_hex(board_size=2,num_rows=2,num_cols=2,gameversion={version})")
    assert_same_tree(load(f"dark_hex(size=2,retry={retry})"), theirs, known)


@pytest.mark.parametrize(("size", "games"), [(3, 500), (4, 200), (7, 30)])
@pytest.mark.parametrize(("retry", "version"), VERSIONS)
def test_dark_hex_plays_as_in_openspiel(retry, version, size, games):
    theirs = f"dark_hex(board_size={size},num_rows={size},num_cols={size},gameversion={version})"
    assert_plays_as_in_openspiel(f"dark_hex(size={size},retry={retry})", theirs, games, known=known)


def test_a_failed_try_is_told_to_the_one_who_made_it_alone():
    s = after("dark_hex", 4, 4)
    assert s.actor == 1
    assert s.key(0) == after("dark_hex", 4).key(0)
    assert "b2 was taken in turn 2" in s.show(1)
    assert s.show(0) == after("dark_hex", 4).show(0)
    assert after("dark_hex(retry=no)", 4, 4).actor == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("retry", ["yes", "no"])
@pytest.mark.parametrize(("size", "tries"), [(2, (0, 1)), (2, (0, 3)), (3, (4, 0))])
def test_hidden_stones_and_tries_are_redrawn_as_likely_as_random_play_makes_them(size, tries, retry, player):
    assert_redrawn_as_likely_as_random_play_makes_them(f"dark_hex(size={size},retry={retry})", player, tries)


@pytest.mark.parametrize("retry", ["yes", "no"])
def test_on_the_largest_board_hidden_stones_are_redrawn_as_well(retry):
    for i, s in enumerate(random_states(load(f"dark_hex(size=11,retry={retry})"), 1, seed=1)):
        for player in range(2):
            t = s.copy()
            t.resample(player, generator(i))
            assert t.key(player) == s.key(player)
            assert t.actor == s.actor
