"""The games of observed and partially observed moves: replies, values, who knows what."""

import pytest
from positions import after, every_history, expected

import fogspiel as fs


def test_replies_in_the_observed_moves_game_depend_on_the_world():
    assert [after("observed_moves", world, 1).moves() for world in range(3)] == [[1, 2], [2, 3], [1, 3]]
    assert [s.payoff()[0] for s in every_history("observed_moves") if s.over and s.view.first == 2] == [0.5] * 3
    for reply in (1, 2, 3):
        for last in (3, 4):
            ends = [
                s for s in every_history("observed_moves") if (s.view.reply, s.view.last) == (reply, last) and s.over
            ]
            assert len({s.payoff()[0] for s in ends}) == (2 if reply == 2 else 1)


def test_a1_is_worth_a_third_in_the_observed_moves_game():
    def value(guess, hide):
        def plan(s):
            if s.actor == 1:
                return {0: (1 - hide, hide), 1: (hide, 1 - hide), 2: (0.5, 0.5)}[s.view.world]
            if s.view.first == 0:
                return (1, 0)
            return {1: (1, 0), 2: (guess, 1 - guess), 3: (0, 1)}[s.view.reply]

        return expected(fs.load("observed_moves").start(), plan)

    assert [value(guess, 1) for guess in (0, 0.5, 1)] == pytest.approx([1 / 3] * 3)
    assert all(value(0.5, hide) >= 1 / 3 - 1e-9 for hide in (0, 0.5, 1))


def test_partially_observed_moves_hide_which_move_was_made():
    def keys(moves, player):
        game = f"observed_moves(moves={moves})"
        return len({s.key(player) for s in every_history(game) if s.actor == player})

    assert (keys("observable", 0), keys("partial", 0)) == (1 + 3, 1 + 1)
    assert (keys("observable", 1), keys("partial", 1)) == (3, 3)
    assert after("observed_moves", 0, 1, 1, 3).key(1) != after("observed_moves", 0, 1, 1, 4).key(1)
    assert after("observed_moves(moves=partial)", 0, 1, 1, 3).key(1) == after(
        "observed_moves(moves=partial)", 0, 1, 1, 4
    ).key(1)
