"""Agents that search: at each decision they draw states from what they believe, simulate, and take a move from what was
found.

Which loop, which parts, which belief and which decision rule is a row in `agents/searches.py`.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.decisions import Found, added_up, by_strategy, most_visited, over_worlds
from fogspiel.agents.prepared import PreparedAgent
from fogspiel.belief.belief import Belief
from fogspiel.belief.model import TableModel, added_up_tables
from fogspiel.belief.roots import Draws, Roots, features
from fogspiel.belief.way import nobody_has_moved
from fogspiel.engine.primitives import mix, pick, uniform
from fogspiel.game.game import Game
from fogspiel.game.state import State
from fogspiel.game.written import version_of_file
from fogspiel.search.icarus import read_icarus
from fogspiel.search.search import Search
from fogspiel.search.statistics import Statistics

MakeSearch = Callable[[Game, dict[str, Any]], Search]
"""Makes the search of an agent for a game, by the agent's parameters."""
MakeBelief = Callable[[Game, dict[str, Any]], Belief]
FEWEST, SHARE = 20, 4
"""A search that starts elsewhere has come to the decision with so many visits for each of its moves, or one in so many
simulations."""
ATTEMPTS = 1000
"""Searches for a decision until one has tried a move there. The first may have added its node alone; more are needed
only where hardly any simulation teaches anything."""


def run_all(
    searches: list[Search],
    roots: Roots,
    seat: int,
    state: State,
    budget: dict[str, Any],
    how: dict[str, Any],
    *,
    goes_on: bool = False,
) -> tuple[Statistics, Found]:
    """Root parallelisation: each search does its share of the budget in a thread of its own (kernels hold no lock), and
    what they think of the moves is added up. Each makes room first, so that the root of the decision has its node; one
    that goes on has made it."""

    def run(search: Search, count: int | None) -> Statistics:
        if not goes_on:
            search.make_room(roots, seat, **how)
        return search.run(roots, seat, simulations=count, seconds=budget["seconds"], **how)

    count = budget["simulations"]
    if len(searches) == 1:
        return run(searches[0], count), searches[0].moves(state, seat)
    shares = [
        None if count is None else count // len(searches) + (i < count % len(searches)) for i in range(len(searches))
    ]
    with ThreadPoolExecutor(len(searches)) as pool:
        accounts = list(pool.map(run, searches, shares))
    return Statistics.joined(accounts), added_up([s.moves(state, seat) for s in searches])


def determinizations(roots: Roots, count: int, seat: int, rng: np.ndarray) -> Iterator[State]:
    """So many of the states that a belief drew, by weight: each redrawn by itself when its turn comes; or taken at
    equal distances on the line of weights, so that none is taken twice of which no more than one is expected."""
    if roots.redraw:
        yield from (roots.one(seat, rng) for _ in range(count))
        return
    weights = np.ones(len(roots.states)) if roots.weights is None else np.array(roots.weights, float)
    ends = np.cumsum(weights) * (count / weights.sum())
    start = uniform(rng) if len(weights) > 1 else 0.0
    for which in np.searchsorted(ends[:-1], start + np.arange(count), side="right").tolist():
        yield roots.states[which]


def simulations_or_seconds(parameters: dict[str, Any]) -> dict[str, Any]:
    """The budget of a decision."""
    seconds = parameters["seconds"]
    return {"simulations": None if seconds > 0 else parameters["simulations"], "seconds": seconds or None}


def halves(budget: dict[str, Any], together: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A budget in two. The second half has at least as many simulations as the first, and the first whole groups of so
    many as a search makes together."""
    if budget["seconds"]:
        return (budget | {"seconds": budget["seconds"] / 2},) * 2
    first = budget["simulations"] // 2 // together * together
    return budget | {"simulations": first}, budget | {"simulations": budget["simulations"] - first}


class SearchAgent(PreparedAgent):
    """Searches at each of its decisions, within a budget of simulations or seconds, and keeps the account of the last
    one.

    With `reuse` the tree is kept from one decision to the next. A belief that asks a model of the others is given what
    the search itself chose for them. So that there is one, half of the first decision's budget goes to a search from
    the start of the game, unless nobody has moved yet.
    """

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
        super().__init__(name, parameters)
        self.make, self.believe, self.decide, self.reuse = make, believe, decide, reuse

    def version(self) -> str | None:
        files = read_icarus(self.parameters["icarus"]).files if "icarus" in self.parameters else []
        return "-".join([*filter(None, [super().version()]), *(version_of_file(path) for path in files)]) or None

    def prepare(self, game: Game) -> None:
        self.searches = [self.make(game, self.parameters) for _ in range(self.parameters["threads"])]
        self.search, self.belief = self.searches[0], self.believe(game, self.parameters)

    def restart(self, seed: int) -> None:
        for i, search in enumerate(self.searches):
            search.restart(mix(seed, 2 + i))
        self.belief.begin(self.game, self.seat, self.rng)
        self.fresh = True
        self.ahead: list[Statistics] = []
        """What the search for a model cost, before the first decision is made."""
        self.left: dict[str, Any] | None = None
        """What of the budget it left."""

    def try_out(self, first: Observation) -> None:
        usual = self.parameters
        self.parameters = usual | {"simulations": 4, "seconds": 0, "determinizations": 1}
        try:
            self.choose(first)
        finally:
            self.parameters = usual

    @property
    def measure(self) -> str:
        """What in the memory is this agent's strategy: the mean strategy, or the visits."""
        return "mean" if self.decide is by_strategy else "visits"

    @property
    def budget(self) -> dict[str, Any]:
        """Of a decision, less what the search for a model had of it."""
        return simulations_or_seconds(self.parameters) if self.left is None else dict(self.left)

    def choose(self, observation: Observation) -> int:
        if len(observation.moves) == 1:
            return observation.moves[0]
        self.look(observation)
        if not self.reuse:
            for search in self.searches:
                search.forget()
        self.search_from(observation)
        return self.decide(self.found, self.rng)

    @property
    def informed(self) -> bool:
        """Whether what was found says anything of the moves."""
        if self.measure == "mean":
            return any(m.strategy for m in self.found)
        return any(m.visits or m.proven is not None for m in self.found)

    def missed(self, account: Statistics) -> bool:
        """Whether the search hardly came to the decision: less than FEWEST times for each of its moves, in which it
        does not tell them apart, and in few of its simulations."""
        fewest = min(FEWEST * len(self.found), account.simulations // SHARE)
        return not self.informed or sum(m.visits for m in self.found) < fewest

    def look(self, observation: Observation) -> None:
        """Take in what the seat has seen."""
        model = None
        if self.belief.models and self.search.by_infoset:
            if self.fresh:
                self.search_ahead(observation)
            self.fresh = False
            model = self.model()
        self.belief.update(observation.record, observation.state, model)

    def search_ahead(self, observation: Observation) -> None:
        """Search from the start of the game, for a model of what others did before the first decision, which shares its
        budget. Where nobody may have moved yet but chance, and others in the same stage, there is nothing to ask of a
        model."""
        if nobody_has_moved(observation.record, observation.state.stage):
            return
        first, left = halves(self.budget, self.search.at_a_time)
        if any(first.values()):
            self.ahead.append(self.search.run(Roots([self.game.start()]), self.seat, **first))
        self.left = left

    def model(self) -> TableModel:
        """How often the searches chose each move for the player to move, where their nodes are information sets."""
        return self.modelled("tries")

    def modelled(self, column: str) -> TableModel:
        """What a column of the searches' slots says of each move for the player to move."""
        tables = []
        for memory in (search.memory for search in self.searches):
            nodes, slots = memory.nodes[: memory.node_count], memory.slots[: memory.slot_count]
            tables.append((nodes.key, nodes.first, nodes.used, slots.move, slots[column]))
        return TableModel(self.game, *(tables[0] if len(tables) == 1 else added_up_tables(tables)))

    def search_from(self, observation: Observation) -> None:
        """Simulate, and keep what was found and what it cost."""
        self.roots, how = self.start_from(), self.how(observation)
        accounts = [self.simulate(self.roots, observation, self.budget, how)]
        self.inform(accounts, observation, how)

    def inform(self, accounts: list[Statistics], observation: Observation, how: dict[str, Any]) -> None:
        """Simulate again from the roots at hand, which are at the decision, until something is known of its moves; then
        add up what all of it cost, the search for a model too."""
        while not self.informed and len(accounts) < ATTEMPTS:
            accounts.append(self.simulate(self.roots, observation, self.budget, how))
        self.statistics = self.account(Statistics.in_turn([*self.ahead, *accounts]))
        self.ahead, self.left = [], None

    def simulate(
        self,
        roots: Roots,
        observation: Observation,
        budget: dict[str, Any],
        how: dict[str, Any],
        *,
        goes_on: bool = False,
    ) -> Statistics:
        """Simulate from these roots, and keep what was found; returns what it cost. A search that goes on as it began
        forgets nothing in between."""
        state, roots = self.as_searched(observation.state), self.roots_as_searched(roots)
        account, self.found = run_all(self.searches, roots, self.seat, state, budget, how, goes_on=goes_on)
        return account

    def start_from(self) -> Roots:
        """What simulations for a decision start from: what is believed."""
        return self.belief.draw()

    def as_searched(self, state: State) -> State:
        """What the search takes a state for, where that is not the state itself."""
        return state

    def roots_as_searched(self, roots: Roots) -> Roots:
        return roots

    def believes(self) -> dict[str, dict[str, float]]:
        """What the last decision was based on: of each thing that may be hidden and that the game names, how likely
        each value is."""
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


class PerfectInformationMonteCarlo(SearchAgent):
    """Determinized UCT (Whitehouse 2014, sec. 5.1): several states, each searched as if all were visible; then the most
    visited move of each, or a proven one, has a vote, or visits are added up, or the mean of a move's values decides
    (as in GIB).

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
        for world in determinizations(believed, worlds, self.seat, self.rng):
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
        ways: dict[str, Mapping[int, float]] = {
            "vote": self.votes,
            "visits": {m.move: m.visits for m in self.found},
            "values": {m.move: -np.inf if m.value is None else m.value for m in self.found},
        }
        score = ways[self.parameters["combine"]]
        best = [move for move in observation.moves if score[move] == max(score.values())]
        return best[pick(self.rng, len(best))]
