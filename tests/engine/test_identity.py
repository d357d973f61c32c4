"""What tells closures apart: a hash of all that they hold, or a sentence where nothing does."""

import numpy as np
import pytest

from fogspiel.engine.closure import fingerprint
from fogspiel.engine.identity import identity


class Thing:
    def __init__(self, x):
        self.x = x


def holding(held):
    def adds(x):
        return x + held(x) if callable(held) else x

    return adds


def twice(x):
    return 2 * x


def thrice(x):
    return 3 * x


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 2), ("a", "b"), (np.arange(3), np.arange(3) + 1), ({"a": [1]}, {"a": [2]}), (twice, thrice), (None, 0)],
)
def test_closures_over_different_values_differ_and_over_the_same_do_not(one, other):
    assert identity([holding(one)]) == identity([holding(one)])
    assert identity([holding(one)]) != identity([holding(other)])


def test_a_class_is_told_by_its_functions_and_values():
    def made(value, function):
        return type("Made", (), {"__module__": "", "value": value, "function": function})

    assert identity([made(1, twice)]) == identity([made(1, twice)])
    assert len({identity([made(v, f)]) for v in (1, 2) for f in (twice, thrice)}) == 4


def test_a_function_that_holds_itself_is_told():
    def counted(n):
        return 0 if n == 0 else 1 + counted(n - 1)

    assert identity([counted]) == identity([counted])
    assert fingerprint([counted]) == fingerprint([counted])


def test_what_nothing_tells_from_others_is_refused():
    for tell in (identity, fingerprint):
        with pytest.raises(ValueError, match="held.* object of Thing, which nothing tells from others"):
            tell([holding(Thing(1))])


def test_machine_code_of_closures_over_different_functions_is_not_shared():
    assert fingerprint([holding(twice)]) != fingerprint([holding(thrice)])
    assert fingerprint([holding(twice)]) == fingerprint([holding(twice)])
