"""Matches and results of experiments, in several processes."""

import os
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from fogspiel.app.bench.measuring import Bench
from fogspiel.evaluate.match import match
from fogspiel.experiment.deals import FreshDeals
from fogspiel.experiment.scheduler import FLUSH_ROWS
from fogspiel.experiment.store import Store
from fogspiel.experiment.tasks import Found, MatchTask

RIVALS, MEETING, WORKERS = "mo-ismcts(simulations=1000)", "phantom_tic_tac_toe", 2


def matches(bench: Bench) -> None:
    """Wall time, since it is spent in several processes; their start counts. What their CPU time allows is told as
    well."""
    games = max(2, int(1000 * bench.effort.seconds))
    times: list[float] = []
    spent: list[float] = []
    while len(times) < bench.effort.rounds and sum(times) < bench.effort.most:
        bench.say(f"match on {MEETING}")
        began, used = time.perf_counter(), sum(os.times()[:4])
        match(MEETING, [RIVALS, RIVALS], games=games, seed=0, workers=WORKERS)
        times.append(time.perf_counter() - began)
        spent.append(sum(os.times()[:4]) - used)
    name = f"{MEETING}: {RIVALS} against itself"
    sizes: dict[str, Any] = {"games": games, "games_per_cpu_second": games / max(min(spent), 1e-9)}
    bench.row(f"match with {WORKERS} workers", name, "games/s", games / min(times), **sizes)


def results(bench: Bench) -> None:
    """Wall time of two processes that write games of an experiment to one file; their start does not count."""
    count = max(2000, int(50_000 * bench.effort.seconds))
    rates: list[float] = []
    while len(rates) < bench.effort.rounds and count * len(rates) < 50_000 * bench.effort.most:
        bench.say("results of an experiment")
        with tempfile.TemporaryDirectory() as folder, get_context("spawn").Pool(WORKERS) as pool:
            path = str(Path(folder) / "results.sqlite")
            Store(path, create=True).close()
            spans = pool.starmap(write_results, [(path, writer, count) for writer in range(WORKERS)], chunksize=1)
            with Store(path) as store:
                written = store.counts("bench", "small")["done"]
        rates.append(written / (max(end for _, end in spans) - min(begin for begin, _ in spans)))
    bench.row("results stored", f"{WORKERS} processes, one file", "games/s", max(rates), games=WORKERS * count)


def write_results(path: str, writer: int, count: int) -> tuple[float, float]:
    """Write so many games of two players, as `fogspiel run` does; returns when it began and ended."""
    seats: dict[str, Any] = {
        "utility": [1.0, -1.0],
        "points": [1.0, 0.0],
        "seconds": [0.0002, 0.0001],
        "decisions": [2, 1],
    }
    task = MatchTask("kuhn", ("random", "random"), ("a", "b"), 1, FreshDeals())
    with Store(path) as store:
        cell = store.declare("bench", "small", "", {}, [({}, task, {}, WORKERS * count)])[0]
        began = time.time()
        for first in range(0, count, FLUSH_ROWS):
            runs = range(writer * count + first, writer * count + min(first + FLUSH_ROWS, count))
            store.claim([(cell, run) for run in runs])
            store.add([(cell, Found(run, run, task.seed_of(run), 1.0, seats)) for run in runs])
        return began, time.time()
