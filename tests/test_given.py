"""One place checks what comes in: what is meant is understood, what cannot be meant gets one sentence."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import fogspiel as fs
from fogspiel import given


class Rude:
    def __repr__(self):
        raise RuntimeError("no")


ODD = [
    None,
    True,
    np.bool_(True),
    "5",
    b"5",
    [],
    [1],
    {},
    1.5,
    float("nan"),
    float("inf"),
    10**400,
    object(),
    Rude(),
    np.zeros(2),
]


@pytest.mark.parametrize("value", [7, np.int8(7), np.uint64(7), 7.0, np.float32(7), Fraction(7), np.array(7)], ids=repr)
def test_a_whole_number_may_come_in_any_type_that_stands_for_one(value):
    assert given.whole("n", value) == 7
    assert type(given.whole("n", value)) is int


@pytest.mark.parametrize("value", ODD, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize(
    "check",
    [
        lambda v: given.whole("it", v, 0, 100),
        lambda v: given.seed(v, "it"),
        lambda v: given.size("it", v),
        lambda v: given.threads(v, "it"),
        lambda v: given.player(2, v, "it"),
        lambda v: given.move([1, 2, 3], v, "it"),
        lambda v: given.probability("it", v),
        lambda v: given.choice("it", v, ("a", "b")),
    ],
)
def test_what_cannot_be_meant_gets_one_sentence_that_names_the_argument(check, value):
    with pytest.raises(fs.SpecError, match=r"^it [^\n]{1,300}$"):
        check(value)


def test_sentences_say_what_was_expected_and_what_was_given():
    for check, sentence in (
        (lambda: given.whole("games", 0, 1, 10), "games must be a whole number from 1 to 10, not 0"),
        (lambda: given.whole("games", 1.5, 1), "games must be a whole number of at least 1, not 1.5"),
        (lambda: given.seed(-1), "seed must be a whole number from 0 to 2^64 - 1, not -1"),
        (lambda: given.seed(2**64), "seed must be a whole number from 0 to 2^64 - 1, not 18446744073709551616"),
        (lambda: given.player(3, 3), "player must be a whole number from 0 to 2, not 3"),
        (lambda: given.player(1, 1), "player must be 0, not 1"),
        (lambda: given.number("p", float("nan")), "p must be a number, not nan"),
        (lambda: given.seconds("seconds", -1), "seconds must be a number of at least 0, not -1"),
        (lambda: given.number("time", 0, 0, above=True), "time must be a number above 0, not 0"),
        (lambda: given.move([4, 5], 6), "move 6 is not legal here; the legal moves are 4, 5"),
        (lambda: given.flag("debug", "yes"), "debug must be True or False, not 'yes'"),
        (lambda: given.probabilities("odds", [0.5, 0.6]), "odds must sum to one, and sum to 1.1"),
        (lambda: given.several("agents", "random"), "agents must be a list, not 'random'"),
        (lambda: given.path("store", 3), "store must be the name of a file, not 3"),
        (lambda: given.path("store", "a\nb"), r"store must be the name of a file, not 'a\nb'"),
    ):
        with pytest.raises(fs.SpecError) as raised:
            check()
        assert str(raised.value) == sentence


def test_what_is_meant_is_understood():
    assert given.seed(2**64 - 1) == 2**64 - 1
    assert given.whole("n", "1e3", text=True) == 1000
    assert given.seconds("seconds", float("inf")) == float("inf")
    assert given.player(2, -1, public=True) == -1
    assert given.flag("debug", np.bool_(True)) is True
    assert given.path("store", "a/b") == Path("a/b")
    assert given.maybe(given.whole, "n", None) is None
    assert given.probabilities("odds", np.array([0.25, 0.75])) == [0.25, 0.75]
    assert given.several("agents", (x for x in "ab")) == ["a", "b"]
