"""Run an experiment: what is missing is done, wherever that may be, and written down as it comes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from fogspiel.errors import SpecError
from fogspiel.experiment.design import Experiment
from fogspiel.experiment.execution import Execution
from fogspiel.experiment.faults import Lost, lost_by
from fogspiel.experiment.pool import WorkerPool
from fogspiel.experiment.results import Results
from fogspiel.experiment.scheduler import Scheduler, fitting
from fogspiel.experiment.store import Store
from fogspiel.experiment.tables import Table
from fogspiel.experiment.verdict import FAILED, PASSED, UNDECIDED, judged


@dataclass(frozen=True)
class Outcome:
    """What came of running an experiment. `stopped` says why it ended: done, budget or interrupted. `played` runs are
    of this time, `counts` of the store. `verdict` is passed, failed or undecided, and nothing where there is no
    criterion, or not all is there."""

    name: str
    scale: str
    about: str
    table: Table
    stopped: str
    played: int
    seconds: float
    counts: dict[str, int]
    criterion: str = ""
    verdict: str = ""
    errors: list[tuple[str, int]] = field(default_factory=list)
    lost: Lost = field(default_factory=Lost)
    """Games that agents lost by faults."""
    mistake: str = ""
    """What is wrong with the criterion's function, if it could not judge."""
    best: dict[str, Any] | None = None
    """Of a tuning, the values that were chosen."""
    versions: dict[str, str] = field(default_factory=dict)
    """Of all code that runs."""
    spent: float | None = None
    """Seconds that the runs of the store took in all, one after the other; None where of some it is not known."""

    def as_dict(self) -> dict[str, Any]:
        told = {
            "table": self.table.as_dict(),
            "errors": [list(e) for e in self.errors],
            "passed": self.passed,
            "lost": self.lost.as_dict(),
        }
        return vars(self) | told

    @property
    def passed(self) -> bool | None:
        """None where there is no verdict, or it is undecided."""
        return {PASSED: True, FAILED: False}.get(self.verdict)


HERE = Execution()
"""In this process, at the smallest scale."""


def run(experiment: Experiment, name: str, store: str | Path, how: Execution = HERE) -> Outcome:
    """Do what is missing of an experiment at a scale, and tabulate all of it. `store` is a file of results. Processes
    that run the same at once share the work, and each waits for all of it."""
    with started(experiment, name, store, how) as (file, pool, how, ends):
        work = Scheduler(experiment, name, file, how)
        for changed, runs in file.stale(work.ids).items():
            how.tell(f"{', '.join(changed)} changed: {runs:,} runs of before are kept, and not counted")
        began = time.monotonic()
        late = how.until == 0 or (how.sharply and ends is not None and began >= ends)
        stopped = "budget" if late and work.left else work.do_all(pool, ends)
        found = outcome_of(experiment, name, file, how.scale, stopped, work.played, time.monotonic() - began)
        verdict = mistake = ""
        if experiment.passes is not None and found.counts["done"] == found.counts["asked"]:
            try:
                verdict = judged(experiment, found.table)
            except SpecError as error:
                mistake = str(error)
            if verdict == PASSED and found.counts["faults"] + found.counts["failed"]:
                verdict = UNDECIDED  # of what went wrong nothing follows
            if verdict:
                file.judge(name, how.scale, verdict)
        versions = dict(chain.from_iterable(v.items() for v in work.plan.versions))
        return replace(found, verdict=verdict, mistake=mistake, versions=versions)


@contextmanager
def started(
    experiment: Experiment, name: str, store: str | Path, how: Execution
) -> Iterator[tuple[Store, WorkerPool, Execution, float | None]]:
    """The store, the workers, how an experiment is run once its scale is chosen, and when that ends
    (time.monotonic)."""
    ends = None if how.seconds is None else time.monotonic() + how.seconds
    with how.with_pool() as how, Store(store, create=True) as file:
        pool = how.pool
        assert pool is not None
        if how.budget is not None and ends is not None:
            scale = fitting(experiment, name, file, how, pool, ends)
            how = replace(how, scale=scale, budget=None, until=how.budget, sharply=True)
        yield file, pool, how, ends


def outcome_of(
    experiment: Experiment, name: str, file: Store, scale: str, stopped: str, played: int = 0, seconds: float = 0.0
) -> Outcome:
    """What the store has of an experiment, not judged."""
    if file.settings(name, scale):
        table = Results(file).view(name, scale).table()
    else:  # not declared yet
        table = Table(experiment.table_by(scale), experiment.measure, ())
    return Outcome(
        name,
        scale,
        experiment.about,
        table,
        stopped,
        played,
        seconds,
        file.counts(name, scale),
        experiment.criterion,
        errors=file.errors(name, scale),
        lost=lost_by(file, name, scale),
        spent=file.seconds(name, scale),
    )


def is_begun(name: str, store: str | Path, scale: str) -> bool:
    """Whether a store has runs of an experiment."""
    if not Path(store).is_file():
        return False
    with Store(store) as file:
        counts = file.counts(name, scale)
    return counts["done"] + counts["failed"] > 0
