"""The conformance check of `start`: on which fields does the game depend that it does not set?

States are made of zeros, so such a field is 0: often that is meant, and sometimes the field was forgotten. The check makes the
initial state from other numbers, too, and plays the same random games from both.
"""

import random
from collections.abc import Callable
from functools import cache

from fogspiel.errors import GameError
from fogspiel.game import check_report as names
from fogspiel.game.check_report import Broken, Findings
from fogspiel.game.check_rules import Look, Rules
from fogspiel.game.game import Game
from fogspiel.game.rules import OVER, where

_FILLS = (85, 1)
"""What is in a field before `start`, instead of 0."""
_STATES = 200
"""Most states that are compared for each field that `start` leaves as it was."""

_LONGEST = 0.1
"""Seconds that a rule may take: in a state that cannot be it may go on for long, which tells the states apart as well."""


def check_start(game: Game, findings: Findings, playouts: int, seed: int) -> None:
    """Compare two states for each playout. The rules of the game are un-compiled: from a state that cannot be, machine code may do
    anything."""
    rules = Rules(game, findings, _LONGEST)
    kept = {p.name for p in game.declared} | set(game.about.tables)
    games = cache(lambda: _random_games(rules, min(_STATES, 2 * playouts), seed))
    left = [name for name in game.dtype.names if name not in kept and _matters(rules, name, games)]
    if left:
        text = f"{where(game.plain['start'])} leaves {', '.join(left)} at 0, and the game depends on that; set there what is not meant to be 0."
        findings.note(names.START, text)


Games = list[list[tuple[bytes, Look, int]]]
"""Of random games each state, what the rules say of it, and the move made there; at the end that is none (-1)."""


def _random_games(rules: Rules, states: int, seed: int) -> Games:
    rng, left, games = random.Random(seed), states, []
    while left > 0:
        here, look, game = rules.root, None, []
        while left > 0 and (look is None or look.actor != OVER):
            left -= 1
            look = rules.look(here, Findings(), None)
            move = rng.choice(look.moves) if look.actor != OVER else -1
            game.append((here, look, move))
            here = rules.play(here, move) if look.actor != OVER else here
        games.append(game)
    return games


def _matters(rules: Rules, name: str, games: Callable[[], Games]) -> bool:
    """Whether the game is another one if this field is not 0 before `start`."""
    for fill in _FILLS:
        try:
            other = rules.begin(**{name: fill})
        except GameError:
            return True
        if other != rules.root and _differs(rules, other, games()):
            return True
    return False


def _differs(rules: Rules, other: bytes, games: Games) -> bool:
    """Whether from another initial state random games are not the same as from the usual one."""
    for game in games:
        there = other
        for here, look, move in game:
            if there == here:
                break  # the field has been set since: what follows is the same
            try:
                if rules.look(there, Findings(), None) != look:
                    return True
                if look.actor != OVER:
                    there = rules.play(there, move)
            except (Broken, GameError):
                return True
    return False
