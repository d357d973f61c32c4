"""One-sided partially observable stochastic games (Horák et al. 2023, sec. 3): stage by stage and for ever, two opposed
players act at the same time. Player 1 maximises and is the imperfectly informed one: of the state it knows the
partition, its own actions and the observations. Player 2 knows everything: the state, and all that player 1 did and
saw."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from fogspiel import given
from fogspiel.errors import GameError

ROUNDED = 1e-5
"""How far probabilities may be from a sum of one: files round them to six digits."""
LOOSE = 1e-3
"""The same of the initial belief, which they round to four."""


@dataclass(frozen=True, eq=False)
class OneSided:
    """A one-sided POSG in flat arrays, made by `one_sided`. Everything is told from player 1's side; where it was made
    from a game, `seat` is player 1's seat there.

    A joint action j is played in a state: `joint[j]` is (state, action of player 1, action of player 2), sorted in this
    order, legal ones alone. Player 1 is paid `reward[j]`, and what may follow are the transitions `first[j]` to
    `first[j + 1]`, each with an `observation`, a `target` and a `probability`. `legal1` has player 1's actions in each
    partition, `legal2` player 2's in each state, in ascending order. `belief` has the probability of each state of the
    partition `start` at the beginning.
    """

    name: str
    states: tuple[str, ...]
    partition: np.ndarray
    actions1: tuple[str, ...]
    actions2: tuple[str, ...]
    observations: tuple[str, ...]
    legal1: tuple[np.ndarray, ...]
    legal2: tuple[np.ndarray, ...]
    joint: np.ndarray
    reward: np.ndarray
    first: np.ndarray
    observation: np.ndarray
    target: np.ndarray
    probability: np.ndarray
    discount: float
    start: int
    belief: np.ndarray
    seat: int = 0

    players = 2

    @property
    def spec(self) -> str:
        """What results call it."""
        return self.name

    @cached_property
    def members(self) -> tuple[np.ndarray, ...]:
        """The states of each partition, in ascending order."""
        return tuple(np.flatnonzero(self.partition == k) for k in range(len(self.legal1)))

    @cached_property
    def place(self) -> np.ndarray:
        """Of each state, its place among the members of its partition."""
        place = np.empty(len(self.states), np.int64)
        for states in self.members:
            place[states] = np.arange(len(states))
        return place

    @property
    def sign(self) -> int:
        """What player 1's value is multiplied by to be that of seat 0 in the game that this was made from."""
        return 1 if self.seat == 0 else -1

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that a discounted sum of rewards can be: L and U of the literature."""
        low, high = self.reward.min() / (1 - self.discount), self.reward.max() / (1 - self.discount)
        return float(low), float(high)

    @cached_property
    def digest(self) -> str:
        """Tells POSGs apart that are not the same but for names."""
        found = blake2b(digest_size=16)
        numbers = (self.partition, self.joint, self.reward, self.first, self.observation, self.target, self.probability)
        for array in (*numbers, [self.discount], [self.start], self.belief):
            found.update(np.ascontiguousarray(array).tobytes())
        return found.hexdigest()


@dataclass(frozen=True)
class Names:
    """What a one-sided POSG is called, and its states, both players' actions, and what player 1 may observe."""

    name: str
    states: Sequence[str]
    actions1: Sequence[str]
    actions2: Sequence[str]
    observations: Sequence[str]

    def joint(self, which: Sequence[int]) -> str:
        s, a1, a2 = which
        return f"state {self.states[s]} with actions {self.actions1[a1]} and {self.actions2[a2]}"

    def indices(self, what: str, values: Iterable[int], n: int | None = None) -> np.ndarray:
        """Whole numbers from 0 to n - 1."""
        found = np.asarray(values, np.int64)
        wrong = found[(found < 0) | (found >= (len(found) if n is None else n))]
        if len(wrong):
            raise GameError(
                f"{self.name}: {what} is numbered {wrong[0]}, where numbers go from 0 to "
                f"{n - 1 if n else len(found) - 1}"
            )
        return found

    def located(self, what: str, which: Sequence[Any], joint: np.ndarray) -> np.ndarray:
        """Of states and actions of both, the joint action that they are."""
        sizes = len(self.states), len(self.actions1), len(self.actions2)
        said = "the state of", "the action of player 1 in", "the action of player 2 in"
        rows = [self.indices(f"{a} {what}", b, n) for a, b, n in zip(said, which, sizes, strict=True)]
        keys, wanted = np.ravel_multi_index(joint.T, sizes), np.ravel_multi_index(rows, sizes)
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        stray = np.flatnonzero(keys[found] != wanted)
        if len(stray):
            words = self.joint([row[stray[0]] for row in rows])
            raise GameError(f"{self.name}: there is {what} for {words}, which are not legal there")
        return found


def one_sided(
    names: Names,
    partition: Sequence[int] | np.ndarray,
    legal1: Iterable[Iterable[int]],
    legal2: Iterable[Iterable[int]],
    transitions: Sequence[Any],
    rewards: Sequence[Any],
    discount: float,
    start: int,
    belief: Sequence[float] | np.ndarray,
    *,
    seat: int = 0,
) -> OneSided:
    """A one-sided POSG of lists in any order. `transitions` are columns: states, actions of player 1, actions of player
    2, observations, next states, probabilities; `rewards` are states, actions of player 1, actions of player 2, rewards
    of player 1, zero where absent.

    Raises GameError, which says what is wrong: an index out of range, a partition or a state without actions,
    probabilities that do not add up, a joint action after which nothing is told to follow, a discount of 1.
    """
    name = names.name
    discount = given.number("discount", discount, 0, 1)
    if discount == 1:
        raise GameError(
            f"{name}: the discount is 1, and a game without an end needs one below 1 for its sums to be finite"
        )
    where = names.indices("a partition", partition)
    known = tuple(names.indices("an action of player 1", sorted({*a}), len(names.actions1)) for a in legal1)
    free = tuple(names.indices("an action of player 2", sorted({*a}), len(names.actions2)) for a in legal2)
    _require_actions(names, where, known, free)
    joint = _joint(where, known, free)
    *which, o, target, p = transitions
    j = names.located("a transition", which, joint)
    o = names.indices("an observation", o, len(names.observations))
    target = names.indices("a next state", target, len(names.states))
    p = _probabilities(names, np.asarray(p, np.float64), j, joint)
    order = np.lexsort((target, o, j))
    order = order[p[order] > 0]
    start = int(names.indices("the initial partition", [start], len(known))[0])
    likely = np.asarray(belief, np.float64)
    if len(likely) != np.count_nonzero(where == start) or not (likely >= 0).all() or not abs(likely.sum() - 1) <= LOOSE:
        raise GameError(
            f"{name}: the initial belief must be a probability for each state of partition {start}, which sum to 1"
        )
    first = np.concatenate([[0], np.cumsum(np.bincount(j[order], minlength=len(joint)))])
    return OneSided(
        name,
        tuple(names.states),
        where,
        tuple(names.actions1),
        tuple(names.actions2),
        tuple(names.observations),
        known,
        free,
        joint,
        _rewards(names, rewards, joint),
        first,
        o[order],
        target[order],
        p[order],
        discount,
        start,
        likely / likely.sum(),
        seat,
    )


def _require_actions(
    names: Names, partition: np.ndarray, known: tuple[np.ndarray, ...], free: tuple[np.ndarray, ...]
) -> None:
    name, n = names.name, len(names.states)
    if n == 0 or len(partition) != n or len(free) != n:
        raise GameError(
            f"{name}: of {n:,} states, {len(partition):,} have a partition and {len(free):,} actions of player 2"
        )
    for k, actions in enumerate(known):
        if not (partition == k).any():
            raise GameError(f"{name}: partition {k} has no state")
        if len(actions) == 0:
            raise GameError(f"{name}: player 1 has no action in partition {k}")
    if partition.max() >= len(known):
        raise GameError(
            f"{name}: actions of player 1 are given for {len(known):,} partitions, and there is one of number "
            f"{partition.max()}"
        )
    for s, actions in enumerate(free):
        if len(actions) == 0:
            raise GameError(
                f"{name}: state {names.states[s]} is a dead end: player 2 has no action there (an end is a state "
                "that leads to itself)"
            )


def _joint(partition: np.ndarray, known: tuple[np.ndarray, ...], free: tuple[np.ndarray, ...]) -> np.ndarray:
    """All legal (state, action of player 1, action of player 2), sorted."""
    rows = []
    for s, (k, mine) in enumerate(zip(partition, free, strict=True)):
        a1, a2 = np.meshgrid(known[k], mine, indexing="ij")
        rows.append(np.column_stack([np.full(a1.size, s), a1.ravel(), a2.ravel()]))
    return np.concatenate(rows)


def _probabilities(names: Names, p: np.ndarray, j: np.ndarray, joint: np.ndarray) -> np.ndarray:
    """The probabilities of transitions, which sum to one for each joint action."""
    wrong = p[~((p >= 0) & (p <= 1 + ROUNDED))]
    if len(wrong):
        raise GameError(f"{names.name}: a transition has the probability {wrong[0]:g}, which is not from 0 to 1")
    total = np.bincount(j, p, len(joint))
    off = np.flatnonzero(np.abs(total - 1) > ROUNDED)
    if len(off):
        words, found = names.joint(joint[off[0]]), total[off[0]]
        if found == 0:
            raise GameError(f"{names.name}: {words} is a dead end: no transition leads on from there")
        raise GameError(
            f"{names.name}: the transitions from {words} have probabilities that sum to {found:g}, not to 1"
        )
    return p / total[j]


def _rewards(names: Names, rewards: Sequence[Any], joint: np.ndarray) -> np.ndarray:
    *which, paid = rewards
    j, reward = names.located("a reward", which, joint), np.zeros(len(joint))
    twice = np.flatnonzero(np.bincount(j, minlength=len(joint)) > 1)
    if len(twice):
        raise GameError(f"{names.name}: two rewards are given for {names.joint(joint[twice[0]])}")
    reward[j] = paid
    if not np.isfinite(reward).all():
        raise GameError(f"{names.name}: a reward is not a finite number")
    return reward
