"""The deadlock game: what player 0 could gain."""

import pytest
from positions import every_history, expected

import fogspiel as fs


@pytest.mark.parametrize("xi", [0.25, 0.5])
def test_in_the_deadlock_game_player_0_could_gain_what_cfr_does_not_find(xi):
    root = fs.load("deadlock", xi=xi).start()

    def plan(first):
        def probabilities(s):
            if s.actor == 1:
                return (1, 0) if s.view.deal in (0, 3) else (0, 1)
            return (0, 1) if s.view.stage == 3 else first[s.view.deal // 2]

        return probabilities

    assert expected(root, plan([(1, 0), (1, 0)])) == 0
    assert expected(root, plan([(1, 0), (0, 1)])) == (1 - xi) / 4
    assert len({s.key(0) for s in every_history("deadlock") if s.actor == 0}) == 3
    assert len({s.key(1) for s in every_history("deadlock") if s.actor == 1}) == 4
