"""Hashing, random numbers and tables give the same bits in machine code and in plain Python."""

import ctypes
import random

import numpy as np
import pytest

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Ints32, Real, Reals, Record, Records, Word, Words
from fogspiel.engine.primitives import (
    GOLDEN,
    address_of,
    call,
    copy_bytes,
    fetch_soon,
    next_word,
    overlaid,
    part_of,
    shorten,
)
from fogspiel.game import bit, count_bits, lowest_bit, mix, nth_bit, pick, real_at, uniform, whole_at

EDGES = [0, 1, 2, 2**31, 2**32, 2**62, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1]
NEGATIVE = [-1, -2, -128, -(2**31), -(2**32) - 1, -(2**62), -(2**63) + 1, -(2**63)]
SPLITMIX = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC],
    1234567: [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821],
}
"""The first outputs of splitmix64 by seed, from its published implementations."""


@kernel
def mix_words(count: Int, keys: Words, values: Words, out: Words) -> None:
    for i in range(count):
        out[i] = mix(keys[i], values[i])


@kernel
def mix_signed(count: Int, keys: Words, values: Ints, out: Words) -> None:
    for i in range(count):
        out[i] = mix(keys[i], values[i])


@kernel
def mix_scalars(key: Word, value: Int) -> Word:
    return mix(mix(key, value), True)


@kernel
def draw_words(count: Int, rng: Words, out: Words) -> None:
    for i in range(count):
        out[i] = next_word(rng)


@kernel
def draw_reals(count: Int, rng: Words, out: Reals) -> None:
    for i in range(count):
        out[i] = uniform(rng)


@kernel
def draw_below(count: Int, n: Int, rng: Words, out: Ints) -> None:
    for i in range(count):
        out[i] = pick(rng, n)


@kernel
def shorten_reals(count: Int, values: Reals, words: Words, out: Reals) -> None:
    for i in range(count):
        fetch_soon(values, count - 1 - i)
        out[i] = shorten(values[i], words[i])


@kernel
def read_tables(reals: Int, wholes: Int, at: Int) -> Real:
    return real_at(reals, at) * whole_at(wholes, at)


@kernel
def copy(target: Int, source: Int, count: Int) -> None:
    copy_bytes(target, source, count)


@kernel
def call_back(address: Int, value: Int) -> Int:
    return call(address, 0, value, 100)


def random_words(count, seed):
    rng = random.Random(seed)
    return [rng.getrandbits(rng.choice((3, 8, 32, 63, 64))) for _ in range(count)]


def test_mix_gives_the_same_bits_compiled_and_in_python():
    keys = [k for k in EDGES for _ in EDGES] + random_words(2000, 1)
    values = EDGES * len(EDGES) + random_words(2000, 2)
    out = np.zeros(len(keys), np.uint64)
    mix_words(len(keys), np.array(keys, np.uint64), np.array(values, np.uint64), out)
    assert out.tolist() == [mix(k, v) for k, v in zip(keys, values, strict=True)]


def test_mix_takes_negative_numbers_as_their_64_bits():
    keys, values = EDGES[: len(NEGATIVE)], NEGATIVE
    out = np.zeros(len(keys), np.uint64)
    mix_signed(len(keys), np.array(keys, np.uint64), np.array(values, np.int64), out)
    assert out.tolist() == [mix(k, v) for k, v in zip(keys, values, strict=True)]
    assert out.tolist() == [mix(k, v % 2**64) for k, v in zip(keys, values, strict=True)]


def test_mix_takes_a_truth_value_as_0_or_1_and_scalars_of_any_sign():
    for key, value in zip(EDGES, [*NEGATIVE, 0, 1, 2**63 - 1], strict=True):
        assert mix_scalars(key, value) == mix(mix(key, value), 1)


@kernel
def mix_pairs(low: Int, count: Int, out: Words) -> None:
    for a in range(count):
        for b in range(count):
            out[a * count + b] = mix(low + a, low + b)


@kernel
def mix_triples(count: Int, left: Words, right: Words) -> None:
    i = 0
    for a in range(count):
        for b in range(count):
            for c in range(count):
                left[i] = mix(mix(a, b), c)
                right[i] = mix(a, mix(b, c))
                i += 1


def test_mix_gives_every_pair_of_small_whole_numbers_a_key_of_its_own():
    low, count = -2, 1003
    out = np.zeros(count * count, np.uint64)
    mix_pairs(low, count, out)
    assert len(np.unique(out)) == count * count
    assert 0 not in out


def test_mix_gives_every_triple_of_small_whole_numbers_a_key_of_its_own_in_both_nestings():
    count = 65
    left, right = np.zeros(count**3, np.uint64), np.zeros(count**3, np.uint64)
    mix_triples(count, left, right)
    assert len(np.unique(left)) == len(np.unique(right)) == count**3
    assert len(np.unique(np.concatenate([left, right]))) == 2 * count**3


def test_pairs_of_numbers_up_to_a_thousand_million_have_keys_of_their_own_in_mix():
    """The multiples of the golden ratio that come nearest to each other are those at the denominators of its continued
    fraction."""
    gap = []
    before, denominator, rest = 0, 1, (GOLDEN, 2**64)
    while denominator < 2**31:
        gap.append(min(denominator * GOLDEN % 2**64, -denominator * GOLDEN % 2**64))
        quotient = rest[1] // rest[0]
        rest = (rest[1] % rest[0], rest[0])
        before, denominator = denominator, quotient * denominator + before
    assert min(gap) > 2**31


def test_mix_tells_apart_the_order_and_the_number_of_what_is_mixed():
    assert mix(1, 0) != mix(0, 1)
    assert mix(15, 5) != mix(8, 2)
    assert len({mix(mix(0, a), b) for a in range(100) for b in range(100)}) == 10_000
    assert mix(0, 0) != 0
    assert mix(mix(0, 0), 0) != mix(0, 0)


@pytest.mark.parametrize("seed", SPLITMIX)
def test_random_words_are_those_of_splitmix64(seed):
    expected = SPLITMIX[seed]
    rng, out = np.array([seed], np.uint64), np.zeros(len(expected), np.uint64)
    draw_words(len(expected), rng, out)
    assert out.tolist() == expected
    plain = [seed]
    assert [next_word(plain) for _ in expected] == expected
    assert plain == rng.tolist()


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_uniform_gives_the_same_reals_compiled_and_in_python(seed):
    rng, out = np.array([seed], np.uint64), np.zeros(1000)
    draw_reals(len(out), rng, out)
    plain = [seed]
    assert out.tolist() == [uniform(plain) for _ in out]
    assert rng.tolist() == plain
    assert 0.0 <= out.min() < 0.01
    assert 0.99 < out.max() < 1.0


@pytest.mark.parametrize("n", [1, 2, 3, 6, 52, 1000, 2**31, 2**32 - 1])
def test_pick_gives_the_same_numbers_compiled_and_in_python(n):
    rng, out = np.array([n], np.uint64), np.zeros(1000, np.int64)
    draw_below(len(out), n, rng, out)
    plain = [n]
    assert out.tolist() == [pick(plain, n) for _ in out]
    assert out.min() >= 0
    assert out.max() < n
    if n <= 52:
        assert set(out.tolist()) == set(range(n))


def test_shortened_reals_are_next_to_the_long_ones_and_right_on_average():
    dice = np.random.default_rng(5)
    values = np.repeat(np.ldexp(dice.uniform(1, 2, 50), np.arange(-25, 25)) * dice.choice([-1, 1], 50), 1024)
    # as many words below as above every share of the way between two short reals
    words = np.tile((np.arange(1024, dtype=np.uint64) * 2 + 1) << np.uint64(53), 50)
    found, plainly = np.zeros(len(values)), np.zeros(len(values))
    shorten_reals(len(values), values, words, found)
    shorten_reals.plain(len(values), values, words, plainly)
    assert np.array_equal(found, plainly)
    assert np.array_equal(found, found.astype(np.float32))
    spacing = np.spacing(np.abs(values).astype(np.float32)).astype(float)
    assert np.all(np.abs(found - values) < spacing)
    assert np.all(np.abs((found - values).reshape(50, 1024).mean(1)) <= spacing[::1024] / 1024)


def test_tables_are_read_alike_compiled_and_in_python():
    reals, wholes = np.array([0.5, -1.25, 1e300]), np.array([3, -(2**40), 0])
    for i in range(3):
        given = reals.ctypes.data, wholes.ctypes.data, i
        assert read_tables(*given) == read_tables.plain(*given) == reals[i] * wholes[i]


def test_bytes_are_copied_alike_compiled_and_in_python():
    source = np.arange(100, dtype=np.uint8)
    for run in (copy, copy.plain):
        target = np.zeros(100, np.uint8)
        run(target.ctypes.data, source.ctypes.data, 40)
        assert target[:40].tolist() == source[:40].tolist()
        assert not target[40:].any()


def test_a_c_function_is_called_alike_compiled_and_in_python():
    back = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(lambda a, b: a - b)
    address = ctypes.cast(back, ctypes.c_void_p).value
    assert call_back(address, 7) == call_back.plain(address, 7) == -93


@kernel
def read_bits(word: Word, n: Int, out: Ints) -> Word:
    out[0], out[1], out[2] = count_bits(word), lowest_bit(word), nth_bit(word, n)
    return word & bit(n)


@kernel
def read_signed_bits(word: Int, out: Ints) -> None:
    out[0], out[1], out[2] = count_bits(word), lowest_bit(word), nth_bit(word, 1)


@pytest.mark.parametrize("word", EDGES)
def test_bits_are_read_alike(word):
    out = np.zeros(3, np.int64)
    members = [i for i in range(64) if word >> i & 1]
    for n in (0, 1, 5, 63):
        alone = read_bits(word, n, out)
        assert out.tolist() == [len(members), members[0] if members else 64, members[n] if n < len(members) else 64]
        assert out.tolist() == [count_bits(word), lowest_bit(word), nth_bit(word, n)]
        assert int(alone) % 2**64 == word & bit(n)


@pytest.mark.parametrize("word", NEGATIVE)
def test_bits_of_negative_numbers_are_those_of_the_word(word):
    out = np.zeros(3, np.int64)
    read_signed_bits(word, out)
    assert out.tolist() == [count_bits(word), lowest_bit(word), nth_bit(word, 1)]
    assert out[0] == bin(word % 2**64).count("1")


@kernel
def find_bit(word: Word, n: Int) -> Int:
    return nth_bit(word, n)


@pytest.mark.parametrize("word", EDGES)
def test_a_bit_is_found_wherever_it_is_asked_for(word):
    for n in (-1, 0, 2, 31, 62, 64, 65, 1000):
        assert find_bit(word, n) == nth_bit(word, n)


Pair = np.dtype([("whole", "i4"), ("real", "f4")], align=True)


@kernel
def write_pairs(count: Int, pairs: Records(Pair), numbers: Ints32) -> Int:
    total = 0
    for i in range(0, count, 3):
        pair = overlaid(pairs, numbers, i)
        total += pair.whole
        pair.whole, pair.real = i, 0.5 * i
    return total


def test_a_record_laid_over_numbers_reads_and_writes_them():
    found = []
    for run in (write_pairs, write_pairs.plain):
        numbers = np.arange(100, 112, dtype=np.int32)
        assert run(12, np.zeros(1, Pair), numbers) == 100 + 103 + 106 + 109
        found.append(numbers)
    assert np.array_equal(*found)
    assert found[0][[0, 3, 6, 9]].tolist() == [0, 3, 6, 9]
    assert found[0].view(np.float32)[[1, 4, 7, 10]].tolist() == [0.0, 1.5, 3.0, 4.5]
    assert found[0][[2, 5, 8, 11]].tolist() == [102, 105, 108, 111]


Hand = np.dtype([("turn", "i1"), ("cards", "i8", 3)], align=True)


@kernel
def sum_of_parts(reals: Reals, wholes: Ints, begin: Int, count: Int) -> Real:
    part, others = part_of(reals, begin), part_of(part_of(wholes, begin), 1)
    total = 0.0
    for i in range(count):
        part[i] += 1.0
        total += part[i] * others[i]
    return total


def test_a_part_of_an_array_is_the_same_memory_compiled_and_in_python():
    wholes, found = np.arange(10), []
    for run in (sum_of_parts, sum_of_parts.plain):
        reals = np.linspace(0.0, 1.0, 10)
        found.append(run(reals, wholes, 4, 3))
        assert (reals - np.linspace(0.0, 1.0, 10)).round(9).tolist() == [0] * 4 + [1] * 3 + [0] * 3
    reals = np.linspace(0.0, 1.0, 10)
    seen = (ctypes.c_double * 10).from_buffer(reals), (ctypes.c_int64 * 10).from_buffer(wholes)
    found.append(sum_of_parts.plain(*seen, 4, 3))
    assert reals[4] > 1
    assert found == [found[0]] * 3


@kernel
def where_cards_lie(hand: Record(Hand), cards: Ints) -> Int:
    return address_of(cards) - address_of(hand.cards)


def test_the_address_of_a_field_of_a_record_is_that_of_its_first_element():
    hand = np.zeros(1, Hand)
    assert where_cards_lie(hand, hand["cards"].reshape(3)) == 0
    assert where_cards_lie.plain(hand.view(np.recarray)[0], hand["cards"]) == 0
