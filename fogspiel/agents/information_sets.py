"""Agents that search their own information-set tree (Lisý 2014, sec. 3.2.2 and ch. 5): by minimax, or by UCT."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from fogspiel.agents.agent import Observation
from fogspiel.agents.decisions import most_visited
from fogspiel.agents.kind import Kind
from fogspiel.agents.offers import BUDGET, CUT_FROM, HORIZON, PLAYOUT, played_out_by, rules_of
from fogspiel.agents.planning import BUDGET as LOOKAHEAD
from fogspiel.agents.planning import found_by, limits
from fogspiel.agents.prepared import PreparedAgent
from fogspiel.agents.searches import BANDIT
from fogspiel.agents.searching import run_all, simulations_or_seconds
from fogspiel.belief.roots import Roots
from fogspiel.engine.primitives import mix
from fogspiel.errors import TooLarge
from fogspiel.game.game import Game
from fogspiel.game.spec import Choice, Whole
from fogspiel.game.state import State
from fogspiel.search.at_horizon import evaluation_of
from fogspiel.search.information_sets import MODELS, PARANOID, information_set_tree
from fogspiel.search.lookahead import Minimax
from fogspiel.search.parts import parts
from fogspiel.search.search import TreeSearch
from fogspiel.search.statistics import Names


class InformationSetAgent(PreparedAgent):
    """Searches its information-set tree at each decision, and keeps the account of the last one."""

    def sit(self, seat: int) -> None:
        p = self.parameters
        self.tree = information_set_tree(self.game, seat, p["opponent"], rules_of(p), p["states"])
        self.grow(self.tree.game)

    def try_out(self, first: Observation) -> None:
        with suppress(TooLarge):  # of the first decision, which may not be the one at hand
            self.tree.root(first.state, first.record)

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        root = self.tree.root(observation.state, observation.record)
        move = self.search_from(root)
        self.tree.finish()
        names = Names(observation.state)
        self.found = tuple(replace(found, names=names) for found in self.found)
        return move

    def grow(self, tree: Game) -> None:
        """Make the search of the tree."""
        raise NotImplementedError

    def search_from(self, root: State) -> int:
        """The move to make; what was found is kept."""
        raise NotImplementedError


class InformationSetMinimax(InformationSetAgent):
    """MM (Lisý 2014, sec. 5.5.1): alpha-beta with iterative deepening, or expectimax where chance chooses what is seen.

    A step is a decision of the player's own with all that it sees after it. The thesis begins with three steps, and
    plays at random where there is no time for them; this begins with what its own moves look like before anything is
    seen, which is always finished.
    """

    def grow(self, tree: Game) -> None:
        p = self.parameters
        self.search = Minimax(
            tree,
            "alpha-beta" if p["opponent"] == PARANOID else "star1",
            table=p["table"],
            horizon="own decisions",
            evaluation=evaluation_of(p["evaluation"]),
            who=self.row,
        )
        self.search.make_ready()

    def try_out(self, first: Observation) -> None:
        with suppress(TooLarge):
            self.search.make_ready(self.tree.root(first.state, first.record))

    def search_from(self, root: State) -> int:
        look = self.search.look(root, **limits(self.parameters))
        self.statistics, self.found = look, found_by(root, look.move, look.value)
        return look.move


class InformationSetMCTS(InformationSetAgent):
    """SO (Lisý 2014, sec. 5.5.1): UCT on the tree, anew for each decision; the most visited move."""

    def grow(self, tree: Game) -> None:
        p = self.parameters
        cut, played_out = played_out_by(p)
        made = parts(view="history", bandit=p["bandit"], enhancements=cut, **played_out)
        self.searches = [TreeSearch(tree, made, nodes=p["nodes"]) for _ in range(p["threads"])]

    def restart(self, seed: int) -> None:
        for i, search in enumerate(self.searches):
            search.restart(mix(seed, 2 + i))

    def try_out(self, first: Observation) -> None:
        super().try_out(first)
        for search in self.searches:
            search.simulate(Roots([self.tree.game.start()]), 0, 0)

    def search_from(self, root: State) -> int:
        for search in self.searches:
            search.forget()
        budget = simulations_or_seconds(self.parameters)
        self.statistics, self.found = run_all([*self.searches], Roots([root]), 0, root, budget, {})
        return most_visited(self.found, self.rng)


def _kind(about: str, make: Callable[[str, dict[str, Any]], InformationSetAgent], *parameters: Any) -> Kind:
    return Kind(f"{about} on one's own information-set tree (Lisý 2014, sec. 3.2.2, 5.5.1)", parameters, make)


_TREE = (
    Choice(
        "opponent",
        PARANOID,
        MODELS,
        "what is seen of others: what is worst for the player, or anything, as if they moved at random",
    ),
    Whole(
        "states",
        100_000,
        1,
        10**9,
        "most states looked at to find out what is possible, where the game has no tree of its own",
    ),
)

KINDS: dict[str, Kind] = {
    "ist-minimax": _kind("iterative-deepening minimax", InformationSetMinimax, *LOOKAHEAD, *_TREE, HORIZON),
    "ist-mcts": _kind("UCT", InformationSetMCTS, *BUDGET, *_TREE, BANDIT, PLAYOUT, CUT_FROM),
}
