"""The forgetful player: what its coin is worth, tossed once or twice."""

import pytest
from positions import every_history, expected

import fogspiel as fs


def test_the_forgetful_player_gains_by_tossing_its_coin_once():
    root = fs.load("forgetful_player").start()
    assert len({s.key(1) for s in every_history("forgetful_player") if s.actor == 1}) == 2

    def value(call, first, second):
        return expected(root, lambda s: (call, first, second)[s.view.stage])

    sure = (1, 0), (0, 1)
    for call in sure:
        assert -sum(value(call, word, word) for word in sure) / 2 == 2
        assert -value(call, (0.5, 0.5), (0.5, 0.5)) == 1
    grid = [(x / 20, 1 - x / 20) for x in range(21)]
    assert max(min(-value(call, x, y) for call in sure) for x in grid for y in grid) == pytest.approx(1)
