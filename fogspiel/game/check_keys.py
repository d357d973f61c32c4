"""The conformance check of keys: does one key stand for two things that a player knows apart?

A rule `infoset` that reads two numbers and returns their sum, or anything else in which one makes up for the other,
gives the same key where both differ, and another where only one does. Whether the player knows both numbers or only the
sum, no rule tells; a picture does (`check_knowledge.Pictures`), if the game draws one. Without a picture the first is
taken to be meant.
"""

from collections import Counter

import numpy as np

from fogspiel.errors import GameError
from fogspiel.game import check_report as names
from fogspiel.game.check_report import Findings, Path
from fogspiel.game.check_rules import Look, Rules
from fogspiel.game.game import Game
from fogspiel.game.view import fields_of, recording_view_type

CURE = "build the key with mix from all that the player knows, in order, as in mix(mix(0, first), second)"

_ASKED = 200
"""States in which the fields that infoset reads are looked for."""
_KEPT = 300_000
"""Different readings that are kept in all."""
_PAIRS = 8
"""Readings that are compared with the first one of the same key."""
_OUTCOMES = 200
"""Outcomes that a node of chance may have to be looked at."""
_APART = 4
"""Numbers in which two readings may differ to be compared."""


class Readings:
    """What infoset reads of the states met, where the player it is asked for is to move, and the key it makes of
    that."""

    def __init__(self, plain: Game, rules: Rules, findings: Findings):
        """`plain` is the game with its rules un-compiled, and `rules` those by which states will be met."""
        self.game, self.rules, self.findings = plain, rules, findings
        self._fields: list[set[str]] = [set() for _ in range(rules.players)]
        self._asked = 0
        self._places: list[list[tuple[str, slice, str]]] = []
        self._keys: list[dict[bytes, tuple[int, Path]]] = [{} for _ in range(rules.players)]
        self._left = _KEPT

    def ask(self, data: bytes) -> None:
        """Let the un-compiled rule tell which fields it reads of a state. `data` is a state of the un-compiled game."""
        if self._asked >= _ASKED:
            return
        self._asked += 1
        held = np.frombuffer(data, np.uint8).copy()
        for player, fields in enumerate(self._fields):
            view = recording_view_type(self.game.dtype, fields).from_address(held.ctypes.data)
            self.game.plain["infoset"](view, player)

    def visit(self, data: bytes, look: Look, path: Path) -> None:
        """Keep what the player to move has its key made of."""
        if not self._places:
            self._places = [self._numbers(fields) for fields in self._fields]
        who = look.actor
        reading = b"".join(data[place] for _, place, _ in self._places[who])
        if self._left > 0 and reading not in self._keys[who]:
            self._left -= 1
            self._keys[who][reading] = (look.keys[who], path)

    def compare(self) -> None:
        """Look for two readings with the same key that differ in numbers, each of which alone would change the key."""
        for player, keys in enumerate(self._keys):
            first: dict[int, tuple[bytes, int]] = {}
            for reading, (key, path) in keys.items():
                one, met = first.setdefault(key, (reading, 0))
                if one is reading or met >= _PAIRS:
                    continue
                first[key] = (one, met + 1)
                if self._cancels(player, key, one, reading):
                    self._tell(player, one, reading, keys[one][1], path)
                    return

    def _cancels(self, player: int, key: int, one: bytes, other: bytes) -> bool:
        keys, apart = self._keys[player], self._apart(player, one, other)
        if not 2 <= len(apart) <= _APART:
            return False
        if Counter(one[at] for _, at, _ in apart) == Counter(other[at] for _, at, _ in apart):
            return False  # the same numbers in another order, which the player may not know
        alone = (one[: at.start] + other[at] + one[at.stop :] for _, at, _ in apart)
        return sum(changed in keys and keys[changed][0] != key for changed in alone) >= 2

    def _tell(self, player: int, one: bytes, other: bytes, first: Path, path: Path) -> None:
        apart = self._apart(player, one, other)
        fields = " and ".join(name for name, _, _ in apart)
        values = (", ".join(str(np.frombuffer(r[at], kind)[0]) for _, at, kind in apart) for r in (one, other))
        text = (
            f"player {player} has the same key after these two histories, in which {fields} are "
            f"{' and '.join(values)}, and other keys where only one of them differs; {CURE}, or, if it knows no more "
            "than this, keep what it knows in a field of its own."
        )
        shown = getattr(self.game.module, "show", None) is not None
        write = self.findings.note if shown or not self.game.about.perfect_recall else self.findings.fail
        write(names.COLLISION, text, first, path)

    def _apart(self, player: int, one: bytes, other: bytes) -> list[tuple[str, slice, str]]:
        """The numbers in which two readings differ: their names, their places in a reading, their types."""
        apart, at = [], 0
        for name, place, kind in self._places[player]:
            here = slice(at, at + place.stop - place.start)
            if one[here] != other[here]:
                apart.append((name, here, kind))
            at = here.stop
        return apart

    def _numbers(self, fields: set[str]) -> list[tuple[str, slice, str]]:
        """Every number in these fields: its name, its place in a state, its type."""
        numbers = []
        for name, (kind, offset) in fields_of(self.game.dtype).items():
            if name in fields and name not in self.game.about.tables:
                size = kind.base.itemsize
                for i in range(kind.itemsize // size):
                    label = f"{name}[{i}]" if kind.shape else name
                    numbers.append((label, slice(offset + i * size, offset + (i + 1) * size), kind.base.str))
        return numbers


class Told:
    """What chance tells the players at a node: a player's key may tell the outcome, or may be the same after all of
    them.

    Each node of chance is looked at by making all its outcomes; `asks` bounds how many are made.
    """

    def __init__(self, rules: Rules, asks: int):
        self.rules, self._left = rules, asks
        self._last: tuple[bytes, tuple[bool, ...] | None] = (b"", None)

    def by(self, data: bytes, look: Look, move: int) -> tuple[int, ...] | None:
        """For each player a hash of an outcome of chance if it is told to that player, else 0.

        None where that is not known, as where there is but one outcome, or part of it is told.
        """
        if self._last[0] != data:
            known = None
            if 1 < len(look.moves) <= min(self._left, _OUTCOMES):
                self._left -= len(look.moves)
                known = self._tells(data, look.moves)
            self._last = (data, known)
        tells = self._last[1]
        return None if tells is None else tuple(hash((move,)) if told else 0 for told in tells)

    def _tells(self, data: bytes, moves: list[int]) -> tuple[bool, ...] | None:
        try:
            after = [self.rules.play(data, move) for move in moves]
            keys = [len({self.rules.key(state, player) for state in after}) for player in range(self.rules.players)]
        except GameError:
            return None
        return tuple(n > 1 for n in keys) if all(n in (1, len(moves)) for n in keys) else None
