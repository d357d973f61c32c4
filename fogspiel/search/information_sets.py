"""Information-set trees (Lisý 2014, sec. 3.2.1 and 3.2.2): what one player can come to know, as a game of perfect information.

In it player 0 is the one who searches, and what it sees of the others is chosen by player 1, who wants it to be worth little (the paranoid model), or
by chance (the overconfident one). So any search for games of perfect information is a search on the tree: alpha-beta, expectimax, UCT.

A game may come with a tree of its own: a file of rules, as a game's are, whose module the game's file names in INFORMATION_SET_TREE. Fields of its
State that are named as the game's are hold what the player was shown of the game, `searcher` is the player and `overconfident` the model; `start` makes
the root of the tree of that. For any other game a node is a set of states (`search/state_sets.py`).
"""

import importlib
from collections.abc import Iterable
from functools import partial
from types import ModuleType

import numpy as np

from fogspiel.belief.possible import Possible
from fogspiel.belief.replay import Record
from fogspiel.errors import TooLarge, Unsuitable
from fogspiel.game.game import Game
from fogspiel.game.rules import About
from fogspiel.game.state import State
from fogspiel.search import state_sets
from fogspiel.search.own import Offered, Own
from fogspiel.search.search import utility_ranges

PARANOID, OVERCONFIDENT = MODELS = ("paranoid", "overconfident")


def information_set_tree(
    game: Game, player: int, model: str, parts: Iterable[Own | Offered] = (), states: int = 100_000
) -> "InformationSetTree":
    """The tree of a player of a game. `parts` are playouts and evaluations from files, or that the tree's file offers; for sets of states, the game's
    file. At most so many `states` are looked at to find out what is possible."""
    if hasattr(game.module, "INFORMATION_SET_TREE"):
        return OfferedTree(game, player, model, [*parts])
    return StateSetTree(game, player, model, [*parts], states)


class InformationSetTree:
    """`game` is the tree as a game, `root` the node of a decision in it."""

    game: Game

    def __init__(self, base: Game, player: int, model: str):
        self.base, self.player, self.model = base, player, model
        self.name = f"the information-set tree of {base.spec}"

    def made_of(self, rules: ModuleType, *, without: tuple[str, ...] = ()) -> Game:
        """The game with the rules of a module."""
        low, high = utility_ranges(self.base)[self.player]
        module = ModuleType(rules.__name__)
        about = partial(About, ranges=((low, high), (-high, -low)), without=without)
        vars(module).update(vars(rules) | {"about": about})
        return Game(module, self.name, {}, debug=self.base.debug)

    def root(self, state: State, record: Record) -> State:
        """The node for a decision of the player, who was shown a state and has this record."""
        node = np.zeros(1, self.game.dtype)
        node["searcher"], node["overconfident"] = self.player, self.model == OVERCONFIDENT
        self.fill(node, state, record)
        data = node.view(np.uint8).reshape(-1)
        self.game.finish(self.game.functions["start"](data.ctypes.data))
        return State(self.game, data)

    def fill(self, node: np.ndarray, state: State, record: Record) -> None:
        """Write what the player knows to the record of a root."""
        raise NotImplementedError

    def finish(self) -> None:
        """Call it after every search: raises what went wrong in it."""


class OfferedTree(InformationSetTree):
    """A game's own."""

    def __init__(self, base: Game, player: int, model: str, parts: list[Own | Offered]):
        super().__init__(base, player, model)
        self.game = self.made_of(importlib.import_module(base.module.INFORMATION_SET_TREE))
        for part in parts:
            self.game = part.extend(self.game)
        own = self.game.dtype
        self._shared = [n for n in own.names or () if n in (base.dtype.names or ()) and base.dtype[n] == own[n]]

    def fill(self, node: np.ndarray, state: State, record: Record) -> None:
        shown = state.data.view(self.base.dtype)
        for name in self._shared:
            node[name] = shown[name]


class StateSetTree(InformationSetTree):
    """That of any game: sets of states. TooLarge where there is no room for one."""

    def __init__(self, base: Game, player: int, model: str, parts: list[Own | Offered], states: int):
        for part in parts:
            base = part.extend(base)
        super().__init__(base, player, model)
        if base.max_moves > state_sets.MAX_MOVES or base.players > state_sets.PLAYERS:
            raise Unsuitable(f"{self.name} may have more than {state_sets.MAX_MOVES} moves at a node: try is-mcts")
        self.game = self.made_of(state_sets, without=() if "evaluate" in base.functions else ("evaluate",))
        self._possible = Possible(base, player, states, random=model == OVERCONFIDENT)
        self._overflow = np.zeros(1, np.int64)

    def fill(self, node: np.ndarray, state: State, record: Record) -> None:
        states, weights = self._possible.at(record)
        size = self.base.dtype.itemsize
        stride = -(-size // 8) * 8
        room = min(state_sets.STATES, state_sets.BYTES // stride - 1)
        self._overflow[:] = len(states) > room
        self.finish()
        for name, setting in {
            "count": len(states), "room": room, "stride": stride, "base": self.base.table.ctypes.data, "overflow": self._overflow.ctypes.data,
        }.items():  # fmt: skip
            node[name] = setting
        node["weight"][0, : len(states)] = weights
        worlds = node["worlds"][0, : len(states) * stride].reshape(-1, stride)
        worlds[:, :size] = states.data.view(np.int8)

    def finish(self) -> None:
        self.base.finish()
        if self._overflow[0]:
            raise TooLarge(
                f"{self.name} is too large: there is no room for all states of a set; try is-mcts or mo-ismcts"
            )
