"""Graphs and grids as tables: steps, neighbours, distances, what a line crosses.

A graph is a tuple that has, for each node from 0, the nodes that one move leads to. A cell of a grid is numbered
row * width + column, from 0 at the top left. What rules are to read with `whole_at` comes as a flat array.
"""

from collections.abc import Iterator

import numpy as np

Graph = tuple[tuple[int, ...], ...]

UP, DOWN, LEFT, RIGHT, WAIT = range(5)
STEPS = 5
STEP_NAMES = ("up", "down", "left", "right", "wait")
STEP_MARKS = "↑↓←→·"
OFF = -1
"""Where a step leads that leaves the grid."""


def grid_steps(width: int, height: int) -> np.ndarray:
    """Where each step leads, by STEPS * cell + step; OFF, if out of the grid."""
    rows, columns = np.divmod(np.arange(width * height), width)
    to = np.full((width * height, STEPS), OFF)
    for step, (down, right) in enumerate([(-1, 0), (1, 0), (0, -1), (0, 1), (0, 0)]):
        row, column = rows + down, columns + right
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        to[inside, step] = (row * width + column)[inside]
    return to.ravel()


def grid(width: int, height: int) -> Graph:
    """The grid in which each cell has the cells above, below, left and right of it as neighbours."""
    steps = grid_steps(width, height).reshape(-1, STEPS)[:, :WAIT]
    return tuple(tuple(sorted(to[to != OFF].tolist())) for to in steps)


def circle(nodes: int) -> Graph:
    """Nodes in a circle, each with the one before and the one after it as neighbours."""
    return tuple(tuple(sorted({(a - 1) % nodes, (a + 1) % nodes})) for a in range(nodes))


def neighbour_sets(graph: Graph) -> np.ndarray:
    """For each node the nodes one move away as a set, with a bit for each. The graph has at most 63 nodes."""
    return np.array([sum(1 << b for b in set(near)) for near in graph])


def distances(graph: Graph) -> np.ndarray:
    """How many moves lead from a to b, by nodes * a + b; as many as there are nodes, where no way leads there."""
    n = len(graph)
    away = np.full((n, n), n)
    for a in range(n):
        away[a, a] = 0
        reached = [a]
        for b in reached:  # grows while it is gone through: breadth first
            for to in graph[b]:
                if away[a, to] == n:
                    away[a, to] = away[a, b] + 1
                    reached.append(to)
    return away.ravel()


def crossed(down: int, right: int) -> Iterator[tuple[int, int]]:
    """The cells through whose inside the line runs from the centre of cell (0, 0) to that of (down, right)."""
    rows, columns = abs(down), abs(right)
    for r in range(rows + 1):
        for c in range(columns + 1):
            # twice the cell's extent, as seen along the line's normal (rows, -columns)
            if abs(rows * c - columns * r) * 2 < rows + columns or (r, c) == (0, 0):
                yield (r if down > 0 else -r), (c if right > 0 else -c)
