"""Processes that do numbered jobs: none is lost if a process dies, and one that hangs is ended.

A pool of the standard library is broken as a whole by the death of one process, and does not tell whose job it was. Here
every process has a pipe of its own and does its jobs in the order given, so the job that it died or hung in is known.
"""

import contextlib
import itertools
import multiprocessing
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
"""A process has about so much work waiting for it, and at most so many jobs, so that it need not wait for the next one."""
BATCH_SECONDS = 0.05
"""Results are sent together if they take less than this."""

Notice = Callable[[int], None]
"""Told by a job what it is about to do (a number from 0, such as the seat that is asked for a move), and -1 when that is done."""


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
        self.process = context.Process(target=_work, args=(far, self.board, plan), daemon=True)
        with _deaf(), _main_untouched() if b"__main__" not in plan else contextlib.nullcontext():
            self.process.start()
        far.close()
        self.ready = False
        self.jobs: deque[int] = deque()
        self.noticed, self.since = 0, time.monotonic()

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
                    self.ready = True

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
        for worker in self.workers:
            worker.end()

    def do(self, numbers: Iterable[int]) -> Iterator[tuple[int, Any]]:
        """Each number with its result, Died or Hung, in the order in which they are done."""
        self.todo, self.again, self.deaths = iter(numbers), deque(), {}
        while self._give() or any(worker.jobs for worker in self.workers):
            wait([w.pipe for w in self.workers] + [w.process.sentinel for w in self.workers], self._patience())
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

    def _patience(self) -> float | None:
        return None if self.limit is None else min(self.limit / 8, 0.5)


@dataclass(frozen=True)
class _Unable:
    reason: str


def _taken(jobs: deque[int]) -> Iterator[int]:
    while jobs:
        yield jobs.popleft()


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


def _work(pipe: Connection, board: Any, plan: bytes) -> None:
    """The life of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def notice(what: int) -> None:
        board[0] += 1
        board[1] = what

    with contextlib.suppress(EOFError, OSError):
        try:
            job: Job = pickle.loads(plan).build()
        except Exception as error:
            pipe.send(_Unable(f"{type(error).__name__}: {error}"))
            return
        pipe.send(None)
        while True:
            done, since = [], time.monotonic()
            for number in pipe.recv():
                board[2] = number
                done.append(job.do(number, notice))
                if time.monotonic() - since > BATCH_SECONDS:
                    pipe.send(done)
                    done, since = [], time.monotonic()
            if done:
                pipe.send(done)
