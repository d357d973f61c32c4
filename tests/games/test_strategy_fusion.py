"""The game of strategy fusion: the sure move, and what it seems to be worth to who sees everything."""

from positions import after, every_history, expected, told

import fogspiel as fs


def test_the_strategy_fusion_game_rewards_the_sure_move():
    root = fs.load("strategy_fusion").start()
    plans = ((0, 1), (0, 1)), ((1, 0), (1, 0)), ((1, 0), (0, 1))
    values = [expected(root, lambda s: plan[s.view.first > 0]) for plan in plans]  # noqa: B023
    assert values == [0.5, 0, 0]
    assert told(root) == 1
    assert len({s.key(0) for s in every_history("strategy_fusion") if s.actor == 0}) == 2
    assert [after("strategy_fusion", world, 1, 3).moves() for world in range(2)] == [[0], [1]]
