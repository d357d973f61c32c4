"""What an agent in a process of its own is told, and what it may answer: the messages of `docs/bots.md`, as values of
JSON.

They hold what its seat knows and nothing else. Keys and seeds, of 64 bits, are texts, since numbers of JavaScript have
53.
"""

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fogspiel import given
from fogspiel.agents.agent import Observation
from fogspiel.agents.fault import Fault, plain
from fogspiel.belief.record import Record
from fogspiel.errors import FogspielError
from fogspiel.game.game import Game
from fogspiel.game.load import BUILT_IN, source_of
from fogspiel.game.rules import CHANCE
from fogspiel.game.state import State, _again

if TYPE_CHECKING:
    from fogspiel.belief.account import Account, Event

PROTOCOL = 1
NAMES, TEXT, EVENTS, STATE = "names", "text", "events", "state"
USUAL = (NAMES, TEXT, EVENTS)
"""What an agent is told at a decision if it does not say what it wants; `state` are bytes, which are of use to Fogspiel
alone."""


def hello(game: Game, *, seconds: float | None, memory: int, learning: bool) -> dict[str, Any]:
    about = game.about
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "game": game.spec,
        "parameters": dict(game.parameters),
        "file": None if game.module.__name__.startswith(f"{BUILT_IN}.") else str(source_of(game)[0]),
        "debug": game.debug,
        "players": game.players,
        "simultaneous": about.simultaneous,
        "zero_sum": about.zero_sum,
        "utility": None if about.utility is None else list(about.utility),
        "learning": learning,
        "seconds": seconds,
        "memory": memory,
    }


def new_game(seat: int, seed: int) -> dict[str, Any]:
    return {"type": "game", "seat": seat, "seed": str(seed)}


def decision(
    observation: Observation, wants: Sequence[str], account: "Account | None", clock: Mapping[str, float | None]
) -> dict[str, Any]:
    """What a seat is told when it is to move. `account` is needed for one that wants events."""
    state, record, seat = observation.state, observation.record, observation.seat
    told: dict[str, Any] = {
        "type": "move",
        "seat": seat,
        "moves": list(observation.moves),
        "keys": list(map(str, record.keys)),
        "public": list(map(str, record.public)),
        "own": list(record.own),
        "clock": dict(clock),
    }
    if NAMES in wants:
        told["names"] = list(observation.names)
    if TEXT in wants:
        told["text"] = state.show(seat) if state.game.drawn else None
    if EVENTS in wants and account is not None:
        told["events"] = [_event(event) for event in account.events]
    if STATE in wants:
        told["state"] = _packed(state)
        if observation.true_state is not None:
            told["true_state"] = _packed(observation.true_state)
    return told


def _event(event: "Event") -> dict[str, Any]:
    return {"mover": "chance" if event.mover == CHANCE else event.mover, "name": event.name, "text": str(event)}


def observed(game: Game, told: Mapping[str, Any]) -> Observation:
    """The observation of which `decision` told, with its state, made anew."""
    keys, public = ([int(key) for key in told[name]] for name in ("keys", "public"))
    record = Record(told["seat"], keys, list(told["own"]), public)
    true = _unpacked(game, told["true_state"]) if "true_state" in told else None
    return Observation(told["seat"], _unpacked(game, told["state"]), record, tuple(told["moves"]), true)


def _packed(state: State) -> list[str]:
    """The bytes of a state, without the addresses that it holds here; and of where its stage began, if moves of it are
    pending."""
    packed = []
    for one in (state, *([] if state.stage is state else [state.stage])):
        record = one.data.copy().view(state.game.dtype)
        for name in state.game.about.tables:
            record[name] = 0
        packed.append(base64.b64encode(record.tobytes()).decode())
    return packed


def _unpacked(game: Game, packed: Sequence[str]) -> State:
    data, *began = (base64.b64decode(text) for text in packed)
    return _again(game, data, _again(game, began[0], None) if began else None)


def ready(answer: Mapping[str, Any]) -> tuple[str, ...]:
    """What an agent wants to be told. Raises Fault where it is not ready."""
    _require("ready", answer)
    wants = answer.get("wants", list(USUAL))
    if not isinstance(wants, list) or not all(one in (*USUAL, STATE) for one in wants):
        raise Fault(f"wants {given.shown(wants)}, where there are {', '.join((*USUAL, STATE))}")
    return tuple(wants)


def chosen(answer: Mapping[str, Any], told: Mapping[str, Any]) -> int:
    """The move of an answer, by its number or by its name. Raises Fault where it is none of the legal ones."""
    _require("move", answer)
    move, names = answer.get("move"), told.get("names", [])
    if isinstance(move, str) and names.count(move) == 1:
        return told["moves"][names.index(move)]
    if type(move) is not int or move not in told["moves"]:
        raise Fault(f"made the illegal move {given.shown(move)}")
    return move


def _require(kind: str, answer: Mapping[str, Any]) -> None:
    """Raise Fault where an answer is not of this kind; one that says what went wrong says so in its own words."""
    if answer.get("type") == "fault":
        raise Fault(plain(str(answer.get("reason", "gave up")))[:1000])
    if answer.get("type") != kind:
        raise Fault(f"answered {given.shown(dict(answer))} where a message of the type {kind} was due")


def fault(error: BaseException, reason: str) -> dict[str, Any]:
    """What is answered in place of anything else by an agent that fails."""
    kind = type(error).__name__ if isinstance(error, FogspielError) else None
    return {"type": "fault", "reason": reason, "error": kind}


def as_number(move: Any) -> int | None:
    """The move that an agent made, if it is a whole number."""
    return int(move) if isinstance(move, int | np.integer) and not isinstance(move, bool) else None
