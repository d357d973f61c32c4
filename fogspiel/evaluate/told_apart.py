"""Information sets that their owner tells apart get different words.

An event is named only where all histories of a set agree on the name (`belief/account.py`), so sets that differ in what
may have happened can read the same. There the moves that it may have been are named, if they are few; else the sets are
numbered.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from fogspiel.belief.account import Account, Event

FEW = 4
"""Moves that an event may have been, of which all are named."""

Alternatives = list[tuple[tuple[str, int], ...]]
"""For each event of a way there, the moves that it may have been, by name and number; none where that is not known."""


def told_apart(
    ways: Sequence[tuple[Account, ...]],
    seen: Sequence[Hashable],
    alternatives: Callable[[list[int]], list[Alternatives]],
) -> list[tuple[Account, ...]]:
    """The ways to sets, such that no two sets whose likeliest ways would read the same, and of which the same is
    `seen`, do so. `alternatives` are asked for only where that is needed, by the sets' places in the list."""
    groups: dict[Hashable, list[int]] = {}
    for n, found in enumerate(ways):
        groups.setdefault((found[0].player, seen[n], str(found[0])), []).append(n)
    alike = [group for group in groups.values() if len(group) > 1 and ways[group[0]][0].events]
    places = [n for group in alike for n in group]
    told = dict(zip(places, alternatives(places), strict=True)) if places else {}
    out = list(ways)
    for group in alike:
        for n, way in zip(group, _named([ways[n][0] for n in group], [told[n] for n in group]), strict=True):
            out[n] = (way, *ways[n][1:])
    return out


def _named(ways: list[Account], moves: list[Alternatives]) -> list[Account]:
    """Ways that read the same, made different."""
    events = [list(way.events) for way in ways]
    for i, event in enumerate(events[0]):
        options = [found[i] for found in moves]
        if event.mover is not None and event.name is None and len(set(options)) > 1:
            for row, option in zip(events, options, strict=True):
                if 0 < len(option) <= FEW:
                    names = dict.fromkeys(name for name, _ in option)
                    row[i] = Event(event.player, event.mover, " or ".join(names), min(move for _, move in option))
    again: dict[tuple[str, ...], list[list[Event]]] = {}
    for row in events:
        again.setdefault(tuple(map(str, row)), []).append(row)
    for alike in again.values():
        if len(alike) > 1:
            # the last event that is not named is where they differ, as far as words go
            at = max((i for i, e in enumerate(alike[0]) if e.name is None), default=len(alike[0]) - 1)
            for number, row in enumerate(alike, 1):
                said = row[at].name or str(Event(row[at].player, row[at].mover, None)).partition(": ")[2] or "something"
                row[at] = Event(row[at].player, row[at].mover, f"{said} ({number} of {len(alike)})", number)
    return [replace(way, events=tuple(row)) for way, row in zip(ways, events, strict=True)]
