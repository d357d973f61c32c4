"""The conformance check of `resample` where the tree is known: does it draw every state that it should, no other, and
each as often as it should?"""

import math
import random
from collections import Counter
from collections.abc import Callable

from fogspiel.game import check_report as names
from fogspiel.game.check_knowledge import Memory
from fogspiel.game.check_report import Findings, Path, Redraw
from fogspiel.game.check_rules import Look, Rules

_LARGEST = 50
"""Consistent states that an information set may have for `cover` to wait until each is drawn, and for `weigh` to count
them."""
_PATIENCE = 200_000
"""Draws after which a consistent state that never came counts as one that cannot come."""
_WEIGHED, _EACH = 24, 200
"""Information sets in which draws are counted, and draws in each."""
_COUNTED = 5.0
"""How often a state must be expected to be counted for itself."""
_SURE = 30.0
"""How sure the check is: a sound game fails with a probability of about e^-30."""


class Consistent:
    """All states of the tree in which a decision is due, by what each player knows there."""

    def __init__(self, rules: Rules, findings: Findings):
        self.rules, self.findings = rules, findings
        self._states: dict[tuple[int, int, int], dict[bytes, _Reached]] = {}

    def visit(self, data: bytes, look: Look, memory: Memory, path: Path) -> None:
        for player in range(self.rules.players):
            states = self._states.setdefault((player, look.keys[player], look.actor), {})
            reached = states.setdefault(data, _Reached(path))
            reached.dealt += memory.chance
            reached.played += memory.chance * memory.play

    def cover(self, seed: int, draws: int, progress: Callable[[str, int, int], None]) -> None:
        """Draw at information sets in random order until about `draws` are made.

        Every draw must be a state of the same information set, and where these are few, each must come up.
        """
        rng = random.Random(seed)
        sets = list(self._states.items())
        rng.shuffle(sets)
        left = draws
        for i, ((player, *_), states) in enumerate(sets):
            if left <= 0:
                break
            left -= self._cover_one(player, states, rng)
            if i % 256 == 255:
                progress("draws", draws - left, draws)

    def _cover_one(self, player: int, states: dict[bytes, "_Reached"], rng: random.Random) -> int:
        small = len(states) <= _LARGEST
        start, reached = rng.choice(list(states.items())) if small else next(iter(states.items()))
        path = reached.path
        missing = set(states) if small else set()
        done = 0
        while done < 8 or (missing and done < _PATIENCE):
            if names.REACHED in self.findings and names.COVERS in self.findings:
                break
            seed = rng.getrandbits(64)
            drawn = self.rules.resample(start, player, seed)
            done += 1
            missing.discard(drawn)
            if drawn not in states:
                text = f"a draw for player {player} is not a state that any history with its key leads to."
                self.findings.fail(names.REACHED, text, (path, Redraw(player, seed)))
                return done
        if missing and names.COVERS not in self.findings:
            text = (
                f"{done:,} draws for player {player} after the first history never gave the state after the "
                "second, which has the same key."
            )
            self.findings.fail(
                names.COVERS, text, path, states[next(state for state in states if state in missing)].path
            )
        return done

    def weigh(self, seed: int) -> None:
        """Compare how often states are drawn with how likely they are by what chance dealt, or if the players moved at
        random, too: draws that fit neither fail. Sets are looked at in random order; each alone must fit, and all
        together."""
        for name, why in (
            (names.REACHED, "resample does not draw the states that it should."),
            (names.COVERS, "resample does not draw the states that it should."),
            (names.CHANCES, "the probabilities of chance are not right."),
        ):
            if name in self.findings:
                self.findings.skip(names.FAIR, why)
                return
        rng = random.Random(seed + 1)
        sets = [(player, states) for (player, *_), states in self._states.items() if 1 < len(states) <= _LARGEST]
        if not sets:
            self.findings.skip(names.FAIR, "there is no information set of 2 to 50 states.")
            return
        rng.shuffle(sets)
        far, room = [0.0, 0.0], [0, 0]
        for player, states in sets[:_WEIGHED]:
            start = rng.choice(list(states))
            drawn = Counter(self.rules.resample(start, player, rng.getrandbits(64)) for _ in range(_EACH))
            fits = [_misfit(drawn, [(s, r.weight(way)) for s, r in states.items()]) for way in range(2)]
            far, room = (
                [f + own for f, (own, _) in zip(far, fits, strict=True)],
                [n + own for n, (_, own) in zip(room, fits, strict=True)],
            )
            if all(own > _most(cells) for own, cells in fits) or all(
                f > _most(n) for f, n in zip(far, room, strict=True)
            ):
                self._tell(player, start, states, drawn)
                return

    def _tell(self, player: int, start: bytes, states: dict[bytes, "_Reached"], drawn: Counter[bytes]) -> None:
        """Name the state that comes too often or too rarely the most."""
        total = [sum(reached.weight(way) for reached in states.values()) for way in range(2)]
        odds = {s: [reached.weight(way) / total[way] for way in range(2)] for s, reached in states.items()}
        worst = max(states, key=lambda s: min(abs(drawn[s] / _EACH - p) for p in odds[s]))
        dealt, played = odds[worst]
        likely = (
            f"{dealt:.0%}" if abs(dealt - played) < 0.005 else f"{dealt:.0%}, or {played:.0%} if all move at random"
        )
        text = (
            f"of {_EACH} draws for player {player} after the first history {drawn[worst] / _EACH:.0%} gave the state "
            "after the second; by the deal it is as likely "
            f"as {likely}."
        )
        self.findings.fail(names.FAIR, text, states[start].path, states[worst].path)


class _Reached:
    """A state: a history that leads to it, and how likely all of these are by what chance does, and if players move at
    random, too."""

    def __init__(self, path: Path):
        self.path, self.dealt, self.played = path, 0.0, 0.0

    def weight(self, way: int) -> float:
        return self.played if way else self.dealt


def _misfit(drawn: Counter[bytes], odds: list[tuple[bytes, float]]) -> tuple[float, int]:
    """Pearson's sum of squares of what was drawn against what is likely, and its degrees of freedom. States that come
    too rarely to be counted are one."""
    total, far, cells, rest = sum(p for _, p in odds), 0.0, 0, [0.0, 0.0]
    for state, p in sorted(odds, key=lambda one: one[1]):
        rest = [rest[0] + _EACH * p / total, rest[1] + drawn[state]]
        if rest[0] >= _COUNTED:
            far, cells, rest = far + (rest[1] - rest[0]) ** 2 / rest[0], cells + 1, [0.0, 0.0]
    return far, max(cells - 1, 1)


def _most(freedom: int) -> float:
    """What a sum of squares of so many degrees of freedom exceeds with a probability of e^-SURE at most (Laurent and
    Massart 2000, lemma 1)."""
    return freedom + 2 * math.sqrt(freedom * _SURE) + 2 * _SURE
