"""A cluster of real processes gives the same rows as one process, even when one of its workers is killed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fogspiel as fs
from fogspiel.experiment import Matches, Scale
from fogspiel.experiment.run import run
from fogspiel.experiment.store import Store

ROOT = Path(__file__).parents[2]
GAMES = Matches(
    about="random play", games="leduc", agents={"a": "random", "b": "random"}, measure="utility", scales={"small": Scale(1000)}
)  # fmt: skip


def rows(path: Path) -> list[tuple]:
    with Store(path) as store:
        return store.base.execute("SELECT place, run, deal, seed, json_extract(found, '$.utility') FROM run").fetchall()


@pytest.fixture
def cluster(tmp_path):
    """The file of a scheduler, and two workers."""
    file = tmp_path / "scheduler.json"
    common = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--no-dashboard"]
    commands = [["scheduler", "--port", "0"], *[["worker", "--nthreads", "1", "--no-nanny"]] * 2]
    started = []
    for name, *more in commands:
        started.append(subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{name}", *common, *more], env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path,
        ))  # fmt: skip
        while not file.exists():
            assert started[0].poll() is None
            time.sleep(0.05)
    yield file, started[1:]
    for process in started:
        process.kill()
        process.wait()


def test_a_killed_worker_costs_nothing_but_time(tmp_path, cluster):
    file, workers = cluster

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
