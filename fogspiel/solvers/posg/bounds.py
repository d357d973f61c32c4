"""Bounds of the value of a one-sided POSG as a function of player 1's belief, and the strategies that keep them (Horák
et al. 2023, sec. 4).

Below, the largest of linear functions, alpha vectors; above, the lower convex hull of points. Both begin with what
needs no belief: player 1 plays uniformly; player 1 sees the states, which gives a point in each corner of the simplex.
Since the corners are points, the hull covers all beliefs, and each of its values is kept by a strategy of player 2's.

Every vector and every point is a node of a finite-state controller. It was found in a stage game with older nodes as
what follows, and says what its player does in the stage and to which older nodes it moves on: player 1, in the node of
a vector, gets at least what the vector says, whatever player 2 does; player 2, in the node of a point, gives away no
more than the point's value, if the state is distributed by its belief. So the bounds hold whatever the tolerances of
the linear programs were.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fogspiel.solvers.posg.stage import Stage, seen_values, stages, uniform_values
from fogspiel.tree.posg import OneSided


@dataclass(frozen=True, eq=False)
class Links:
    """Where a node moves on: after `successor` to `node` with `weight`. For player 1 the weights of each successor sum
    to 1; for player 2 the beliefs of the nodes, so weighted, sum to what is likely to follow."""

    successor: np.ndarray
    node: np.ndarray
    weight: np.ndarray


class Lower:
    """The lower bound. Node i belongs to partition `partition[i]`, guarantees `vector[i]`, mixes actions by `mix[i]`
    and moves on by `links[i]`. `active[k]` are the nodes of partition k of which no other is better in all states, and
    `vectors[k]` their vectors."""

    def __init__(self, posg: OneSided, layout: list[Stage]):
        self.discount, self.layout = posg.discount, layout
        self.partition: list[int] = []
        self.vector: list[np.ndarray] = []
        self.mix: list[np.ndarray] = []
        self.links: list[Links] = []
        self.active = [np.zeros(0, np.int64) for _ in layout]
        self.vectors = [np.zeros((0, stage.states)) for stage in layout]
        value = uniform_values(posg)
        for k, stage in enumerate(layout):
            actions = len(stage.reward)
            self._add(
                k,
                value[posg.members[k]],
                np.full(actions, 1 / actions),
                Links(np.array(stage.successors), stage.to, np.ones(len(stage.to))),
            )
        self.begun, self.scale = len(layout), _scale(posg, value)

    def value(self, k: int, belief: np.ndarray) -> float:
        return float((self.vectors[k] @ belief).max())

    def best(self, k: int, belief: np.ndarray) -> tuple[float, int]:
        """The value of a belief, and the node that guarantees it."""
        values = self.vectors[k] @ belief
        i = values.argmax()
        return values[i], self.active[k][i]

    def kept(self, k: int, mix: np.ndarray, links: Links, vector: Sequence[np.ndarray] | None = None) -> np.ndarray:
        """What is guaranteed in each state of a partition by a mix of actions and where it moves on, if nodes guarantee
        `vector`."""
        stage, vector = self.layout[k], self.vector if vector is None else vector
        worth = mix @ stage.reward
        for d, node, weight in zip(links.successor, links.node, links.weight, strict=True):
            if (p := mix[stage.action[d]]) > 0:
                worth += self.discount * p * weight * stage.led(d, vector[node])
        return stage.worst(worth)

    def add(self, k: int, mix: np.ndarray, links: Links) -> None:
        self._add(k, self.kept(k, mix, links), mix, links)

    def _add(self, k: int, vector: np.ndarray, mix: np.ndarray, links: Links) -> None:
        stay = (self.vectors[k] > vector).any(axis=1)
        self.active[k] = np.append(self.active[k][stay], len(self.partition))
        self.vectors[k] = np.vstack([self.vectors[k][stay], vector])
        self.partition.append(k)
        self.vector.append(vector)
        self.mix.append(mix)
        self.links.append(links)


class Upper:
    """The upper bound. Node i belongs to partition `partition[i]`, gives away `value[i]` in `belief[i]`, plays the
    columns of the stage by `plan[i]` and moves on by `links[i]`. `corner[k]` is the node of the first corner of
    partition k, `corners[k]` the values of all; beside them, `active[k]` are its points of which none is known to lie
    above the others, with their `beliefs[k]` and `values[k]`."""

    def __init__(self, posg: OneSided, layout: list[Stage]):
        self.discount, self.layout = posg.discount, layout
        self.partition: list[int] = []
        self.belief: list[np.ndarray] = []
        self.value: list[float] = []
        self.plan: list[np.ndarray] = []
        self.links: list[Links] = []
        self.active = [np.zeros(0, np.int64) for _ in layout]
        self.beliefs = [np.zeros((0, stage.states)) for stage in layout]
        self.values = [np.zeros(0) for _ in layout]
        value, mixes = seen_values(posg)
        self.corners = [value[states] for states in posg.members]
        self.corner = np.cumsum([0, *(stage.states for stage in layout)])[:-1]
        for k, stage in enumerate(layout):
            for i, s in enumerate(posg.members[k]):
                plan, belief = np.zeros(stage.width), np.zeros(stage.states)
                belief[i] = 1.0
                plan[stage.columns[i] : stage.columns[i + 1]] = mixes[s]
                self._append(k, belief, value[s], plan, self.completed(k, plan, None))
        self.begun, self.scale = len(self.partition), _scale(posg, value)

    def completed(self, k: int, plan: np.ndarray, links: Links | None) -> Links:
        """Links with those weights lowered that come to more than a plan makes likely, and the rest led to corners."""
        stage = self.layout[k]
        flows = stage.flows(plan)
        if links is not None:
            used = np.zeros(len(flows))
            for d, node, weight in zip(links.successor, links.node, links.weight, strict=True):
                used[stage.begin[d] : stage.begin[d + 1]] += weight * self.belief[node]
            share = np.where(used > flows, flows / np.maximum(used, 1e-300), 1.0)
            rows = []
            for d, node, weight in zip(links.successor, links.node, links.weight, strict=True):
                here = slice(stage.begin[d], stage.begin[d + 1])
                weight = weight * share[here][self.belief[node] > 0].min()
                flows[here] -= weight * self.belief[node]
                rows.append((d, node, weight))
            flows = np.maximum(flows, 0.0)
        else:
            rows = []
        rest = np.flatnonzero(flows > 0)
        d = np.searchsorted(stage.begin, rest, side="right") - 1
        corner = self.corner[stage.to[d]] + rest - stage.begin[d]
        own = [np.array(column) for column in zip(*rows, strict=True)] if rows else [np.zeros(0, np.int64)] * 3
        return Links(*(np.concatenate(pair) for pair in zip(own, (d, corner, flows[rest]), strict=True)))

    def given(self, k: int, plan: np.ndarray, links: Links, value: Sequence[float] | None = None) -> float:
        """What is given away at most by a plan and where it moves on, if nodes give away `value`."""
        stage, value = self.layout[k], self.value if value is None else value
        worth = stage.reward @ plan
        later = np.array([value[node] for node in links.node])
        np.add.at(worth, stage.action[links.successor], self.discount * links.weight * later)
        return float(worth.max())

    def add(self, k: int, belief: np.ndarray, plan: np.ndarray, links: Links) -> None:
        value = self.given(k, plan, links)
        stay = self._above(k, self.beliefs[k], belief, value) > self.values[k]
        self.active[k] = np.append(self.active[k][stay], len(self.partition))
        self.beliefs[k] = np.vstack([self.beliefs[k][stay], belief])
        self.values[k] = np.append(self.values[k][stay], value)
        self._append(k, belief, value, plan, links)

    def _above(self, k: int, beliefs: np.ndarray, point: np.ndarray, value: float) -> np.ndarray:
        """The hull of the corners and one point, at some beliefs: the sawtooth of POMDP solvers."""
        some = point > 0
        share = (beliefs[:, some] / point[some]).min(axis=1)
        return beliefs @ self.corners[k] + share * (value - point @ self.corners[k])

    def _append(self, k: int, belief: np.ndarray, value: float, plan: np.ndarray, links: Links) -> None:
        self.partition.append(k)
        self.belief.append(belief)
        self.value.append(float(value))
        self.plan.append(plan)
        self.links.append(links)


def _scale(posg: OneSided, value: np.ndarray) -> float:
    """The largest of values and rewards."""
    return float(max(abs(value).max(), abs(posg.reward).max())) or 1.0


def first_bounds(posg: OneSided) -> tuple[Lower, Upper]:
    layout = stages(posg)
    return Lower(posg, layout), Upper(posg, layout)
