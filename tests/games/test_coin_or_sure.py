"""A coin or a sure reward."""

from positions import expected

import fogspiel as fs


def test_the_sure_reward_beats_the_coin():
    root = fs.load("coin_or_sure").start()
    assert [expected(root, lambda s: plan) for plan in ((1, 0), (0, 1))] == [0.6, 0.5]  # noqa: B023
