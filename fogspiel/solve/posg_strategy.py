"""Strategies of both players of a one-sided POSG: finite-state controllers, whose nodes are the vectors and points of
the bounds (`solve/posg_bounds.py`); playing them, and what a best response leaves them."""

from dataclasses import dataclass

import numpy as np

from fogspiel import given
from fogspiel.errors import SpecError
from fogspiel.solve.posg_bounds import Lower, Upper
from fogspiel.solve.posg_stage import Stage
from fogspiel.tree.posg import OneSided

EXACT = 1e-10
"""Values of best responses are swept until none changes by more than this, relative to how far apart they may be."""


@dataclass(frozen=True, eq=False)
class Controllers:
    """What HSVI found for both players. Player 1 begins in the node `first` of the lower bound; player 2 in one of
    `begin`, nodes of the upper bound, whose beliefs, weighted by `weight`, sum to the initial belief."""

    posg: OneSided
    lower: Lower
    upper: Upper
    first: int
    begin: np.ndarray
    weight: np.ndarray

    def __len__(self) -> int:
        """How many nodes there are."""
        return len(self.lower.partition) + len(self.upper.partition)

    def player1(self, seed: int = 0) -> "Uninformed":
        """Player 1 at the beginning of a game."""
        return Uninformed(self, np.random.default_rng(given.seed(seed)))

    def player2(self, state: int, seed: int = 0) -> "Informed":
        """Player 2 at the beginning of a game, in a state."""
        posg, state = self.posg, given.whole("state", state, 0, len(self.posg.states) - 1)
        if posg.partition[state] != posg.start or posg.belief[posg.place[state]] <= 0:
            raise SpecError(f"{posg.name} does not begin in state {posg.states[state]}")
        return Informed(self, state, np.random.default_rng(given.seed(seed)))

    def guaranteed(self) -> float:
        """What player 1's controller gets against a best response: player 2 knows its nodes, and solves a decision
        process."""
        posg, lower = self.posg, self.lower
        low, high = posg.bounds
        value = [np.full(len(v), low) for v in lower.vector]
        while True:
            change = 0.0
            for node, k in enumerate(lower.partition):
                new = lower.kept(k, lower.mix[node], lower.links[node], value)
                change = max(change, float(abs(new - value[node]).max()))
                value[node] = new
            if change <= EXACT * (high - low):
                return float(value[self.first] @ posg.belief)

    def conceded(self) -> float:
        """What player 2's controller gives away at most: to a player 1 who is told its nodes."""
        posg, upper = self.posg, self.upper
        low, high = posg.bounds
        value = [high] * len(upper.partition)
        while True:
            change = 0.0
            for node, k in enumerate(upper.partition):
                new = upper.given(k, upper.plan[node], upper.links[node], value)
                change, value[node] = max(change, abs(new - value[node])), new
            if change <= EXACT * (high - low):
                return float(sum(w * value[i] for i, w in zip(self.begin, self.weight, strict=True)))


class Uninformed:
    """Player 1 in play: `act`, then `see` what was observed, and so on. It is told nothing else."""

    def __init__(self, of: Controllers, rng: np.random.Generator):
        self.of, self.rng, self.node = of, rng, of.first
        self.acted = -1

    def act(self) -> int:
        """An action, drawn from the node's mix."""
        lower = self.of.lower
        self.acted = int(self.rng.choice(len(lower.mix[self.node]), p=lower.mix[self.node]))
        return int(self.of.posg.legal1[lower.partition[self.node]][self.acted])

    def see(self, observation: int, partition: int) -> None:
        """What player 1 learns after both have acted."""
        lower = self.of.lower
        stage, links = lower.layout[lower.partition[self.node]], lower.links[self.node]
        d = successor(stage, self.acted, observation, partition)
        here = links.successor == d
        self.node = int(self.rng.choice(links.node[here], p=links.weight[here] / links.weight[here].sum()))


class Informed:
    """Player 2 in play: `act`, then `see` what player 1 did and observed and which state follows, and so on."""

    def __init__(self, of: Controllers, state: int, rng: np.random.Generator):
        self.of, self.rng, self.state = of, rng, state
        self._draw(of.begin, of.weight)

    def act(self) -> int:
        """An action, drawn from the node's plan for the state."""
        posg, upper = self.of.posg, self.of.upper
        columns, i = upper.layout[upper.partition[self.node]].columns, posg.place[self.state]
        plan = upper.plan[self.node][columns[i] : columns[i + 1]]
        return int(self.rng.choice(posg.legal2[self.state], p=plan / plan.sum()))

    def see(self, action: int, observation: int, state: int) -> None:
        posg, upper = self.of.posg, self.of.upper
        k = upper.partition[self.node]
        stage, links = upper.layout[k], upper.links[self.node]
        d = successor(stage, int(np.searchsorted(posg.legal1[k], action)), observation, int(posg.partition[state]))
        self.state = state
        self._draw(links.node[links.successor == d], links.weight[links.successor == d])

    def _draw(self, nodes: np.ndarray, weight: np.ndarray) -> None:
        """The next node: as likely as its belief, with its weight, makes it in this state."""
        i = self.of.posg.place[self.state]
        likely = np.array([w * self.of.upper.belief[n][i] for n, w in zip(nodes, weight, strict=True)])
        self.node = int(self.rng.choice(nodes, p=likely / likely.sum()))


def successor(stage: Stage, action: int, observation: int, partition: int) -> int:
    """The successor of a stage in which player 1 took an action (its place) and learned so much."""
    found = np.flatnonzero((stage.action == action) & (stage.observation == observation) & (stage.to == partition))
    if len(found) == 0:
        raise SpecError(f"observation {observation} and partition {partition} cannot follow what player 1 did")
    return int(found[0])
