"""Processes that do numbered jobs: none is lost if a process dies, and one that hangs is ended.

A pool of the standard library is broken as a whole by the death of one process, and does not tell whose job it was.
Here every process has a pipe of its own and does its jobs in the order given, so the job that it died or hung in is
known.
"""

import contextlib
import itertools
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any, Protocol

from fogspiel.errors import FogspielError

TRIES = 3
"""How often a job is begun whose process dies."""
QUEUE_SECONDS, QUEUE_MOST = 0.1, 256
"""A process has about so much work waiting for it, and at most so many jobs, so that it need not wait for the next
one."""
BATCH_SECONDS = 0.05
"""Results are sent together if they take less than this."""

Notice = Callable[[int], None]
"""Told by a job what it is about to do (a number from 0, such as the seat that is asked for a move), and -1 when that
is done, as it is at the end of the job in any case."""


class Job(Protocol):
    """What does the jobs in a process."""

    def do(self, number: int, notice: Notice) -> Any: ...


class Plan(Protocol):
    """What is sent to a process to make a Job of there. It must be possible to pickle it."""

    def build(self) -> Job: ...


@dataclass(frozen=True)
class Died:
    """A job whose process died each time. `during` is what it had given notice of last, or -1."""

    exit_code: int | None
    during: int


@dataclass(frozen=True)
class Hung:
    """A job that took more than the limit for what it had given notice of."""

    during: int


class Worker:
    """One process, the jobs it has been given and not yet done, and the board on which it writes what it is about."""

    def __init__(self, plan: bytes):
        context = multiprocessing.get_context("spawn")
        self.pipe, far = context.Pipe()
        self.board = context.RawArray("q", [0, -1, -1])  # notices given, the last of them, the job at hand
        self.knows_main = _needs_main(plan)
        self.process = context.Process(target=_work, args=(far, self.board), daemon=True)
        with _deaf(), _no_daemon(), contextlib.nullcontext() if self.knows_main else _main_untouched():
            self.process.start()
        far.close()
        self.plans = 0
        """Plans that were sent, and of which it is not known yet whether the process can follow them."""
        self.jobs: deque[int] = deque()
        self.noticed, self.since = 0, time.monotonic()
        self.take(plan)

    @property
    def ready(self) -> bool:
        return self.plans == 0

    def take(self, plan: bytes) -> None:
        """Send a plan, of which all jobs are that are given from now on."""
        self.plans += 1
        with contextlib.suppress(OSError):  # it died; that is found out by whoever listens
            self.pipe.send(plan)

    def can_take(self, plan: bytes) -> bool:
        """Whether the process is free for another plan."""
        return not self.jobs and self.process.is_alive() and (self.knows_main or not _needs_main(plan))

    def give(self, numbers: list[int]) -> None:
        self.jobs.extend(numbers)
        with contextlib.suppress(OSError):  # it died; that is found out by whoever listens
            self.pipe.send(numbers)

    def heard(self) -> Iterator[tuple[int, Any]]:
        """Results that have arrived."""
        with contextlib.suppress(EOFError, OSError):
            while self.pipe.poll():
                message = self.pipe.recv()
                if self.ready:
                    for result in message:
                        yield self.jobs.popleft(), result
                elif isinstance(message, _Unable):
                    raise FogspielError(f"a worker process cannot take part: {message.reason}")
                else:
                    self.plans -= 1

    def overdue(self, limit: float) -> bool:
        """Whether the process is at one thing for longer than that."""
        now, during, noticed = time.monotonic(), self.board[1], self.board[0]  # read in the order opposite to writing
        if noticed != self.noticed:
            self.noticed, self.since = noticed, now
        return during >= 0 and now - self.since > limit

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Crew:
    """So many processes at work. Use it in a `with` statement: at its end the processes are gone."""

    def __init__(self, plan: Plan, count: int, limit: float | None = None):
        """`limit` is how many seconds a job may take for one thing that it gives notice of."""
        self.plan, self.limit = pickle.dumps(plan), limit
        self.workers = [Worker(self.plan) for _ in range(count)]
        self.started, self.stillborn = False, 0
        self.done, self.began = 0, time.monotonic()

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        for worker in self.workers:
            worker.end()

    def take(self, plan: Plan, count: int, limit: float | None = None) -> None:
        """Go on with another plan, with so many processes at least. Those that are still at a job are ended."""
        known, self.plan, self.limit = self.plan, pickle.dumps(plan), limit
        for at, worker in enumerate(self.workers):
            if worker.can_take(self.plan):
                if self.plan != known:
                    worker.take(self.plan)
            else:
                worker.end()
                self.workers[at] = Worker(self.plan)
        self.workers += [Worker(self.plan) for _ in range(count - len(self.workers))]
        self.stillborn, self.done, self.began = 0, 0, time.monotonic()

    def do(self, numbers: Iterable[int]) -> Iterator[tuple[int, Any]]:
        """Each number with its result, Died or Hung, in the order in which they are done."""
        return (found for found in self.watch(numbers) if found is not None)

    def watch(self, numbers: Iterable[int], beat: float | None = None) -> Iterator[tuple[int, Any] | None]:
        """The same, and None where nothing has come for `beat` seconds."""
        self.todo = iter(numbers)
        self.again: deque[int] = deque()
        self.deaths: dict[int, int] = {}
        while self._give() or any(worker.jobs for worker in self.workers):
            wait([w.pipe for w in self.workers] + [w.process.sentinel for w in self.workers], self._patience(beat))
            come = self.done
            for at, worker in enumerate(self.workers):
                gone = not worker.process.is_alive()  # looked at first: what it sent before its end is still heard
                for found in worker.heard():
                    self.done += 1
                    yield found
                if worker.ready and not self.started:
                    self.started, self.began = True, time.monotonic()
                hung = not gone and self.limit is not None and worker.overdue(self.limit)
                if gone or hung:
                    yield from self._bury(worker, hung)
                    self.workers[at] = Worker(self.plan)
            if beat is not None and self.done == come:
                yield None

    def _give(self) -> bool:
        """Give jobs to those who have few left; False if there are no more, so far."""
        queue, more = self._queue(), True
        for worker in self.workers:
            if worker.ready and len(worker.jobs) <= queue // 2:
                jobs = list(itertools.islice(itertools.chain(_taken(self.again), self.todo), queue - len(worker.jobs)))
                if jobs:
                    worker.give(jobs)
                more = bool(jobs)
        return more

    def _bury(self, worker: Worker, hung: bool) -> Iterator[tuple[int, Died | Hung]]:
        """End a process, see to its jobs, and tell of the one at hand if it is not to be done again."""
        (_, during, at_hand), exit_code = worker.board, worker.process.exitcode
        worker.end()
        self.stillborn += not worker.ready
        killed = exit_code is not None and exit_code < 0
        if (not self.started and not killed) or self.stillborn >= TRIES:
            raise FogspielError(
                f"a worker process ended at its start (exit code {exit_code}); agents whose class is in a script "
                'need that script to begin its work under: if __name__ == "__main__":'
            )
        if at_hand in worker.jobs:
            self.deaths[at_hand] = self.deaths.get(at_hand, 0) + 1
            if hung or self.deaths[at_hand] >= TRIES:
                worker.jobs.remove(at_hand)
                yield at_hand, Hung(during) if hung else Died(exit_code, during)
        self.again.extend(worker.jobs)

    def _queue(self) -> int:
        """How many jobs a process is given ahead: more of them the shorter they are."""
        if not self.done:
            return 1
        each = (time.monotonic() - self.began) * len(self.workers) / self.done
        return max(1, min(int(QUEUE_SECONDS / max(each, 1e-9)), QUEUE_MOST))

    def _patience(self, beat: float | None) -> float | None:
        spans = [span for span in (beat, None if self.limit is None else min(self.limit / 8, 0.5)) if span is not None]
        return min(spans, default=None)


@dataclass(frozen=True)
class _Unable:
    reason: str


def _taken(jobs: deque[int]) -> Iterator[int]:
    while jobs:
        yield jobs.popleft()


def _needs_main(plan: bytes) -> bool:
    """Whether something in a plan is of the main script."""
    return b"__main__" in plan


@contextlib.contextmanager
def _no_daemon() -> Iterator[None]:
    """Within this a process that may have no children, since it would leave them behind, can start some all the same:
    those of a crew end by themselves when it has ended. Workers of a Dask cluster are such processes."""
    own = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    usual = own.get("daemon")
    own["daemon"] = False
    try:
        yield
    finally:
        own["daemon"] = usual


@contextlib.contextmanager
def _main_untouched() -> Iterator[None]:
    """Processes started in here do not import the main script, as they would do to find what is pickled of it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Processes started in here do not hear Ctrl-C, which is for the process that gives the jobs."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(pipe: Connection, board: Any) -> None:
    """The life of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def notice(what: int) -> None:
        board[0] += 1
        board[1] = what

    with contextlib.suppress(EOFError, OSError):
        while True:
            message = pipe.recv()
            if isinstance(message, bytes):
                try:
                    job: Job = pickle.loads(message).build()
                except Exception as error:
                    pipe.send(_Unable(f"{type(error).__name__}: {error}"))
                    return
                board[2] = -1
                pipe.send(None)
                continue
            done, since = [], time.monotonic()
            for number in message:
                board[2] = number
                done.append(job.do(number, notice))
                board[1] = -1  # what comes before the next notice is nothing that a job hangs in
                if time.monotonic() - since > BATCH_SECONDS:
                    pipe.send(done)
                    done, since = [], time.monotonic()
            if done:
                pipe.send(done)
