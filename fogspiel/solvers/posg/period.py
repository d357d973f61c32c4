"""Some rounds of an endless one-sided game, begun anywhere: what a player solves who forgets all but what it always
knows.

The game is made of states without history, and has no rules. First the player who sees everything chooses the state, of
those between which the other cannot tell, and is paid a handicap for it.
"""

from dataclasses import replace

import numpy as np

from fogspiel.game.markov import END, MarkovGame
from fogspiel.solvers.posg.pairs import Pairs
from fogspiel.tree.payoffs import ranges


def period(
    states: MarkovGame, blind: int, starts: np.ndarray, handicap: np.ndarray, rounds: int, discount: float
) -> Pairs:
    """So many rounds that begin in one of some states. Pair 0 is the choice of the state, and those after it are the
    states in their order; pairs at the horizon come last, numbered as the states are."""
    found = _Found(states, blind, discount)
    found.choose(starts, handicap)
    for k in range(rounds):
        found.play(k, last=k + 1 == rounds)
    return found.pairs()


class _Found:
    """Pairs as they are found, round by round: `here` are the states of those of the present round, and `inside` their
    information sets."""

    def __init__(self, states: MarkovGame, blind: int, discount: float):
        self.states, self.blind, self.discount = states, blind, discount
        self.count = 0
        self.insides: list[np.ndarray] = []
        self.rows: list[np.ndarray] = []
        self.edges: list[tuple[np.ndarray, ...]] = []
        self.sizes: list[int] = []
        self.before: list[int] = []

    def choose(self, starts: np.ndarray, handicap: np.ndarray) -> None:
        """The first pair: the other player has nothing to decide, so that its first information set has one
        sequence."""
        n, nothing = len(starts), np.zeros(len(starts), np.int64)
        self._add(np.zeros(1, np.int64), np.array([n]), [1], [-1])
        self.edges.append((nothing, np.arange(n), nothing, 1 + np.arange(n), np.ones(n), handicap))
        self.here, self.inside = starts, np.ones(n, np.int64)
        self.told = np.zeros(1, np.int64)

    def play(self, k: int, last: bool) -> None:
        """Round k: from each pair all joint moves, and what the other player then knows."""
        states, here, inside = self.states, self.here, self.inside
        low = self.count
        example = np.unique(inside, return_index=True)[1]
        sizes = np.diff(states.at[self.blind])[here[example]]
        self._add(inside, np.diff(states.at[1 - self.blind])[here], sizes.tolist(), self.told.tolist())
        begin = states.first[states.joint[here]]
        many = np.bincount(states.source, minlength=states.count)[here]
        edge, pair = ranges(begin, many), np.repeat(np.arange(len(here)), many)
        sequence = np.concatenate([[0], np.cumsum(self.sizes)])[inside[pair]] + states.choice[self.blind][edge]
        target = states.target[edge]
        on = np.flatnonzero(target != END)
        then = np.full(len(edge), END)
        if last:
            then[on] = self.count + target[on]
        else:
            known = np.stack([sequence[on], states.seen[self.blind][target[on]].view(np.int64)], axis=1)
            told, place = np.unique(known, axis=0, return_inverse=True)
            pairs, where = np.unique(
                np.stack([len(self.before) + place.ravel(), target[on]], axis=1), axis=0, return_inverse=True
            )
            self.told, self.inside, self.here = told[:, 0], pairs[:, 0], pairs[:, 1]
            then[on] = self.count + where.ravel()
        pays = (1 if self.blind == 1 else -1) * states.gain[edge] * self.discount ** (k + 1)
        self.edges.append(
            (low + pair, states.choice[1 - self.blind][edge], sequence, then, states.probability[edge], pays)
        )

    def _add(self, inside: np.ndarray, rows: np.ndarray, sizes: list[int], before: list[int]) -> None:
        self.insides.append(inside)
        self.rows.append(rows)
        self.count += len(inside)
        self.sizes += sizes
        self.before += before

    def pairs(self) -> Pairs:
        n, states = self.states.count, self.states
        inside = np.concatenate([*self.insides, np.full(n, -1)])
        rows = np.concatenate([[0], np.cumsum(np.concatenate([*self.rows, np.zeros(n, np.int64)]))])
        source, move, sequence, target, p, pays = (np.concatenate([e[i] for e in self.edges]) for i in range(6))
        start = np.zeros(len(inside))
        start[0] = 1
        nodes = replace(states, key=np.zeros(len(inside), np.uint64), target=target, probability=p, start=start)
        first = np.concatenate([[0], np.cumsum(self.sizes)])
        return Pairs(
            states.game,
            nodes,
            self.blind,
            inside,
            first,
            np.array(self.before),
            rows,
            source,
            rows[source] + move,
            sequence,
            pays,
        )
