"""How experiments are run: where, how many runs at once, for how long, and who hears of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace

from fogspiel import given
from fogspiel.experiment.cluster import cluster as connected
from fogspiel.experiment.pool import WorkerPool

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, kw_only=True)
class Execution:
    """How an experiment is run.

    `workers` are processes of this machine, `cluster` is the address of a Dask scheduler; `pool` are these where
    several experiments share them.

    `budget` seconds choose the largest scale that fits into them, and end everything when they are spent, runs under
    way included, which are therefore done in processes of their own; `scale` is then the largest. `until` seconds only
    end it: nothing is begun after them, and nothing at all with 0, but this process brings the run that it is at to its
    end, unless it is to end `sharply`, as with a budget.

    Runs that are stored are not done again, unless their game or agents have changed, which `notice` hears of, or with
    `again` an agent raised an exception there. `folder` is where files that spec strings name are looked for first.
    `progress` hears what is left, runs done, and runs in all.
    """

    scale: str = "small"
    workers: int = 1
    cluster: str | None = None
    pool: WorkerPool | None = None
    budget: float | None = None
    until: float | None = None
    sharply: bool = False
    again: bool = False
    folder: str = ""
    progress: Progress | None = None
    notice: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        for name, value in (
            ("workers", given.threads(self.workers, "workers")),
            ("budget", given.maybe(given.seconds, "budget", self.budget, above=True)),
            ("until", given.maybe(given.seconds, "until", self.until)),
        ):
            object.__setattr__(self, name, value)

    @property
    def seconds(self) -> float | None:
        """After which it ends."""
        return self.until if self.budget is None else self.budget

    @contextmanager
    def with_pool(self) -> Iterator["Execution"]:
        """The same with its workers as a pool, unless it has one, whose processes end with this."""
        if self.pool is not None:
            yield self
            return
        with nullcontext() if self.cluster is None else connected(self.cluster) as there:
            pool = WorkerPool(self.workers, there, self.tell)
            try:
                yield replace(self, pool=pool)
            finally:
                pool.close()

    def tell(self, text: str) -> None:
        if self.notice is not None:
            self.notice(text)
