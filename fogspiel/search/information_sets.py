"""Information-set trees (Lisý 2014, sec. 3.2.1 and 3.2.2): what one player can come to know, as a game of perfect
information.

In it player 0 is the one who searches, and what it sees of the others is chosen by player 1, who wants it to be worth
little (the paranoid model), or by chance (the overconfident one). So any search for games of perfect information is a
search on the tree: alpha-beta, expectimax, UCT.

A game may come with a tree of its own: a file of rules, as a game's are, whose module the game's file names in
INFORMATION_SET_TREE. Fields of its State that are named as the game's are hold what the player was shown of the game,
`searcher` is the player and `overconfident` the model; `start` makes the root of the tree of that. For any other game a
node is a set of states (`search/state_sets.py`).
"""

import importlib
from collections.abc import Iterable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from fogspiel.belief.exact import Possible
from fogspiel.belief.record import Record
from fogspiel.engine.memory import Flag
from fogspiel.engine.part import Part
from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.rules import About
from fogspiel.game.state import State
from fogspiel.game.table import words_of
from fogspiel.search import state_sets
from fogspiel.search.rules_as_parts import extended
from fogspiel.search.search import utility_ranges

PARANOID, OVERCONFIDENT = MODELS = ("paranoid", "overconfident")


def information_set_tree(
    game: Game, player: int, model: str, parts: Iterable[Part] = (), states: int = 100_000
) -> "InformationSetTree":
    """The tree of a player of a game. `parts` are playouts and evaluations from files, or that the tree's file offers;
    for sets of states, the game's file. At most so many `states` are looked at to find out what is possible."""
    if hasattr(game.module, "INFORMATION_SET_TREE"):
        return OfferedTree(game, player, model, [*parts])
    return StateSetTree(game, player, model, [*parts], states)


class InformationSetTree:
    """`game` is the tree as a game, `root` the node of a decision in it."""

    game: Game

    def __init__(self, base: Game, player: int, model: str):
        self.base, self.player, self.model = base, player, model
        self.name = f"the information-set tree of {base.spec}"

    def made_of(self, rules: ModuleType, **told: Any) -> Game:
        """The game with the rules of a module, of which this is told (`About`)."""
        low, high = utility_ranges(self.base)[self.player]
        module = ModuleType(rules.__name__)
        about = partial(About, ranges=((low, high), (-high, -low)), **told)
        vars(module).update(vars(rules) | {"about": about})
        return Game(module, self.name, {}, debug=self.base.debug)

    def root(self, state: State, record: Record) -> State:
        """The node for a decision of the player, who was shown a state and has this record."""
        known = self.known(state, record)
        return State(
            self.game, self.game.begin(searcher=self.player, overconfident=self.model == OVERCONFIDENT, **known)
        )

    def known(self, state: State, record: Record) -> dict[str, Any]:
        """What the player knows, as fields of the node's state."""
        raise NotImplementedError

    def finish(self) -> None:
        """Call it after every search: raises what went wrong in it."""


class OfferedTree(InformationSetTree):
    """A game's own."""

    def __init__(self, base: Game, player: int, model: str, parts: list[Part]):
        super().__init__(base, player, model)
        rules = importlib.import_module(base.module.INFORMATION_SET_TREE)
        tables = {name: table for name, table in base.about.tables.items() if name in rules.State.names}
        self.game = self.made_of(rules, tables=tables)
        self.game = extended(self.game, parts)
        own = self.game.dtype
        self._shared = [n for n in own.names or () if n in (base.dtype.names or ()) and base.dtype[n] == own[n]]

    def known(self, state: State, record: Record) -> dict[str, Any]:
        shown = state.data.view(self.base.dtype)
        return {name: shown[name] for name in self._shared}


class StateSetTree(InformationSetTree):
    """That of any game: sets of states. TooLarge where there is no room for one."""

    def __init__(self, base: Game, player: int, model: str, parts: list[Part], states: int):
        base = extended(base, parts)
        super().__init__(base, player, model)
        if base.max_moves > state_sets.MAX_MOVES or base.players > state_sets.PLAYERS:
            raise Unsuitable(f"{self.name} may have more than {state_sets.MAX_MOVES} moves at a node: try is-mcts")
        without = () if "evaluate" in base.functions else ("evaluate",)
        self.game = self.made_of(state_sets, without=without, tables={"base": base.table})
        self._possible = Possible(base, player, states, random=model == OVERCONFIDENT)
        self._overflow = Flag()

    def known(self, state: State, record: Record) -> dict[str, Any]:
        states, weights = self._possible.at(record)
        count, size, padded = len(states), self.base.dtype.itemsize, 8 * words_of(self.base.table)
        room = min(state_sets.STATES, state_sets.BYTES // padded - 1)
        self._overflow.raised = count > room
        self.finish()
        weight, worlds = (np.zeros(1, self.game.dtype[name])[0] for name in ("weight", "worlds"))
        weight[:count] = weights
        worlds[: count * padded].reshape(count, padded)[:, :size] = states.data.view(np.int8)
        return {
            "count": count,
            "room": room,
            "overflow": self._overflow.address,
            "weight": weight,
            "worlds": worlds,
        }

    def finish(self) -> None:
        self.base.finish()
        if self._overflow.raised:
            raise TooLarge(
                f"{self.name} is too large: there is no room for all states of a set; try is-mcts or mo-ismcts"
            )
