"""A kernel reaches the arrays and records of a bundle by name, compiled and not, and is given no others."""

import copy
import pickle

import numpy as np
import pytest

from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Int, Ints, Real, Reals, Record, Records
from fogspiel.engine.primitives import assign, clear

Point = np.dtype([("x", "f8"), ("hits", "i8"), ("at", "f8", 2)], align=True)
Work = Bundle(counts=Record(Point), points=Records(Point), steps=Ints, out=Reals)


@kernel
def push(n: Int, work: Work) -> Real:
    far = 0.0
    for i in range(n):
        far = pushed(work, i)
    assign(work.points[2], work.points[1])
    clear(work.points[0])
    return far


def pushed(work, i):
    point = work.points[i]
    point.x += work.steps[i]
    point.at[1] = point.x
    work.counts.hits += 1
    work.out[i] = 2.0 * point.x
    return point.x


def bundle(**others):
    points = np.zeros(3, Point)
    points["x"] = [1, 2, 3]
    return Bundled(
        Work, **{"counts": np.zeros(1, Point), "points": points, "steps": np.array([5, 6]), "out": np.zeros(2)} | others
    )


@pytest.mark.parametrize("run", [push, push.plain], ids=["compiled", "plain"])
def test_members_are_reached_by_name(run):
    work = bundle()
    assert run(2, work) == 8.0
    assert work.counts.hits == 2
    assert work.out.tolist() == [12.0, 16.0]
    assert work.points.x.tolist() == [0.0, 8.0, 8.0]
    assert work.points.at.tolist() == [[0.0, 0.0], [0.0, 8.0], [0.0, 8.0]]


def test_a_member_is_replaced_by_a_longer_one():
    work = bundle()
    work.out = np.full(100, 7.0)
    push(2, work)
    assert work.out[:3].tolist() == [12.0, 16.0, 7.0]


def test_what_does_not_fit_is_refused():
    with pytest.raises(TypeError, match="contiguous array of int64"):
        bundle(steps=np.zeros(2))
    with pytest.raises(TypeError, match="was given"):
        Bundled(Work, out=np.zeros(2))
    with pytest.raises(AttributeError, match="nothing"):
        bundle().nothing = np.zeros(2)
    other = Bundled(Bundle(out=Reals), out=np.zeros(2))
    with pytest.raises(TypeError, match="expected a bundle"):
        push(2, other)


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda work: pickle.loads(pickle.dumps(work))], ids=["copy", "pickle"]
)
def test_a_copy_has_arrays_of_its_own(again):
    work = bundle()
    other = again(work)
    assert push(2, other) == 8.0
    assert other.out.tolist() == [12.0, 16.0]
    assert work.out.tolist() == [0.0, 0.0]
