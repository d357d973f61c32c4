"""Imperfect recall: what an abstraction, or a game whose players forget, has in common with the full game."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fogspiel import given
from fogspiel.errors import Unsuitable
from fogspiel.game.load import Source
from fogspiel.game.needs import AT_MOST_TWO, require
from fogspiel.tree.tree import Tree, unroll


def strictly_informative(tree: Tree) -> bool:
    """Whether no history passes an information set of the abstraction twice (Lanctot 2013, eq. 5.1)."""
    if tree.tied is None:
        return True
    owner = np.repeat(np.arange(len(tree.count)), tree.count)
    above = tree.parent.copy()
    while (above >= 0).any():
        later = np.flatnonzero(above >= 0)
        earlier = owner[above[later]]
        if (tree.tied[earlier] == tree.tied[later]).any():
            return False
        above[later] = tree.parent[earlier]
    return True


_CONDITIONS = {
    "i": "utilities are proportional",
    "ii": "chance's probabilities are proportional",
    "iii": "the opponent's information sets and actions are the same from the start to the end",
    "iv": "the player's own are the same from there to the end",
}


@dataclass(frozen=True)
class Recall:
    """What holds of an abstraction with respect to the full game (Lanctot 2013, definitions 1 and 2).

    `violated` names the conditions, i to iv, that the terminals of some pair of joined information sets break. Where
    only i is broken, the abstraction is skew well-formed; where none is, well-formed. `k` and `ell` are the smallest
    and largest factors of utilities and probabilities, `delta` is the largest skew.

    `sets[p]` is the number of player p's information sets in the abstraction. `factor[p]` is K of theorem 6,
    `penalty[p]` the last term of theorem 7; both are None unless skew well-formed.
    """

    game: str
    strictly_informative: bool
    violated: tuple[str, ...]
    k: tuple[float, float]
    ell: tuple[float, float]
    delta: float
    sets: tuple[int, ...]
    factor: tuple[float, ...] | None
    penalty: tuple[float, ...] | None

    @property
    def skew_well_formed(self) -> bool:
        return self.strictly_informative and not {"ii", "iii", "iv"} & set(self.violated)

    @property
    def well_formed(self) -> bool:
        return self.strictly_informative and not self.violated

    def regret_bound(self, player: int, spread: float, actions: int, iterations: int) -> float:
        """What the player's average regret in the full game is at most after so many iterations of CFR in the
        abstraction.

        `spread` is the difference of its largest and smallest utility, `actions` the most it has in an information set.
        """
        if self.factor is None or self.penalty is None:
            raise Unsuitable(f"{self.game} is not skew well-formed: nothing bounds the regret of CFR in it")
        player, spread = given.player(len(self.factor), player), given.number("spread", spread, 0)
        actions, iterations = given.whole("actions", actions, 1), given.whole("iterations", iterations, 1)
        return spread * self.factor[player] * math.sqrt(actions / iterations) + self.penalty[player]

    def as_dict(self) -> dict[str, Any]:
        """The report ready for JSON."""
        return vars(self) | {"well_formed": self.well_formed, "skew_well_formed": self.skew_well_formed}

    def __str__(self) -> str:
        broken = [f"  ({name}) {_CONDITIONS[name]}" for name in self.violated]
        if not self.strictly_informative:
            broken = ["  strictly informative: no information set is met twice in a game"]
        kind = "well-formed" if self.well_formed else "skew well-formed" if self.skew_well_formed else "not well-formed"
        lines = [
            f"{self.game}: {kind}, {sum(self.sets):,} information sets",
            *(["does not hold:"] * bool(broken)),
            *broken,
        ]
        if self.factor is not None and self.penalty is not None:  # skew well-formed
            spans = [f"{name} from {low:g} to {high:g}" for name, (low, high) in (("k", self.k), ("ell", self.ell))]
            bounds = [
                f"player {p}: K {k:g}, penalty {s:g}"
                for p, (k, s) in enumerate(zip(self.factor, self.penalty, strict=True))
            ]
            lines += [", ".join([*spans, f"delta {self.delta:g}"]), *bounds]
        return "\n".join(lines)


def well_formed(game: Tree | Source) -> Recall:
    """Whether a game's abstraction is well-formed or skew well-formed with respect to the game itself.

    A game whose own players forget is compared with its coarsest perfect-recall refinement.
    """
    tree = game if isinstance(game, Tree) else unroll(game)
    require(tree.game, "being well-formed", (AT_MOST_TWO,))
    players = range(tree.game.players)
    tied = np.arange(len(tree.player)) if tree.tied is None else tree.tied
    sets = tuple(len(np.unique(tied[tree.player == p])) for p in players)
    if not strictly_informative(tree):
        return Recall(tree.game.spec, False, (), (1.0, 1.0), (1.0, 1.0), 0.0, sets, None, None)
    violated, k, ell, deltas = set(), [1.0], [1.0], [0.0]
    factor, penalty = [float(n) for n in sets], [0.0 for _ in players]
    for p in players:
        for group in _groups(tree, tied, p):
            pairs = _compare_all(group)
            violated |= {name for pair in pairs for name in pair.violated}
            k += [pair.k for pair in pairs]
            ell += [pair.ell for pair in pairs]
            deltas += [pair.delta for pair in pairs]
            factor[p] += max(1.0, *(pair.k * pair.ell for pair in pairs)) - 1.0
            penalty[p] += len(group) * max(pair.delta * pair.ell for pair in pairs)
    sound = not {"ii", "iii", "iv"} & violated
    return Recall(
        tree.game.spec,
        True,
        tuple(sorted(violated)),
        (min(k), max(k)),
        (min(ell), max(ell)),
        max(deltas),
        sets,
        tuple(factor) if sound else None,
        tuple(penalty) if sound else None,
    )


class _Passing(NamedTuple):
    """The terminals that pass one information set of the full game, as columns.

    `other` numbers the opponent's sequences, `own` the player's from the set on, both as the abstraction sees them.
    """

    other: np.ndarray
    own: np.ndarray
    reach: np.ndarray
    utility: np.ndarray


class _Pair(NamedTuple):
    violated: tuple[str, ...]
    k: float
    ell: float
    delta: float


def _groups(tree: Tree, tied: np.ndarray, player: int) -> Iterator[list[_Passing]]:
    """The player's information sets that the abstraction joins, those of one abstract set together."""
    other = np.zeros(tree.terminals, np.int64)
    if tree.game.players == 2:
        for at, _, sequence in _climb(tree, tied, 1 - player):
            other[at] = sequence
    steps = list(_climb(tree, tied, player))
    if not steps:
        return
    at, owner, own = (np.concatenate(parts) for parts in zip(*steps, strict=True))
    joined = np.bincount(tied, minlength=len(tied))[tied[owner]] > 1
    at, owner, own = at[joined], owner[joined], own[joined]
    reach = tree.reach[at]
    utility = tree.pay[at, player] / reach
    order = np.lexsort((owner, tied[owner]))
    cuts = np.flatnonzero(np.diff(owner[order])) + 1
    group: list[_Passing] = []
    last = -1
    for rows in np.split(order, cuts) if len(order) else []:
        leader = int(tied[owner[rows[0]]])
        if leader != last and group:
            yield group
            group = []
        last = leader
        group.append(_Passing(other[at[rows]], own[rows], reach[rows], utility[rows]))
    if group:
        yield group


def _climb(tree: Tree, tied: np.ndarray, player: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """From each terminal up the player's actions, one step at a time: terminals, information sets, and the sequence
    from the set to the end, in a number that is the same exactly for the same sequence of abstract (information set,
    action) pairs."""
    owner = np.repeat(np.arange(len(tree.count)), tree.count)
    action = np.arange(len(owner)) + (tree.first[tied] - tree.first)[owner]
    at = np.flatnonzero(tree.last[:, player] >= 0)
    here, below, used = tree.last[at, player], np.zeros(len(at), np.int64), 0
    while len(at):
        _, below = np.unique(below * len(owner) + action[here], return_inverse=True)
        yield at, owner[here], 1 + used + below
        used += int(below.max()) + 1
        here = tree.parent[owner[here]]
        further = here >= 0
        at, here, below = at[further], here[further], below[further]


def _compare_all(group: list[_Passing]) -> list[_Pair]:
    """Every ordered pair of joined information sets; only those with the first one, if the first tells that nothing
    holds."""
    first = [_compare(one, group[0]) for one in group[1:]]
    if any({"ii", "iii", "iv"} & set(pair.violated) for pair in first):
        return first
    return [_compare(a, b) for a in group for b in group if a is not b]


def _compare(a: _Passing, b: _Passing) -> _Pair:
    """What a bijection from the terminals of `a` to those of `b` can keep."""
    violated = []
    if not _same(a.other, b.other):
        violated.append("iii")
    if not _same(a.own, b.own):
        violated.append("iv")
    if len(a.own) != len(b.own):
        return _Pair(tuple(violated), 1.0, 1.0, 0.0)
    kept = [name for name, broken in (("other", "iii"), ("own", "iv")) if broken not in violated]
    a, b = _sorted(a, kept), _sorted(b, kept)
    if any((getattr(a, name) != getattr(b, name)).any() for name in kept):
        violated += ["iii", "iv"]  # each can be kept, but not both by one bijection
    ell = float(a.reach.sum() / b.reach.sum())
    if not np.allclose(a.reach, ell * b.reach, rtol=1e-9, atol=0):
        violated.append("ii")
    size = np.abs(b.utility).sum()
    ratio = float(np.abs(a.utility).sum() / size) if size > 0 else 1.0
    k = min((1.0, ratio), key=lambda k: np.abs(a.utility - k * b.utility).max())
    delta = float(np.abs(a.utility - k * b.utility).max())
    if delta > 1e-9 * max(1.0, np.abs(a.utility).max()):
        violated.append("i")
    else:
        delta = 0.0
    return _Pair(tuple(violated), k, ell, delta)


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(np.sort(a), np.sort(b))


def _sorted(rows: _Passing, kept: list[str]) -> _Passing:
    """By the columns that are kept, then by chance's share, then by utility: so matched, utilities are as near as can
    be."""
    share = np.round(rows.reach / rows.reach.sum(), 12)
    order = np.lexsort((rows.utility, share, *(getattr(rows, name) for name in kept)))
    return _Passing(*(column[order] for column in rows))
