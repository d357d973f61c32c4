"""The conformance check of games without an end: does what `markov` tells of a state determine all that follows?

In states with equal keys every joint move must lead to equal keys, be paid the same and show each player the same; and what `observe` tells
a player must be known to it.
"""

import math
from typing import Any

from fogspiel.game import check_report as names
from fogspiel.game.check_report import Findings, Path
from fogspiel.game.check_rules import CLOSE, Look, Rules
from fogspiel.game.horizon import HORIZON, REWARDS
from fogspiel.game.rules import OVER

_PLAYED = 200_000
"""Moves that are tried to see what follows, about."""


class Markov:
    """Compares the states met where a round begins. Without the rule `markov` it does nothing."""

    def __init__(self, rules: Rules, findings: Findings):
        self.rules, self.findings = rules, findings
        self.given, self._left = "markov" in rules.game.functions, _PLAYED
        self._futures: dict[tuple[str, int], tuple[list[Any], Path]] = {}
        self._known: dict[tuple[int, int, int], tuple[int, Path]] = {}
        about, given = rules.game.about, rules.game.parameters
        self._worth = self.given and bool(given[HORIZON] != "0" or given[REWARDS])
        self._discount = float(given[about.discount]) if self.given and about.discount else 1.0

    def meet(self, data: bytes, look: Look, path: Path) -> None:
        """A state in which a round begins, or the game is over."""
        if not self.given or look.actor not in (0, OVER):
            return
        if look.actor == 0 and self.rules.ask("cut", data):
            self.findings.fail(names.CUT, "cut says so of a state that is not over.", path)
        for player in range(self.rules.players):
            seen = self.rules.ask("observe", data, player)
            before, first = self._known.setdefault((player, look.actor, look.keys[player]), (seen, path))
            if before != seen:
                text = (
                    f"player {player} knows the same after these two histories, and observe tells it different things."
                )
                self.findings.fail(names.OBSERVE, text, first, path)
        if look.actor == OVER or self._left <= 0:
            return
        weight = self._discount ** (1 + self._rounds(path)) if self._discount < 1 else 1.0
        future = list(self._future(data, data, weight))
        for rule in ("markov", *(["lump"] if "lump" in self.rules.game.functions else [])):
            # what is lumped may show the players different things
            told = [step if isinstance(step, int) else (step[rule], *step["paid"]) for step in future]
            told += [step["seen"] for step in future if rule == "markov" and not isinstance(step, int)]
            before, first = self._futures.setdefault((rule, self.rules.ask(rule, data)), (told, path))
            if not _same(before, told):
                text = f"{rule} gives the same key after these two histories, and what may follow is not the same."
                self.findings.fail(names.MARKOV, text, first, path)

    def _future(self, start: bytes, data: bytes, weight: float) -> Any:
        """The moves of a round in order, and what each joint move leads to; `weight` is that of what it is paid."""
        rules = self.rules
        for move in rules.legal(data):
            self._left -= 1
            yield move
            after = rules.play(data, move)
            who = rules.actor(after)
            if who not in (0, OVER):
                yield from self._future(start, after, weight)
                continue
            final = int(who == OVER and not rules.ask("cut", after))
            # what the game is worth at its horizon is no part of what is paid
            known = who == 0 or final or not self._worth
            paid = rules.payoff(after)[0] - rules.payoff(start)[0] if known else math.nan
            yield {
                "markov": rules.ask("markov", after),
                "lump": rules.ask("lump", after) if "lump" in rules.game.functions else 0,
                "paid": (final, paid / weight if weight else 0.0),
                "seen": tuple(rules.ask("observe", after, player) for player in range(rules.players)),
            }

    def _rounds(self, path: Path) -> int:
        """How many rounds a history has."""
        moves = []
        while path is not None:
            path, move = path
            moves.append(move)
        data, rounds = self.rules.root, 0
        for move in reversed(moves):
            rounds += self.rules.actor(data) == 0
            data = self.rules.play(data, move)
        return rounds


def _same(some: list[Any], others: list[Any]) -> bool:
    return len(some) == len(others) and all(
        a == b
        or (
            isinstance(a, tuple)
            and len(a) == 3
            and a[:2] == b[:2]
            and not abs(a[2] - b[2]) > CLOSE * max(1.0, abs(a[2]))
        )
        for a, b in zip(some, others, strict=True)
    )
