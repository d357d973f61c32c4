"""Where runs are done: here, in processes of this machine, or wherever an executor of `concurrent.futures` puts them,
such as a Dask cluster.

Runs have numbers. What comes of each depends on its number alone, so the results are the same wherever and in whatever
order they are found.
"""

import contextlib
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from fogspiel.errors import FogspielError
from fogspiel.evaluate.match import GRACE, PATIENCE
from fogspiel.evaluate.workers import TRIES, Crew, Died, Hung, Notice
from fogspiel.experiment.tasks import Found, MatchTask, Shop, Task, Work

CHUNK_SECONDS, CHUNK_MOST = 2.0, 5000
"""What is sent to an executor at once takes about so long, and is at most so many runs."""
LOST = ("KilledWorker", "CancelledError", "BrokenProcessPool", "WorkerStartTimeoutError")
"""Errors that say that a process was lost, not that the run is at fault."""


@dataclass(frozen=True)
class Plan:
    """The tasks of an experiment and the versions of their code, to be sent to other processes. Run number n is run n
    // tasks of task n % tasks."""

    tasks: tuple[Task, ...]
    versions: tuple[dict[str, str], ...]
    folder: str = ""
    """Where files that spec strings name are looked for first."""

    def build(self) -> "Job":
        return Job(self)

    def place(self, number: int) -> tuple[int, int]:
        """The task, and which run of it."""
        run, task = divmod(number, len(self.tasks))
        return task, run

    def number(self, task: int, run: int) -> int:
        return run * len(self.tasks) + task


class Job:
    """Does runs. A process whose code is not that of the one which gave out the work does none."""

    def __init__(self, plan: Plan):
        self.plan, self.shop = plan, Shop(plan.folder)
        self.ready: dict[int, Work] = {}

    def do(self, number: int, notice: Notice | None = None) -> Found:
        task, run = self.plan.place(number)
        try:
            return self.work(task).run(run, notice)
        except Exception as error:
            return Found(run, 0, 0, 1.0, None, f"{type(error).__name__}: {error}")

    def work(self, task: int) -> Work:
        """What does the runs of a task, loaded and compiled."""
        if task not in self.ready:
            self.ready[task] = self._prepared(task)
        return self.ready[task]

    def _prepared(self, task: int) -> Work:
        here, there = self.plan.tasks[task].versions(self.shop), self.plan.versions[task]
        changed = [name for name in there if here.get(name) != there[name]]
        if changed:
            raise FogspielError(f"the code of {', '.join(changed)} is not the same in all processes, or has changed")
        return self.plan.tasks[task].prepare(self.shop)


def inline(plan: Plan, numbers: Iterable[int]) -> Iterator[tuple[int, Found]]:
    """In this process."""
    job = plan.build()
    yield from ((number, job.do(number)) for number in numbers)


def in_processes(plan: Plan, numbers: Iterable[int], workers: int) -> Iterator[tuple[int, Found]]:
    """In so many processes of this machine. One that dies is replaced, and its runs are done again. Where moves are
    limited in time, one in which an agent does not come back is ended."""
    limits = [task.move_time for task in plan.tasks if isinstance(task, MatchTask) and task.move_time is not None]
    limit = PATIENCE * max(limits) + GRACE if len(limits) == len(plan.tasks) > 0 else None
    with Crew(plan, workers, limit) as crew:
        for number, found in crew.do(numbers):
            yield number, _lost(plan, number, found) if isinstance(found, Died | Hung) else found


def in_executor(
    plan: Plan, numbers: Iterable[int], executor: Executor, processes: Callable[[], int]
) -> Iterator[tuple[int, Found]]:
    """Wherever the executor works, two chunks of runs at a time for each of its processes, which may become more or
    fewer. A chunk whose process was lost is handed in again, its runs one by one."""
    sent, todo, again = pickle.dumps(plan), iter(numbers), deque[int]()
    open_: dict[Future[tuple[float, list[Found]]], list[int]] = {}
    tries: dict[int, int] = {}
    each = 0.0
    try:
        while True:
            width = 2 * processes()
            while len(open_) < width:
                size = 1 if not each else max(1, min(int(CHUNK_SECONDS / each), CHUNK_MOST))
                chunk = [again.popleft()] if again else list(islice(todo, size))
                if not chunk:
                    break
                open_[executor.submit(do_chunk, sent, chunk)] = chunk
            if not open_:
                return
            done, _ = wait(open_, return_when=FIRST_COMPLETED)
            for future in done:
                chunk = open_.pop(future)
                try:
                    seconds, found = future.result()
                except BaseException as error:
                    if type(error).__name__ not in LOST:
                        raise
                    for number in chunk:
                        tries[number] = tries.get(number, 0) + 1
                        if tries[number] >= TRIES:
                            yield number, _lost(plan, number, Died(None, -1))
                        else:
                            again.append(number)
                    continue
                each = seconds / len(chunk) if not each else 0.8 * each + 0.2 * seconds / len(chunk)
                yield from zip(chunk, found, strict=True)
    finally:
        for future in open_:
            future.cancel()


_alone = threading.Lock()


def do_chunk(plan: bytes, numbers: list[int]) -> tuple[float, list[Found]]:
    """Do some runs in this process, whose other threads wait: agents are not for several threads. Returns the seconds
    that it took, too."""
    with _alone:
        job = _job(plan)
        with contextlib.suppress(Exception):  # what is wrong with a task, its runs tell
            for number in numbers:
                job.work(job.plan.place(number)[0])
        began = time.perf_counter()
        found = [job.do(number) for number in numbers]
        return time.perf_counter() - began, found


@lru_cache(maxsize=4)
def _job(plan: bytes) -> Job:
    return pickle.loads(plan).build()


def _lost(plan: Plan, number: int, what: Died | Hung) -> Found:
    task, run = plan.place(number)
    at_hand = plan.tasks[task]
    if isinstance(what, Hung):
        assert isinstance(at_hand, MatchTask)  # others have no limit
        return at_hand.prepare(Shop(plan.folder)).hung(run, what.during)
    code = f" (exit code {what.exit_code})" if what.exit_code is not None else ""
    return Found(run, 0, 0, 1.0, None, f"its process died {TRIES} times{code}")


def in_turn(plan: Plan, missing: list[list[int]], block: int = 16) -> Iterator[int]:
    """The numbers of the missing runs of each task: some of every task, then more of every task, so that a run that is
    stopped has something of all."""
    left = [deque(runs) for runs in missing]
    for size in chain((1,), iter(lambda: block, 0)):
        if not any(left):
            return
        for task, runs in enumerate(left):
            yield from (plan.number(task, runs.popleft()) for _ in range(min(size, len(runs))))
