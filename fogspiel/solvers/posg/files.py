"""The nodes of both bounds of a one-sided POSG as plain arrays, for checkpoints and for files of strategies: without
those that the bounds begin with, and without the bounds themselves, which are found again from what the nodes do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import FileError
from fogspiel.solvers import archive
from fogspiel.solvers.files import CONTROLLERS, write_archive
from fogspiel.solvers.posg.bounds import Links, Lower, Upper, first_bounds
from fogspiel.solvers.posg.controllers import Controllers
from fogspiel.tree.posg import OneSided

NEAR = 1e-6
"""How far probabilities may be from what they should sum to."""
_LINKS = "successor", "node", "weight"


def save_controllers(found: Controllers, path: str | Path) -> None:
    """Write the strategies of both players to a file."""
    arrays = write_nodes(found.lower, found.upper)
    arrays |= {"first": np.array([found.first], np.int64), "begin": found.begin, "weight": found.weight}
    write_archive(path, CONTROLLERS, {"game": found.posg.name, "behaviour": found.posg.digest}, arrays)


def read_controllers(posg: OneSided, path: str | Path) -> Controllers:
    """Read the strategies of both players of a one-sided POSG, as `save` wrote them. A file that is damaged or of
    another game is refused."""
    given.kind("posg", posg, OneSided, "a one-sided POSG, as read_osposg reads it")
    path = given.path("path", path)
    header, arrays = archive.read(path, CONTROLLERS)
    if header.get("behaviour") != posg.digest:
        raise FileError(f"{path} has strategies of {header.get('game')}, not of {posg.name}")
    lower, upper = first_bounds(posg)
    try:
        begins = _Taken({name: arrays.pop(name, None) for name in ("first", "begin", "weight")})
        read_nodes(lower, upper, arrays)
        first, begin, weight = begins.beginning(lower, upper, posg)
        return Controllers(posg, lower, upper, first, begin, weight)
    except ValueError as error:
        raise FileError(f"{path} is damaged: {error}") from None


def write_nodes(lower: Lower, upper: Upper) -> dict[str, np.ndarray]:
    """Nodes of player 1 have a partition, a mix and links; those of player 2 a partition, a belief, a plan and links.
    Arrays of different lengths are stored one after another."""
    vectors, points = slice(lower.begun, None), slice(upper.begun, None)
    return (
        _links("vector", lower.partition[vectors], lower.links[vectors])
        | _links("point", upper.partition[points], upper.links[points])
        | {
            "vector_mix": np.concatenate([np.zeros(0), *lower.mix[vectors]]),
            "point_belief": np.concatenate([np.zeros(0), *upper.belief[points]]),
            "point_plan": np.concatenate([np.zeros(0), *upper.plan[points]]),
        }
    )


def _links(what: str, partition: list[int], links: list[Links]) -> dict[str, np.ndarray]:
    flat = {name: np.concatenate([np.zeros(0, np.int64), *(getattr(link, name) for link in links)]) for name in _LINKS}
    flat["weight"] = flat["weight"].astype(np.float64)
    flat |= {
        "partition": np.array(partition, np.int64),
        "links": np.array([len(link.node) for link in links], np.int64),
    }
    return {f"{what}_{name}": array for name, array in flat.items()}


def read_nodes(lower: Lower, upper: Upper, arrays: dict[str, Any]) -> None:
    """Add nodes to the bounds that a game begins with. Raises ValueError, which says why, where they cannot be nodes of
    this game."""
    layout = lower.layout
    taken = _Taken(arrays)
    for k, links in taken.nodes("vector", len(layout)):
        stage = layout[k]
        mix = taken.reals("vector_mix", len(stage.reward))
        _require_nodes(links, stage.to, lower.partition)
        total = np.bincount(links.successor, links.weight, len(stage.to))
        if not near(mix.sum(), 1) or not near(total[mix[stage.action] > 0], 1):
            raise ValueError("a vector's probabilities do not sum to 1")
        lower.add(k, mix, links)
    for k, links in taken.nodes("point", len(layout)):
        stage = layout[k]
        belief, plan = taken.reals("point_belief", stage.states), taken.reals("point_plan", stage.width)
        _require_nodes(links, stage.to, upper.partition)
        if not near(belief.sum(), 1) or not near(np.add.reduceat(plan, stage.columns[:-1]), belief):
            raise ValueError("a point's probabilities do not sum to 1")
        flows = np.zeros(stage.begin[-1])
        for d, node, weight in zip(links.successor, links.node, links.weight, strict=True):
            flows[stage.begin[d] : stage.begin[d + 1]] += weight * upper.belief[node]
        if not near(flows, stage.flows(plan)):
            raise ValueError("a point moves on to beliefs that do not follow from it")
        upper.add(k, belief, plan, links)
    taken.end()


def near(found: np.ndarray | float, wanted: np.ndarray | float) -> bool:
    return bool(np.all(np.abs(found - wanted) <= NEAR))


def _require_nodes(links: Links, to: np.ndarray, partition: list[int]) -> None:
    """Links lead from successors of the stage to nodes that are there already, of the partition that follows."""
    if not np.all((links.successor >= 0) & (links.successor < len(to))):
        raise ValueError("a node moves on after something that cannot happen")
    if not np.all((links.node >= 0) & (links.node < len(partition))):
        raise ValueError("a node moves on to one that does not come before it")
    if not np.array_equal(np.array(partition)[links.node], to[links.successor]):
        raise ValueError("a node moves on to one of another partition")


class _Taken:
    """Arrays of a file, from which pieces are taken one after another."""

    def __init__(self, arrays: dict[str, Any]):
        self.arrays, self.at = arrays, dict.fromkeys(arrays, 0)

    def _piece(self, name: str, n: int, kind: type) -> np.ndarray:
        array = self.arrays.get(name)
        if array is None or array.ndim != 1 or array.dtype != kind:
            raise ValueError(f"{name} is missing, or of another type")
        piece = array[self.at[name] : self.at[name] + n]
        if len(piece) < n:
            raise ValueError(f"{name} is too short")
        self.at[name] += n
        return piece

    def reals(self, name: str, n: int) -> np.ndarray:
        """Probabilities."""
        piece = self._piece(name, n, np.float64)
        if not np.all((piece >= 0) & (piece <= 1 + NEAR)):
            raise ValueError(f"{name} has numbers that are no probabilities")
        return piece

    def beginning(self, lower: Lower, upper: Upper, posg: OneSided) -> tuple[int, np.ndarray, np.ndarray]:
        """In which nodes play begins."""
        first = int(self._piece("first", 1, np.int64)[0])
        many = np.size(self.arrays["begin"])
        begin, weight = self._piece("begin", many, np.int64), self.reals("weight", many)
        if not all(0 <= i < len(upper.partition) and upper.partition[i] == posg.start for i in begin):
            raise ValueError("begin has nodes that are not of the initial partition")
        if not 0 <= first < len(lower.partition) or lower.partition[first] != posg.start:
            raise ValueError("first is no node of the initial partition")
        believed = sum((w * upper.belief[i] for i, w in zip(begin, weight, strict=True)), np.zeros(len(posg.belief)))
        if not near(believed, posg.belief):
            raise ValueError("weight does not lead to the initial belief")
        return first, begin, weight

    def nodes(self, what: str, partitions: int) -> Iterator[tuple[int, Links]]:
        """The partition and the links of each node."""
        many = np.size(self.arrays.get(f"{what}_partition", ()))
        for k, n in zip(
            self._piece(f"{what}_partition", many, np.int64), self._piece(f"{what}_links", many, np.int64), strict=True
        ):
            if not 0 <= k < partitions or n < 0:
                raise ValueError(f"{what}_partition or {what}_links is out of range")
            successor, node = (self._piece(f"{what}_{name}", int(n), np.int64) for name in _LINKS[:2])
            yield int(k), Links(successor, node, self.reals(f"{what}_weight", int(n)))

    def end(self) -> None:
        for name, array in self.arrays.items():
            if name != "iterations" and np.size(array) != self.at[name]:
                raise ValueError(f"{name} is too long, or not of this algorithm")
