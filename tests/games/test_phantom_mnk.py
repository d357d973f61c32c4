"""Phantom m,n,k-games: the same as phantom tic-tac-toe on its board, lines as in OpenSpiel's open game, hidden stones
redrawn."""

import random

import pytest
from hints import assert_rising, guessed, some_states
from phantoms import assert_redrawn_as_likely_as_random_play_makes_them
from positions import after, load

import fogspiel as fs


@pytest.mark.parametrize("retry", ["yes", "no"])
def test_three_in_line_on_three_by_three_is_phantom_tic_tac_toe(retry):
    ours, theirs = load(f"phantom_mnk(m=3,n=3,k=3,retry={retry})"), load(f"phantom_tic_tac_toe(retry={retry})")
    rng, there, back = random.Random(3), {}, {}
    for _ in range(1000):
        s, t = ours.start(), theirs.start()
        while not s.over:
            assert (s.actor, s.moves()) == (t.actor, t.moves())
            for player in (-1, 0, 1):
                mine, yours = (player, s.key(player)), (player, t.key(player))
                assert there.setdefault(mine, yours) == yours
                assert back.setdefault(yours, mine) == mine
            move = rng.choice(s.moves())
            s.play(move)
            t.play(move)
        assert t.over
        assert s.payoff() == t.payoff()


@pytest.mark.parametrize(("m", "n", "k"), [(4, 4, 4), (5, 3, 3), (3, 6, 4), (8, 8, 5), (7, 2, 2)])
def test_lines_win_as_in_the_open_game_of_openspiel(m, n, k):
    pyspiel = pytest.importorskip("pyspiel")
    game, peer, rng = (
        load(f"phantom_mnk(m={m},n={n},k={k})"),
        pyspiel.load_game(f"mnk(m={m},n={n},k={k})"),
        random.Random(4),
    )
    for _ in range(200):
        s, other = game.start(), peer.new_initial_state()
        while not s.over:
            move, turn = rng.choice(s.moves()), s.view.turns
            s.play(move)
            if s.view.turns > turn:
                assert move in other.legal_actions()
                other.apply_action(move)
        assert other.is_terminal()
        assert s.payoff() == other.returns()


def test_a_taken_square_is_tried_in_vain_and_nobody_notices():
    s = after("phantom_mnk", 5, 5)
    assert s.actor == 1
    assert len(s.moves()) == 15
    assert s.key(0) == after("phantom_mnk", 5).key(0)
    assert s.show(0) == after("phantom_mnk", 5).show(0)
    assert "b2 was taken in turn 2" in s.show(1)
    assert after("phantom_mnk(retry=no)", 5, 5).actor == 0


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("spec", "tries"),
    [
        ("phantom_mnk(m=4,n=2,k=3)", (5, 0)),
        ("phantom_mnk(m=4,n=2,k=3,retry=no)", (5, 0)),
        ("phantom_mnk(m=3,n=2,k=2)", (4, 2, 0)),
        ("phantom_mnk(m=3,n=2,k=3,retry=no)", (4, 2, 0)),
    ],
)
def test_hidden_stones_and_tries_are_redrawn_as_likely_as_random_play_makes_them(spec, tries, player):
    assert_redrawn_as_likely_as_random_play_makes_them(spec, player, tries)


def test_four_in_line_need_a_board_on_which_they_fit():
    with pytest.raises(fs.FogspielError, match="4 in line do not fit"):
        fs.load("phantom_mnk(m=3,n=3,k=4)")


def test_guesses_rise_with_open_lines():
    assert_rising(after("phantom_mnk", 1, 5), after("phantom_mnk"), after("phantom_mnk", 5))
    assert all(-1 < guessed(s)[0] < 1 for s in some_states("phantom_mnk"))
