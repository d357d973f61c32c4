"""Agents that search their own information-set tree (Lisý 2014, sec. 3.2.2 and ch. 5): by minimax, or by UCT."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.decisions import most_visited
from fogspiel.agents.kind import Kind
from fogspiel.agents.planning import BUDGET as LOOKAHEAD
from fogspiel.agents.searches import BUDGET, CUT_FROM, CUTTING, EXPLORATION, PLAYOUT, given_parts, played_out_by
from fogspiel.agents.searching import run_all
from fogspiel.belief.roots import Roots
from fogspiel.engine.primitives import mix
from fogspiel.game.game import Game
from fogspiel.game.spec import Choice, Whole
from fogspiel.game.state import State
from fogspiel.search.information_sets import MODELS, PARANOID, information_set_tree
from fogspiel.search.lookahead import Lookahead, Minimax
from fogspiel.search.parts import parts
from fogspiel.search.search import MoveStatistics, Statistics, TreeSearch


class InformationSetAgent:
    """Searches its information-set tree at each decision, and keeps the account of the last one."""

    cheats = False

    def __init__(self, name: str, parameters: dict[str, Any]):
        self.name, self.parameters = name, parameters
        self.statistics: Statistics | Lookahead | None = None
        self.found: tuple[MoveStatistics, ...] = ()

    def begin(self, game: Game, seat: int, seed: int) -> None:
        p = self.parameters
        if (getattr(self, "game", None), getattr(self, "seat", None)) != (game, seat):
            self.tree = information_set_tree(game, seat, p["opponent"], given_parts(p), p["states"])
            self.prepare(self.tree.game)
        self.game, self.seat = game, seat
        self.restart(seed)

    def __getstate__(self) -> dict[str, Any]:
        """An agent that is sent to another process starts anew there."""
        return {"name": self.name, "parameters": self.parameters, "statistics": None, "found": ()}

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        root = self.tree.root(observation.state, observation.record)
        move = self.search_from(root)
        self.tree.finish()
        names = self.game.move_names(observation.state)
        self.found = tuple(replace(found, name=names[found.move]) for found in self.found)
        return move

    def prepare(self, tree: Game) -> None:
        """Make the search of the tree."""
        raise NotImplementedError

    def restart(self, seed: int) -> None:
        """Forget the games before."""
        raise NotImplementedError

    def search_from(self, root: State) -> int:
        """The move to make; what was found is kept."""
        raise NotImplementedError


class InformationSetMinimax(InformationSetAgent):
    """MM (Lisý 2014, sec. 5.5.1): alpha-beta with iterative deepening, or expectimax where chance chooses what is seen.

    A step is a decision of the player's own with all that it sees after it. The thesis begins with three steps, and plays at random where there is no
    time for them; this begins with what its own moves look like before anything is seen, which is always finished.
    """

    def prepare(self, tree: Game) -> None:
        p = self.parameters
        self.search = Minimax(
            tree, "alpha-beta" if p["opponent"] == PARANOID else "star1", table=p["table"], alone=True
        )
        self.search.make_ready()

    def restart(self, seed: int) -> None:
        """Nothing is kept from one decision to the next."""

    def search_from(self, root: State) -> int:
        p = self.parameters
        look = self.search.look(root, depth=p["depth"] or None, nodes=p["nodes"] or None, seconds=p["seconds"] or None)
        self.statistics = look
        self.found = tuple(
            MoveStatistics(move, "", int(move == look.move), look.value if move == look.move else None, None)
            for move in root.moves()
        )
        return look.move


class InformationSetMCTS(InformationSetAgent):
    """SO (Lisý 2014, sec. 5.5.1): UCT on the tree, anew for each decision; the most visited move."""

    def prepare(self, tree: Game) -> None:
        p = self.parameters
        cut, played_out = played_out_by(p)
        made = parts(view="history", enhancements=cut, settings=p | {"cut": played_out.pop("cut", 0)}, **played_out)
        self.searches = [TreeSearch(tree, made, nodes=p["nodes"]) for _ in range(p["threads"])]

    def restart(self, seed: int) -> None:
        for i, search in enumerate(self.searches):
            search.restart(mix(seed, 2 + i))
        self.rng = np.array([mix(seed, 1)], np.uint64)

    def search_from(self, root: State) -> int:
        for search in self.searches:
            search.forget()
        seconds = self.parameters["seconds"]
        budget = {"simulations": None if seconds > 0 else self.parameters["simulations"], "seconds": seconds or None}
        self.statistics, self.found = run_all([*self.searches], Roots([root]), 0, root, budget, {})
        return most_visited(self.found, self.rng)


def _kind(about: str, make: Callable[[str, dict[str, Any]], InformationSetAgent], *parameters: Any) -> Kind:
    return Kind(f"{about} on one's own information-set tree (Lisý 2014, sec. 3.2.2, 5.5.1)", parameters, make)


_TREE = (
    Choice("opponent", PARANOID, MODELS, "what is seen of others: what is worst for the player, or anything, as if they moved at random"),
    Whole("states", 100_000, 1, 10**9, "most states looked at to find out what is possible, where the game has no tree of its own"),
)  # fmt: skip

KINDS: dict[str, Kind] = {
    "ist-minimax": _kind("iterative-deepening minimax", InformationSetMinimax, *LOOKAHEAD, *_TREE, CUTTING[1]),
    "ist-mcts": _kind("UCT", InformationSetMCTS, *BUDGET, *_TREE, EXPLORATION, PLAYOUT, *CUTTING, CUT_FROM),
}
