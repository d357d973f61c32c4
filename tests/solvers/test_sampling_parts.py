"""A sampling scheme is made of parts: one more is a plain function in a file of its own, such as this one, and the loop
stays as it is."""

import numpy as np
import pytest

import fogspiel as fs
from fogspiel.engine.closure import reachable
from fogspiel.game import Choice
from fogspiel.solvers.mccfr.arena import AVERAGE, REGRET
from fogspiel.solvers.mccfr.averaging.weighted import add_strategy, nothing
from fogspiel.solvers.mccfr.averaging.whose import is_averaged
from fogspiel.solvers.mccfr.chance import ONE
from fogspiel.solvers.mccfr.external import EXTERNAL
from fogspiel.solvers.mccfr.opponents import FREE
from fogspiel.solvers.mccfr.parts import Part, average, hand_down
from fogspiel.solvers.mccfr.schemes import SCHEMES, Scheme
from fogspiel.solvers.mccfr.solver import Sampling, loop


def linear(run, place, own, picked):
    if is_averaged(run, place.who):
        add_strategy(run, place, own * (run.counts.done + 1))


LINEAR = Part("linear", {average: linear, hand_down: nothing})
"""Later iterations count more, in proportion to their number (Brown and Sandholm 2019)."""
WORDS = Choice("words", "64", ("32", "64"), "")


def columns(solver):
    found = solver.table.contents()
    at = found["count"], found["first"]
    return solver.table.column(REGRET, *at), solver.table.column(AVERAGE, *at)


def test_an_averaging_scheme_is_a_function_beside_the_loop(monkeypatch):
    linear_external = Scheme("external sampling, linear averages", (WORDS,), lambda p: (EXTERNAL, ONE, LINEAR))
    monkeypatch.setitem(SCHEMES, "es-linear", linear_external)
    ours, plain = (
        Sampling(
            fs.load("kuhn"), name, {"words": "64", "average": "weighted", "draws": "infosets"}, seed=5, memory=1 << 20
        )
        for name in ("es-linear", "es-mccfr")
    )
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


def test_a_part_that_is_not_chosen_is_not_in_the_code():
    def code(name, **parameters):
        parts = SCHEMES[name].parts(parameters)
        return {
            f.__module__.removeprefix("fogspiel.solvers.mccfr.")
            for f in reachable([loop((*parts, FREE), False, None).plain])
        }

    everywhere = {
        "arena",
        "frames",
        "node",
        "traversal",
        "following",
        "opponents",
        "averaging.whose",
        "averaging.weighted",
        "chance.one",
    }
    ours = {"external"} | everywhere
    assert {m for m in code("es-mccfr", average="weighted", draws="infosets") if not m.startswith("fogspiel")} == ours
    assert not code("walk-cfr") & {"external", "outcome", "baseline", "probing", "chance.one", "averaging.lazy"}
