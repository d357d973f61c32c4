"""Where runs are done: here, in processes of this machine, or elsewhere, such as on a Dask cluster.

Runs have numbers. What comes of each depends on its number alone, so the results are the same wherever and in whatever
order they are found.
"""

import contextlib
import pickle
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Protocol

from fogspiel.errors import FogspielError
from fogspiel.evaluate.match import GRACE, PATIENCE
from fogspiel.evaluate.workers import TRIES, Crew, Died, Hung, Notice
from fogspiel.experiment.tasks import Found, MatchTask, Shop, Task, Work

CHUNK_SECONDS, CHUNK_MOST = 2.0, 5000
"""What is sent to an executor at once takes about so long, and is at most so many runs."""
LOST = ("KilledWorker", "CancelledError", "BrokenProcessPool", "WorkerStartTimeoutError")
"""Errors that say that a process was lost, not that the run is at fault."""
BEAT_SECONDS = 0.5
"""Who waits for runs that are done elsewhere is told so at least so often."""


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


class OtherCode(FogspielError):
    """The code of this process is not that of the one which gave out the work."""


class Job:
    """Does runs. A process whose code is not that of the one which gave out the work does none."""

    def __init__(self, plan: Plan):
        self.plan, self.shop = plan, Shop(plan.folder)
        self.ready: dict[int, Work] = {}

    def do(self, number: int, notice: Notice | None = None) -> Found:
        task, run = self.plan.place(number)
        try:
            return self.work(task).run(run, notice)
        except OtherCode as error:
            return Found(run, 0, 0, 1.0, None, str(error))
        except Exception as error:
            return Found(run, 0, 0, 1.0, None, f"{type(error).__name__}: {error}")

    def work(self, task: int) -> Work:
        """What does the runs of a task, loaded and compiled."""
        if task not in self.ready:
            self.ready[task] = self._prepared(task)
        return self.ready[task]

    def _prepared(self, task: int) -> Work:
        there = self.plan.versions[task]
        try:
            here = self.plan.tasks[task].versions(self.shop)
        except Exception as error:  # where the work was given out, there was nothing wrong
            raise OtherCode(f"{type(error).__name__}: {error}") from error
        changed = [name for name in there if here.get(name) != there[name]]
        if changed:
            raise OtherCode(f"the code of {', '.join(changed)} is not the same in all processes, or has changed")
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


class Elsewhere(Protocol):
    """Workers that do runs, of which there may be more or fewer from one moment to the next."""

    def workers(self) -> list[str] | None:
        """Their addresses; None while nobody knows. Raises FogspielError where nobody will."""

    def submit(
        self, function: Callable[..., Any], *arguments: Any, among: Sequence[str] | None = None
    ) -> "Future[Any]":
        """Have one of them call a function, or one of those `among` them."""


@dataclass(frozen=True)
class Waiting:
    """Nothing has come for a moment, and why, where it is not that runs take their time."""

    why: str = ""


@dataclass(frozen=True)
class Refused:
    """A worker cannot take part."""

    worker: str
    why: str


Chunk = tuple[float, list[Found]] | Refused


def in_elsewhere(
    plan: Plan, numbers: Iterable[int], there: Elsewhere, notice: Callable[[str], None]
) -> Iterator[tuple[int, Found] | Waiting]:
    """By two chunks of runs at a time for each worker. A chunk whose worker was lost is handed in again, its runs one by one. One whose
    code is another's gets no more; `notice` hears of it."""
    sent, todo, again = pickle.dumps(plan), iter(numbers), deque[int]()
    open_: dict[Future[Chunk], tuple[list[int], frozenset[str]]] = {}
    tries: dict[int, int] = {}
    refused: dict[str, str] = {}
    each, left = 0.0, True
    try:
        while left or again or open_:
            known = there.workers()
            able = [worker for worker in known or () if worker not in refused]
            if known and not able:
                raise FogspielError(f"no worker of the cluster can take part: {refused[known[0]]}")
            for future in [f for f, (_, among) in open_.items() if among and among.isdisjoint(able)]:
                future.cancel()
                again.extend(open_.pop(future)[0])
            while (left or again) and len(open_) < 2 * len(able):
                size = 1 if not each else max(1, min(int(CHUNK_SECONDS / each), CHUNK_MOST))
                chunk = [again.popleft()] if again else list(islice(todo, size))
                left = left and bool(chunk)
                if chunk:
                    among = frozenset(able if refused else ())
                    open_[there.submit(do_chunk, sent, chunk, among=list(among) or None)] = chunk, among
            done, _ = wait(open_, BEAT_SECONDS, FIRST_COMPLETED)
            if not done:
                if not open_:
                    time.sleep(BEAT_SECONDS)
                yield Waiting(
                    "the scheduler does not answer"
                    if known is None
                    else ""
                    if known
                    else "the cluster has no workers yet"
                )
            for future in done:
                chunk, _ = open_.pop(future)
                try:
                    found = future.result()
                except BaseException as error:
                    if type(error).__name__ not in LOST:
                        raise FogspielError(
                            f"a worker of the cluster cannot take part: {type(error).__name__}: {error}"
                        ) from error
                    if there.workers() is None:  # it is not the worker that was lost
                        again.extend(chunk)
                        continue
                    for number in chunk:
                        tries[number] = tries.get(number, 0) + 1
                        if tries[number] >= TRIES:
                            yield number, _lost(plan, number, Died(None, -1))
                        else:
                            again.append(number)
                    continue
                if isinstance(found, Refused):
                    again.extend(chunk)
                    if found.worker not in refused:
                        refused[found.worker] = found.why
                        notice(f"the worker {found.worker} is left out: {found.why}")
                    continue
                seconds, results = found
                each = seconds / len(chunk) if not each else 0.8 * each + 0.2 * seconds / len(chunk)
                yield from zip(chunk, results, strict=True)
    finally:
        for future in open_:
            future.cancel()


_alone = threading.Lock()


def do_chunk(plan: bytes, numbers: list[int]) -> Chunk:
    """Do some runs in this process, whose other threads wait: agents are not for several threads. Returns the seconds
    that it took, too."""
    with _alone:
        try:
            job = _job(plan)
        except Exception as error:
            return Refused(_address(), f"{type(error).__name__}: {error}")
        for number in numbers:
            try:
                job.work(job.plan.place(number)[0])
            except OtherCode as error:
                return Refused(_address(), str(error))
            except Exception:  # what is wrong with a task, its runs tell
                continue
        began = time.perf_counter()
        found = [job.do(number) for number in numbers]
        return time.perf_counter() - began, found


def _address() -> str:
    """Of the Dask worker that this is."""
    with contextlib.suppress(Exception):
        return sys.modules["distributed"].get_worker().address
    return ""


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
