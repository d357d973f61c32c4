"""Nim: the nim-sum tells who wins, play as in OpenSpiel."""

from functools import reduce
from operator import xor

import pytest
from peers import assert_plays_as_in_openspiel
from positions import after, solved

import fogspiel as fs

HEAPS = [
    "[1]",
    "[2]",
    "[1,1]",
    "[1,2]",
    "[1,1,1]",
    "[3,3]",
    "[1,2,3]",
    "[2,2,1]",
    "[1,1,1,1]",
    "[3,4,5]",
    "[1,3,5,7]",
    "[9,2,6,13]",
]


@pytest.mark.parametrize("heaps", HEAPS)
def test_the_nim_sum_tells_who_wins(heaps):
    """Bouton 1901."""
    sizes = [int(size) for size in heaps[1:-1].split(",")]
    nim_sum = reduce(xor, sizes)
    assert solved(f"nim(heaps={heaps})") == (1 if nim_sum else -1)
    misere = nim_sum != 0 if max(sizes) > 1 else len(sizes) % 2 == 0
    assert solved(f"nim(heaps={heaps},play=misere)") == (1 if misere else -1)


def test_moves_are_told_by_heap_and_number():
    s = after("nim")
    names = [s.game.move_name(s, move) for move in s.moves()]
    assert len(names) == 16
    assert names[:3] == ["1 from heap 1", "1 from heap 2", "2 from heap 2"]


@pytest.mark.parametrize("play", ["normal", "misere"])
def test_nim_plays_as_in_openspiel(play):
    theirs = f"nim(pile_sizes=1;3;5;7,is_misere={'true' if play == 'misere' else 'false'})"
    assert_plays_as_in_openspiel(
        f"nim(play={play})", theirs, 500, lambda s, move: [(move % 32 - 1) * 4 + move // 32], keys=False
    )


@pytest.mark.parametrize(
    ("heaps", "sentence"),
    [
        ("[1,x]", "whole numbers"),
        ("[0,3]", "1 to 31 objects"),
        ("[1,1,1,1,1,1,1,1,1]", "1 to 8 heaps"),
        ("[32]", "1 to 31 objects"),
    ],
)
def test_heaps_that_cannot_be_are_refused(heaps, sentence):
    with pytest.raises(fs.FogspielError, match=sentence):
        fs.load(f"nim(heaps={heaps})")
