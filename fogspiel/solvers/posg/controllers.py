"""Strategies of both players of a one-sided POSG: finite-state controllers, whose nodes are the vectors and points of
the bounds (`solvers/posg/bounds.py`); playing them, and what a best response leaves them."""

from dataclasses import dataclass

import numpy as np

from fogspiel import given
from fogspiel.errors import SpecError, TooLarge
from fogspiel.game.game import Game
from fogspiel.solvers.posg.bounds import Lower, Upper
from fogspiel.solvers.posg.stage import Stage
from fogspiel.tree.endless import one_sided_of
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

    def require(self, game: Game | OneSided) -> None:
        """Raise SpecError unless these are strategies of a one-sided POSG, or of a game that is cut off from it."""
        posg: OneSided | None = game if isinstance(game, OneSided) else None
        if isinstance(game, Game) and "markov" in game.functions:
            posg = one_sided_of(game, self.posg.discount)
        if posg is None or posg.digest != self.posg.digest:
            named = self.posg.name
            other = named if named != game.spec else "another game of that name, by a file that has changed"
            raise SpecError(f"these are strategies of {other}, not of {game.spec}")

    def values(self) -> tuple[float, float]:
        """What each player gets if both play these: the discounted sum, on average, by the seats of the game that the
        POSG was made from."""
        value = float(play_value(self))
        return (value, -value) if self.posg.seat == 0 else (-value, value)


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


MOST_SITUATIONS = 2_000_000
"""States with a node of each controller that are kept at once."""
NEAR = 1e-9
"""Expected values are within this, relative to how far apart they may be."""


def play_value(of: Controllers) -> float:
    """What player 1 gets on average if both follow their controllers: a Markov chain over a state and the node of each,
    forward until what is left, discounted, cannot matter."""
    posg, links = of.posg, _Moves(of)
    reach: dict[tuple[int, int, int], float] = {}
    for s, p in zip(posg.members[posg.start].tolist(), posg.belief.tolist(), strict=True):
        for node, share in links.shares(of.begin, of.weight, s) if p > 0 else ():
            reach[s, of.first, node] = p * share
    low, high = posg.bounds
    total, weight, left = 0.0, 1.0, high - low
    while left > NEAR * (high - low) and reach:
        then: dict[tuple[int, int, int], float] = {}
        for here, p in reach.items():
            paid, leads = links.stage(here)
            total += weight * p * paid
            for target, q in leads:
                then[target] = then.get(target, 0.0) + p * q
        if len(then) > MOST_SITUATIONS:
            raise TooLarge(
                f"the controllers of {posg.name} come to more than {MOST_SITUATIONS:,} pairs of nodes and states at "
                "once"
            )
        weight, left, reach = weight * posg.discount, left * posg.discount, then
    return total


class _Moves:
    """What two controllers do in a stage, each asked for once."""

    def __init__(self, of: Controllers):
        self.of = of
        self.known: dict[tuple[int, int, int], tuple[float, list[tuple[tuple[int, int, int], float]]]] = {}
        joint = of.posg.joint
        self.joint = {tuple(j): i for i, j in enumerate(joint.tolist())}

    def shares(self, nodes: np.ndarray, weight: np.ndarray, state: int) -> list[tuple[int, float]]:
        """The next nodes of player 2 in a state, as `Informed` draws them."""
        i = self.of.posg.place[state]
        likely = np.array([w * self.of.upper.belief[n][i] for n, w in zip(nodes, weight, strict=True)])
        likely /= likely.sum()
        return [(int(n), float(p)) for n, p in zip(nodes, likely, strict=True) if p > 0]

    def stage(self, here: tuple[int, int, int]) -> tuple[float, list[tuple[tuple[int, int, int], float]]]:
        """What player 1 is paid on average, and what follows, with its probability."""
        if here not in self.known:
            self.known[here] = self._stage(*here)
        return self.known[here]

    def _stage(self, s: int, one: int, two: int) -> tuple[float, list[tuple[tuple[int, int, int], float]]]:
        posg, lower, upper = self.of.posg, self.of.lower, self.of.upper
        k = int(posg.partition[s])
        stage, i = upper.layout[k], posg.place[s]
        plan = upper.plan[two][stage.columns[i] : stage.columns[i + 1]]
        paid, found = 0.0, dict[tuple[int, int, int], float]()
        for a, p in enumerate(lower.mix[one].tolist()):
            for b, q in enumerate((plan / plan.sum()).tolist()):
                if p * q <= 0:
                    continue
                j = self.joint[s, int(posg.legal1[k][a]), int(posg.legal2[s][b])]
                paid += p * q * posg.reward[j]
                for e in range(posg.first[j], posg.first[j + 1]):
                    then = int(posg.target[e])
                    d = successor(stage, a, int(posg.observation[e]), int(posg.partition[then]))
                    likely = p * q * float(posg.probability[e])
                    for node1, node2, share in self._next(one, two, d, then):
                        key = then, node1, node2
                        found[key] = found.get(key, 0.0) + likely * share
        return paid, list(found.items())

    def _next(self, one: int, two: int, d: int, then: int) -> list[tuple[int, int, float]]:
        """The nodes that both move on to, after a successor and in the state that follows."""
        mine, theirs = self.of.lower.links[one], self.of.upper.links[two]
        here, there = mine.successor == d, theirs.successor == d
        nodes, weight = mine.node[here], mine.weight[here] / mine.weight[here].sum()
        others = self.shares(theirs.node[there], theirs.weight[there], then)
        return [(int(n), m, float(w) * q) for n, w in zip(nodes, weight, strict=True) for m, q in others]
