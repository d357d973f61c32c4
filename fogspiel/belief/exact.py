"""All states that a player takes for possible, exactly, with or without a model of the others: for small games
(Whitehouse 2014, sec. 5.1.2).

They are carried from one decision to the next (`belief/progress.py`), and none is left out. Without a model, states are
weighted by chance's probabilities alone: others' moves tell nothing, except which states are possible. What a state had
goes to those that agree with what the player saw next, each as likely. A move that can be made in several ways (the
game's rule `copies`) has the weight of all of them, so that cards that were not seen are dealt as if anew, each deal as
likely. With `random` others are taken to move at random, and what they did tells what that tells.

A model is deterministic: it says what another player would do, given what that one saw. A history in which somebody
made another move than the model says is left out, and those that stay are weighted by chance; so the posterior is exact
if the model is. If none stays, the model is wrong, and the states are weighted as without one. (What then happens is
not told there.)
"""

from collections.abc import Callable

import numpy as np

from fogspiel.belief.particle_filter import ParticleQueue
from fogspiel.belief.particles import Step, enter_all, keep_arrived
from fogspiel.belief.progress import ANCESTRY
from fogspiel.belief.record import Record
from fogspiel.belief.roots import States
from fogspiel.engine.part import Part
from fogspiel.errors import TooLarge
from fogspiel.game.game import Game
from fogspiel.game.state import State, advance

Decide = Callable[[State, Record], int]
"""A model: the move that the player whose record is given, and who is to move in the state, would make. What a player
saw is asked of the first history in which it came to know what it knows."""
KEPT = 4096
"""Decisions whose states are remembered, for those that come after them."""


class Possible:
    """What a player takes for possible in a game; TooLarge where more than `most` moves have to be tried for a
    decision."""

    def __init__(self, game: Game, player: int, most: int, model: Decide | None = None, *, random: bool = False):
        self.game, self.player, self.most, self.model, self.random = game, player, most, model, random
        self._worlds = Worlds(game, player, most, ways=model is not None)
        self._kept: dict[tuple[int, ...], Kept] = {}

    def at(self, record: Record) -> tuple[States, np.ndarray]:
        """The states in which the player may have to decide now, and their probabilities."""
        particles, rows = self._at(tuple(record.keys), record)
        modelled = self.random or (self.model is not None and particles["weight"].any())
        weights = particles["weight" if modelled else "plain"]
        likely = weights > 0
        states = rows.view(np.uint8)[likely, : self.game.dtype.itemsize]
        return States(self.game, states), weights[likely] / weights.sum()

    def _at(self, keys: tuple[int, ...], record: Record) -> "Kept":
        """Go on from the last decision that is remembered."""
        if keys in self._kept:
            return self._kept[keys]
        before = next((self._kept[keys[:n]] for n in range(len(keys) - 1, 0, -1) if keys[:n] in self._kept), None)
        if len(self._kept) >= KEPT:
            self._kept.clear()
            self._worlds.forget()
            before = None
        found = self._worlds.follow(before, record, self.model, self.most)
        if found is None:
            raise TooLarge(
                f"{self.game.spec} is too large to look at all that is possible: there are more than {self.most:,} "
                "states"
            )
        self._kept[keys] = found
        return found


Kept = tuple[np.ndarray, np.ndarray]
"""Particles, and for each a row of words with its state: weights are `plain`, and by the model `weight`."""


class Ancestry:
    """Where particles come from: the moves that led to each, written down step by step, for models that ask what
    another player has seen."""

    @staticmethod
    def has_room_for(queue, moves):
        return queue.written.steps + moves <= queue.written.room

    @staticmethod
    def write_down(queue, new, old, move):
        """One more step of the way to a particle."""
        written = queue.written
        step = queue.ways[written.steps]
        step.before, step.move = old.way, move
        new.way = written.steps
        written.steps += 1


class Worlds(ParticleQueue):
    """A queue in which nothing is left out. With `ways` it can tell what other players have seen, which a model is
    told."""

    def __init__(self, game: Game, player: int, most: int, *, ways: bool):
        super().__init__(game, player, player, most, stages=False)
        self.parts = (Part(ANCESTRY, "ancestry", Ancestry),) if ways else ()
        self.begin()
        self._start = self._kept()
        self.forget()

    def forget(self) -> None:
        """Forget what other players have seen: nothing found before is to be followed."""
        self.records: dict[tuple[int, int], Record] = {}
        self.written.steps = 0

    def follow(self, before: Kept | None, record: Record, model: Decide | None, most: int) -> Kept | None:
        """What was found at a decision, or the start of the game, carried on to the one that the record tells of; None
        where more than `most` moves would have to be tried."""
        self._load(*(before or self._start))
        self.look_for(record, most)
        if self.run(model, np.zeros(1, np.uint64)):
            return None
        keep_arrived(self.queue)
        for weights in (self.weights, self.plain):
            weights /= weights.sum() or 1.0
        return self._kept()

    def _kept(self) -> Kept:
        count = self.stand.count
        return self.particles[:count].copy(), self.queue.rows[: self.half * count].reshape(count, self.half).copy()

    def _load(self, particles: np.ndarray, rows: np.ndarray) -> None:
        self.clear()
        count = len(particles)
        if count >= self.space.room:
            self._reserve(2 * count)
        self.particles[:count] = particles
        self.queue.rows[: self.half * count] = rows.ravel()
        self.stand.count = count
        enter_all(self.queue)

    def grow(self) -> None:
        steps = self.written.steps
        more = steps + self.game.max_moves
        if self.parts and self.written.room < more:
            ways = np.zeros(2 * more, Step)
            ways[:steps] = self.queue.array("ways")[:steps]
            self.queue.ways, self.written.room = ways, 2 * more
        super().grow()

    def answer(self, model: Decide, i: int) -> dict[int, float]:
        state = self.state(i)
        who = state.actor
        key = who, state.key(who)
        if key not in self.records:
            self.records[key] = self._record(who, int(self.particles["way"][i]))
        return {model(state, self.records[key]): 1.0}

    def _record(self, player: int, way: int) -> Record:
        """What another player has seen on a way."""
        moves, ways = [], self.queue.array("ways")
        made, before = ways["move"], ways["before"]
        while way >= 0:
            moves.append(int(made[way]))
            way = int(before[way])
        state, record = self.game.start(), Record(player)
        record.see(state)
        for move in reversed(moves):
            if state.actor == player:
                record.own.append(move)
            advance(state, move)
            record.see(state)
        return record
