"""All states that a player takes for possible, exactly, with or without a model of the others: for small games (Whitehouse 2014, sec. 5.1.2).

Without a model, states are weighted by chance's probabilities alone: others' moves tell nothing, except which states are possible. Of several
moves of theirs that look the same to the player, each is as likely. A move that can be made in several ways (the game's rule `copies`) has the
weight of all of them, so that cards that were not seen are dealt as if anew, each deal as likely. With `random` others
are taken to move at random, and what they did tells what that tells.

A model is deterministic: it says what another player would do, given what that one saw. A history in which somebody made another move than the
model says is left out, and those that stay are weighted by chance; so the posterior is exact if the model is. If none stays, the model is wrong, and the
states are weighted as without one. (What then happens is not told there.)
"""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fogspiel.belief.replay import Record
from fogspiel.errors import TooLarge
from fogspiel.game.game import Game
from fogspiel.game.rules import CHANCE, OVER
from fogspiel.game.state import State, advance, copies

Decide = Callable[[State, Record], int]
"""A model: the move that the player whose record is given, and who is to move in the state, would make."""
KEPT = 4096
"""Decisions whose states are remembered, for those that come after them."""


@dataclass(frozen=True)
class World:
    """A state, what the others saw on the way there if a model is to be told, how likely it is by chance alone, and by the model; `known` keys and
    `own` moves of the player's record are behind it."""

    state: State
    others: dict[int, Record]
    weight: float
    modelled: float
    known: int = 1
    own: int = 0


class Possible:
    """What a player takes for possible in a game; TooLarge where more than `most` states have to be looked at for a decision."""

    def __init__(self, game: Game, player: int, most: int, model: Decide | None = None, *, random: bool = False):
        self.game, self.player, self.most, self.model, self.random = game, player, most, model, random
        self._kept: dict[tuple[int, ...], list[World]] = {}

    def at(self, record: Record) -> tuple[list[State], np.ndarray]:
        """The states in which the player may have to decide now, and their probabilities."""
        worlds = self._worlds(record)
        weights = np.array([world.modelled for world in worlds])
        if weights.sum() > 0:
            worlds, weights = [world for world in worlds if world.modelled > 0], weights[weights > 0]
        else:
            weights = np.array([world.weight for world in worlds])
        return [world.state for world in worlds], weights / weights.sum()

    def _worlds(self, record: Record) -> list[World]:
        """Go on from the last decision that is remembered."""
        keys = tuple(record.keys)
        if keys in self._kept:
            return self._kept[keys]
        todo = next((self._kept[keys[:n]] for n in range(len(keys) - 1, 0, -1) if keys[:n] in self._kept), None)
        queue, found, looked = deque([self._start()] if todo is None else todo), [], 0
        while queue:
            world = queue.popleft()
            here = world.known == len(keys) and world.own == len(record.own)
            if here and world.state.actor == self.player:
                found.append(world)
                continue
            after = self._after(world, record)
            queue += after
            looked += 1 + len(after)
            if looked > self.most:
                raise TooLarge(
                    f"{self.game.spec} is too large to look at all that is possible: there are more than {self.most:,} states"
                )
        if len(self._kept) >= KEPT:
            self._kept.clear()
        self._kept[keys] = found
        return found

    def _start(self) -> World:
        state = self.game.start()
        others = {p: Record(p) for p in range(self.game.players) if p != self.player and self.model is not None}
        for record in others.values():
            record.see(state)
        return World(state, others, 1.0, 1.0)

    def _after(self, world: World, record: Record) -> list[World]:
        """What a world may have become after one more move, as far as the player's record agrees."""
        who = world.state.actor
        if who == OVER:
            return []
        if who == self.player:
            moves = record.own[world.own : world.own + 1]
        else:
            moves = world.state.moves()
        children = []
        for move in moves:
            state = world.state.copy()
            advance(state, move)
            key = state.key(self.player)
            known = world.known + (key != record.keys[world.known - 1])
            if known <= len(record.keys) and key == record.keys[known - 1]:
                children.append((move, state, known))
        odds = self._odds(world, who, children)
        expected = self.model(world.state, world.others[who]) if who >= 0 and self._asked(world, who) else None
        out = []
        for move, state, known in children:
            others = {p: Record(p, [*r.keys], [*r.own], [*r.public]) for p, r in world.others.items()}
            if who in others:
                others[who].own.append(move)
            for seen in others.values():
                seen.see(state)
            modelled = world.modelled * (odds[move] if expected is None else float(move == expected))
            out.append(
                World(state, others, world.weight * odds[move], modelled, known, world.own + (who == self.player))
            )
        return out

    def _asked(self, world: World, who: int) -> bool:
        return self.model is not None and who != self.player and world.modelled > 0

    def _odds(self, world: World, who: int, children: list[tuple[int, State, int]]) -> dict[int, float]:
        """How likely each move is by chance alone."""
        if who == CHANCE:
            return dict(world.state.chance())
        if who == self.player:
            return {move: 1.0 for move, _, _ in children}
        if self.random:
            return {move: 1.0 / len(world.state.moves()) for move, _, _ in children}
        seen = {move: self._told(state) for move, state, _ in children}
        alike = Counter(seen.values())
        return {move: copies(world.state, move) / alike[told] for move, told in seen.items()}

    def _told(self, state: State) -> tuple[int, bool, float | None]:
        """What the player knows: at the end, what it is paid too."""
        who = state.actor
        return state.key(self.player), who == self.player, state.payoff()[self.player] if who == OVER else None
