"""Processes that run an experiment are killed, again and again, at random moments; each time the next one goes on.

`python tests/experiment/kills.py --kills 200 --games 100000 --patience 1` does more of it than the suite.
"""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

from fogspiel.experiment import Matches, Scale, scheduler
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.run import run
from fogspiel.experiment.store import Store

ALONE = ("moment", "instruction")
"""A process without others: killed by the clock, or after so many instructions of the database, mostly in a
transaction."""
TOGETHER = ("parent", "worker", "group")
"""One with two workers: who is killed."""


def games(count: int) -> Matches:
    """So many games of Kuhn poker in each order of the seats."""
    agents = {"a": "random", "b": "random"}
    return Matches(about="short games", games="kuhn", agents=agents, measure="utility", scales={"small": Scale(count)})


def stored(path: Path) -> dict[tuple[int, int], tuple]:
    """What each run found, but for the time that it took. None failed."""
    with Store(path) as store:
        rows = store.base.execute(
            "SELECT cell, run, deal, seed, json_extract(found, '$.utility'), json_extract(found, '$.decisions') FROM "
            "result"
        )
        found = {(cell, run): tuple(rest) for cell, run, *rest in rows}
        failed = store.base.execute("SELECT error, count(*) FROM result WHERE found IS NULL GROUP BY error").fetchall()
    assert not failed, failed
    return found


def kill(path: Path, how: str, many: int, patience: float, rng: random.Random) -> None:
    """Begin to run so many games, and kill in this way, after so many seconds at most, and those that processes take to
    begin."""
    child = os.fork()
    if not child:
        os.setsid()
        if how == "instruction":
            _die_in(rng.randrange(1, 2000))
        run(games(many), "x", path, Execution(workers=2 if how in TOGETHER else 1))
        os._exit(1)
    if how == "moment":
        time.sleep(rng.uniform(0, patience))
    if how in TOGETHER:
        workers = _workers(child)
        time.sleep(rng.uniform(0, 5 * patience))
        if how == "worker":
            os.kill(rng.choice(workers), signal.SIGKILL)
            _goes_on(path)
    if how == "group":
        os.killpg(child, signal.SIGKILL)
    elif how != "instruction":
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, f"{how}: ended by itself, with {status}"


def _die_in(calls: int) -> None:
    """Kill this process after so many hundred instructions of its database, to which it writes every game by itself."""
    scheduler.FLUSH_ROWS = 1
    usual, left = sqlite3.connect, iter(range(calls))

    def connect(*given, **named):
        base = usual(*given, **named)
        base.set_progress_handler(lambda: next(left, None) is None and os.kill(os.getpid(), signal.SIGKILL), 100)
        return base

    sqlite3.connect = connect


def _workers(parent: int) -> list[int]:
    """The two processes that play for this one."""
    while os.waitid(os.P_PID, parent, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        asked = ["ps", "-eww", "-o", "pid=,ppid=,args="]
        lines = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
        rows = [line.split(None, 2) for line in lines]
        found = [int(pid) for pid, above, what in rows if int(above) == parent and "spawn_main" in what]
        if len(found) == 2:
            return found
        time.sleep(0.02)
    raise AssertionError("the run was over before its workers were there")


def _goes_on(path: Path, seconds: float = 60) -> None:
    """Wait until runs have been written twice more: what comes first may have been found before."""
    base, ends = sqlite3.connect(path, timeout=seconds), time.monotonic() + seconds
    count = "SELECT count(*) FROM result"
    for _ in range(2):
        before = base.execute(count).fetchone()
        while base.execute(count).fetchone() == before:
            assert time.monotonic() < ends, "nothing is written since a worker was killed"
            time.sleep(0.02)
    base.close()


def kill_often(folder: Path, kills: int, least: int, together: float, patience: float, seed: int) -> str:
    """Kill so often, and then until so many games are there; a share of the times there are workers, too. Then let the
    run end, and compare what is stored with what one that nobody killed has."""
    rng, path, whole, done = random.Random(seed), folder / "killed.sqlite", folder / "whole.sqlite", Counter[str]()
    run(games(1), "x", folder / "first.sqlite")  # whatever is compiled is compiled now
    before: dict[tuple[int, int], tuple] = {}
    while sum(done.values()) < kills or len(before) < least:
        kinds = TOGETHER if rng.random() < together else ALONE
        how = kinds[sum(done[kind] for kind in kinds) % len(kinds)]
        kill(path, how, least + 20_000, patience, rng)
        done[how] += 1
        now = stored(path) if path.exists() else {}
        lost = [run for run in before if now.get(run) != before[run]]
        told = [(run, before[run], now.get(run)) for run in lost[:3]]
        assert not lost, f"{how}: {len(lost)} of {len(before)} runs are lost or changed: {told}"
        before = now
    count = max(run for _, run in before) + 20
    rest = run(games(count), "x", path)
    run(games(count), "x", whole, Execution(workers=2))
    assert stored(path) == stored(whole), "other results than of a run that nobody killed"
    with Store(path) as store:
        assert store.base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert store.base.execute("SELECT count(*) FROM claim").fetchone() == (0,)
    assert sorted(one.name for one in folder.glob(".*")) == [], "files are left behind"
    return (
        f"{dict(done)}: of {rest.counts['asked']} games {len(before)} were there, none was lost, and "
        f"{rest.played} were played after that"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--together", type=float, default=0.1)
    parser.add_argument("--patience", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        print(kill_often(Path(place), asked.kills, asked.games, asked.together, asked.patience, asked.seed))
