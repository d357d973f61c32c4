"""Who sits where. A seating is a function from the agents' labels and the number of players to lineups."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fogspiel.errors import SpecError


@dataclass(frozen=True)
class Lineup:
    """The label in each seat (or of each role), and the seat (or role) whose result counts; None: all of them."""

    labels: tuple[str, ...]
    subject: int | None = None


@dataclass(frozen=True)
class Seated:
    """Lineups, and by what their results are told apart."""

    lineups: list[Lineup]
    by: tuple[str, ...]
    roles: Callable[..., Any] | None = None


Seating = Callable[[Sequence[str], int], Seated]


def every_pair(labels: Sequence[str], players: int) -> Seated:
    """Everyone in every seat against everyone, themselves too: a cross table with the first seat's result (Lisý 2014,
    tables 4.1 to 4.3)."""
    return Seated([Lineup(found, 0) for found in itertools.product(labels, repeat=players)], seat_columns(players))


def rotations(labels: Sequence[str], players: int) -> Seated:
    """As in a match: every combination of agents, in every rotation of the seats."""
    if len(labels) < players:
        raise SpecError(
            f"the game has {players} seats, and there are only agents for {len(labels)}: {', '.join(labels)}"
        )
    groups = itertools.combinations(labels, players)
    return Seated([Lineup((*g[turn:], *g[:turn])) for g in groups for turn in range(players)], ("agent",))


def against(other: str, *, seats: Sequence[int] | None = None, itself: bool = False) -> Seating:
    """Each agent in one seat, in each of `seats` (all, unless given), and `other` in the rest (Whitehouse 2014, ch.
    8); with `itself`, `other` against itself, too."""

    def seating(labels: Sequence[str], players: int) -> Seated:
        if other not in labels:
            raise SpecError(f"there is no agent {other!r} to play against; the agents are {', '.join(labels)}")
        places = range(players) if seats is None else seats
        found = [
            Lineup(tuple(one if p == seat else other for p in range(players)), seat)
            for one in labels
            if itself or one != other
            for seat in places
        ]
        return Seated(found, ("agent", "seat") if len(places) > 1 else ("agent",))

    return seating


def lineups(*rows: Sequence[str], subject: int = 0) -> Seating:
    """These lineups, as they are; the result of the seat `subject` counts."""
    return lambda labels, players: Seated([Lineup(tuple(row), subject) for row in rows], seat_columns(players))


def pairings(*pairs: tuple[str, str]) -> Seating:
    """Each pair, in both seats; the result of the first counts (Lanctot 2013, table 6.1)."""
    found = [Lineup(sitting, seat) for one, other in pairs for seat, sitting in enumerate(((one, other), (other, one)))]
    return lambda labels, players: Seated(found, ("agent", "opponent"))


def teams(role: Callable[..., Any], *, roles: int = 2, subject: int = 0) -> Seating:
    """Every agent in all seats of one role against every agent in those of another. `role(state)`, a function of the
    file, tells the role of each seat once chance has dealt (Whitehouse 2014, ch. 7: all spies are one algorithm, all
    others another)."""

    def seating(labels: Sequence[str], players: int) -> Seated:
        found = [Lineup(one, subject) for one in itertools.product(labels, repeat=roles)]
        return Seated(found, tuple(f"role {r}" for r in range(roles)), role)

    return seating


def seat_columns(players: int) -> tuple[str, ...]:
    return tuple(f"seat {seat}" for seat in range(players))
