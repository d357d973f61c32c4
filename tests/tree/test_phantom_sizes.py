"""The sizes of phantom tic-tac-toe and its abstractions, whose 10^10 histories nobody can walk, from players' tries
alone."""

import pytest

from fogspiel.reproduce.lanctot_2013.sizes import phantom_sizes

# Lanctot 2013, Table 5.1: (information set, action) pairs, which an enumeration of the rules as they are told exceeds
# by up to 4%; and what an independent enumeration of those rules found: information sets, pairs
PUBLISHED = {"none": 11_695_314, "fosf": 9_347_010, "foi": 1_147_530, "fos": 1_484_168, "foe": 47_818}
COUNTED = {
    "none": (5_990_669, 12_157_266),
    "fosf": (4_689_005, 9_700_290),
    "foi": (513_077, 1_180_938),
    "fos": (611_223, 1_503_416),
    "foe": (12_389, 47_946),
}


def test_phantom_tic_tac_toe_and_its_abstractions_have_the_published_sizes():
    found = phantom_sizes()
    assert found == COUNTED
    for name, published in PUBLISHED.items():
        assert found[name][1] == pytest.approx(published, rel=0.04)
