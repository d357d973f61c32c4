"""Limits of time: what a scale asks for costs nothing before it is begun, and how long processes take to start decides
no scale."""

import os
import time
import tracemalloc
from pathlib import Path

from fogspiel.experiment import Measurements, Scale
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.files import read_experiments
from fogspiel.experiment.pool import Plan, WorkerPool
from fogspiel.experiment.run import run
from fogspiel.experiment.scheduler import PendingRuns, fitting, in_turn
from fogspiel.experiment.store import Store

ONE = WorkerPool(1, None, print)


def one(seed: int, x: int) -> dict[str, float]:
    return {"value": 1.0}


def ones(**scales) -> Measurements:
    return Measurements(about="ones", function=one, grid={"x": [0, 1]}, measure="value", scales=scales)


def test_what_is_asked_for_takes_no_memory_before_it_is_done(tmp_path):
    path = tmp_path / "x.sqlite"
    run(ones(small=Scale(2)), "x", path)
    tracemalloc.start()
    try:
        outcome = run(ones(small=Scale(500_000)), "x", path, Execution(until=0.0))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (outcome.stopped, outcome.counts["asked"], outcome.counts["done"]) == ("budget", 1_000_000, 4)
    assert most < 5_000_000


def test_a_budget_passes_over_a_scale_that_would_never_end(tmp_path):
    outcome = run(
        ones(small=Scale(2), medium=Scale(4), paper=Scale(10**15)),
        "x",
        tmp_path / "x.sqlite",
        Execution(scale="paper", budget=600),
    )
    assert (outcome.scale, outcome.stopped) == ("medium", "done")
    assert outcome.counts == {"asked": 8, "done": 8, "failed": 0, "faults": 0}


def test_no_scale_is_looked_at_when_the_time_is_up(tmp_path):
    with Store(tmp_path / "x.sqlite", create=True) as file:
        experiment = ones(small=Scale(2), medium=Scale(4))
        assert fitting(experiment, "x", file, Execution(scale="medium"), ONE, time.monotonic()) == "small"
        assert file.experiments() == []


def test_runs_that_are_not_done_come_some_of_each_task_at_a_time():
    plan = Plan((None,) * 3, ({},) * 3)
    pending = [PendingRuns(5, {1, 9}), PendingRuns(2, {0, 1}), PendingRuns(3, set())]
    assert [len(runs) for runs in pending] == [4, 0, 3]
    turns = [plan.place(number) for number in in_turn(plan, pending, block=2)]
    assert turns == [(0, 0), (2, 0), (0, 2), (0, 3), (2, 1), (2, 2), (0, 4)]


QUICK = """
from fogspiel.experiment import Measurements, Scale

def value(seed):
    return {"v": 1.0}

QUICK = Measurements(about="x", function=value, measure="v", scales={"small": Scale(1), "medium": Scale(2)})
"""


def test_how_long_processes_take_to_start_decides_no_scale(tmp_path, monkeypatch):
    """They take longer here than a scale is tried for."""
    (tmp_path / "quick.py").write_text(QUICK)
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "sitecustomize.py").write_text("import time\ntime.sleep(1.5)\n")
    paths = [str(tmp_path / "slow"), str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.setattr("fogspiel.experiment.scheduler.LOOK", 600)
    (experiment,) = read_experiments(tmp_path / "quick.py").values()
    outcome = run(experiment, "x", tmp_path / "x.sqlite", Execution(scale="medium", budget=600, folder=str(tmp_path)))
    assert (outcome.scale, outcome.stopped) == ("medium", "done")
