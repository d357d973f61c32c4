"""What a document's experiments are, how large they are run, and what came of one."""

from collections.abc import Callable
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


@dataclass(frozen=True)
class Target:
    """An experiment: what it is about, when it passes, and what runs it. `apart`: in what its full scale is not as printed."""

    about: str
    criterion: str
    run: Callable[[Scale], Verdict]
    apart: str = ""


@dataclass(frozen=True)
class Document:
    """A document, its targets by name, and its tables and figures that are not reproduced, with the reason."""

    title: str
    targets: dict[str, Target]
    missing: tuple[str, ...] = ()
