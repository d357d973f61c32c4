"""Keys that join what is not the same: the error that a solver raises where it meets that, with histories that show
it."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fogspiel.errors import GameError
from fogspiel.game.check_report import Findings, Path, named
from fogspiel.game.check_rules import Rules
from fogspiel.game.rules import OVER

if TYPE_CHECKING:
    from fogspiel.game.game import Game

_MOVES = 100_000
"""Moves of random games that are played to find histories: a second or two."""
_STEPS = 12
"""Moves of a history that an error names; those before are left out."""


def moves_differ(game: "Game", key: int, player: int | None = None) -> GameError:
    """The error for a key of a player (any, if it is not told) that has other moves in one state than in another. The
    key may be that of the game's abstraction."""
    wrong = f"{game.name}: the legal moves differ between two states of one information set"
    check = f"run fogspiel check {game.written}"
    found = _histories(game, key, player)
    if found is None:
        return GameError(f"{wrong} (key {key:016x}); {check}")
    rule, who, (first, some), (second, others) = found
    return GameError(
        f"{wrong}: the rule {rule} gives player {who} the same key {after(game, first)}, with the moves "
        f"{_shown(some)}, and {after(game, second)}, with the moves {_shown(others)}; {check}"
    )


def after(game: "Game", moves: Sequence[int], since: Sequence[int] = ()) -> str:
    """A history by its moves, or what follows after another, as a part of a sentence."""
    path: Path = None
    for move in (*since, *moves):
        path = (path, move)
    steps = [str(step) for step in named(game, path)][len(since) :]
    if not steps:
        return "at the start of the game"
    return f"after ({'..., ' * (len(steps) > _STEPS)}{', '.join(steps[-_STEPS:])})"


def _histories(
    game: "Game", key: int, player: int | None
) -> tuple[str, int, tuple[list[int], list[int]], tuple[list[int], list[int]]] | None:
    """Two histories with this key and other moves, and the rule that gives it, if random games come to such."""
    rules, rng, left = Rules(game, Findings()), random.Random(0), _MOVES
    asked = [rule for rule in ("infoset", "abstract") if rule in game.functions]
    met: dict[tuple[str, int], tuple[list[int], list[int]]] = {}
    while left > 0:
        data, path = rules.root, list[int]()
        while left > 0 and (who := rules.actor(data)) != OVER:
            left -= 1
            moves = rules.legal(data)
            if not moves:
                return None
            for rule in asked if who >= 0 and player in (None, who) else ():
                if rules.ask(rule, data, who) & (1 << 64) - 1 == key:
                    before, legal = met.setdefault((rule, who), (path, moves))
                    if legal != moves:
                        return rule, who, (before, legal), (path, moves)
            move = rng.choice(moves)
            data, path = rules.play(data, move), [*path, move]
        left -= 1
    return None


def _shown(moves: list[int]) -> str:
    return ", ".join(map(str, moves[:6])) + (f" and {len(moves) - 6} more" if len(moves) > 6 else "")
