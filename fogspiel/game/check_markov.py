"""The conformance check of games without an end: does what `markov` tells of a state determine all that follows?

In states with equal keys every joint move must lead to equal keys, as likely, be paid the same and show each player the
same; and what `observe` tells a player must be known to it, and with its own moves be all that it knows, unless it is
told everything.
"""

import math
from typing import Any, NamedTuple

from fogspiel.engine.primitives import mix
from fogspiel.game import check_report as names
from fogspiel.game.check_report import Findings, Path
from fogspiel.game.check_rules import CLOSE, Look, Rules
from fogspiel.game.horizon import has_worths
from fogspiel.game.rules import CHANCE, OVER

_PLAYED = 200_000
"""Moves that are tried to see what follows, about."""


class Past(NamedTuple):
    """How many rounds are over, and for each player a key of its own moves and of what `observe` told it."""

    rounds: int
    told: tuple[int, ...]


class Markov:
    """Compares the states met where a round begins. Without the rule `markov` it does nothing."""

    def __init__(self, rules: Rules, findings: Findings):
        self.rules, self.findings = rules, findings
        self.given, self._left = "markov" in rules.game.functions, _PLAYED
        self._futures: dict[tuple[str, int], tuple[list[Any], Path]] = {}
        self._known: dict[tuple[int, int, int], tuple[int, Path]] = {}
        self._pasts: dict[int, tuple[Path, Past]] = {}
        self._keys: dict[tuple[int, int, int], tuple[int, Path]] = {}
        self._blind: set[int] = set()
        self._untold: dict[int, tuple[Path, Path]] = {}
        about, given = rules.game.about, rules.game.parameters
        self._worth = self.given and has_worths(rules.game)
        self._discount = float(given[about.discount]) if self.given and about.discount else 1.0

    def visit(self, data: bytes, look: Look, path: Path) -> None:
        """A state in which a round begins, or the game is over."""
        if not self.given or look.actor not in (0, OVER):
            return
        if look.actor == 0 and self.rules.ask("cut", data):
            self.findings.fail(names.CUT, "cut says so of a state that is not over.", path)
        seen_by = [self.rules.ask("observe", data, player) for player in range(self.rules.players)]
        for player, seen in enumerate(seen_by):
            before, first = self._known.setdefault((player, look.actor, look.keys[player]), (seen, path))
            if before != seen:
                text = (
                    f"player {player} knows the same after these two histories, and observe tells it different things."
                )
                self.findings.fail(names.OBSERVE, text, first, path)
        if look.actor == OVER:
            return
        past = self._remember(path, seen_by)
        self._compare_keys(data, look, seen_by, past, path)
        if self._left <= 0:
            return
        weight = self._discount ** (1 + past.rounds)
        future = list(self._future(data, data, weight))
        for rule in ("markov", *(["lump"] if "lump" in self.rules.game.functions else [])):
            # what is lumped may show the players different things
            told = [step if isinstance(step, int | float) else (step[rule], *step["paid"]) for step in future]
            told += [step["seen"] for step in future if rule == "markov" and not isinstance(step, int | float)]
            known, first = self._futures.setdefault((rule, self.rules.ask(rule, data)), (told, path))
            if not _same(known, told):
                text = f"{rule} gives the same key after these two histories, and what may follow is not the same."
                self.findings.fail(names.MARKOV, text, first, path)

    def _remember(self, path: Path, seen: list[int]) -> Past:
        """What came before a round. In the one before it player 0 moved, then player 1; what follows or comes before
        the first is chance."""
        moves, before = [], path
        while before is not None and (before is path or id(before) not in self._pasts):
            before, move = before
            moves.append(move)
        last = self._pasts[id(before)][1] if moves and id(before) in self._pasts else None
        own = moves[::-1] if last else []
        rounds, told = last or Past(-1, (0,) * len(seen))
        now = [mix(key, own[player]) if player < len(own) else key for player, key in enumerate(told)]
        past = Past(rounds + 1, tuple(mix(key, what) for key, what in zip(now, seen, strict=True)))
        self._pasts[id(path)] = path, past
        return past

    def _compare_keys(self, data: bytes, look: Look, seen: list[int], past: Past, path: Path) -> None:
        """A player who is told everything may know more than that, such as what the other did: it does not matter to
        it."""
        state = self.rules.ask("markov", data)
        for player, told in enumerate(past.told):
            if seen[player] != state:
                self._blind.add(player)
            key, first = self._keys.setdefault((player, past.rounds, told), (look.keys[player], path))
            if key != look.keys[player]:
                self._untold.setdefault(player, (first, path))
            if player in self._blind and player in self._untold:
                text = (
                    f"player {player} did the same and was told the same by observe in these two histories, and "
                    "infoset tells them apart."
                )
                self.findings.fail(names.OBSERVE, text, *self._untold[player])

    def _future(self, start: bytes, data: bytes, weight: float) -> Any:
        """The moves of a round in order, and what each joint move leads to; `weight` is that of what it is paid."""
        rules = self.rules
        moves = rules.legal(data)
        odds = rules.odds(len(moves)) if rules.actor(data) == CHANCE else []
        for i, move in enumerate(moves):
            self._left -= 1
            yield move
            yield from odds[i : i + 1]
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


def _same(some: list[Any], others: list[Any]) -> bool:
    return len(some) == len(others) and all(_alike(a, b) for a, b in zip(some, others, strict=True))


def _alike(a: Any, b: Any) -> bool:
    """Odds and payments may be a little off."""
    if isinstance(a, float) and isinstance(b, float):
        return not abs(a - b) > CLOSE * max(1.0, abs(a))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return _same(list(a), list(b))
    return bool(a == b)
