"""A cluster of real processes gives the same rows as one process, even when one of its workers is killed."""

import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.experiment import Matches, Scale
from fogspiel.experiment.pool import Plan, Refused, Waiting, do_chunk, in_elsewhere
from fogspiel.experiment.run import run
from fogspiel.experiment.store import Store
from fogspiel.experiment.tasks import Shop

ROOT = Path(__file__).parents[2]
GAMES = Matches(
    about="random play", games="leduc", agents={"a": "random", "b": "random"}, measure="utility", scales={"small": Scale(1000)}
)  # fmt: skip


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
        started.append(subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{name}", *common, *more], env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path,
        ))  # fmt: skip
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

    found = run(GAMES, "x", tmp_path / "there.sqlite", cluster=str(file), progress=kill_one)
    assert workers[0].wait() != 0
    assert found.counts == {"asked": 2000, "done": 2000, "failed": 0, "faults": 0}
    here = run(GAMES, "x", tmp_path / "here.sqlite")
    assert found.table == here.table
    assert rows(tmp_path / "there.sqlite") == rows(tmp_path / "here.sqlite")


def test_nobody_at_the_address_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("fogspiel.experiment.cluster.PATIENCE", 0.5)
    with pytest.raises(fs.FogspielError, match="no scheduler answers at tcp://127.0.0.1:9"):
        run(GAMES, "x", tmp_path / "x.sqlite", cluster="tcp://127.0.0.1:9")


@pytest.mark.parametrize("cluster", [0], indirect=True)
def test_who_waits_for_workers_says_so_and_ends_in_time_and_a_lost_scheduler_is_a_sentence(
    tmp_path, cluster, monkeypatch
):
    file, (scheduler,) = cluster
    heard = []
    found = run(
        GAMES, "x", tmp_path / "x.sqlite", cluster=str(file), until=0.7, progress=lambda why, *_: heard.append(why)
    )
    assert (found.stopped, found.played) == ("budget", 0)
    assert "the cluster has no workers yet" in heard
    run(replace(GAMES, scales={"small": Scale(3)}), "x", tmp_path / "x.sqlite")  # what is there is kept
    monkeypatch.setattr("fogspiel.experiment.cluster.PATIENCE", 1)
    with pytest.raises(fs.FogspielError, match="the scheduler at .* is gone; what was stored is kept"):
        run(GAMES, "x", tmp_path / "x.sqlite", cluster=str(file), progress=lambda *_: scheduler.kill())
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
    versions = tuple(cell.task.versions(Shop()) for cell in cells)
    return Plan(tuple(cell.task for cell in cells), versions)


def test_a_worker_with_other_code_is_left_out_and_costs_no_runs(plan):
    there, heard = Threads("good", "other", others=("other",)), []
    found = [one for one in in_elsewhere(plan, range(200), there, heard.append) if not isinstance(one, Waiting)]
    assert sorted(number for number, _ in found) == list(range(200))
    assert all(result.found is not None for _, result in found)
    assert heard == ["the worker other is left out: the code of game leduc is not the same in all processes"]
    assert there.asked.count("other") <= 2
    with pytest.raises(fs.FogspielError, match="no worker of the cluster can take part: the code of game leduc"):
        list(in_elsewhere(plan, range(9), Threads("other", others=("other",)), heard.append))


def test_a_worker_tells_that_its_code_is_another(plan):
    changed = replace(plan, versions=tuple(dict.fromkeys(one, "another") for one in plan.versions))
    refused = do_chunk(pickle.dumps(changed), [0])
    assert isinstance(refused, Refused)
    assert "the code of game leduc, agent random is not the same in all processes" in refused.why
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
    found = [one for one in in_elsewhere(plan, range(9), there, heard.append) if not isinstance(one, Waiting)]
    assert sorted(number for number, _ in found) == list(range(9))
