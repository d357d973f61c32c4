"""Checkers: published move counts, jumps and kings by example, play as in OpenSpiel."""

import random

import pytest
from hints import ask, guessed
from peers import assert_plays_as_in_openspiel
from perft import perft
from positions import after, child, load

from fogspiel import OVER
from fogspiel.game import CONTINUES
from fogspiel.games.checkers import OPENING, number, place


def with_pieces(mine, yours, player=0, kings="", game="checkers"):
    """A position with the given squares of both, those of kings among them, and who is to move."""
    s = after(game)
    sets = [
        sum(1 << number(s.view, int(name[1]) - 1, "abcdefgh".index(name[0])) for name in names.split())
        for names in (mine, yours, kings)
    ]
    s.view.pieces[0], s.view.pieces[1], s.view.kings = sets
    s.game.module.begin_turn(s.view, player)
    return s


def named(s):
    return {s.game.move_name(s, move) for move in s.moves()}


def play(s, *names):
    for name in names:
        s.play(next(move for move in s.moves() if s.game.move_name(s, move) == name))
    return s


def test_checkers_has_its_published_move_counts():
    counts = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]
    assert [perft(load("checkers"), depth, turns=True) for depth in range(1, 10)] == counts


def as_in_openspiel(state, move):
    """Row from the top, column, direction (up-left, up-right, down-right, down-left) and whether it is a jump."""
    row, column = place(state.view, move // 4)
    return [((7 - row) * 8 + column) * 8 + 2 * (0, 1, 3, 2)[move % 4] + state.view.jumps]


def test_checkers_plays_as_in_openspiel():
    assert_plays_as_in_openspiel("checkers", "checkers", 400, as_in_openspiel, keys=False)


def test_squares_are_numbered_so_that_no_step_leads_around_the_side():
    for game in ("checkers(size=4)", "checkers(size=6)", "checkers"):
        s = after(game).view
        side = 4 + 2 * s.size
        squares = {number(s, row, column): (row, column) for row in range(side) for column in range(row % 2, side, 2)}
        assert s.board == sum(1 << square for square in squares)
        assert all(place(s, square) == at for square, at in squares.items())
        for square, (row, column) in squares.items():
            for step, at in ((side // 2, (row + 1, column - 1)), (side // 2 + 1, (row + 1, column + 1))):
                assert squares.get(square + step) == (at if at in squares.values() else None)


def test_who_can_jump_must_with_any_piece_that_can():
    s = with_pieces("c3 g3 a1", "d4 h4 b6")
    assert named(s) == {"c3xe5"}
    assert named(with_pieces("c3 e3 a1", "d4 h8")) == {"c3xe5", "e3xc5"}


def test_a_chain_goes_on_with_the_same_piece_and_player():
    s = with_pieces("a1 g1", "b2 d4 d6 h8")
    play(s, "a1xc3")
    assert (s.actor, named(s), s.view.chain) == (0, {"c3xe5"}, number(s.view, 2, 2))
    play(s, "c3xe5")
    assert (s.actor, named(s)) == (0, {"e5xc7"})
    play(s, "e5xc7")
    assert (s.actor, named(s)) == (1, {"h8-g7"})


def test_a_man_that_is_crowned_jumps_no_further_and_a_king_goes_back():
    s = play(with_pieces("f6 a1", "g7 e7 c7 a7"), "f6xd8")
    assert (s.actor, s.view.kings) == (1, 1 << number(s.view, 7, 3))
    play(s, "g7-f6", "d8xb6")
    assert (s.actor, named(s)) == (1, {"a7xc5"})
    king = with_pieces("d4", "h8", kings="d4")
    assert named(king) == {"d4-c5", "d4-e5", "d4-c3", "d4-e3"}
    assert named(with_pieces("d4", "e3", kings="d4")) == {"d4xf2"}


def test_a_king_that_is_taken_leaves_no_crown_behind():
    s = play(with_pieces("c3 a1", "d4 h8", kings="d4"), "c3xe5")
    assert s.view.kings == 0


def test_who_cannot_move_loses():
    blocked = with_pieces("a1", "b2 c3")
    assert (blocked.actor, blocked.payoff()) == (OVER, [-1, 1])
    last = play(with_pieces("c3", "d4"), "c3xe5")
    assert (last.actor, last.payoff()) == (OVER, [1, -1])


@pytest.mark.parametrize("draw", [1, 5])
def test_so_many_moves_without_a_jump_are_a_draw(draw):
    rng = random.Random(2)
    s = with_pieces("a1", "h8", kings="a1 h8", game=f"checkers(draw={draw})")
    for _ in range(draw):
        assert not s.over
        s.play(rng.choice(s.moves()))
    assert (s.actor, s.payoff()) == (OVER, [0, 0])


def test_episodes_begin_where_a_jump_begins_a_chain():
    assert ask(after("checkers"), "episode") == OPENING
    assert ask(child(after("checkers"), after("checkers").moves()[0]), "episode") == CONTINUES
    s = with_pieces("a1 g1", "b2 d4 d6 h8")
    assert ask(s, "episode") == 0
    assert ask(play(s, "a1xc3"), "episode") == CONTINUES
    assert ask(with_pieces("a1", "b2 h8", player=1), "episode") == CONTINUES
    assert ask(with_pieces("c3", "d4 h8", player=1), "episode") == 1


def test_guesses_count_pieces_and_kings():
    assert guessed(after("checkers"))[0] == 0
    assert guessed(with_pieces("a1 c1", "h8"))[0] == pytest.approx(1 / 3)
    assert guessed(with_pieces("a1", "h8", kings="h8"))[0] == pytest.approx(-0.5 / 2.5)
