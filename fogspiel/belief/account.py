"""What a player has seen of a game, told in words: an account of events.

An *event* is a move that changed the player's key, or a move of the player's own; other moves pass unseen. What the
player may be told of an event is what holds in every history that it cannot tell from the true one, that is, in which
it saw the same keys and made the same moves at the same points: the mover and the move's name where they agree, the
mover alone where only that does.

Where such histories are all known (on a tree), `merge` their accounts. Elsewhere a game may say by its rule `sees` that
the player saw a move as it is; that has its name. For all else `told` compares the true history with others that are
replayed from the player's record alone (`belief/rejection.py`). It must find what differs, however rare:
were an event named whenever the alternatives happened not to be drawn, its being named would tell that the likely thing
happened.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any

import numpy as np

from fogspiel.belief.record import Record
from fogspiel.belief.rejection import ANYONE, GaveUp, Replay, possible
from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints, Reals, Records
from fogspiel.engine.primitives import mix
from fogspiel.game.game import Game
from fogspiel.game.state import advance, sees
from fogspiel.game.table import CHANCE, OVER, ROOT, actor, chances, copy_state, infoset, packed_at, play
from fogspiel.game.table import moves as legal_moves

EVERY, EVERY_TRIED = 64, 5_000
"""Histories that are all compared, and moves tried to find them."""
DRAW_TRIED, ONE_TRIED, OTHERS_TRIED, COST = 100_000, 5_000, 50_000, 100
"""Moves tried for one of the histories drawn; for one other move in the place of an event; for all of these, each of
which counts as `COST` more."""


@dataclass(frozen=True)
class Event:
    """Something that `player` saw happen: who moved (a player, CHANCE, or None where that cannot be known), and the
    move's name, or None where it cannot be known. `move` is the move's number, of several that go by the name the
    least, for putting events in order."""

    player: int
    mover: int | None
    name: str | None
    move: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.mover is None:
            return "something happened"
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
    """The events of a game as `player` saw them, in order. `trail` is what the player can tell histories apart by: its
    key at the start, then for each event its own move, or None, and its key after it."""

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
    """The account of one history, by all its moves, with every event named: what really happened, not what the player
    may know."""
    return _follow(game, moves, player).account


def merge(one: Account, other: Account) -> Account:
    """What holds in two histories that the player cannot tell apart: equal trails."""
    if one.player != other.player or one.trail != other.trail:
        raise ValueError("only accounts of what a player cannot tell apart can be merged")
    return Account(one.player, tuple(a.common(b) for a, b in zip(one.events, other.events, strict=True)), one.trail)


def told(game: Game, moves: Sequence[int], player: int, rng: np.ndarray, draws: int = 32) -> Account:
    """What the player may be told of the true history `moves`: what it has in common with all histories that fit the
    player's record, as far as they can be told.

    At the player's decision and at the end of the game, it knows that it is there; elsewhere histories may end with
    anyone to move. Few histories are all compared. Of many, `draws` are replayed, some as chance would have it and some
    with equal odds; then, for each event that has the same name in all of them, other moves are looked for that the
    player could not have told from it in any of them. What cannot be decided in a reasonable time is not named; where
    nothing can be compared, others' events have not even a mover.
    """
    followed = _follow(game, moves, player)
    if len(followed.sure) == len(followed.account.events):
        return followed.account
    return _Comparison(game, list(moves), followed, rng).outcome(draws)


@dataclass(frozen=True)
class _Followed:
    """An account with every event named, who is to move at its end, and the numbers of the events that the player saw
    as they are, by the game's rule `sees`: its own moves and those of others that it was shown."""

    account: Account
    who: int
    sure: frozenset[int]


class _Comparison:
    """The true history beside others that the player cannot tell from it. `known` is what they have in common until
    now."""

    def __init__(self, game: Game, moves: list[int], followed: _Followed, rng: np.ndarray):
        self.game, self.moves, self.known, self.sure, self.rng = game, moves, followed.account, followed.sure, rng
        known = self.known
        self.player, self.record = known.player, known.record()
        self.wanted = followed.who if followed.who in (known.player, OVER) else ANYONE
        self.names: dict[tuple[bytes, int], str] = {}
        self.when: list[int] = []
        """Of each own move, when it was made: see `Replay`."""
        self.after: list[tuple[int, int]] = []
        """Of each event, how many keys were known after it, and how many own moves made."""
        keys = 1
        for (_, before), (move, key) in pairwise(known.trail):
            if move is not None:
                self.when.append(2 * keys + (key != before))
            keys += key != before
            self.after.append((keys, len(self.when)))

    def outcome(self, draws: int) -> Account:
        if draws > 0 and self._all():
            return self.known
        try:
            drawn = self._draw(draws)
        except GaveUp:
            drawn = []
        if not drawn:
            nothing = Event(self.player, None, None)
            events = enumerate(self.known.events)
            left = tuple(e if i in self.sure or e.mover == self.player else nothing for i, e in events)
            return Account(self.player, left, self.known.trail)
        self._seek_others([self.moves, *drawn])
        return self.known

    def _replay(self, most: int, **how: Any) -> Replay:
        return Replay(self.game, self.record, self.wanted, self.rng, most, when=self.when, **how)

    def _merge(self, moves: list[int]) -> None:
        """Leave of what is known what holds in another history, too. Only what still has a name needs another's, and a
        state often comes again: to write a name takes longer than all else."""
        state, events, count = self.game.start(), list(self.known.events), 0
        key = state.key(self.player)
        for move in moves:
            who, before = state.actor, state.data.tobytes()
            open_ = count < len(events) and count not in self.sure
            named = open_ and events[count].name is not None and events[count].mover == who
            if named and (before, move) not in self.names:
                self.names[before, move] = self.game.move_name(state, move)
            advance(state, move)
            previous, key = key, state.key(self.player)
            if who == self.player or key != previous:
                if open_:
                    events[count] = events[count].common(
                        Event(self.player, who, self.names[before, move] if named else events[count].name, move)
                    )
                count += 1
        self.known = Account(self.player, tuple(events), self.known.trail)

    def _all(self) -> bool:
        """Compare with every history there is, if they are few."""
        try:
            every = list(islice(self._replay(EVERY_TRIED).histories(), EVERY + 1))
        except GaveUp:
            return False
        if len(every) > EVERY:
            return False
        for moves in every:
            self._merge(moves)
        return True

    def _draw(self, draws: int) -> list[list[int]]:
        """So many histories, those that are alike once."""
        found: dict[tuple[int, ...], None] = {}
        spaces = [self._replay(DRAW_TRIED, level=level) for level in (True, False)]
        for number in range(draws):
            space = spaces[number % 2]
            found[tuple(space.moves(space.find(None)))] = None
        for moves in found:
            self._merge(list(moves))
        return [list(moves) for moves in found]

    def _seek_others(self, histories: list[list[int]]) -> None:
        """Where an event still has a name, look in each history for another move in its place with which the player
        would have seen the same, then and ever after."""
        left, refuted = OTHERS_TRIED, set()
        for moves in histories:
            events = enumerate(self.known.events)
            named = {i for i, e in events if e.name is not None and e.mover != self.player and i not in self.sure}
            rows = [row for row in self._forks(moves) if row[0] in named]
            state, depth = self.game.start(), 0
            for event, at, move in rows:
                for made in moves[depth:at]:
                    state.play(made)
                depth = at
                if (name := self.known.events[event].name) is None or self.game.move_name(state, move) == name:
                    continue
                other = state.copy()
                other.play(move)
                if (place := (event, other.data.tobytes())) in refuted:
                    continue
                keys, own = self.after[event]
                rest = Record(self.player, self.record.keys[keys - 1 :], self.record.own[own:])
                due = [when - 2 * (keys - 1) for when in self.when[own:]]
                work = Replay(
                    self.game,
                    rest,
                    self.wanted,
                    self.rng,
                    min(max(left, 0), ONE_TRIED),
                    when=due,
                    level=True,
                    root=other.data,
                )
                try:
                    found = next(work.histories(), None)
                except GaveUp:
                    self._leave_out(event)
                    continue
                finally:
                    left -= work.tried + COST
                if found is None:
                    refuted.add(place)
                else:
                    self._merge([*moves[:at], move, *found])

    def _forks(self, moves: list[int]) -> list[tuple[int, int, int]]:
        """Other moves than those of a history by which somebody else would have caused the same event: the event's
        number, how many moves come before it, and the move."""
        game = self.game
        line, stack = np.array(moves, np.int64), np.zeros(2 * game.dtype.itemsize, np.int8)
        buffer, out = game.buffer(), np.zeros(len(moves) * game.max_moves, Fork)
        count = game.finish(forks(game.table, self.player, len(moves), line, stack, buffer, np.zeros(len(buffer)), out))
        stack[:] = 0
        return out[:count].tolist()

    def _leave_out(self, event: int) -> None:
        """Let an event have no name any more."""
        events = list(self.known.events)
        events[event] = Event(self.player, events[event].mover, None)
        self.known = Account(self.player, tuple(events), self.known.trail)


def _follow(game: Game, moves: Sequence[int], player: int) -> _Followed:
    """The account of a history."""
    state = game.start()
    trail: list[tuple[int | None, int]] = [(None, state.key(player))]
    events: list[Event] = []
    sure, told = set(), "sees" in game.functions
    for move in moves:
        who = state.actor
        name = game.move_name(state, move)
        shown = told and (who == player or sees(state, player, move) == mix(0, move))
        state.play(move)
        key = state.key(player)
        if who == player or key != trail[-1][1]:
            if shown:
                sure.add(len(events))
            events.append(Event(player, who, name, move))
            trail.append((move if who == player else None, key))
    return _Followed(Account(player, tuple(events), tuple(trail)), state.actor, frozenset(sure))


Fork = np.dtype([("event", "i8"), ("depth", "i8"), ("move", "i8")])
"""Another move that would have caused the same event: the event's number, how many moves come before it, and the
move."""
Forks: Any = Records(Fork)


@kernel
def forks(game: Ints, player: Int, length: Int, line: Ints, stack: Bytes, buffer: Ints, odds: Reals, out: Forks) -> Int:
    """For each event of the history `line` that is not `player`'s own move: the other moves that give the player the
    same key. `stack` has room for two states. Returns how many there are."""
    s, child = packed_at(game, stack, 0), packed_at(game, stack, 1)
    copy_state(game, s, game[ROOT])
    before = infoset(game, s, player)
    events, count = 0, 0
    for depth in range(length):
        who = actor(game, s)
        copy_state(game, child, s)
        play(game, child, line[depth])
        key = infoset(game, child, player)
        if who != player and key != before:
            if who == CHANCE:
                n = possible(chances(game, s, buffer, 0, odds, 0), 0, buffer, odds)
            else:
                n = legal_moves(game, s, buffer, 0)
            for i in range(n):
                if buffer[i] != line[depth]:
                    copy_state(game, child, s)
                    play(game, child, buffer[i])
                    if infoset(game, child, player) == key:
                        fork = out[count]
                        fork.event, fork.depth, fork.move = events, depth, buffer[i]
                        count += 1
        if who == player or key != before:
            events += 1
        play(game, s, line[depth])
        before = key
    return count
