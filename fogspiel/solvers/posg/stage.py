"""One stage of a one-sided POSG, laid out for stage games, and what bounds of its value begin with."""

from dataclasses import dataclass

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Int, Ints, Reals
from fogspiel.game.matrix_game import Simplex, Strategies, matrix_game, simplex, strategies
from fogspiel.tree.posg import OneSided

SETTLED = 1e-9
"""Values are swept until none changes by more than this, relative to how far apart they may be,"""
MOST_SWEEPS = 10_000
"""or so often: they are bounds after every sweep."""


@dataclass(frozen=True, eq=False)
class Stage:
    """What may happen in a stage that begins in one partition.

    States are counted by their places there, actions of player 1 by their places among the legal ones. A column is a
    state with an action of player 2: `columns[i]` to `columns[i + 1]` are those of state i. `reward[a, c]` is what
    player 1 is paid.

    A successor is what player 1 learns in the stage: its own `action`, an `observation` and the next partition, `to`.
    The states of successor d are the flows `begin[d]` to `begin[d + 1]`, and its odds are `part[d]` to `part[d + 1]`:
    column `column` leads to flow `flow` with probability `odds`.
    """

    columns: np.ndarray
    reward: np.ndarray
    action: np.ndarray
    observation: np.ndarray
    to: np.ndarray
    begin: np.ndarray
    part: np.ndarray
    column: np.ndarray
    flow: np.ndarray
    odds: np.ndarray

    @property
    def states(self) -> int:
        return len(self.columns) - 1

    @property
    def width(self) -> int:
        return int(self.columns[-1])

    @property
    def successors(self) -> range:
        return range(len(self.to))

    def flows(self, plan: np.ndarray) -> np.ndarray:
        """How likely each flow is, by player 2's plan: the probability of each column, whatever player 1 does."""
        return np.bincount(self.flow, plan[self.column] * self.odds, self.begin[-1])

    def led(self, d: int, vector: np.ndarray) -> np.ndarray:
        """What each column is worth if it leads to successor d, whose states are worth what `vector` says."""
        part = slice(self.part[d], self.part[d + 1])
        return np.bincount(self.column[part], vector[self.flow[part] - self.begin[d]] * self.odds[part], self.width)

    def worst(self, worth: np.ndarray) -> np.ndarray:
        """What each state is worth where player 2 takes the column that is worth least."""
        return np.minimum.reduceat(worth, self.columns[:-1])


def stages(posg: OneSided) -> list[Stage]:
    """The stage of each partition."""
    many = np.array([len(a) for a in posg.legal2])
    at = np.searchsorted(posg.joint[:, 0], np.arange(len(many)))
    rank = np.arange(len(posg.joint)) - at[posg.joint[:, 0]]  # a state's joint actions are all pairs, in order
    own, other = np.divmod(rank, many[posg.joint[:, 0]])
    source = np.repeat(np.arange(len(posg.joint)), np.diff(posg.first))
    partition = posg.partition[posg.joint[:, 0]]
    order = np.argsort(partition, kind="stable")
    entries = np.argsort(partition[source], kind="stable")
    ends = np.cumsum(np.bincount(partition, minlength=len(posg.members)))
    entry_ends = np.cumsum(np.bincount(partition[source], minlength=len(posg.members)))
    column, found = np.zeros(len(posg.joint), np.int64), []
    for k, states in enumerate(posg.members):
        j = order[ends[k - 1] if k else 0 : ends[k]]
        e = entries[entry_ends[k - 1] if k else 0 : entry_ends[k]]
        columns = np.concatenate([[0], np.cumsum(many[states])])
        column[j] = columns[posg.place[posg.joint[j, 0]]] + other[j]
        reward = np.zeros((len(posg.legal1[k]), columns[-1]))
        reward[own[j], column[j]] = posg.reward[j]
        found.append(_laid_out(posg, columns, reward, own[source[e]], column[source[e]], e))
    return found


def _laid_out(
    posg: OneSided, columns: np.ndarray, reward: np.ndarray, action: np.ndarray, column: np.ndarray, e: np.ndarray
) -> Stage:
    """The stage with its transitions `e` sorted by successor, those that lead from one column to one flow as one."""
    target = posg.target[e]
    learned = np.column_stack([action, posg.observation[e], posg.partition[target]])
    kinds, d = np.unique(learned, axis=0, return_inverse=True)
    begin = np.concatenate([[0], np.cumsum([len(posg.members[k]) for k in kinds[:, 2]])])
    flow, width = begin[d.ravel()] + posg.place[target], columns[-1]
    pairs, which = np.unique(flow * width + column, return_inverse=True)
    odds = np.bincount(which.ravel(), posg.probability[e])
    part = np.searchsorted(pairs // width, begin)
    learned_action, observation, to = kinds.T.copy()
    return Stage(columns, reward, learned_action, observation, to, begin, part, pairs % width, pairs // width, odds)


def uniform_values(posg: OneSided) -> np.ndarray:
    """What each state is worth to player 1 if it always plays uniformly: a lower bound, by value iteration from
    below."""
    states = posg.joint[:, 0]
    many1 = np.array([len(posg.legal1[k]) for k in posg.partition])
    many2 = np.array([len(a) for a in posg.legal2])
    at, columns = np.searchsorted(states, np.arange(len(many2))), np.cumsum(many2) - many2
    column = columns[states] + (np.arange(len(states)) - at[states]) % many2[states]
    value, (low, high) = np.full(len(many2), posg.bounds[0]), posg.bounds
    for _ in range(MOST_SWEEPS):
        mean = np.bincount(column, _worth(posg, value) / many1[states])
        new = np.maximum(np.minimum.reduceat(mean, columns), value)
        if (new - value).max() <= SETTLED * (high - low):
            break
        value = new
    return new


def seen_values(posg: OneSided) -> tuple[np.ndarray, list[np.ndarray]]:
    """What each state is worth to player 1 if it saw the states, too: an upper bound, by value iteration from above
    (Shapley 1953); and how player 2 mixes its actions there."""
    rows = np.array([len(posg.legal1[k]) for k in posg.partition])
    columns = np.array([len(a) for a in posg.legal2])
    at, mixes = np.cumsum(rows * columns) - rows * columns, np.cumsum(columns) - columns
    mix, most = np.zeros(int(columns.sum())), (int(rows.max()), int(columns.max()))
    stage, work = strategies(*most), simplex(*most)
    value, new, (low, high) = np.full(len(rows), posg.bounds[1]), np.zeros(len(rows)), posg.bounds
    for _ in range(MOST_SWEEPS):
        solve_states(len(rows), at, rows, columns, _worth(posg, value), new, mixes, mix, stage, work)
        new = np.minimum(new, value)
        if (value - new).max() <= SETTLED * (high - low):
            break
        value, new = new, value
    return np.minimum(new, value), np.split(mix, mixes[1:])


def _worth(posg: OneSided, value: np.ndarray) -> np.ndarray:
    """What each joint action is worth where states are worth `value`."""
    return posg.reward + posg.discount * np.add.reduceat(posg.probability * value[posg.target], posg.first[:-1])


@kernel
def solve_states(
    states: Int,
    at: Ints,
    rows: Ints,
    columns: Ints,
    payoff: Reals,
    value: Reals,
    mixes: Ints,
    mix: Reals,
    stage: Strategies,
    work: Simplex,
) -> None:
    """The matrix game of each state: its value, and how the column player mixes."""
    for s in range(states):
        value[s] = matrix_game(rows[s], columns[s], payoff, at[s], stage, work)
        for j in range(columns[s]):
            mix[mixes[s] + j] = stage.column[j]
