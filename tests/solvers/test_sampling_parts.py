"""A sampling scheme is made of parts: one more is a plain function, and the loop stays as it is."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.engine.closure import reachable
from fogspiel.solvers.mccfr.arena import AVERAGE, REGRET
from fogspiel.solvers.mccfr.averaging import add_strategy, is_averaged
from fogspiel.solvers.registry import read_solver
from fogspiel.solvers.solver import Task


def linear(run, place, own, picked):
    """Later iterations count more, in proportion to their number (Brown and Sandholm 2019)."""
    if is_averaged(run, place.who):
        add_strategy(run, place, own * (run.counts.done + 1))


def made(spec, game="kuhn", **parts):
    _, entry, values = read_solver(spec, words="64", **parts)
    return entry.make(Task(fs.load(game), seed=5, memory=1 << 20), values)


def columns(solver):
    found = solver.table.contents()
    at = found["count"], found["first"]
    return solver.table.column(REGRET, *at), solver.table.column(AVERAGE, *at)


def test_an_averaging_scheme_is_a_function_beside_the_loop():
    ours, plain = made("es-mccfr", average=linear), made("es-mccfr")
    # regrets do not depend on averages, so both meet the same information sets in the same order
    for solver in (ours, plain):
        solver.advance(50)
    before, weighted = columns(plain)[1], np.zeros(0)
    start = columns(ours)[1]
    for t in range(51, 200):
        plain.advance(1)
        now = columns(plain)[1]
        assert len(now) == len(before)
        weighted = (weighted if weighted.size else np.zeros(len(now))) + t * (now - before)
        before = now
    ours.advance(149)
    assert np.array_equal(columns(ours)[0], columns(plain)[0])
    assert columns(ours)[1] - start == pytest.approx(weighted, abs=1e-6)


def code(spec):
    """The functions that the kernel is made of."""
    solver = made(spec)
    return {f"{f.__module__.rpartition('.')[2]}.{f.__qualname__}" for f in reachable([solver.workers[0].kernel.plain])}


def test_a_part_that_is_not_chosen_is_not_in_the_code():
    ours = code("es-mccfr")
    assert {"sampling.External.at_decision", "chance.One.sample_chance", "averaging.Weighted.average"} <= ours
    assert {name.partition(".")[0] for name in ours} & {"outcome", "opponents", "public"} == set()
    assert not any(part in name for name in ours for part in ("Lazy", "Pure", "Vanilla", "AverageStrategy", "Every"))
    assert not any(name.startswith(("outcome.", "chance.One", "averaging.Lazy")) for name in code("walk-cfr"))


def test_other_values_of_parameters_are_the_same_kernel():
    for one, other in (
        ("os-mccfr(epsilon=0.1)", "os-mccfr(epsilon=0.7)"),
        ("vr-mccfr(baseline=learned(rate=0.1))", "vr-mccfr(baseline=learned(rate=0.9))"),
        ("as-mccfr(tau=2)", "mccfr(sampling=average-strategy(tau=1000,beta=3))"),
    ):
        assert made(one).workers[0].kernel is made(other).workers[0].kernel


@pytest.mark.parametrize(
    ("general", "named"),
    [
        ("mccfr", "es-mccfr"),
        ("mccfr(sampling=outcome(epsilon=0.3),average=lazy)", "os-mccfr(epsilon=0.3,average=lazy)"),
        ("mccfr(sampling=vanilla,chance=public)", "cs-mccfr(chance=public)"),
        ("mccfr(sampling=pure,average=counts)", "pure-cfr"),
        ("mccfr(sampling=corrected(baseline=learned(rate=0.2)))", "vr-mccfr(baseline=learned(rate=0.2))"),
    ],
)
def test_a_scheme_with_a_name_is_the_general_one_with_its_parts(general, named):
    ours, theirs = made(general, "bluff(faces=2)"), made(named, "bluff(faces=2)")
    assert ours.workers[0].kernel is theirs.workers[0].kernel
    for solver in (ours, theirs):
        solver.advance(40)
    assert np.array_equal(ours.table.store(), theirs.table.store())


def test_a_baseline_of_nothing_is_right_on_average_too():
    solver = made("vr-mccfr(baseline=zero)", "leduc")
    solver.advance(200)
    assert solver.table.nodes > 50


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("mccfr(average=lazy)", "average=lazy goes with outcome, not with external"),
        ("mccfr(average=counts)", "average=counts goes with pure"),
        ("mccfr(sampling=pure,average=optimistic)", "goes with external or outcome, not with pure"),
        ("es-mccfr(average=lazy)", "parameter average must be one of weighted, optimistic, or a file"),
    ],
)
def test_parts_that_do_not_go_together_are_refused(spec, told):

    with pytest.raises(fs.SpecError, match=told):
        made(spec)
