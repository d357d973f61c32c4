"""Dice of several games: rolls in which the order does not count, their odds, their pictures."""

from collections import Counter
from itertools import product
from math import comb

import pytest

from fogspiel.game import Picture
from fogspiel.games.toolkit.dice import all_rolls, chance_of, draw_die


@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (2, 6), (4, 6), (5, 3), (3, 2)])
def test_rolls_are_multisets_of_faces_as_likely_as_their_orders(dice, faces):
    orders = Counter(int("".join(map(str, sorted(roll)))) for roll in product(range(1, faces + 1), repeat=dice))
    assert all_rolls(dice, faces) == sorted(orders)
    assert len(orders) == comb(faces + dice - 1, dice)
    assert [chance_of(roll, faces) for roll in sorted(orders)] == pytest.approx(
        [orders[roll] / faces**dice for roll in sorted(orders)]
    )


@pytest.mark.parametrize("face", range(7))
def test_a_die_shows_as_many_pips_as_its_face_the_same_upside_down(face):
    picture = Picture(28, 28)
    draw_die(picture, 0, 0, face)
    circles = [part.split('"') for part in str(picture).split("<") if part.startswith("circle")]
    pips = {(float(part[1]), float(part[3])) for part in circles}
    assert len(circles) == len(pips) == face
    assert pips == {(28 - x, 28 - y) for x, y in pips}
