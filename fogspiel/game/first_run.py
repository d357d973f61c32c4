"""The first run of a game file: a few random games with the rules un-compiled, before compiled ones are used.

In machine code a wild index overwrites what lies there, and an endless loop cannot be stopped; un-compiled, both are
one sentence with the rule and the line. A file that passed is remembered by a hash of its rules, their parameters and
tables, so that the run, which takes some hundredths of a second, is made once. The conformance check (`game/check.py`)
looks for far more.
"""

import contextlib
import io
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from fogspiel.engine.closure import Function, fingerprint
from fogspiel.engine.native import cache_folder
from fogspiel.errors import GameError
from fogspiel.game.check_report import KEEPS, Broken, Findings, Redraw, after
from fogspiel.game.check_report import Path as History
from fogspiel.game.check_rules import Rules
from fogspiel.game.game import Game
from fogspiel.game.promises import KEPT, SAID
from fogspiel.game.rules import OVER, where

_GAMES = 32
"""Random games that are played, if they are short."""
_STATES = 600
"""States that are looked at in all."""
_SECONDS = 0.5
"""Processor time after which no other state is looked at."""

_trusting = False


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """Within this, files are used without a first run."""
    global _trusting
    before, _trusting = _trusting, True
    try:
        yield
    finally:
        _trusting = before


def first_run(game: Game, more: Mapping[str, Function] = MappingProxyType({})) -> None:
    """Try a game's rules un-compiled, unless these rules passed before. Raises GameError where they fail.

    None of the compiled rules runs meanwhile. With `more` rules, from another file, these are to be added to the game,
    and go against no promise in what they say of the states that the run comes to.
    """
    if _trusting:
        return
    passed = _remembered(game, more)
    if not passed.exists():
        slow = Game(game.module, game.name, game.parameters, debug=True)
        _try(slow.with_rules(more) if more else slow)
        with contextlib.suppress(OSError):  # on a full or read-only disk the run is made again
            passed.parent.mkdir(parents=True, exist_ok=True)
            passed.touch()


def _remembered(game: Game, more: Mapping[str, Function]) -> Path:
    about = game.about
    facts = (game.parameters, game.max_moves, game.dtype.descr, about.players, about.utility, about.tables)
    sources = tuple((Path(__file__).parent / f"{name}.py").read_text() for name in ("first_run", "check_rules"))
    key = fingerprint([*game.plain.values(), *more.values()], facts, sources)
    return cache_folder() / f"first-run-{Path(game.name).stem}-{key}.passed"


def _try(game: Game) -> None:
    findings = Findings()
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # what a file prints would be repeated for every state
            rules = Rules(game, findings)
            _play(rules, findings)
        findings.require()
    except Broken as broken:
        raise GameError(f"{broken.text.rstrip('.')}{after(game, broken.path)}") from broken


def _play(rules: Rules, findings: Findings) -> None:
    """Random games in which moves that were made less often go first, so that few games try many moves."""
    rng, left, until = random.Random(0), _STATES, time.process_time() + _SECONDS
    made: Counter[tuple[int, int]] = Counter()
    for _ in range(_GAMES):
        data = rules.root
        path: History = None
        while left > 0 and time.process_time() < until:
            left -= 1
            look = rules.look(data, findings, path)
            if look.actor == OVER:
                break
            if look.actor >= 0 and "resample" in rules.game.functions:
                player, seed = rng.randrange(rules.players), rng.getrandbits(64)
                redraw = (path, Redraw(player, seed))
                drawn = rules.resample_checked(data, player, seed, findings, redraw)
                if rules.key(drawn, player) != rules.key(data, player):
                    said = f"{where(rules.game.plain['resample'])} {SAID[KEPT][1]}."
                    raise findings.broken(KEEPS, said, redraw)
                rules.look(drawn, findings, redraw)
            move = min(look.moves, key=lambda move: (made[look.actor, move], rng.random()))
            made[look.actor, move] += 1
            path = (path, move)
            data = rules.play_checked(data, move, findings, path)
