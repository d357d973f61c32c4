"""What a rule did wrong, told with the moves that lead there.

Guarded code tells no more than that a promise was broken, in which function, and in which state (`engine/alarm.py`).
Random games find a way to it, and the un-compiled rules, run over that, tell which rule it was and why, in the words of
the conformance check.
"""

import time
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from fogspiel.engine.alarm import PROMISED, REASONS, Failure
from fogspiel.engine.bundle import Bundled
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bundle, Bytes, Int, Ints, Reals, Record, Records, Words
from fogspiel.engine.primitives import word_at
from fogspiel.errors import BrokenRule, GameError
from fogspiel.game.promises import KEPT, SAID
from fogspiel.game.rules import CHANCE, OVER, where
from fogspiel.game.table import (
    EVALUATE,
    GUIDE,
    LEVELS,
    PLAYERS,
    RESAMPLE,
    Facts,
    copy_state,
    evaluate,
    guide,
    infoset,
    look,
    packed_at,
    pick,
    play,
    resample,
    sample,
)

if TYPE_CHECKING:
    from fogspiel.game.check_report import Path
    from fogspiel.game.game import Game

_SECONDS = 1.0
"""Processor time for which a way is looked for."""
_MOVES = 50_000
"""Moves of random play between two looks at the clock."""
_LONGEST = 0.5
"""Seconds that an un-compiled rule may take here: that it goes on and on is known."""
_FIELDS = 300
"""Letters of a state's fields that an error shows."""

NOWHERE, AT_LOOK, AT_PLAY, AT_REDRAW = range(4)
"""Where random play met something wrong: nowhere; in the state that it had come to; at its last move; when it redrew
that state."""

Room: Any = Bundle(
    states=Bytes, buffer=Ints, prob=Reals, pay=Reals, facts=Records(Facts), made=Ints, draw=Words, rng=Words
)
"""A state and another; moves; what everyone gets; what a look tells; the moves made; the seed of the last redraw;
random numbers."""
Told = np.dtype([("length", "i8"), ("player", "i8"), ("moves", "i8")], align=True)
Telling: Any = Record(Told)


@kernel
def _hunt(game: Ints, alarm: Int, most: Int, room: Room, told: Telling) -> Int:
    """Random games until the alarm rings, and for at least so many moves. Returns where it rang; told: after how many
    moves, and for which player."""
    s, other, out, prob, rng = (
        packed_at(game, room.states, 0),
        packed_at(game, room.states, 1),
        room.buffer,
        room.prob,
        room.rng,
    )
    told.moves = 0
    while told.moves < most:
        copy_state(game, s, packed_at(game, room.states, 2))
        told.length = 0
        while True:
            facts = room.facts[0]
            n = look(game, s, out, 0, prob, 0, facts)
            who = facts.who
            for player in range(game[PLAYERS]):
                infoset(game, s, player)
            if who != OVER and game[EVALUATE] != 0:
                evaluate(game, s, room.pay, 0)
            if word_at(alarm, 0) != 0:
                return AT_LOOK
            if who == OVER or told.length >= LEVELS:
                break
            if who >= 0 and game[RESAMPLE] != 0:
                told.player = pick(rng, game[PLAYERS])
                copy_state(game, other, s)
                room.draw[0] = rng[0]
                resample(game, other, told.player, rng)
                if word_at(alarm, 0) != 0 or infoset(game, other, told.player) != infoset(game, s, told.player):
                    return AT_REDRAW
            move = out[sample(prob, 0, n, rng) if who == CHANCE else pick(rng, n)]
            if who >= 0 and game[GUIDE] != 0:
                guide(game, s, out, 0, prob, 0)
                if word_at(alarm, 0) != 0:
                    return AT_LOOK
            room.made[told.length] = move
            told.length += 1
            told.moves += 1
            play(game, s, move)
            if word_at(alarm, 0) != 0:
                return AT_PLAY
        told.moves += 1
    return NOWHERE


def explained(game: "Game", failed: Failure) -> BrokenRule:
    """What went wrong, as a sentence."""
    from fogspiel.game.check_report import after  # these need games

    found = _hunted(game, failed)
    if found is not None:
        path, text = found
        text = _placed(game, failed, text)
        return BrokenRule(f"{text.rstrip('.')}{after(game, path)}")
    text = _placed(game, failed, wrong_in(game, failed.data) or said(game, failed))
    return BrokenRule(
        f"{text.rstrip('.')}, in a state that random play did not come to ({fields_shown(game, failed.data)})"
    )


def said(game: "Game", failed: Failure) -> str:
    """What the status alone tells."""
    if failed.status >= PROMISED:
        return broken_promise(game, failed.status - PROMISED)
    plain = game.plain.get(failed.entry)
    return f"{where(plain) if plain is not None else game.spec}: {REASONS.get(failed.status, REASONS[1])}"


def _placed(game: "Game", failed: Failure, text: str) -> str:
    """What is wrong, with the rule named first."""
    if failed.status < PROMISED or text.startswith("rule "):
        return text
    return f"{_place(game, SAID[failed.status - PROMISED][0])}: {text}"


def _place(game: "Game", rule: str) -> str:
    """Where a rule is written."""
    named = rule if rule in game.plain else "moves"  # without the rule chance, its outcomes are those of moves
    written = getattr(game.module, named, None)  # what is put around a rule is none of the file's
    return where(written if isinstance(written, FunctionType) else game.plain[named])


def broken_promise(game: "Game", which: int) -> str:
    rule, how = SAID[which]
    return f"{_place(game, rule)} {how}"


def _hunted(game: "Game", failed: Failure) -> tuple["Path", str] | None:
    """A history at which something fails, and what is wrong there."""
    from fogspiel.game.check_report import Redraw

    alarm, start = failed.alarm, game.root
    room = Bundled(
        Room,
        states=np.concatenate([start, start, start]).view(np.int8),
        buffer=game.buffer(),
        prob=np.zeros(len(game.buffer())),
        pay=np.zeros(game.players),
        facts=np.zeros(1, Facts),
        made=np.zeros(LEVELS + 1, np.int64),
        draw=np.zeros(1, np.uint64),
        rng=np.array([1], np.uint64),
    )
    told, until = np.zeros(1, Told), time.process_time() + _SECONDS
    while time.process_time() < until:
        at = _hunt(game.table, alarm.cell, _MOVES, room, told)
        again = alarm.taken() or failed
        if at != NOWHERE:
            path: Path = None
            for move in room.array("made")[: int(told["length"][0])].tolist():
                path = (path, move)
            if at == AT_REDRAW:
                path = (path, Redraw(int(told["player"][0]), int(room.array("draw")[0])))
            return path, _replayed(game, path) or said(game, again)
    return None


def _replayed(game: "Game", path: "Path") -> str | None:
    """What the un-compiled rules do wrong in a history, if they do."""
    from fogspiel.game.check_report import Broken, Findings, Redraw

    links = []
    rest = path
    while rest is not None:
        rest, link = rest
        links.append(link)
    findings = Findings()
    try:
        rules = _bare(game, findings)
        data = rules.root
        for link in reversed(links):
            if isinstance(link, Redraw):
                drawn = rules.resample_checked(data, link.player, link.seed, findings, path)
                if rules.key(drawn, link.player) != rules.key(data, link.player):
                    return f"{where(game.plain['resample'])} {SAID[KEPT][1]}."
                data = drawn
            else:
                data = rules.play_checked(data, link, findings, path)
        rules.look(data, findings, path)
        findings.require()
    except Broken as broken:
        return broken.text
    except GameError as error:
        return str(error)
    return None


def wrong_in(game: "Game", data: bytes) -> str | None:
    """What the un-compiled rules say wrong of a state, if they do."""
    from fogspiel.game.check_report import Broken, Findings

    findings = Findings()
    try:
        _bare(game, findings).look(data, findings, None)
        findings.require()
    except Broken as broken:
        return broken.text.rstrip(".")
    except GameError as error:
        return str(error)
    return None


def _bare(game: "Game", findings: Any) -> Any:
    from fogspiel.game.check_rules import Rules

    return Rules(game.slow, findings, _LONGEST)


def fields_shown(game: "Game", data: bytes) -> str:
    """The fields of a state and what they hold."""
    record = np.frombuffer(data, game.dtype)[0]
    return ", ".join(f"{name}={record[name].tolist()}" for name in game.dtype.names or ())[:_FIELDS]
