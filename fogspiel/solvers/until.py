"""How near to an equilibrium a run is to come, by the measure that is named: `nash_conv=0.01`."""

from dataclasses import dataclass
from typing import Any

from fogspiel import given
from fogspiel.errors import SpecError

MEASURES = ("nash_conv", "exploitability")


@dataclass(frozen=True)
class Until:
    """A run ends where this measure of what it found is at most so much."""

    measure: str
    most: float

    def reached(self, nash_conv: float | None, players: int) -> bool:
        if nash_conv is None:
            return False
        return (nash_conv if self.measure == "nash_conv" else nash_conv / players) <= self.most

    def __str__(self) -> str:
        return f"{self.measure}={self.most:g}"


def read_until(value: Any, name: str = "until") -> Until:
    """What a person wrote. A number alone is refused, since by one measure it asks for more than by the other."""
    if isinstance(value, Until):
        return value
    measure, named, most = (part.strip() for part in str(value).partition("=")) if isinstance(value, str) else ("",) * 3
    if not named or measure not in MEASURES:
        raise SpecError(
            f"{name} must name its measure, nash_conv=X (what best responses gain, summed over the players) or "
            f"exploitability=X (that divided by the number of players), not {value if named else given.shown(value)}"
        )
    return Until(measure, given.number(f"{measure} in {name}", most, 0.0, infinite=True, text=True))
