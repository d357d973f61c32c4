"""Which runs of an experiment are to be done, in which order, and by which of several processes; and how large a scale
fits into a budget."""

import math
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain, islice, repeat, takewhile
from typing import Any

from fogspiel import given
from fogspiel.engine.stake import at_stake
from fogspiel.errors import GameError
from fogspiel.experiment.design import SCALES, Cell, Experiment
from fogspiel.experiment.execution import Execution, Progress
from fogspiel.experiment.expected import require_apart, require_declared, require_within
from fogspiel.experiment.faults import leave_out_failed
from fogspiel.experiment.loader import Loader, resolved
from fogspiel.experiment.pool import Plan, Stream, Waiting, WorkerPool
from fogspiel.experiment.printed import parts_of
from fogspiel.experiment.store import Store, flat
from fogspiel.experiment.tables import FIRST, column_of, measure_of, observations
from fogspiel.experiment.tasks import Found, MatchTask
from fogspiel.experiment.timing import Durations, Rate, span
from fogspiel.game.load import load

FLUSH_SECONDS, FLUSH_ROWS = 0.5, 2000
"""Runs are written together, at least so often."""
CLAIM_SECONDS, LOOK_SECONDS = 0.5, 0.2
"""Runs are claimed for about so long, and a process that has none left looks so often whether others are done; one that
is at it, how long it will take."""
LOOK = 5
"""To see whether a scale fits, the time that is left divided by this goes into it at most."""


class PendingRuns:
    """The runs of a task below a number, but for those that are done. What it costs follows what was done, not what is
    asked for."""

    def __init__(self, runs: int, done: Collection[int]):
        self.runs = range(runs)
        self.done = {run for run in done if run in self.runs}

    def __len__(self) -> int:
        return len(self.runs) - len(self.done)

    def __iter__(self) -> Iterator[int]:
        return (run for run in self.runs if run not in self.done)


def in_turn(plan: Plan, pending: Sequence[PendingRuns], block: int = 16) -> Iterator[int]:
    """The numbers of the runs of each task that are to be done: some of every task, then more of every task, so that a
    run that is stopped has something of all."""
    left = {task: iter(runs) for task, runs in enumerate(pending)}
    for size in chain((1,), repeat(block)):
        for task, runs in [*left.items()]:
            some = list(islice(runs, size))
            yield from (plan.number(task, run) for run in some)
            if len(some) < size:
                del left[task]
        if not left:
            return


class Scheduler:
    """Gives out the runs of an experiment at a scale that are pending, and writes down what comes of them."""

    def __init__(self, experiment: Experiment, name: str, file: Store, how: Execution):
        self.experiment, self.file, self.how, self.played = experiment, file, how, 0
        scale, folder = how.scale, how.folder
        self.named = [*experiment.table_by(scale, folder), *experiment.where, experiment.measure]
        loader = Loader(folder)
        cells = require_declared(experiment, scale, loader, file)
        versions = [cell.task.versions(loader) for cell in cells]
        settings = [(cell.columns, cell.task, v, cell.runs) for cell, v in zip(cells, versions, strict=True)]
        ids = file.declare(name, scale, experiment.about, facts_of(experiment, scale, cells, folder), settings)
        if how.again:
            leave_out_failed(file, name, scale)
        most: dict[int, tuple[Cell, dict[str, str], int]] = {}
        for cell, version, number in zip(cells, versions, ids, strict=True):  # settings may share a cell
            runs = max(cell.runs, most[number][2] if number in most else 0)
            most[number] = cell, version, runs
        self.ids = list(most)
        self.plan_columns = [cell.columns for cell, _, _ in most.values()]
        self.plan = Plan(tuple(c.task for c, _, _ in most.values()), tuple(v for _, v, _ in most.values()), folder)
        done = [file.done(number) for number in self.ids]
        self.total = sum(runs for _, _, runs in most.values())
        self.pending = [PendingRuns(runs, there) for (_, _, runs), there in zip(most.values(), done, strict=True)]
        self.left = sum(map(len, self.pending))
        self.failed = {(number, run) for number in self.ids for run in file.failed(number)}
        """Runs that had failed before, and are to be done again."""
        self.elsewhere: list[int] = []
        """Runs that other processes are at."""
        self.rate, self.durations, self.left_of = Rate(), Durations(), [len(runs) for runs in self.pending]

    def do_all(self, pool: WorkerPool, ends: float | None) -> str:
        """Have what is pending done, and wait for what other processes are at; what they leave is done, too. Returns
        why it ended."""
        numbers = self.claimed()
        try:
            while True:
                if (first := next(numbers, None)) is not None:
                    stream = pool.do(self.plan, chain([first], numbers), self.left, ends if self.how.sharply else None)
                    why = self.do(stream, ends)
                    if why != "done":
                        return why
                why, left = self._left_by_others(ends)
                if not left:
                    return why
                numbers = iter(left)
        except KeyboardInterrupt:
            return "interrupted"

    def claimed(self, block: int = 16) -> Iterator[int]:
        """The missing runs that this process is to do, so many of a setting before the next one's, claimed some at a
        time: about as many as take it CLAIM_SECONDS."""
        numbers, size = in_turn(self.plan, self.pending, block), 1
        while asked := list(islice(numbers, size)):
            began = time.monotonic()
            yield from self._claim(asked)
            took = time.monotonic() - began
            if took < CLAIM_SECONDS / 2:
                size = min(2 * size, FLUSH_ROWS)
            elif took > CLAIM_SECONDS:
                size = max(size // 2, 1)

    def _claim(self, numbers: list[int]) -> list[int]:
        runs = {(self.ids[task], run): n for n in numbers for task, run in [self.plan.place(n)]}
        mine, others = self.file.claim(list(runs), self.failed)
        self.failed.difference_update(others)  # should they fail again, it is since this process began
        self.elsewhere += [runs[one] for one in others]
        self.left -= len(numbers) - len(mine) - len(others)
        return [runs[one] for one in mine]

    def _left_by_others(self, ends: float | None) -> tuple[str, list[int]]:
        """Wait until what others are at is done, or until some of it is left to this process, as they stopped or died.
        Returns why it ended, and what is left."""
        while self.elsewhere:
            asked, self.elsewhere = self.elsewhere, []
            if mine := self._claim(asked):
                return "done", mine
            if ends is not None and time.monotonic() > ends and self.elsewhere:
                return "budget", []
            self._tell("other processes are at what is left")
            if self.elsewhere:
                time.sleep(LOOK_SECONDS)
        return "done", []

    def _require_columns(self, number: int, found: Found) -> None:
        """Once the first run is there, it tells whether the table can be made."""
        if self.named and found.found is not None:
            columns = self.plan_columns[self.plan.place(number)[0]]
            require_apart(columns, found.found)
            for row in observations(flat(columns | FIRST, found.found), everyone=True):
                for name in self.named[:-1]:
                    column_of(row, name)
                measure_of(row, self.named[-1])
            self.named = []

    def do(self, stream: Stream, ends: float | None) -> str:
        """Write down what comes; returns why it ended."""
        written = looked = self.rate.last = time.monotonic()
        left = ""
        ready: list[tuple[int, Found]] = []
        try:
            with at_stake(), closing(stream) as results:  # type: ignore[type-var]
                for come in results:
                    now = time.monotonic()
                    if not isinstance(come, Waiting):
                        number, found = come
                        if found.broken:
                            raise GameError(found.error)
                        task = self.plan.place(number)[0]
                        ready.append((self.ids[task], found))
                        self.played += 1
                        self.rate.heard(task, now)
                        self.durations.heard(task, found.seconds)
                        self.left_of[task] -= 1
                        self._require_columns(number, found)
                        if found.found is not None:
                            require_within(self.experiment, self.plan_columns[task], found.found)
                    if ready and (now - written > FLUSH_SECONDS or len(ready) >= FLUSH_ROWS):
                        self.file.add(ready)
                        ready, written = [], now
                    if self.how.progress is not None:
                        if now - looked >= LOOK_SECONDS or not left:
                            left, looked = f"{self._time_left(ends)} left", now
                        self._tell((come.why if isinstance(come, Waiting) else "") or left)
                    if ends is not None and now > ends and self.played < self.left:
                        return "budget"
        except KeyboardInterrupt:
            return "interrupted"
        finally:
            if ready:
                self.file.add(ready)
        return "done"

    def _tell(self, what: str) -> None:
        if self.how.progress is not None:
            self.how.progress(what, self.total - self.left + self.played, self.total)

    def _time_left(self, ends: float | None) -> str:
        """An estimate, and no more than there is."""
        each, most = self.rate.seconds_per_run, math.inf if ends is None else max(ends - time.monotonic(), 0.0)
        if each is None or not self.rate.known:
            return "some time" if ends is None else f"at most {span(most)}"
        return span(min(each * (self.left - self.played), most))


def facts_of(experiment: Experiment, scale: str, cells: list[Cell], folder: str) -> dict[str, Any]:
    """What a reader of the store must know to make the table again."""
    found = {
        "kind": experiment.kind,
        "by": list(experiment.table_by(scale, folder)),
        "measure": experiment.measure,
        "source": experiment.source,
        "criterion": experiment.criterion,
        "seed": experiment.seed,
        "deterministic": experiment.deterministic,
        "off": experiment.off,
        "where": dict(experiment.where),
        "printed": [[list(k) if isinstance(k, tuple) else [k], *parts_of(v)] for k, v in experiment.printed.items()],
    }
    if isinstance(of := getattr(experiment, "of", None), Experiment):
        found |= {
            "of": of.kind,
            "minimise": getattr(experiment, "minimise", False),
            "over": getattr(experiment, "over", ""),
        }
    if experiment.bounds is not None:
        found["bounds"] = [end if math.isfinite(end) else None for end in experiment.bounds]
    games = {cell.task.game for cell in cells if isinstance(cell.task, MatchTask)}
    if games:
        ranges = [r for spec in games if (r := load(resolved(spec, folder)).about.utility) is not None]
        if len(ranges) == len(games):
            found["utility"] = [min(low for low, _ in ranges), max(high for _, high in ranges)]
    return found


def scales_to(experiment: Experiment, largest: str) -> list[str]:
    """The scales of an experiment, up to this one."""
    allowed = SCALES[: SCALES.index(given.choice("scale", largest, SCALES)) + 1]
    return [scale for scale in allowed if scale in experiment.scales]


def fitting(experiment: Experiment, name: str, file: Store, how: Execution, pool: WorkerPool, ends: float) -> str:
    """The largest scale, up to that of `how`, that will be done at `ends` (time.monotonic), as far as two runs of each
    of its settings tell; at least the smallest, which is not tried. These runs have a fifth of the time that is left
    once there are processes to do them (LOOK), and are given up when it is over; those that were done by then are
    written down. They are the first that no other process is at: where others are at all that is left, a scale is not
    known to fit."""
    known = scales_to(experiment, how.scale)
    best = known[0] if known else next(iter(experiment.scales))
    for scale in known[1:]:
        if time.monotonic() >= ends:
            break
        trying = replace(how, scale=scale, again=False, progress=_trying(scale, how.progress))
        work = Scheduler(experiment.settled(scale), name, file, trying)
        if work.left and not _fits(work, pool, ends):
            break
        best = scale
    return best


def _fits(work: Scheduler, pool: WorkerPool, ends: float) -> bool:
    few = 2 * sum(map(bool, work.pending))
    pool.start(work.plan, few, ends)  # how long that takes tells nothing of the runs
    now = time.monotonic()
    if now >= ends:
        return False
    tried, count = now + (ends - now) / LOOK, pool.count
    numbers = takewhile(
        lambda _: work.durations.all_of(work.left_of, count, 0.0) < ends - time.monotonic(),
        islice(work.claimed(block=1), few),
    )
    why = work.do(pool.do(work.plan, numbers, few, tried), tried)
    work.file.leave()
    if why == "interrupted":
        raise KeyboardInterrupt
    waited = time.monotonic() - work.rate.last  # so long at least takes what did not come
    unknown = max(work.durations.longest, waited)
    return (
        work.left == work.played or work.durations.all_of(work.left_of, pool.count, unknown) < ends - time.monotonic()
    )


def _trying(scale: str, progress: Progress | None) -> Progress | None:
    return None if progress is None else lambda what, done, total: progress(f"trying {scale}, {what}", done, total)
