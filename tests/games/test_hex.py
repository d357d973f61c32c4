"""Hex: who can win, swapping, play as in OpenSpiel."""

import pytest
from peers import assert_plays_as_in_openspiel
from positions import after, solved


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("hex(size=1)", 1),
        ("hex(size=2)", 1),
        ("hex(size=3)", 1),
        ("hex(size=2,swap=yes)", -1),
        ("hex(size=3,swap=yes)", -1),
    ],
)
def test_whoever_begins_can_win_unless_the_other_may_swap(game, value):
    assert solved(game) == value


def test_a_chain_from_edge_to_edge_wins():
    s = after("hex(size=3)", 1, 3, 4, 5, 6)  # b1, a2, b2, c2, a3
    assert s.over
    assert s.payoff() == [1, -1]
    s = after("hex(size=3)", 0, 2, 8, 4, 1, 6)  # c1, b2, a3: a chain from the right edge to the left
    assert s.over
    assert s.payoff() == [-1, 1]


def test_a_swap_takes_the_first_stone_to_the_other_side():
    s = after("hex(size=5,swap=yes)", 3)
    assert s.game.move_name(s, s.moves()[-1]) == "swap"
    s.play(25)
    assert [s.view.board[cell] for cell in (3, 15)] == [-1, 1]
    assert s.actor == 0
    assert len(s.moves()) == 24


@pytest.mark.parametrize(
    ("size", "swap", "games"), [(3, "no", 500), (4, "yes", 300), (6, "no", 100), (11, "no", 20), (7, "yes", 50)]
)
def test_hex_plays_as_in_openspiel(size, swap, games):
    theirs = f"hex(board_size={size},num_rows={size},num_cols={size},swap={'true' if swap == 'yes' else 'false'})"
    assert_plays_as_in_openspiel(f"hex(size={size},swap={swap})", theirs, games, keys=False)
