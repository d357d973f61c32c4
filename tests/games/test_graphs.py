"""Graphs and grids of the toolkit: steps and distances beside arithmetic, lines of sight beside points along the
line."""

import numpy as np
import pytest

from fogspiel.games.toolkit.graphs import (
    OFF,
    STEPS,
    WAIT,
    circle,
    distances,
    grid,
    grid_steps,
    neighbour_sets,
)
from fogspiel.games.toolkit.maps import sight


def test_steps_of_a_grid_lead_up_down_left_and_right_or_off_it():
    to = grid_steps(3, 2).reshape(-1, STEPS).tolist()
    assert to[0] == [OFF, 3, OFF, 1, 0]
    assert to[4] == [1, OFF, 3, 5, 4]
    assert [sorted(cell for cell in near[:WAIT] if cell != OFF) for near in to] == [list(near) for near in grid(3, 2)]


def test_distances_on_a_grid_are_those_along_its_rows_and_columns():
    away = distances(grid(5, 4)).reshape(20, 20)
    for a in range(20):
        for b in range(20):
            assert away[a, b] == abs(a // 5 - b // 5) + abs(a % 5 - b % 5)


def test_distances_follow_arrows_and_tell_where_no_way_leads():
    assert distances(((1,), (2,), ())).reshape(3, 3).tolist() == [[0, 1, 2], [3, 0, 1], [3, 3, 0]]


def test_neighbours_on_a_circle_are_sets_of_two():
    assert neighbour_sets(circle(4)).tolist() == [0b1010, 0b0101, 0b1010, 0b0101]


@pytest.mark.parametrize("reach", [2, 4, 10])
def test_a_cell_is_seen_if_no_wall_is_on_the_line_to_it(reach):
    free = np.random.default_rng(5).random((9, 8)) > 0.2
    rows = sight(free, reach).reshape(72, -1)
    seen = [
        {8 * (a // 8 + k - reach) + c for k, row in enumerate(rows[a]) for c in range(8) if row >> c & 1}
        for a in range(72)
    ]
    for a in range(72):
        for b in range(72):
            row, column = divmod(a, 8)
            down, right = np.subtract(divmod(b, 8), (row, column)).tolist()
            # none of these points of the line lies on the border of two cells
            along = (np.arange(2000) + 0.5) / 2000
            passed = free[np.rint(row + along * down).astype(int), np.rint(column + along * right).astype(int)]
            near = down * down + right * right <= reach * reach
            assert (b in seen[a]) == bool(near and free[divmod(a, 8)] and passed.all()), (a, b)
            assert (b in seen[a]) == (a in seen[b])
