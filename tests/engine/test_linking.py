"""Loops made of parts."""

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Real
from fogspiel.engine.linking import linked


def part(x):
    raise NotImplementedError


def apart(x):
    return x + 1.0


def inner(x):
    return part(apart(x))


def loop(n: Int, x: Real) -> Real:
    for _ in range(n):
        x = inner(x)
    return x


def double(x):
    return 2.0 * x


def halve(x):
    return 0.5 * x


def test_a_part_is_put_in_for_its_name_however_deep_the_call():
    assert linked(loop, {part: double})(2, 1.0) == 10.0
    assert linked(loop, {part: halve})(2, 1.0) == 1.0


def test_loops_with_other_parts_are_other_machine_code():
    doubling = kernel(linked(loop, {part: double}), group="doubling")
    halving = kernel(linked(loop, {part: halve}), group="halving")
    assert (doubling(2, 1.0), halving(2, 1.0)) == (10.0, 1.0)


def test_functions_that_need_no_part_stay_as_they_are():
    made = linked(loop, {part: double})
    assert made is not loop
    assert made.__globals__["inner"].__globals__["apart"] is apart
    assert linked(apart, {part: double}) is apart


def other(x):
    raise NotImplementedError


def calling(x):
    return other(x) + 1.0


def test_parts_call_parts():
    made = linked(loop, {part: calling, other: double})
    assert made(1, 1.0) == 5.0
    assert kernel(made, group="calling")(1, 1.0) == 5.0
