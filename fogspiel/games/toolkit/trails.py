"""Pieces on a grid, and the ways they came, in pictures."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from fogspiel.game import Picture
from fogspiel.games.toolkit.draw import middle, stone


def draw_trails(
    picture: Picture, width: int, trails: Iterable[tuple[Sequence[int], str, str]], cell: float = 40
) -> None:
    """For each piece the cells that it has been in, its colour and its mark; on a `board` of so many columns."""
    drawn = list(trails)
    for i, (cells, colour, _) in enumerate(drawn):
        aside = (i - (len(drawn) - 1) / 2) * cell / 10
        spots = [middle(c // width, c % width, cell) for c in cells]
        for (x1, y1), (x2, y2) in pairwise(spots):
            picture.line(x1 + aside, y1 + aside, x2 + aside, y2 + aside, colour=colour, width=2, dashed=True)
    for cells, colour, mark in drawn:
        stone(picture, *middle(cells[-1] // width, cells[-1] % width, cell), 0.35 * cell, colour, mark)


def caption(picture: Picture, text: str) -> None:
    """A line of text in the upper margin."""
    picture.text(picture.width / 2, 12, text, 11)
