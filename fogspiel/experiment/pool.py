"""Where runs are done: here, in processes of this machine, or elsewhere, such as on a Dask cluster.

Runs have numbers. What comes of each depends on its number alone, so the results are the same wherever and in whatever
order they are found. Where moves are limited in time, runs are always done in processes that can be ended, so that what
comes of an agent that hangs is the same as well.
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
from itertools import islice
from typing import Any, Protocol

from fogspiel.agents.fault import of_the_game
from fogspiel.errors import FogspielError
from fogspiel.evaluate.match import GRACE, PATIENCE
from fogspiel.evaluate.workers import TRIES, Crew, Died, Hung, Notice
from fogspiel.experiment.loader import Loader
from fogspiel.experiment.tasks import Found, MatchTask, Task, Work

CHUNK_SECONDS, CHUNK_MOST = 2.0, 5000
"""What is sent to an executor at once takes about so long, and is at most so many runs."""
LOST = ("KilledWorker", "CancelledError", "BrokenProcessPool", "WorkerStartTimeoutError")
"""Errors that say that a process was lost, not that the run is at fault."""
BEAT_SECONDS = 0.2
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
        self.plan, self.loader = plan, Loader(plan.folder)
        self.ready: dict[int, Work] = {}
        self.same: set[int] = set()
        """Tasks whose code is known to be that of the process which gave out the work."""

    def do(self, number: int, notice: Notice | None = None) -> Found:
        task, run = self.plan.place(number)
        try:
            work, began = self.work(task), time.perf_counter()
            return work.run(run, notice)._replace(seconds=round(time.perf_counter() - began, 6))
        except OtherCode as error:
            return Found(run, 0, 0, 1.0, None, str(error))
        except (Exception, SystemExit) as error:  # which would end the process, and with it the runs that wait for it
            if of_the_game(error):
                return Found(run, 0, 0, 1.0, None, str(error), broken=True)
            return Found(run, 0, 0, 1.0, None, f"{type(error).__name__}: {error}")

    def work(self, task: int) -> Work:
        """What does the runs of a task, loaded and compiled."""
        if task not in self.ready:
            self.ready[task] = self._prepared(task)
        return self.ready[task]

    def _prepared(self, task: int) -> Work:
        self.require_same_code(task)
        return self.plan.tasks[task].prepare(self.loader)

    def require_same_code(self, task: int) -> None:
        """Raise OtherCode where that of this process is another one."""
        if task in self.same:
            return
        there = self.plan.versions[task]
        try:
            here = self.plan.tasks[task].versions(self.loader)
        except (Exception, SystemExit) as error:  # where the work was given out, there was nothing wrong
            raise OtherCode(f"{type(error).__name__}: {error}") from error
        changed = [name for name in there if here.get(name) != there[name]]
        if changed:
            raise OtherCode(f"the code of {', '.join(changed)} is not the same in all processes, or has changed")
        self.same.add(task)


def inline(plan: Plan, numbers: Iterable[int]) -> Iterator[tuple[int, Found]]:
    """In this process."""
    job = plan.build()
    yield from ((number, job.do(number)) for number in numbers)


def limit_of(plan: Plan) -> float | None:
    """The seconds after which an agent that is asked for a move is taken to hang; None where moves are not limited in
    all tasks."""
    limits = [task.move_time for task in plan.tasks if isinstance(task, MatchTask) and task.move_time is not None]
    return PATIENCE * max(limits) + GRACE if len(limits) == len(plan.tasks) > 0 else None


@dataclass(frozen=True)
class Waiting:
    """Nothing has come for a moment, and why, where it is not that runs take their time."""

    why: str = ""


Stream = Iterator[tuple[int, Found] | Waiting]


def in_processes(plan: Plan, numbers: Iterable[int], crew: Crew, beat: float | None = None) -> Stream:
    """In processes of this machine, which know the plan. One that dies is replaced, and its runs are done again; one in
    which an agent hangs is ended. With `beat` it is told that nothing has come for so many seconds."""
    for come in crew.watch(numbers, beat):
        if come is None:
            yield Waiting()
        else:
            number, found = come
            yield number, _lost(plan, number, found) if isinstance(found, Died | Hung) else found


class Executor(Protocol):
    """Workers elsewhere, of which there may be more or fewer from one moment to the next."""

    def workers(self) -> list[str] | None:
        """Their addresses; None while nobody knows. Raises FogspielError where nobody will."""

    def submit(
        self, function: Callable[..., Any], *arguments: Any, among: Sequence[str] | None = None
    ) -> "Future[Any]":
        """Have one of them call a function, or one of those `among` them."""


@dataclass(frozen=True)
class Refused:
    """A worker cannot take part."""

    worker: str
    why: str


Chunk = list[tuple[int, Found]] | Refused


def on_executor(
    plan: Plan, numbers: Iterable[int], there: Executor, notice: Callable[[str], None], ends: float | None = None
) -> Stream:
    """By two chunks of runs at a time for each worker. A chunk whose worker was lost is handed in again, its runs one
    by one. One whose code is another's gets no more; `notice` hears of it. What is under way at `ends` (time.monotonic)
    the workers give up; each has one chunk at a time then, since how long that may take is known when it is sent, and
    must not wait for another."""
    sent, todo, again = pickle.dumps(plan), iter(numbers), deque[int]()
    open_: dict[Future[Chunk], tuple[list[int], frozenset[str]]] = {}
    tries: dict[int, int] = {}
    refused: dict[str, str] = {}
    each, left = 0.0, True

    def lost(chunk: list[int]) -> Iterator[tuple[int, Found]]:
        """Hand in the runs of a worker that was lost again, but for those that were lost too often."""
        for number in chunk:
            tries[number] = tries.get(number, 0) + 1
            if tries[number] >= TRIES:
                yield number, _lost(plan, number, Died(None, -1))
            else:
                again.append(number)

    try:
        while left or again or open_:
            known = there.workers()
            able = [worker for worker in known or () if worker not in refused]
            if known and not able:
                raise FogspielError(f"no worker of the cluster can take part: {refused[known[0]]}")
            for future in [f for f, (_, among) in open_.items() if among and among.isdisjoint(able)]:
                if ends is None:
                    future.cancel()
                    again.extend(open_.pop(future)[0])
                elif known is not None and not future.done():
                    future.cancel()
                    yield from lost(open_.pop(future)[0])
            busy = frozenset[str]().union(*(among for _, among in open_.values()))
            free = [worker for worker in able if worker not in busy]
            while (left or again) and (len(open_) < 2 * len(able) if ends is None else free):
                size = 1 if not each else max(1, min(int(CHUNK_SECONDS / each), CHUNK_MOST))
                chunk = [again.popleft()] if again else list(islice(todo, size))
                left = left and bool(chunk)
                if chunk:
                    among = frozenset([free.pop()] if ends is not None else able if refused else ())
                    most = None if ends is None else max(ends - time.monotonic(), 0.0)
                    open_[there.submit(do_chunk, sent, chunk, most, among=list(among) or None)] = chunk, among
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
                    yield from lost(chunk)
                    continue
                if isinstance(found, Refused):
                    again.extend(chunk)
                    if found.worker not in refused:
                        refused[found.worker] = found.why
                        notice(f"the worker {found.worker} is left out: {found.why}")
                    continue
                if took := [result.seconds for _, result in found if result.seconds is not None]:
                    mean = max(sum(took) / len(took), CHUNK_SECONDS / CHUNK_MOST)
                    each = 0.8 * each + 0.2 * mean if each else mean
                yield from found
                if len(found) < len(chunk):  # there was no time for more
                    there_are = {number for number, _ in found}
                    again.extend(number for number in chunk if number not in there_are)
                    yield Waiting()
    finally:
        for future in open_:
            future.cancel()


_alone = threading.Lock()


def do_chunk(plan: bytes, numbers: list[int], most: float | None = None) -> Chunk:
    """Do some runs on this worker, whose other threads wait: agents are not for several threads. With `most` as many as
    there is time for in so many seconds from now."""
    ends = None if most is None else time.monotonic() + most
    with _alone:
        try:
            job = _job(plan)
            for number in numbers:
                job.require_same_code(job.plan.place(number)[0])
            if ends is not None or limit_of(job.plan) is not None:
                return _do_apart(plan, job.plan, numbers, ends)
        except OtherCode as error:
            return Refused(_address(), str(error))
        except Exception as error:
            return Refused(_address(), f"{type(error).__name__}: {error}")
        return [(number, job.do(number)) for number in numbers]


_apart: list[tuple[bytes, Crew]] = []
"""The process in which this worker does what may have to be ended, and the plan that it knows."""


def _do_apart(sent: bytes, plan: Plan, numbers: list[int], ends: float | None) -> list[tuple[int, Found]]:
    """Do runs in a process that can be ended; it stays for those that come next, unless it is at a run at `ends`
    (time.monotonic)."""
    done: list[tuple[int, Found]] = []
    known, crew = _apart.pop() if _apart else (sent, Crew(plan, 1, limit_of(plan)))
    try:
        if known != sent:
            crew.take(plan, 1, limit_of(plan))
        for come in in_processes(plan, numbers, crew, BEAT_SECONDS):
            if not isinstance(come, Waiting):
                done.append(come)
            if ends is not None and time.monotonic() > ends:
                break
    finally:
        if len(done) == len(numbers):
            _apart.append((sent, crew))
        else:
            crew.end()
    return done


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
        return at_hand.prepare(Loader(plan.folder)).hung(run, what.during)
    code = f" (exit code {what.exit_code})" if what.exit_code is not None else ""
    return Found(run, 0, 0, 1.0, None, f"its process died {TRIES} times{code}")


class WorkerPool:
    """Who does runs: this process, others of this machine, or the workers of a cluster. Processes of this machine are
    started when they are first needed, and stay for whatever is run next."""

    def __init__(self, workers: int, cluster: Executor | None, notice: Callable[[str], None]):
        """`notice` hears of workers of the cluster that are left out."""
        self.workers, self.cluster, self.notice = workers, cluster, notice
        self.crew: Crew | None = None

    @property
    def count(self) -> int:
        """How many runs are done at once."""
        return self.workers if self.cluster is None else max(len(self.cluster.workers() or ()), 1)

    def start(self, plan: Plan, most: int, ends: float) -> None:
        """Start the processes of this machine that are to do so many runs at most where they can be given up, and wait
        until one of them is ready, no longer than to `ends` (time.monotonic)."""
        if self.cluster is None:
            for _ in self._crew(plan, most).watch((), BEAT_SECONDS):
                if time.monotonic() > ends:
                    return

    def do(self, plan: Plan, numbers: Iterable[int], most: int, ends: float | None = None) -> Stream:
        """Do runs, of which there are so many at most. With `ends` (time.monotonic) whoever takes them can leave off
        then: they are done where one under way can be given up."""
        if self.cluster is not None:
            return on_executor(plan, numbers, self.cluster, self.notice, ends)
        if ends is None and limit_of(plan) is None and self.workers == 1:
            return inline(plan, numbers)
        return in_processes(plan, numbers, self._crew(plan, most), None if ends is None else BEAT_SECONDS)

    def _crew(self, plan: Plan, most: int) -> Crew:
        count = min(self.workers, most)
        if self.crew is None:
            self.crew = Crew(plan, count, limit_of(plan))
        else:
            self.crew.take(plan, count, limit_of(plan))
        return self.crew

    def close(self) -> None:
        """End the processes of this machine."""
        if self.crew is not None:
            self.crew.end()
