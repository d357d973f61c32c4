"""The absent-minded driver: what turning once in three is worth."""

import pytest
from positions import child, expected

import fogspiel as fs


def test_the_absent_minded_driver_does_best_by_turning_once_in_three():
    root = fs.load("absent_minded_driver").start()
    assert root.key(0) == child(root, 0).key(0)

    def worth(turn):
        return expected(root, lambda s: (1 - turn, turn))

    assert [worth(0), worth(1 / 3), worth(1)] == pytest.approx([1, 4 / 3, 0])
    assert max(worth(turn / 99) for turn in range(100)) == pytest.approx(4 / 3)
