"""Agents that search: at each decision they draw states from what they believe, simulate, and take a move from what was found.

Which loop, which parts, which belief and which decision rule is a row in `agents/searches.py`.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.decisions import Found, added_up, by_strategy, most_visited, over_worlds
from fogspiel.belief.belief import Belief
from fogspiel.belief.model import TableModel, added_up_tables
from fogspiel.belief.replay import Draws
from fogspiel.belief.roots import Roots, features
from fogspiel.engine.primitives import mix, pick
from fogspiel.game.game import Game
from fogspiel.game.load import file_and_parameters
from fogspiel.game.state import State
from fogspiel.search.icarus import read_icarus
from fogspiel.search.own import fingerprint
from fogspiel.search.search import Search, Statistics

MakeSearch = Callable[[Game, dict[str, Any]], Search]
"""Makes the search of an agent for a game, by the agent's parameters."""
MakeBelief = Callable[[Game, dict[str, Any]], Belief]


def run_all(
    searches: list[Search], roots: Roots, seat: int, state: State, budget: dict[str, Any], how: dict[str, Any]
) -> tuple[Statistics, Found]:
    """Root parallelisation: each search does its share of the budget in a thread of its own (kernels hold no lock), and what
    they think of the moves is added up."""
    if len(searches) == 1:
        account = searches[0].run(roots, seat, **budget, **how)
        return account, searches[0].moves(state, seat)
    count = budget["simulations"]
    shares = [
        None if count is None else count // len(searches) + (i < count % len(searches)) for i in range(len(searches))
    ]
    with ThreadPoolExecutor(len(searches)) as pool:
        accounts = list(
            pool.map(lambda s, n: s.run(roots, seat, simulations=n, seconds=budget["seconds"], **how), searches, shares)
        )
    return Statistics.joined(accounts), added_up([s.moves(state, seat) for s in searches])


class SearchAgent:
    """Searches at each of its decisions, within a budget of simulations or seconds, and keeps the account of the last one.

    With `reuse` the tree is kept from one decision to the next. A belief that asks a model of the others is given what the search itself
    chose for them; before the first decision it searches once from the start of the game, so that there is one.
    """

    cheats = False
    world: State | None = None
    """The one state that the tree in memory began with, where it is not all that the seat may believe."""

    def __init__(
        self,
        name: str,
        parameters: dict[str, Any],
        make: MakeSearch,
        believe: MakeBelief,
        decide: Callable[[Found, np.ndarray], int] = most_visited,
        reuse: bool = False,
    ):
        self.name, self.parameters, self.decide, self.reuse = name, parameters, decide, reuse
        self.make, self.believe = make, believe
        self.statistics: Statistics | None = None
        self.fingerprint = _fingerprint(parameters)
        """Tells versions of the files that its parts are from apart; None where there are none."""

    def begin(self, game: Game, seat: int, seed: int) -> None:
        if getattr(self, "game", None) is not game:
            self.searches = [self.make(game, self.parameters) for _ in range(self.parameters["threads"])]
            self.belief = self.believe(game, self.parameters)
        for i, search in enumerate(self.searches):
            search.restart(mix(seed, 2 + i))
        self.game, self.seat, self.search = game, seat, self.searches[0]
        self.rng = np.array([mix(seed, 1)], np.uint64)
        self.belief.begin(game, seat, self.rng)
        self.fresh, self.share = True, 1.0

    def __getstate__(self) -> dict[str, Any]:
        """An agent that is sent to another process starts anew there."""
        made = {"game", "searches", "search", "rng", "belief", "found", "statistics", "world", "roots"}
        return {name: value for name, value in vars(self).items() if name not in made} | {"statistics": None}

    @property
    def measure(self) -> str:
        """What in the memory is this agent's strategy: the mean strategy, or the visits."""
        return "mean" if self.decide is by_strategy else "visits"

    @property
    def budget(self) -> dict[str, Any]:
        """Of time, the search for a model and the first decision have half each."""
        seconds = self.parameters["seconds"] * self.share
        return {"simulations": None if seconds > 0 else self.parameters["simulations"], "seconds": seconds or None}

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        if self.reuse:
            for search in self.searches:
                search.make_room()
        self.look(observation)
        if not self.reuse:
            for search in self.searches:
                search.forget()
        self.search_from(observation)
        return self.decide(self.found, self.rng)

    def look(self, observation: Observation) -> None:
        """Take in what the seat has seen."""
        model = None
        if self.belief.models and self.search.by_infoset:
            if self.fresh:
                self.share = 0.5
                self.search.run(Roots([self.game.start()]), self.seat, **self.budget)
                self.fresh = False
            model = self.model()
        self.belief.update(observation.record, observation.state, model)

    def model(self) -> TableModel:
        """How often the searches chose each move for the player to move, where their nodes are information sets."""
        tables = []
        for memory in (search.memory for search in self.searches):
            nodes, slots = memory.nodes[: memory.node_count], memory.slots[: memory.slot_count]
            tables.append((nodes.key, nodes.first, nodes.used, slots.move, slots.tries))
        return TableModel(self.game, *(tables[0] if len(tables) == 1 else added_up_tables(tables)))

    def search_from(self, observation: Observation) -> None:
        """Simulate, and keep what was found and what it cost."""
        self.roots, state = self.start_from(), self.as_searched(observation.state)
        roots = self.roots_as_searched(self.roots)
        account, self.found = run_all(self.searches, roots, self.seat, state, self.budget, self.how(observation))
        self.statistics, self.share = self.account(account), 1.0

    def start_from(self) -> Roots:
        """What simulations for a decision start from: what is believed."""
        return self.belief.draw()

    def as_searched(self, state: State) -> State:
        """What the search takes a state for, where that is not the state itself."""
        return state

    def roots_as_searched(self, roots: Roots) -> Roots:
        return roots

    def believes(self) -> dict[str, dict[str, float]]:
        """What the last decision was based on: of each thing that may be hidden and that the game names, how likely each value is."""
        return features(self.roots, self.seat, self.rng.copy())

    def how(self, observation: Observation) -> dict[str, Any]:
        """What else the search is told."""
        return {}

    def account(self, statistics: Statistics) -> Statistics:
        """A search's account with that of the states replayed for it, or believed in."""
        draws: Draws = self.belief.account
        return replace(
            statistics,
            acceptance=draws.acceptance if draws.drawn else None,
            effective=getattr(draws, "effective", None),
        )


def _fingerprint(parameters: dict[str, Any]) -> str | None:
    files = read_icarus(parameters["icarus"]).files if "icarus" in parameters else []
    named = (
        file_and_parameters(value)[0]
        for name, value in parameters.items()
        if isinstance(value, str) and name != "icarus"
    )
    return "-".join(fingerprint(path) for path in (*named, *files) if path is not None) or None


class PerfectInformationMonteCarlo(SearchAgent):
    """Determinized UCT (Whitehouse 2014, sec. 5.1): several states, each searched as if all were visible; then the most visited move of
    each, or a proven one, has a vote, or visits are added up, or the mean of a move's values decides (as in GIB).

    With `cheats`, every state is the true one: the cheating ensemble, or with one determinization cheating UCT.
    """

    def __init__(self, *rest: Any, cheats: bool = False, **more: Any):
        super().__init__(*rest, **more)
        self.cheats = cheats

    def search_from(self, observation: Observation) -> None:
        worlds = self.parameters["determinizations"]
        budget = self.budget
        share = {"simulations": budget["simulations"], "seconds": budget["seconds"] and budget["seconds"] / worlds}
        self.votes, tables, accounts = dict.fromkeys(observation.moves, 0), [], []
        true = observation.true_state
        believed = self.roots = self.belief.draw() if true is None else Roots([true.stage])
        for _ in range(worlds):
            world = believed.one(self.seat, self.rng)
            for search in self.searches:
                search.forget()
            account, found = run_all(self.searches, Roots([world]), self.seat, observation.state, share, {})
            accounts.append(account)
            self.votes[most_visited(found, self.rng)] += 1
            tables.append(found)
        self.world, self.found = world, over_worlds(tables)
        self.statistics = self.account(replace(Statistics.joined(accounts), seconds=sum(a.seconds for a in accounts)))

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        self.look(observation)
        self.search_from(observation)
        score: dict[int, float] = {
            "vote": self.votes,
            "visits": {m.move: m.visits for m in self.found},
            "values": {m.move: -np.inf if m.value is None else m.value for m in self.found},
        }[self.parameters["combine"]]
        best = [move for move in observation.moves if score[move] == max(score.values())]
        return best[pick(self.rng, len(best))]
