"""A kernel runs its function as machine code, and refuses what would corrupt memory."""

import ctypes
import sys
import threading
import time

import numba
import numpy as np
import pytest

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Ints32, Real, Reals, Record, Records, Words
from fogspiel.engine.primitives import call

Point = np.dtype([("x", "f8"), ("hits", "i4", 3), ("n", "i1")], align=True)


@kernel
def total(n: Int, values: Reals) -> Real:
    """The sum of the first n values."""
    out = 0.0
    for i in range(n):
        out += values[i]
    return out


@kernel
def shift(n: Int, by: Int, wide: Ints, narrow: Ints32, tiny: Bytes, words: Words) -> None:
    for i in range(n):
        wide[i] += by
        narrow[i] += by
        tiny[i] += by
        words[i] += np.uint64(by)


@kernel
def push(point: Record(Point), by: Real) -> None:
    point.x += by
    point.hits[point.n] += 1
    point.n = 2


@kernel
def all_hits(point: Record(Point)) -> Int:
    return np.sum(point.hits) + np.sum(point.hits[1:]) ** 2


@kernel
def push_each(n: Int, points: Records(Point)) -> Real:
    """Push each of n points by its number; returns where the last one is."""
    for i in range(n):
        points[i].x += i
        last = points[i]
        last.n += 1
    return place(points, n - 1)


def place(points, i):
    return points[i].x


@kernel
def sum_to(n: Int) -> Int:
    return plus(n)


def plus(n):
    return 0 if n == 0 else n + plus(n - 1)


@kernel
def parity(n: Int) -> Int:
    return 1 if is_odd(n) else 0


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@kernel
def wait_for(flag: Bytes, sleep: Int, most: Int) -> Int:
    """Sleep a millisecond at a time, with a C function, until flag[0] is set; returns how often, or -1."""
    flag[1] = 1
    for i in range(most):
        if flag[0] != 0:
            return i
        call(sleep, 0, 1000)
    return -1


def test_a_kernel_does_what_its_plain_function_does():
    values = np.array([0.1, 0.7, 1e10, -3.0])
    assert total(3, values) == total.plain(3, values) == 0.1 + 0.7 + 1e10
    assert total.__doc__ == "The sum of the first n values."


def test_a_kernel_writes_to_arrays_of_every_kind():
    arrays = [np.arange(3, dtype=kind) for kind in ("i8", "i4", "i1", "u8")]
    shift(2, 5, *arrays)
    assert [a.tolist() for a in arrays] == [[5, 6, 2]] * 4


def test_a_kernel_reads_and_writes_the_fields_of_a_record():
    point = np.zeros(1, Point)
    push(point, 0.5)
    push(point, 0.25)
    assert point["x"][0] == 0.75
    assert point["hits"][0].tolist() == [1, 0, 1]


def test_the_elements_of_an_array_of_records_are_written_in_place_compiled_or_not():
    compiled, plain = np.zeros(4, Point), np.zeros(4, Point).view(np.recarray)
    for points, push_them in ((compiled, push_each), (plain, push_each.plain)):
        assert [push_them(3, points), push_them(3, points)] == [2, 4]
        assert points["x"].tolist() == [0, 2, 4, 0]
        assert points["n"].tolist() == [2, 2, 2, 0]
    with pytest.raises(TypeError, match="expected a contiguous array"):
        push_each(1, np.zeros(1, [("x", "f8")]))


@pytest.mark.parametrize(
    "wrong", [np.zeros(3, "f4"), np.zeros(3, "i8"), np.zeros(3, "u8"), np.zeros(6)[::2], np.zeros(3, ">f8")]
)
def test_a_kernel_refuses_an_array_of_another_kind(wrong):
    with pytest.raises(TypeError, match="expected a contiguous array of float64"):
        total(3, wrong)


def test_a_kernel_refuses_a_record_of_another_layout():
    with pytest.raises(TypeError, match="expected a contiguous array"):
        push(np.zeros(1, [("x", "f8")]), 1.0)


def test_a_kernel_refuses_a_wrong_number_of_arguments_and_a_real_for_a_whole_number():
    with pytest.raises(ValueError, match="argument"):
        total(3)
    with pytest.raises(ctypes.ArgumentError):
        total(2.5, np.zeros(3))


def test_functions_that_call_themselves_and_each_other_are_compiled():
    assert sum_to(100) == 5050
    assert [parity(n) for n in range(6)] == [0, 1, 0, 1, 0, 1]


@pytest.mark.skipif(sys.platform == "win32", reason="needs usleep")
def test_a_running_kernel_lets_other_threads_work():
    flag, seen = np.zeros(2, np.int8), []
    sleep = ctypes.cast(ctypes.CDLL(None).usleep, ctypes.c_void_p).value
    waiter = threading.Thread(target=lambda: seen.append(wait_for(flag, sleep, 20_000)))
    waiter.start()
    while flag[1] == 0:
        time.sleep(0.001)
    flag[0] = 1
    waiter.join()
    assert seen[0] >= 0


def test_functions_that_numba_compiles_for_others_are_not_touched():
    point = np.zeros((), Point)
    point["hits"] = (1, 2, 3)
    assert all_hits(point) == 6 + 25
    summed = numba.njit(
        lambda hits: (hits, np.sum(hits) + np.sum(hits[1:]) ** 2)
    )  # what the kernel calls, and the same array again
    for n in range(100):
        hits, found = summed(np.array([1, n, 3], np.int32))
        assert hits.tolist() == [1, n, 3]
        assert found == 4 + n + (n + 3) ** 2


def test_a_bound_kernel_takes_what_is_left_open_and_keeps_the_rest():
    values = np.array([1.0, 2.0, 3.0])
    summed = total.bind(None, values)
    assert summed(3) == 6.0
    values[0] = 5.0
    del values
    assert (summed(3), summed(1)) == (10.0, 5.0)
    with pytest.raises(TypeError, match="expected a contiguous array of float64"):
        total.bind(None, np.arange(3))
    with pytest.raises(ValueError, match="shorter"):
        summed()
    with pytest.raises(ValueError, match="shorter"):
        total.bind(None)


@pytest.mark.parametrize(
    "values", [np.zeros(0), np.frombuffer(np.array([1.0, 2.0]).tobytes())], ids=["empty", "read-only"]
)
def test_arrays_that_are_empty_or_may_not_be_written_reach_a_kernel(values):
    assert total(len(values), values) == sum(values)
