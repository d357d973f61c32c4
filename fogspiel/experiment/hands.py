"""Who does the runs: this process, others of this machine, or the workers of a cluster."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext

from fogspiel.evaluate.workers import Crew
from fogspiel.experiment.cluster import Cluster
from fogspiel.experiment.cluster import cluster as connected
from fogspiel.experiment.pool import BEAT_SECONDS, Plan, Waiting, in_elsewhere, in_processes, inline, limit_of
from fogspiel.experiment.tasks import Found

Stream = Iterator[tuple[int, Found] | Waiting]


class Hands:
    """So many processes, or those of a cluster. Processes of this machine are started when they are first needed, and
    stay for whatever is run next."""

    def __init__(self, workers: int, cluster: Cluster | None, notice: Callable[[str], None]):
        """`notice` hears of workers of the cluster that are left out."""
        self.workers, self.cluster, self.notice = workers, cluster, notice
        self.crew: Crew | None = None

    @property
    def count(self) -> int:
        """How many runs are done at once."""
        return self.workers if self.cluster is None else max(len(self.cluster.workers() or ()), 1)

    def begin(self, plan: Plan, most: int, ends: float) -> None:
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
            return in_elsewhere(plan, numbers, self.cluster, self.notice, ends)
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

    def leave(self) -> None:
        """End the processes of this machine."""
        if self.crew is not None:
            self.crew.end()


@contextmanager
def hired(workers: int, cluster: str | None, notice: Callable[[str], None] | None = None) -> Iterator[Hands]:
    """So many processes of this machine, or the workers of the Dask cluster at an address."""
    with nullcontext() if cluster is None else connected(cluster) as there:
        hands = Hands(workers, there, notice or (lambda _: None))
        try:
            yield hands
        finally:
            hands.leave()
