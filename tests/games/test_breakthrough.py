"""Breakthrough: move counts and values as OpenSpiel's, moves by example."""

import pytest
from hints import guessed, guided
from peers import assert_plays_as_in_openspiel
from perft import perft
from positions import after, load, solved

from fogspiel import OVER
from fogspiel.games.breakthrough import target_of


def with_pieces(mine, yours, player=0, game="breakthrough"):
    """A position with the given squares of both, and who is to move."""
    s = after(game)
    for i, names in enumerate((mine, yours)):
        s.view.pieces[i] = sum(1 << 8 * (int(name[1]) - 1) + "abcdefgh".index(name[0]) for name in names.split())
    s.view.player = player
    return s


def named(s):
    return {s.game.move_name(s, move) for move in s.moves()}


def play(s, name):
    s.play(next(move for move in s.moves() if s.game.move_name(s, move) == name))
    return s


def as_in_openspiel(state, move):
    """Row, column, direction (three for each player) and whether something is taken."""
    s = state.view
    row, column = divmod(move // 3, 8)
    taken = s.pieces[1 - s.player] >> target_of(s, move) & 1
    return [((row * s.columns + column) * 6 + 3 * s.player + move % 3) * 2 + taken]


@pytest.mark.parametrize(("rows", "columns", "games"), [(8, 8, 150), (6, 5, 200), (5, 4, 500), (2, 3, 50), (3, 2, 50)])
def test_breakthrough_plays_as_in_openspiel(rows, columns, games):
    spec = f"breakthrough(rows={rows},columns={columns})"
    assert_plays_as_in_openspiel(spec, spec, games, as_in_openspiel, keys=False)


def test_breakthrough_has_its_known_move_counts():
    """Those of other programs; the first two follow from the rules: 22 moves, whatever the other does."""
    assert [perft(load("breakthrough"), depth) for depth in range(1, 6)] == [22, 484, 11132, 256036, 6182818]


@pytest.mark.parametrize(("rows", "columns", "depth"), [(8, 8, 3), (6, 4, 4), (5, 3, 5)])
def test_move_counts_are_those_of_openspiel(rows, columns, depth):
    pyspiel = pytest.importorskip("pyspiel")
    spec = f"breakthrough(rows={rows},columns={columns})"
    level = [pyspiel.load_game(spec).new_initial_state()]
    for _ in range(depth - 1):
        level = [state.child(action) for state in level for action in state.legal_actions()]
    assert perft(load(spec), depth) == sum(len(state.legal_actions()) for state in level)


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 3), (5, 3)])
def test_small_boards_have_the_winner_that_openspiel_finds(rows, columns):
    pyspiel = pytest.importorskip("pyspiel")
    spec = f"breakthrough(rows={rows},columns={columns})"
    known = {}

    def value(state):
        if state.is_terminal():
            return state.returns()[0]
        key = (str(state), state.current_player())
        if key not in known:
            best = max if state.current_player() == 0 else min
            known[key] = best(value(state.child(action)) for action in state.legal_actions())
        return known[key]

    assert solved(spec) == value(pyspiel.load_game(spec).new_initial_state())


def test_pieces_are_taken_diagonally_only():
    s = with_pieces("d4", "c5 d5 h8")
    assert named(s) == {"d4xc5", "d4-e5"}
    play(s, "d4xc5")
    assert (s.view.pieces[1].bit_count(), s.actor) == (2, 1)
    assert named(with_pieces("a1 a2 h1", "h8")) == {"a1-b2", "a2-a3", "a2-b3", "h1-h2", "h1-g2"}
    assert named(with_pieces("h1", "a8 h8", player=1)) == {"a8-a7", "a8-b7", "h8-h7", "h8-g7"}


def test_the_far_row_and_the_last_piece_win():
    far = play(with_pieces("a1", "d2", player=1), "d2-d1")
    assert (far.actor, far.payoff()) == (OVER, [-1, 1])
    last = play(with_pieces("a1", "b2"), "a1xb2")
    assert (last.actor, last.payoff()) == (OVER, [1, -1])


def test_guesses_weigh_pieces_by_the_way_they_have_to_go():
    assert guessed(after("breakthrough"))[0] == 0
    assert guessed(with_pieces("d6", "d7"))[0] == pytest.approx((2**-2 - 2**-6) / (2**-2 + 2**-6))


def test_sensible_play_wins_where_it_can():
    win = with_pieces("a1 d7", "h2 b8")
    assert {win.game.move_name(win, move) for move, p in guided(win).items() if p} == {"d7-d8", "d7-c8", "d7-e8"}
    assert guided(after("breakthrough")) == pytest.approx(dict.fromkeys(after("breakthrough").moves(), 1 / 22))
