"""The values that a parameter may take: a list, or any between two."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fogspiel import given
from fogspiel.errors import SpecError


@dataclass(frozen=True)
class Between:
    """Values from `low` to `high`: whole numbers if both are, else reals; with `log`, evenly by their logarithms."""

    low: float
    high: float
    log: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            given.number(name, getattr(self, name))
        if not self.low < self.high or (self.log and self.low <= 0):
            raise SpecError(f"values between {self.low} and {self.high} need the smaller first{', above 0' * self.log}")

    @property
    def whole(self) -> bool:
        return isinstance(self.low, int) and isinstance(self.high, int)

    def at(self, x: float) -> float:
        """The value at a share of the way."""
        low, high = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        value = math.exp(low + x * (high - low)) if self.log else low + x * (high - low)
        return round(value) if self.whole else float(f"{value:.6g}")


Range = Between | Sequence[Any]
