"""The conformance check of what people can read: is there something that a player knows, by its key, and that it can
see nowhere?

Where two keys of a player to move go with the same picture and the same names of moves, what it saw on the way must
tell them apart: the moves that changed its key, and its own (`belief/account.py`). A move counts by its name, if all
histories with the key agree on that, else by who made it, if they agree on that. Of random games alone the histories
with a key are not known, and each move counts by its name.
"""

from typing import Any

import numpy as np

from fogspiel.game import check_report as names
from fogspiel.game.check_report import Findings, Path, Redraw
from fogspiel.game.game import Game
from fogspiel.game.state import State

_MOVES = 20_000
"""Moves that are made again to tell accounts."""
_KEPT = 64
"""Histories of one key that are kept."""

Event = tuple[int | None, str | None]
"""Who moved, and the name of the move; None where that is not known."""


class Readable:
    """The keys of players to move, by what they see there."""

    def __init__(self, game: Game, findings: Findings):
        self.game, self.findings, self._left = game, findings, _MOVES
        self._seen: dict[tuple[int, str, tuple[str, ...]], dict[int, list[Path]]] = {}
        self._known: dict[tuple[int, int], tuple[Path, bytes, int, tuple[Event, ...]]] = {}

    def visit(self, player: int, key: int, picture: str, moves: list[str], path: Path) -> None:
        paths = self._seen.setdefault((player, picture, tuple(moves)), {}).setdefault(key, [])
        if len(paths) < _KEPT:
            paths.append(path)

    def compare(self) -> None:
        """Look for two keys that nothing tells apart that the player can see or saw."""
        if not self.game.about.perfect_recall:
            self.findings.skip(names.READ, "keys need not tell all that was seen: about says perfect_recall=False.")
            return
        if getattr(self.game.module, "show", None) is None:
            self.findings.skip(names.READ, "the game has no function show, by which people would see its states.")
            return
        for (player, *_), keys in self._seen.items():
            told: dict[tuple[Event, ...], tuple[int, Path]] = {}
            for key, paths in keys.items() if len(keys) > 1 else ():
                account = self._account(player, paths)
                if account is None:
                    continue
                other, first = told.setdefault(account, (key, paths[0]))
                if other != key and not self._drawn_apart(player, first, paths[0]):
                    text = (
                        f"player {player} has different keys after these two histories, and nothing that it is shown "
                        "or saw happen tells them apart: "
                        "let show tell what it was told, or name the move by which it is told."
                    )
                    self.findings.note(names.READ, text, first, paths[0])
                    return

    def _account(self, player: int, paths: list[Path]) -> tuple[Event, ...] | None:
        """What holds in all these histories; None where they cannot be compared."""
        accounts = []
        for path in paths:
            if (events := self._events(player, path)) is None:
                return None
            accounts.append(events)
        if len({len(events) for events in accounts}) > 1:
            return None
        return tuple(_common(each) for each in zip(*accounts, strict=True))

    def _events(self, player: int, path: Path) -> tuple[Event, ...] | None:
        """The moves of a history that changed the player's key, or were its own."""
        new: list[Any] = []
        events: tuple[Event, ...] = ()
        here = path
        while here is not None and (player, id(here)) not in self._known:
            here, move = here
            if isinstance(move, Redraw):
                return None
            new.append(move)
        if here is None:
            state = self.game.start()
        else:
            _, data, _, events = self._known[player, id(here)]
            state = State(self.game, np.frombuffer(data, np.uint8).copy())
        key = state.key(player)
        for move in reversed(new):
            if self._left == 0:
                return None
            self._left -= 1
            who, name = state.actor, self.game.move_name(state, move)
            state.play(move)
            before, key = key, state.key(player)
            if who == player or key != before:
                events = (*events, (who, name))
        if path is not None:
            self._known[player, id(path)] = path, state.data.tobytes(), key, events
        return events

    def _drawn_apart(self, player: int, one: Path, other: Path) -> bool:
        """Whether pictures in SVG differ."""
        if not self.game.pictured:
            return False
        datas = [None if path is None else self._known[player, id(path)][1] for path in (one, other)]
        states = [
            self.game.start() if data is None else State(self.game, np.frombuffer(data, np.uint8).copy())
            for data in datas
        ]
        return states[0].svg(player) != states[1].svg(player)


def _common(events: tuple[Event, ...]) -> Event:
    """What events agree in."""
    movers, said = {who for who, _ in events}, {name for _, name in events}
    if len(movers) > 1:
        return None, None
    return movers.pop(), said.pop() if len(said) == 1 else None
