"""A cluster of real processes gives the same rows as one process, even when one of its workers is killed."""

import multiprocessing
import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.experiment import Matches, Measurements, Scale, Tuning, lineups, tuning
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.loader import Loader
from fogspiel.experiment.pool import Plan, Refused, Waiting, WorkerPool, do_chunk, on_executor
from fogspiel.experiment.run import run
from fogspiel.experiment.scheduler import fitting
from fogspiel.experiment.store import Store
from fogspiel.experiment.tasks import Found

ROOT = Path(__file__).parents[2]
GAMES = Matches(
    about="random play",
    games="leduc",
    agents={"a": "random", "b": "random"},
    measure="utility",
    scales={"small": Scale(1000)},
)


def rows(path: Path) -> list[tuple]:
    with Store(path) as store:
        return store.base.execute("SELECT place, run, deal, seed, json_extract(found, '$.utility') FROM run").fetchall()


@pytest.fixture
def cluster(tmp_path, request):
    """The file of a scheduler, and its process with those of two workers, or of as many as asked for."""
    file = tmp_path / "scheduler.json"
    common = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard"]
    workers = getattr(request, "param", 2)
    commands = [["scheduler", "--port", "0"], *[["worker", "--nthreads", "1", "--no-nanny"]] * workers]
    started = []
    for name, *more in commands:
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{name}", *common, *more],
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=tmp_path,
            )
        )
        while not file.exists():
            assert started[0].poll() is None
            time.sleep(0.05)
    yield file, started
    for process in started:
        process.kill()
        process.wait()


def test_a_killed_worker_costs_nothing_but_time(tmp_path, cluster):
    file, (_, *workers) = cluster

    def kill_one(_text, done, total):
        if done > total // 4 and workers[0].poll() is None:
            workers[0].kill()

    found = run(GAMES, "x", tmp_path / "there.sqlite", Execution(cluster=str(file), progress=kill_one))
    assert workers[0].wait() != 0
    assert found.counts == {"asked": 2000, "done": 2000, "failed": 0, "faults": 0}
    here = run(GAMES, "x", tmp_path / "here.sqlite")
    assert found.table == here.table
    assert rows(tmp_path / "there.sqlite") == rows(tmp_path / "here.sqlite")


def test_nobody_at_the_address_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("fogspiel.experiment.cluster.PATIENCE", 0.5)
    with pytest.raises(fs.FogspielError, match="no scheduler answers at tcp://127.0.0.1:9"):
        run(GAMES, "x", tmp_path / "x.sqlite", Execution(cluster="tcp://127.0.0.1:9"))


@pytest.mark.parametrize("cluster", [0], indirect=True)
def test_who_waits_for_workers_says_so_and_ends_in_time_and_a_lost_scheduler_is_a_sentence(
    tmp_path, cluster, monkeypatch
):
    file, (scheduler,) = cluster
    heard = []
    found = run(
        GAMES,
        "x",
        tmp_path / "x.sqlite",
        Execution(cluster=str(file), until=0.7, progress=lambda why, *_: heard.append(why)),
    )
    assert (found.stopped, found.played) == ("budget", 0)
    assert "the cluster has no workers yet" in heard
    run(replace(GAMES, scales={"small": Scale(3)}), "x", tmp_path / "x.sqlite")  # what is there is kept
    monkeypatch.setattr("fogspiel.experiment.cluster.PATIENCE", 1)
    with pytest.raises(fs.FogspielError, match="the scheduler at .* is gone; what was stored is kept"):
        run(GAMES, "x", tmp_path / "x.sqlite", Execution(cluster=str(file), progress=lambda *_: scheduler.kill()))
    with Store(tmp_path / "x.sqlite") as store:
        assert store.counts("x", "small")["done"] == 6


class Threads:
    """Workers that are threads; those of `others` have other code."""

    def __init__(self, *names: str, others: tuple[str, ...] = ()):
        self.names, self.others, self.pool, self.asked = list(names), others, ThreadPoolExecutor(1), []

    def workers(self) -> list[str]:
        return self.names

    def submit(self, function, *arguments, among=None):
        worker = (among or self.names)[len(self.asked) % len(among or self.names)]
        self.asked.append(worker)
        if worker in self.others:
            return self.pool.submit(Refused, worker, "the code of game leduc is not the same in all processes")
        return self.pool.submit(function, *arguments)


@pytest.fixture
def plan():
    cells = GAMES.cells("small")
    versions = tuple(cell.task.versions(Loader()) for cell in cells)
    return Plan(tuple(cell.task for cell in cells), versions)


def test_a_worker_with_other_code_is_left_out_and_costs_no_runs(plan):
    there, heard = Threads("good", "other", others=("other",)), []
    found = [one for one in on_executor(plan, range(200), there, heard.append) if not isinstance(one, Waiting)]
    assert sorted(number for number, _ in found) == list(range(200))
    assert all(result.found is not None for _, result in found)
    assert heard == ["the worker other is left out: the code of game leduc is not the same in all processes"]
    assert there.asked.count("other") <= 2
    with pytest.raises(fs.FogspielError, match="no worker of the cluster can take part: the code of game leduc"):
        list(on_executor(plan, range(9), Threads("other", others=("other",)), heard.append))


def test_a_worker_tells_that_its_code_is_another(plan):
    changed = replace(plan, versions=tuple(dict.fromkeys(one, "another") for one in plan.versions))
    refused = do_chunk(pickle.dumps(changed), [0])
    assert isinstance(refused, Refused)
    assert "the code of game leduc, agent random, referee is not the same in all processes" in refused.why
    missing = replace(plan.tasks[0], agents=("nowhere.py", "random"))
    refused = do_chunk(pickle.dumps(replace(plan, tasks=(missing, missing))), [0])
    assert "there is no agent file nowhere.py" in refused.why
    assert isinstance(do_chunk(b"no plan", [0]), Refused)


def test_what_was_given_to_workers_that_are_gone_is_given_to_others(plan):
    """Dask waits for ever for a worker that alone may do a chunk."""
    there, heard = Threads("good", "other", others=("other",)), []

    def submit(function, *arguments, among=None):
        if among == ["good"]:
            there.names = ["new"]
            return Future()  # which is never done
        return Threads.submit(there, function, *arguments, among=among)

    there.submit = submit
    found = [one for one in on_executor(plan, range(9), there, heard.append) if not isinstance(one, Waiting)]
    assert sorted(number for number, _ in found) == list(range(9))


HANGS = "import time\n\ndef choose(observation):\n    time.sleep(1000)\n"


def test_an_agent_that_hangs_loses_wherever_it_plays(tmp_path, monkeypatch):
    """Workers of a cluster are daemons, which may have no children of their own but for those."""
    (tmp_path / "hangs.py").write_text(HANGS)
    experiment = replace(
        GAMES,
        agents={"a": "hangs.py", "b": "random"},
        seats=lineups(("a", "b")),
        move_time=1,
        scales={"small": Scale(1)},
    )
    monkeypatch.setattr("fogspiel.experiment.pool.GRACE", 0)
    run(experiment, "x", tmp_path / "here.sqlite", Execution(folder=str(tmp_path)))
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    there = WorkerPool(1, Threads("good"), pytest.fail)
    found = run(experiment, "x", tmp_path / "there.sqlite", Execution(folder=str(tmp_path), pool=there))
    assert found.errors == [("seat 0 took more than 1 s to answer; its process was ended", 1)]
    assert rows(tmp_path / "there.sqlite") == rows(tmp_path / "here.sqlite") != []


def slow(seed: int) -> dict[str, float]:
    time.sleep(0.05)
    return {"value": seed}


SLOW = Measurements(about="x", function=slow, measure="value", scales={"small": Scale(1), "paper": Scale(50_000)})


@pytest.mark.parametrize(("workers", "scale"), [(1, "small"), (100, "paper")])
def test_all_workers_of_a_cluster_count_when_a_scale_is_chosen(tmp_path, workers, scale):
    pool = WorkerPool(1, Threads(*map(str, range(workers))), pytest.fail)
    with Store(tmp_path / "x.sqlite", create=True) as file:
        assert fitting(SLOW, "x", file, Execution(scale="paper"), pool, time.monotonic() + 600) == scale


def test_a_tuning_with_a_budget_asks_the_cluster_how_long_runs_take(tmp_path, monkeypatch):
    there, asked = Threads("one", "two", "three"), []
    monkeypatch.setattr("fogspiel.experiment.execution.connected", lambda address: nullcontext(there))
    monkeypatch.setattr("fogspiel.experiment.run.fitting", lambda *given: asked.append(given[4].count) or "small")
    of = replace(SLOW, function=higher, grid={"x": [0]})
    tuning.tune(
        Tuning(about="x", of=of, parameters={"x": [0, 1]}, method="grid"),
        "x",
        tmp_path / "x.sqlite",
        Execution(cluster="tcp://x", budget=600),
    )
    assert asked == [3]


def higher(seed: int, x: int) -> dict[str, float]:
    return {"value": x}


def test_a_chunk_ends_when_its_time_is_over(tmp_path):
    task = replace(SLOW, function=endless).cells("small")[0].task
    plan = Plan((task,), (task.versions(Loader()),))
    assert do_chunk(pickle.dumps(plan), [0], 0.5) == []


class Open:
    """Workers whose chunks are done when the test says so."""

    def __init__(self, *names: str):
        self.names, self.open = list(names), {}

    def workers(self) -> list[str]:
        return self.names

    def submit(self, function, sent, numbers, most, among=None):
        (worker,) = among
        assert worker in self.names
        assert worker not in self.open  # else it would wait while its time goes on
        assert 0 < most <= 600
        self.open[worker] = future, _ = Future(), numbers
        return future

    def do(self, worker: str) -> list[int]:
        future, numbers = self.open.pop(worker)
        future.set_result([(number, Found(number, 0, 0, 1.0, {}, None, seconds=1.0)) for number in numbers])
        return numbers


def test_a_worker_whose_time_is_limited_has_one_chunk_at_a_time(plan):
    """The time of a chunk would begin when that before it ends, and Dask ends none that has begun."""
    there = Open("one", "two")
    stream = on_executor(plan, range(9), there, pytest.fail, ends=time.monotonic() + 600)
    assert next(stream) == Waiting()
    assert sorted(numbers for _, numbers in there.open.values()) == [[0], [1]]
    for worker in ("one", "two", "one"):
        assert [next(stream)[0] for _ in there.do(worker)] != []
        assert next(stream) == Waiting()
        assert sorted(there.open) == ["one", "two"]
    stream.close()


def test_what_workers_with_limited_time_are_lost_in_is_tried_elsewhere_and_given_up_at_last(plan):
    there = Open("first")
    stream = on_executor(plan, [7], there, pytest.fail, ends=time.monotonic() + 600)
    for name in ("second", "third", "fourth"):
        assert next(stream) == Waiting()
        assert [numbers for _, numbers in there.open.values()] == [[7]]
        there.names, there.open = [name], {}
    number, found = next(stream)
    assert (number, found.found, found.error) == (7, None, "its process died 3 times")


def endless(seed: int) -> dict[str, float]:
    time.sleep(1000)
    return {}


@pytest.mark.skipif(find_spec("dask_jobqueue") is None, reason="dask-jobqueue is not installed")
def test_jobs_of_a_queueing_system_do_runs(tmp_path):
    """LocalCluster starts its jobs on this machine, by all that dask-jobqueue does for SLURM or PBS but for `sbatch` or
    `qsub`."""
    from dask_jobqueue.local import LocalCluster

    host = {"host": "127.0.0.1", "dashboard_address": None}
    with LocalCluster(cores=1, processes=1, memory="1GB", scheduler_options=host) as jobs:
        jobs.scale(jobs=1)
        found = run(
            replace(GAMES, scales={"small": Scale(10)}),
            "x",
            tmp_path / "x.sqlite",
            Execution(cluster=jobs.scheduler_address),
        )
    assert found.counts == {"asked": 20, "done": 20, "failed": 0, "faults": 0}
