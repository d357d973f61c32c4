"""What a checkpoint says of the run beside the solver's own arrays, checked before it is believed."""

from typing import Any

import numpy as np

from fogspiel.solvers.result import Point
from fogspiel.solvers.solver import LARGEST, MOST


def read_seconds(header: dict[str, Any], name: str) -> float:
    """A time in a checkpoint's header. Raises ValueError where it is none: with one that is no number no limit would
    ever be reached."""
    seconds = header.get(name)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= LARGEST:
        raise ValueError(f"{name} must be a number of at least 0")
    return float(seconds)


def curve_rows(curve: list[Point]) -> np.ndarray:
    """A curve as an array; what was not measured is not a number there."""
    rows = [(p.iterations, p.seconds, p.touched, p.exploitability, p.cce_gap, p.lower, p.upper) for p in curve]
    return np.array(rows, float).reshape(-1, 7)


def read_curve(rows: np.ndarray | None, iterations: int) -> list[Point]:
    """The curve in a checkpoint after so many iterations; older ones have no bounds. Raises ValueError where it cannot
    be one."""
    if rows is None or rows.dtype != np.float64 or rows.ndim != 2 or rows.shape[1] not in (5, 7):
        raise ValueError("curve is missing, or not a table of seven columns")
    done, seconds, touched, *found = rows.T
    for counted in (done, touched):
        if not np.all((counted >= 0) & (counted <= MOST) & (counted == np.floor(counted))):
            raise ValueError("curve has counts that are no whole numbers")
    if not np.all(done[:-1] < done[1:]) or (len(done) and done[-1] > iterations):
        raise ValueError("curve does not lead up to the iterations done")
    if not np.all((seconds >= 0) & (seconds <= LARGEST)):
        raise ValueError("curve has times that cannot be")
    if not all(np.all(np.isnan(gap) | (np.abs(gap) <= LARGEST)) for gap in found):
        raise ValueError("curve has numbers that cannot be")
    return [Point(int(a), b, int(c), *(None if np.isnan(d) else d for d in gaps)) for a, b, c, *gaps in rows.tolist()]
