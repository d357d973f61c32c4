"""The conformance check of what allows a walk over the public tree: the rules `private`, `hold` and `strength`.

Chance deals by the ordinary rules. In every history that has the same public key it must have dealt what each player
holds as often as `private` weighs it, and what `hold` makes of one such state must be another.
"""

import random
from itertools import product

from fogspiel.game import check_report as names
from fogspiel.game.check_report import Broken, Findings, Path
from fogspiel.game.check_rules import CLOSE, Look, Rules
from fogspiel.game.rules import CHANCE, OVER, PUBLIC

_HOLDS = 200_000
"""Hands that are put into states to be compared, about."""
_PAIRS = 16
"""Pairs of hands that are compared at an end."""


class Holding:
    """Compares the states met with what the rules say that players may hold in them. Without these rules it does
    nothing."""

    def __init__(self, rules: Rules, findings: Findings, seed: int):
        self.rules, self.findings = rules, findings
        self.given = "private" in rules.game.functions
        self._rng, self._left = random.Random(seed), _HOLDS
        self._listed: dict[int, tuple[list[int], Path]] = {}
        self._ratio: dict[int, tuple[float, Path]] = {}
        self._dealt: dict[int, tuple[float, float]] = {}
        self._states: dict[int, set[bytes]] = {}
        self._made: list[tuple[int, bytes, int, Path]] = []

    def visit(self, data: bytes, look: Look, chance: float, path: Path) -> None:
        """A state, and how likely chance was to do what led to it."""
        if not self.given or look.actor == CHANCE:
            return
        public = look.keys[-1] if look.actor != OVER else OVER
        self._states.setdefault(public, set()).add(data)
        if self._left <= 0:
            return
        listed = [self._list(data, player, path) for player in range(2)]
        held = [self._held(data, player, listed[player][0], path) for player in range(2)]
        if look.actor == OVER:
            self._end(data, listed, path)
        elif all(held):
            self._weigh(public, listed, held, chance, path)
        self._swap(data, look, public, listed, held, path)

    def _list(self, data: bytes, player: int, path: Path) -> tuple[list[int], list[float]]:
        outcomes, weights = self.rules.private(data, player)
        known, first = self._listed.setdefault(player, (outcomes, path))
        if known != outcomes:
            text = f"private lists for player {player} other outcomes after the second history than after the first."
            self.findings.fail(names.PRIVATE, text, first, path)
            raise Broken(text, path)
        return outcomes, weights

    def _held(self, data: bytes, player: int, outcomes: list[int], path: Path) -> list[int]:
        """Which of the outcomes a player may hold in this state: several, where it does not matter yet which."""
        self._left -= len(outcomes)
        found = [i for i, outcome in enumerate(outcomes) if self.rules.hold(data, player, outcome) == data]
        if not found:
            text = f"player {player} holds none of what private lists: hold makes another state with each of it."
            self.findings.fail(names.HOLD, text, path)
        return found

    def _weigh(
        self, public: int, listed: list[tuple[list[int], list[float]]], held: list[list[int]], chance: float, path: Path
    ) -> None:
        """Chance deals in proportion to the weights."""
        here = sum(self._weight(listed, i, j) for i, j in product(*held))
        if here <= 0.0:
            self.findings.fail(names.PRIVATE, "chance has dealt what private gives the weight 0.", path)
            return
        ratio, first = self._ratio.setdefault(public, (chance / here, path))
        if abs(chance / here - ratio) > CLOSE * ratio:
            text = (
                f"everybody knows the same after these two histories, and chance deals them {ratio:g} and "
                f"{chance / here:g} times as often as "
                "private weighs what the players hold."
            )
            self.findings.fail(names.PRIVATE, text, first, path)
        dealt, _ = self._dealt.get(public, (0.0, 0.0))
        self._dealt[public] = dealt + here, self._total(listed)

    def _weight(self, listed: list[tuple[list[int], list[float]]], i: int, j: int) -> float:
        """How a pair weighs: of one deck, there is a copy less of a card that the other holds."""
        (_, mine), (_, theirs) = listed
        return mine[i] * (theirs[j] - (self.rules.game.about.deck and i == j))

    def _total(self, listed: list[tuple[list[int], list[float]]]) -> float:
        (_, mine), (_, theirs) = listed
        return sum(mine) * (sum(theirs) - self.rules.game.about.deck)

    def _swap(
        self,
        data: bytes,
        look: Look,
        public: int,
        listed: list[tuple[list[int], list[float]]],
        held: list[list[int]],
        path: Path,
    ) -> None:
        """Another outcome in the hand of each player: nobody else can tell."""
        rules = self.rules
        for player in range(2):
            outcomes, _ = listed[player]
            j = (held[1 - player] or [0])[0]
            i = self._rng.randrange(len(outcomes))
            if self._weight(listed, *((i, j) if player == 0 else (j, i))) <= 0.0:
                continue
            after = rules.hold(data, player, outcomes[i])
            self._made.append((public, after, player, path))
            if look.actor == OVER:
                continue
            same = rules.actor(after) == look.actor and rules.legal(after) == look.moves
            others = all(rules.key(after, who) == rules.key(data, who) for who in (1 - player, PUBLIC))
            if not same or not others:
                what = "what the other or everybody knows" if same else "who moves, or the legal moves"
                self.findings.fail(names.HOLD, f"hold({outcomes[i]}) for player {player} changes {what}.", path)

    def _end(self, data: bytes, listed: list[tuple[list[int], list[float]]], path: Path) -> None:
        """At an end: pairs of which the same player is the stronger get the same."""
        rules = self.rules
        if "strength" not in rules.game.functions:
            return
        (mine, _), (theirs, _) = listed
        known: dict[int, tuple[list[float], int, int]] = {}
        for _ in range(_PAIRS):
            i, j = self._rng.randrange(len(mine)), self._rng.randrange(len(theirs))
            if self._weight(listed, i, j) <= 0.0:
                continue
            pair = rules.hold(rules.hold(data, 0, mine[i]), 1, theirs[j])
            first, second = rules.strength(pair, 0), rules.strength(pair, 1)
            paid = rules.payoff(pair)
            before, *with_ = known.setdefault((first > second) - (first < second), (paid, mine[i], theirs[j]))
            if before != paid:
                text = (
                    f"the same player is the stronger with {with_[0]} against {with_[1]} and with {mine[i]} against "
                    f"{theirs[j]}, and player 0 gets {before[0]:g} and {paid[0]:g}."
                )
                self.findings.fail(names.STRENGTH, text, path)

    def cover(self) -> None:
        """After a walk of the whole tree: chance deals all that private lists, and what hold made are states of the
        game."""
        for public, (dealt, total) in self._dealt.items():
            if self._left > 0 and abs(dealt - total) > CLOSE * total:
                text = (
                    f"of a weight of {total:g} that private gives to all pairs, chance deals {dealt:g} after "
                    "histories like this one."
                )
                self.findings.fail(names.PRIVATE, text, self._ratio[public][1])
        for public, made, player, path in self._made:
            if made not in self._states[public]:
                text = f"what hold makes of this state for player {player} is no state that the game can come to."
                self.findings.fail(names.HOLD, text, path)
                return
