"""Tables to judge criteria by."""

from collections.abc import Callable, Mapping
from typing import Any

from fogspiel.evaluate.statistics import Estimate
from fogspiel.experiment import Experiment
from fogspiel.experiment.tables import Row, Table


def table_of(by: tuple[str, ...], found: Mapping[Any, float], half: float = 0.0) -> Table:
    """A table of these numbers by key, each with an interval of this half-width."""
    rows = [
        Row(key if isinstance(key, tuple) else (key,), Estimate(x, x - half, x + half), 9, 9)
        for key, x in found.items()
    ]
    return Table(by, "", tuple(rows))


def as_printed(experiment: Experiment, change: Callable[[float], float] = lambda x: x, scale: str = "paper") -> Table:
    """What was printed, or what a function makes of each number."""
    return table_of(experiment.table_by(scale), {key: change(x) for key, x in experiment.printed.items()})
