"""Games that agents lost by a fault: whose, and how they are played again where it was the agent's code that failed."""

import json
import re
from dataclasses import asdict, dataclass, field
from typing import Any

from fogspiel.experiment.store import Store

FAULT = re.compile(r"seat (\d+) ")
"""How the error of such a game begins, which has a result all the same: a loss."""
FAILED = re.compile(r"seat \d+ failed\b")
"""How it begins where the agent raised an exception: what came between agent and game, and may not be so the next time,
such as a file that was not there. An illegal move, or one that was late, is a part of the game."""

_LOST = (
    "SELECT cell, run, columns, found, error, min(place) AS place FROM run "
    "WHERE experiment = ? AND scale = ? AND found IS NOT NULL AND error IS NOT NULL GROUP BY cell, run ORDER BY "
    "place, run"
)
"""Each once, in the first of the settings that share it."""


@dataclass(frozen=True)
class Lost:
    """How many games each agent lost by a fault, by their labels, and in how many of all these an agent raised an
    exception."""

    by: dict[str, int] = field(default_factory=dict)
    raised: int = 0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def told(self, again: str) -> list[str]:
        """How many, by whom, and by which command those are played again that may end otherwise; nothing where none was
        lost."""
        if not self.by:
            return []
        total = sum(self.by.values())
        whose = ", ".join(f"{count:,} by {who}" for who, count in sorted(self.by.items(), key=lambda one: -one[1]))
        lines = [f"{total:,} game{'s' * (total != 1)} lost by faults: {whose}"]
        if self.raised:
            lines += [f"in {self.raised:,} an agent raised an exception; to play these again:", f"  {again}"]
        return lines


def lost_by(store: Store, name: str, scale: str) -> Lost:
    """The games of an experiment that were lost by faults."""
    by: dict[str, int] = {}
    raised = 0
    for _, _, columns, found, error, _ in store.base.execute(_LOST, (name, scale)):
        who = _whose(json.loads(columns), json.loads(found), error)
        by[who] = by.get(who, 0) + 1
        raised += FAILED.match(error) is not None
    return Lost(by, raised)


def _whose(columns: dict[str, Any], found: dict[str, Any], error: str) -> str:
    seat = FAULT.match(error)
    if "role" in found:  # whose seats chance dealt: who is at fault has no points, and of several roles the fewest
        return str(columns[f"role {found['role'][min(range(len(found['points'])), key=found['points'].__getitem__)]}"])
    return str(columns[f"seat {seat[1]}"]) if seat is not None else "an agent"


def leave_out_failed(store: Store, name: str, scale: str) -> None:
    """Have the games of an experiment in which an agent raised an exception count as runs that failed, which are done
    again."""
    rows = store.base.execute(_LOST, (name, scale)).fetchall()
    again = [(cell, run) for cell, run, _, _, error, _ in rows if FAILED.match(error)]
    with store.writing():
        store.base.executemany("UPDATE result SET found = NULL WHERE cell = ? AND run = ?", again)
