"""An index finds what was entered, as a dictionary does, compiled and un-compiled."""

import numpy as np
import pytest

from fogspiel.engine.index import FREE, enter_all, find
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Ints32, Words


@kernel
def number_all(n: Int, keys: Words, mask: Int, index: Ints32, known: Words, out: Ints) -> Int:
    """Number each different key in the order of their first times; returns how many there are."""
    count = 0
    for i in range(n):
        at = find(keys[i], index, mask, is_known, keys[i], known)
        if index[at] == FREE:
            known[count] = keys[i]
            count += 1
            index[at] = count
        out[i] = index[at] - 1
    return count


@kernel
def grow(count: Int, mask: Int, index: Ints32, known: Words) -> None:
    enter_all(count, index, mask, key_of, known)


@kernel
def number_of(key: Int, mask: Int, index: Ints32, known: Words) -> Int:
    return index[find(key, index, mask, is_known, np.uint64(key), known)] - 1


def is_known(entry, key, known):
    return known[entry - 1] == key


def key_of(record, known):
    return known[record]


@pytest.fixture(params=["compiled", "plain"])
def run(request):
    return lambda function, *given: (function if request.param == "compiled" else function.plain)(*given)


@pytest.mark.parametrize("kinds", [40, 120], ids=["loose", "almost full"])
def test_records_are_found_by_key_though_most_share_their_lowest_bits(run, kinds):
    rng = np.random.default_rng(3)
    keys = rng.choice((rng.permutation(kinds).astype(np.uint64) << 59) | np.arange(kinds, dtype=np.uint64) // 9, 500)
    numbers: dict[int, int] = {}
    expected = [numbers.setdefault(int(key), len(numbers)) for key in keys]
    index, known, out = np.zeros(128, np.int32), np.zeros(128, np.uint64), np.zeros(len(keys), np.int64)
    assert run(number_all, len(keys), keys, 127, index, known, out) == len(numbers)
    assert out.tolist() == expected


def test_a_larger_index_over_the_same_records_finds_them_all_and_nothing_else(run):
    known = np.arange(100, 160, dtype=np.uint64)
    index = np.full(256, 7, np.int32)
    run(grow, 60, 255, index, known)
    assert np.count_nonzero(index) == 60
    assert [run(number_of, key, 255, index, known) for key in range(100, 160)] == list(range(60))
    assert run(number_of, 99, 255, index, known) == run(number_of, 100 + 256, 255, index, known) == -1
