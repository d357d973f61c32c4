"""Who sits where. A seating is a function from the agents' labels and the number of players to lineups."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fogspiel import given
from fogspiel.errors import FogspielError, SpecError
from fogspiel.experiment.functions import went_wrong
from fogspiel.game.spec import suggestion


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


def seated_by(seats: Seating, labels: Sequence[str], players: int) -> Seated:
    """What a seating says. Raises SpecError where one of the user's own fails, or says what cannot be."""
    try:
        found = seats(labels, players)
    except FogspielError:
        raise
    except (Exception, SystemExit) as error:
        raise SpecError(f"seats fails: {went_wrong(error, seats)}") from error
    listed = (
        isinstance(found, Seated) and isinstance(found.lineups, list | tuple) and isinstance(found.by, list | tuple)
    )
    if not listed or not all(isinstance(one, Lineup) and isinstance(one.labels, list | tuple) for one in found.lineups):
        raise SpecError(f"seats must return Seated([Lineup(labels), ...], by), not {given.shown(found)}")
    for one in found.lineups:
        if found.roles is None:
            _require_labels(one.labels, labels, players)
        given.maybe(_subject, "subject", one.subject, len(one.labels))
    return found


def _subject(name: str, value: Any, places: int) -> int:
    return given.player(places, value, name)


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
        asked = range(players) if seats is None else given.several("seats", seats, "a list of seats")
        places = [given.player(players, seat, "each of seats") for seat in asked]
        if not places:
            raise SpecError("seats must have a seat at least")
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
    if not rows:
        raise SpecError("lineups must be given one at least, such as lineups(('a', 'b'))")

    def seating(labels: Sequence[str], players: int) -> Seated:
        mine = given.player(players, subject, "subject")
        found = [tuple(given.several("each lineup", row, "a list of labels")) for row in rows]
        for row in found:
            _require_labels(row, labels, players)
        return Seated([Lineup(row, mine) for row in found], seat_columns(players))

    return seating


def pairings(*pairs: tuple[str, str]) -> Seating:
    """Each pair, in both seats; the result of the first counts (Lanctot 2013, table 6.1)."""
    for pair in pairs or [None]:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            told = "nothing" if pair is None else given.shown(pair)
            raise SpecError(f"pairings must be given pairs of agents, such as pairings(('a', 'b')), not {told}")

    def seating(labels: Sequence[str], players: int) -> Seated:
        for pair in pairs:
            _require_labels(tuple(pair), labels, players)
        both = ((one, other) for one, other in pairs)
        found = [Lineup(sitting, seat) for a, b in both for seat, sitting in enumerate(((a, b), (b, a)))]
        return Seated(found, ("agent", "opponent"))

    return seating


def teams(role: Callable[..., Any], *, roles: int = 2, subject: int = 0) -> Seating:
    """Every agent in all seats of one role against every agent in those of another. `role(state)`, a function of the
    file, tells the role of each seat once chance has dealt (Whitehouse 2014, ch. 7: all spies are one algorithm, all
    others another)."""

    def seating(labels: Sequence[str], players: int) -> Seated:
        mine = given.player(roles, subject, "subject")
        found = [Lineup(one, mine) for one in itertools.product(labels, repeat=roles)]
        return Seated(found, tuple(f"role {r}" for r in range(roles)), role)

    return seating


def _require_labels(lineup: Sequence[str], labels: Sequence[str], players: int) -> None:
    if len(lineup) != players:
        raise SpecError(f"the game has {players} seats, and {', '.join(map(str, lineup))} are {len(lineup)}")
    for label in lineup:
        if label not in labels:
            raise SpecError(f"there is no agent {label!r}{suggestion(str(label), labels)}")


def seat_columns(players: int) -> tuple[str, ...]:
    return tuple(f"seat {seat}" for seat in range(players))


def require_called(seats: Seating) -> None:
    """Raise SpecError for what makes a seating and is none itself."""
    for maker, example in MAKERS.items():
        if seats is maker:
            raise SpecError(
                f"seats must be made by a call, such as {example}, not the function {maker.__name__} itself"
            )


MAKERS: dict[Any, str] = {
    against: "against('baseline')",
    lineups: "lineups(('a', 'b'))",
    pairings: "pairings(('a', 'b'))",
    teams: "teams(role)",
}
SEATINGS = ("rotations", "every_pair", "against(...)", "lineups(...)", "pairings(...)", "teams(...)")
"""What experiments may have as `seats`."""
