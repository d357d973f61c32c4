"""How results stand on the page and in sentences: a mean, half of its interval, and what was printed."""

import math
from typing import Any

from fogspiel.experiment.printed import as_printed
from fogspiel.experiment.tables import Row

ROUNDING = 1e-12
"""A number of no more is 0, but for rounding."""
UNEVEN = 0.25
"""The ends of an interval are told where their distances from the mean differ by more than this share of half the
width."""


def cell(row: Row) -> str:
    """What was found, with what was printed in square brackets."""
    return f"{number(row.value)}{interval(row)}" + ("" if row.printed is None else f" [{as_printed(row.printed)}]")


def interval(row: Row) -> str:
    """Half of the interval's width, or its ends where the mean is not in the middle, as where a bound cuts it off."""
    if math.isinf(row.half):
        return " (no interval)"
    below = row.value - row.half < 0 <= row.low  # half the width would tell of what cannot be
    if row.half > ROUNDING and (below or abs(row.high + row.low - 2 * row.value) > UNEVEN * row.half):
        return f" ({number(row.low)} to {number(row.high)})"
    return f" ±{number(row.half)}" if row.half > ROUNDING else ""


def text(value: Any) -> str:
    """A value by which rows are told apart."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return number(value) if isinstance(value, float) else str(value)


def number(x: float) -> str:
    return "0" if abs(x) < ROUNDING else f"{x:.3g}" if abs(x) < 100 else f"{x:,.0f}"
