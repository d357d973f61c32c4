"""Self-determinization and bluffing (Whitehouse 2014, sec. 7.4).

A search that starts from states in its own information set only has opponents who have seen through it: whatever it
does, they know its secret, and nothing is to be gained by hiding it. So some simulations start from
self-determinizations, states that an outside observer must reckon with (psi), in which the searcher's secret is another
as well. They teach the opponents' trees, and the trees of the searcher in its other information sets, that the secret
is none they know; only true determinizations (phi) reach the decision tree.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from fogspiel.agents.agent import Observation
from fogspiel.agents.decisions import by_visits, most_visited
from fogspiel.agents.searching import MakeBelief, MakeSearch, SearchAgent
from fogspiel.belief.inference import PARAMETERS as INFERENCE
from fogspiel.belief.inference import Inferred
from fogspiel.belief.roots import features
from fogspiel.engine.part import PartKind
from fogspiel.engine.primitives import mix, pick
from fogspiel.errors import SpecError
from fogspiel.game.parts import PartOf
from fogspiel.game.rules import PUBLIC
from fogspiel.game.spec import Choice, Number
from fogspiel.game.state import State, advance
from fogspiel.search.statistics import Statistics

FINAL = Choice("final", "max", ("max", "mix"), "take the most visited move, or draw one by its visits")
SELVES = Number(
    "selves", 0.5, 0, 1, "share of the simulations that start from self-determinizations, where there are both"
)


class OfTrueStates:
    """Simulations start from states of the seat's own information set."""


class OfPublicStates:
    """Simulations start from states of the public information set, as an outside observer infers them."""

    PARAMETERS = INFERENCE


class Split:
    """First states of the public information set, then those of the seat's own."""

    PARAMETERS = (SELVES, *INFERENCE)


class TwoStep(Split):
    """As split, with others who learn from the first alone."""


class Bluffing(Split):
    """As split, and the best bluff that is about as good is played."""


_DETERMINIZE = PartKind(
    "determinize",
    "what simulations start from",
    __name__,
    lambda: {"true": OfTrueStates, "pure": OfPublicStates, "split": Split, "two-step": TwoStep, "bluffing": Bluffing},
)
DETERMINIZE = PartOf("determinize", "bluffing", _DETERMINIZE, _DETERMINIZE.about)


class SelfDeterminizing(SearchAgent):
    """Information set MCTS with a tree for each information set, from two beliefs: phi of the seat's own, and psi of an
    outside observer."""

    def __init__(self, name: str, parameters: dict[str, Any], make: MakeSearch, believe: MakeBelief):
        if parameters["determinize"].name == "bluffing" and parameters["final"] == "mix":
            raise SpecError(f"{name}: the best bluff is one move; final=mix is for the other ways to determinize")
        super().__init__(name, parameters, make, believe, by_visits if parameters["final"] == "mix" else most_visited)

    def restart(self, seed: int) -> None:
        super().restart(seed)
        how = self.parameters["determinize"]
        self.selves = {"true": 0.0, "pure": 1.0}.get(how.name, how.settings.get("selves", 0.0))
        inference = {p.name: how.settings.get(p.name, p.default) for p in INFERENCE}
        self.observer = Inferred(**inference, watcher=PUBLIC)
        self.observer.begin(self.game, self.seat, self.rng)

    def seems(self) -> dict[str, dict[str, float]]:
        """As `believes`, of what an outside observer is taken to believe."""
        return features(self.observer.draw(), self.seat, self.rng.copy())

    def look(self, observation: Observation) -> None:
        super().look(observation)
        if self.selves > 0:
            self.observer.update(observation.record, observation.state, self.model())

    def search_from(self, observation: Observation) -> None:
        """T_1 iterations from psi, then T_2 from phi; all trees are kept from the one to the other. Without any from
        phi, those from psi may hardly come to the seat's own information set; then there are as many again, from
        phi."""
        accounts: list[Statistics] = []
        self.roots = self.belief.draw()
        self.others = self.observer.draw() if self.selves > 0 else None
        first, second = self._budgets()
        if self.others is not None and any(first.values()):
            accounts.append(self.simulate(self.others, observation, first, {}))
        if self.parameters["determinize"].name == "two-step":
            for search in self.searches:
                search.search.settled.now = 1
        if any(second.values()):
            accounts.append(self.simulate(self.roots, observation, second, {}))
        elif self.missed(accounts[0]):
            accounts.append(self.simulate(self.roots, observation, first, {}))
        elif self.others is not None and first["seconds"]:
            accounts.append(self.simulate(self.others, observation, first, {}, goes_on=True))
        self.inform(accounts, observation, {})

    def _budgets(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What there is for self-determinizations, and for true ones. Where all time is for the first, this is half of
        it."""
        whole = self.budget
        if whole["seconds"]:
            shares = (self.selves, 1 - self.selves) if self.selves < 1 else (0.5, 0)
            first, second = (whole["seconds"] * share for share in shares)
            return whole | {"seconds": first or None}, whole | {"seconds": second or None}
        first = round(whole["simulations"] * self.selves)
        return whole | {"simulations": first}, whole | {"simulations": whole["simulations"] - first}

    def choose(self, observation: Observation) -> int:
        move = super().choose(observation)
        if len(observation.moves) == 1 or self.parameters["determinize"].name != "bluffing" or self.others is None:
            return move
        here = self._key(observation.state)
        found = {move: self._moments(here, move) for move in observation.moves}
        visits: Counter[int] = Counter()
        for key in {here} | self._alternatives(self.others.states):
            for search in self.searches:
                visits += _visits(search.memory, key)
        return best_bluff(found, move, visits, self.rng)

    def _key(self, state: State) -> int:
        return mix(state.situation(self.seat), self.seat)

    def _alternatives(self, states: Iterable[State]) -> set[int]:
        """The nodes of the seat's decision in its other information sets."""
        begun = {state.key(self.seat): state for state in states}
        keys = set()
        for state in begun.values():
            # what is pending in a stage is hidden from the seat: any moves of the others lead to its node
            while state.actor != self.seat:
                advance(state, state.moves()[0])
            keys.add(self._key(state))
        return keys

    def _moments(self, key: int, move: int) -> tuple[int, float, float]:
        """How often a move was tried, and the mean and the standard deviation of its rewards."""
        tries, total, squares = 0, 0.0, 0.0
        for search in self.searches:
            node = search.memory.find(key)
            if node < 0:
                continue
            slots = search.memory.slots[search.memory.slots_of(node)]
            mine = slots[slots.move == move]
            tries, total, squares = (
                tries + int(mine.tries.sum()),
                total + mine.total.sum(),
                squares + mine.squares.sum(),
            )
        mean = total / max(tries, 1)
        return tries, mean, max(squares / max(tries, 1) - mean * mean, 0.0) ** 0.5


def _visits(memory: Any, key: int) -> Counter[int]:
    """How often each move was tried at a node."""
    node = memory.find(key)
    slots = memory.slots[memory.slots_of(node)] if node >= 0 else memory.slots[:0]
    return Counter(dict(zip(slots.move.tolist(), slots.tries.tolist(), strict=True)))


def best_bluff(found: dict[int, tuple[int, float, float]], best: int, visits: Counter[int], rng: np.ndarray) -> int:
    """Of the moves that are not significantly worse than the best honest one, that which all the player's trees
    together visited most (Whitehouse 2014, (7.3)); ties at random. `found` has the tries of a move, the mean and the
    standard deviation of its rewards."""
    _, mean, deviation = found[best]
    near = [
        move
        for move, (tries, other, scatter) in found.items()
        if move == best or (tries > 0 and mean - other < min(deviation, scatter))
    ]
    most = [move for move in near if visits[move] == max(visits[m] for m in near)]
    return most[pick(rng, len(most))]
