"""The absent-minded driver: what turning once in three is worth."""

import pytest
from positions import child, expected

import fogspiel as fs


def test_the_absent_minded_driver_does_best_by_turning_once_in_three():
    root = fs.load("absent_minded_driver").start()
    assert root.key(0) == child(root, 0).key(0)
    values = [expected(root, lambda s: (1 - turn, turn)) for turn in (0, 1 / 3, 1)]  # noqa: B023
    assert values == pytest.approx([1, 4 / 3, 0])
    assert max(expected(root, lambda s: (1 - turn / 99, turn / 99)) for turn in range(100)) == pytest.approx(4 / 3)  # noqa: B023
