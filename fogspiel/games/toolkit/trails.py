"""Pieces on grids and graphs, and the ways they came, in pictures."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from fogspiel.game import Picture
from fogspiel.games.toolkit.draw import middle, stone

Spots = list[tuple[float, float]]
"""For each node the point where it is drawn."""


def cells(rows: int, columns: int, cell: float = 40) -> Spots:
    """The middles of the squares of a `board`, row by row."""
    return [middle(row, column, cell) for row in range(rows) for column in range(columns)]


def ring(nodes: int) -> tuple[Picture, Spots]:
    """A picture of so many nodes in a circle, node 0 at the top, each with its number outside."""
    radius = 60 + 6 * nodes
    size = 2 * radius + 120
    picture = Picture(size, size)
    spots = []
    for node in range(nodes):
        across, up = math.sin(2 * math.pi * node / nodes), math.cos(2 * math.pi * node / nodes)
        spots.append((size / 2 + radius * across, size / 2 - radius * up))
        picture.text(size / 2 + (radius + 30) * across, size / 2 - (radius + 30) * up, str(node), 12)
    return picture, spots


def draw_trails(picture: Picture, spots: Spots, trails: Iterable[tuple[Sequence[int], str, str]]) -> None:
    """For each piece the nodes that it has been at, its colour and its mark."""
    drawn = list(trails)
    for i, (nodes, colour, _) in enumerate(drawn):
        aside = 4 * (i - (len(drawn) - 1) / 2)
        for a, b in pairwise(nodes):
            (x1, y1), (x2, y2) = spots[a], spots[b]
            picture.line(x1 + aside, y1 + aside, x2 + aside, y2 + aside, colour=colour, width=2, dashed=True)
    for nodes, colour, mark in drawn:
        stone(picture, *spots[nodes[-1]], 14, colour, mark)


def caption(picture: Picture, text: str) -> None:
    """A line of text in the upper margin."""
    picture.text(picture.width / 2, 12, text, 11)
