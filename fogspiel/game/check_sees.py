"""The conformance check of the rule `sees`: does a player learn of a move what it is said to see of it, no less and no
more?

What a player learns of a move is the change of its key. So of the moves that are met with one key before them, those
that are seen alike must lead to one key, and, where players forget nothing, those that lead to one key must be seen
alike. Beside the moves of histories, others in their place are made, and moves in states that `resample` draws for the
player, which are the same to it.
"""

import random

import numpy as np

from fogspiel.engine.primitives import mix
from fogspiel.errors import GameError
from fogspiel.game import check_report as names
from fogspiel.game.check_report import Findings, Path, Redraw
from fogspiel.game.check_rules import Look, Rules
from fogspiel.game.rules import UNSEEN
from fogspiel.game.state import State

_ASKED = 100_000
"""Moves in random games of which players are asked what they see of them."""
_OTHERS = 8
"""Moves that are made beside the one of a history."""
_NAMED = 2_000
"""Moves that are named to be compared."""


class Seeing:
    """Compares what a player knows before and after moves with what it sees of them. Without the rule it does
    nothing."""

    def __init__(self, rules: Rules, findings: Findings, seed: int):
        self.rules, self.findings = rules, findings
        self.given = "sees" in rules.game.functions
        self._remembers = rules.game.about.perfect_recall
        self._rng, self._left, self._named = random.Random(seed), _ASKED, _NAMED
        self._after: dict[tuple[int, int, int | None, int], tuple[int, Path]] = {}
        self._seen: dict[tuple[int, int, int | None, int], tuple[int, Path]] = {}
        self._made: dict[tuple[int, int, int], tuple[int, int, str | None, Path]] = {}

    def visit_some(self, data: bytes, look: Look, move: int, path: Path) -> None:
        """The move of a history, with some others in its place and in states that players cannot tell from this one."""
        if not self.given or self._left <= 0:
            return
        self.visit(data, look, self._some(look.moves, move), path)
        if look.actor < 0 or "resample" not in self.rules.game.functions:
            return
        for player in range(self.rules.players):
            seed = self._rng.getrandbits(64)
            here = (path, Redraw(player, seed))
            try:
                drawn = self.rules.resample(data, player, seed)
            except GameError:
                continue  # another part of the check tells of that
            if self.rules.actor(drawn) == look.actor and (legal := self.rules.legal(drawn)):
                self._compare(drawn, look.actor, self._some(legal, legal[0]), player, here)

    def visit(self, data: bytes, look: Look, moves: list[int], path: Path) -> None:
        """These moves, made in a state."""
        for player in range(self.rules.players) if self.given else ():
            self._compare(data, look.actor, moves, player, path)

    def _some(self, moves: list[int], move: int) -> list[int]:
        return [move, *self._rng.sample(moves, min(_OTHERS, len(moves)))]

    def _compare(self, data: bytes, actor: int, moves: list[int], player: int, path: Path) -> None:
        rules, before = self.rules, self.rules.key(data, player)
        self._left -= len(moves)
        for move in moves:
            then = (path, move)
            try:
                seen, after = rules.sees(data, player, move), rules.key(rules.play(data, move), player)
            except GameError as error:
                self.findings.fail(names.RUN, names.sentence(error), then)
                return
            own = move if actor == player else None
            if own is None:
                self._notices(player, seen, after != before, then)
                self._compare_move(player, before, actor, move, seen, data, then)
            self._follows(player, before, own, seen, after, then)

    def _notices(self, player: int, seen: int, changed: bool, path: Path) -> None:
        """Of what others do a player sees something if and only if its key changes."""
        if changed and seen == UNSEEN:
            text = f"player {player} sees nothing of the last move, and its key changes."
            self.findings.fail(names.SEES, text, path)
        elif not changed and seen != UNSEEN and self._remembers:
            text = f"player {player} sees something of the last move, and its key stays as it is."
            self.findings.fail(names.SHOWN, text, path)

    def _follows(self, player: int, before: int, own: int | None, seen: int, after: int, path: Path) -> None:
        alike = f"player {player} has the same key before the last moves of these two histories, "
        known, first = self._after.setdefault((player, before, own, seen), (after, path))
        if known != after:
            text = f"{alike}sees the same of them, and has different keys after them."
            self.findings.fail(names.SEES, text, first, path)
        shown, first = self._seen.setdefault((player, before, own, after), (seen, path))
        if shown != seen and self._remembers:
            text = f"{alike}and the same after them, and does not see the same of them."
            self.findings.fail(names.SHOWN, text, first, path)

    def _compare_move(
        self, player: int, before: int, actor: int, move: int, seen: int, data: bytes, path: Path
    ) -> None:
        """Who sees a move as it is knows who made which move, by its name."""
        who, other, name, first = self._made.setdefault((player, before, seen), (actor, move, None, path))
        if first is path:
            if seen == mix(0, move):
                self._made[player, before, seen] = who, other, self._name(data, move), path
            return
        if (who, other) == (actor, move):
            if name is None or seen != mix(0, move) or name == (self._name(data, move) or name):
                return
            what = "by another name"
        elif seen not in (mix(0, move), mix(0, other)):
            return
        else:
            what = "made by somebody else" if other == move else "another one"
        text = (
            f"player {player} sees one of the last moves of these two histories as it is, by mix(0, move), and cannot "
            f"tell the other from it, which is {what}."
        )
        self.findings.fail(names.SHOWN, text, first, path)

    def _name(self, data: bytes, move: int) -> str | None:
        if self._named <= 0:
            return None
        self._named -= 1
        state = State(self.rules.game, np.frombuffer(data, np.uint8).copy())
        return self.rules.game.move_name(state, move)
