"""What a player has seen of a game, told in words: an account of events.

An *event* is a move that changed the player's key, or a move of the player's own; other moves pass unseen. What the player may be
told of an event is what holds in every history that it cannot tell from the true one, that is, in which it saw the same keys and
made the same moves at the same points: the mover and the move's name where they agree, the mover alone where only that does.

Where such histories are all known (on a tree), `merge` their accounts. Elsewhere `told` compares the true history with some that are
replayed from the player's record alone (`belief/replay.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fogspiel.belief.replay import ANYONE, Record, draw_moves
from fogspiel.errors import FogspielError
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE, OVER


@dataclass(frozen=True)
class Event:
    """Something that `player` saw happen: who moved (a player, CHANCE, or None where that cannot be known), and the move's name, or
    None where it cannot be known. `move` is the move's number, of several that go by the name the least, for putting events in order."""

    player: int
    mover: int | None
    name: str | None
    move: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.mover is None:
            return "something you cannot see"
        if self.mover == CHANCE:
            return f"chance: {self.name or 'something you cannot see'}"
        who = "you" if self.mover == self.player else f"player {self.mover}"
        return f"{who}: {self.name or 'a move you cannot see'}"

    def common(self, other: "Event") -> "Event":
        """What this and another event agree in."""
        if self == other:
            known = [event.move for event in (self, other) if event.move is not None]
            return Event(self.player, self.mover, self.name, min(known, default=None))
        mover = self.mover if self.mover == other.mover else None
        return Event(self.player, mover, self.name if mover is not None and self.name == other.name else None)


@dataclass(frozen=True)
class Account:
    """The events of a game as `player` saw them, in order. `trail` is what the player can tell histories apart by: its key at the
    start, then for each event its own move, or None, and its key after it."""

    player: int
    events: tuple[Event, ...]
    trail: tuple[tuple[int | None, int], ...]

    def __str__(self) -> str:
        return ", ".join(map(str, self.events))

    def record(self) -> Record:
        """The player's record (without the public keys), from which histories can be replayed."""
        record = Record(self.player)
        for move, key in self.trail:
            if move is not None:
                record.own.append(move)
            if not record.keys or record.keys[-1] != key:
                record.keys.append(key)
        return record


def account(game: Game, moves: Sequence[int], player: int) -> Account:
    """The account of one history, by all its moves, with every event named: what really happened, not what the player may know."""
    return _follow(game, moves, player)[0]


def merge(one: Account, other: Account) -> Account:
    """What holds in two histories that the player cannot tell apart: equal trails."""
    if one.player != other.player or one.trail != other.trail:
        raise ValueError("only accounts of what a player cannot tell apart can be merged")
    return Account(one.player, tuple(a.common(b) for a, b in zip(one.events, other.events, strict=True)), one.trail)


def told(game: Game, moves: Sequence[int], player: int, rng: np.ndarray, draws: int = 32) -> Account:
    """What the player may be told of the true history `moves`: merged with up to `draws` histories that fit its record.

    At the player's decision and at the end of the game, it knows that it is there; elsewhere histories may end with anyone to move.
    Where none can be replayed in a reasonable time, nobody's moves but the player's own are named.
    """
    known, who = _follow(game, moves, player)
    record = known.record()
    wanted = who if who in (player, OVER) else ANYONE
    compared = 0
    try:
        for _ in range(2 * draws):
            other = account(game, draw_moves(game, record, rng, actor=wanted), player)
            # a replay makes the player's own moves in order, though perhaps at another point, which the player would notice
            if other.trail == known.trail:
                known = merge(known, other)
                compared += 1
            if compared == draws:
                break
    except FogspielError:
        pass  # no more can be replayed: the histories found until now are what there is to compare with
    if compared == 0:
        events = tuple(e if e.mover == player else Event(player, e.mover, None) for e in known.events)
        return Account(player, events, known.trail)
    return known


def _follow(game: Game, moves: Sequence[int], player: int) -> tuple[Account, int]:
    """The account of a history, and who is to move at its end."""
    state = game.start()
    trail: list[tuple[int | None, int]] = [(None, state.key(player))]
    events = []
    for move in moves:
        who = state.actor
        name = game.move_name(state, move)
        state.play(move)
        key = state.key(player)
        if who == player or key != trail[-1][1]:
            events.append(Event(player, who, name, move))
            trail.append((move if who == player else None, key))
    return Account(player, tuple(events), tuple(trail)), state.actor
