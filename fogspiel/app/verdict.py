"""How large an experiment is, and what came of it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Scale:
    """How large an experiment is: nodes touched in a run, how many seeds, the cards of goofspiel, and how many searches or whole
    games of dice give one number."""

    name: str
    nodes: int
    seeds: int
    cards: int
    games: int = 1000


@dataclass(frozen=True)
class Verdict:
    """What was measured, one row a setting, and whether it passes."""

    rows: list[dict[str, Any]]
    passed: bool
    target: str = ""
    scale: str = ""

    def as_dict(self) -> dict[str, Any]:
        return vars(self)
