"""Runs that are to be done: as many as are asked for, less those that are there."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice, repeat

from fogspiel.experiment.pool import Plan


class Undone:
    """The runs of a task below a number, but for those that are done. What it costs follows what was done, not what is
    asked for."""

    def __init__(self, runs: int, done: Collection[int]):
        self.runs = range(runs)
        self.done = {run for run in done if run in self.runs}

    def __len__(self) -> int:
        return len(self.runs) - len(self.done)

    def __iter__(self) -> Iterator[int]:
        return (run for run in self.runs if run not in self.done)


def in_turn(plan: Plan, undone: Sequence[Undone], block: int = 16) -> Iterator[int]:
    """The numbers of the runs of each task that are to be done: some of every task, then more of every task, so that a
    run that is stopped has something of all."""
    left = {task: iter(runs) for task, runs in enumerate(undone)}
    for size in chain((1,), repeat(block)):
        for task, runs in [*left.items()]:
            some = list(islice(runs, size))
            yield from (plan.number(task, run) for run in some)
            if len(some) < size:
                del left[task]
        if not left:
            return
