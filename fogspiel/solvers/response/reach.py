"""How often play comes to each place of a game when all follow a strategy, and what the place is worth then. Exact, on
a tree.

A *place* is an information set of the game: what a player who forgets cannot tell apart is one place, even where the
tree has several information sets for it.
"""

from dataclasses import dataclass

import numpy as np

from fogspiel.engine.kernel import kernel
from fogspiel.engine.kinds import Bytes, Int, Ints32, Reals
from fogspiel.game.rules import CHANCE
from fogspiel.solvers.strategy import Strategy
from fogspiel.tree.tree import Tree


@dataclass(frozen=True)
class Reach:
    """Place `i` is the tree's information set `head[i]` and all that are tied to it by forgetting; its histories,
    likeliest first, are `member[begin[i]:begin[i + 1]]`.

    `reach[i]` is the probability that play comes to it at all, and `value[i]` what its owner then expects. Where the
    owner's own strategy never comes there, the value is what it would expect if it did, and where the others' or
    chance's never do, NaN. `prob[a]` is the probability of the tree's action `a` in its information set, `weight[h]`
    that of history `h`, and `utility` what each player expects from the whole game.
    """

    tree: Tree
    head: np.ndarray
    begin: np.ndarray
    member: np.ndarray
    reach: np.ndarray
    value: np.ndarray
    prob: np.ndarray
    weight: np.ndarray
    utility: tuple[float, ...]

    def members(self, place: int) -> np.ndarray:
        return self.member[self.begin[place] : self.begin[place + 1]]


def reached(tree: Tree, strategy: Strategy) -> Reach:
    """Follow a strategy through a tree that has its histories (`unroll(..., histories=True)`)."""
    histories, players = tree.histories, tree.game.players
    assert histories is not None
    n, prob = len(histories.parent), strategy.actions(tree)
    edge = _edges(tree, prob)
    own: np.ndarray = np.ones(n * players)
    worth: np.ndarray = np.zeros(n * players)
    ends = np.flatnonzero(histories.terminal >= 0)
    z = histories.terminal[ends]
    possible = tree.reach[z] > 0
    at = ends[possible, None] * players + np.arange(players)
    worth[at] = tree.pay[z[possible]] / tree.reach[z[possible], None]
    descend(n, players, histories.parent, histories.actor, edge, own)
    ascend(n, players, histories.parent, edge, worth)

    own, worth = own.reshape(n, players), worth.reshape(n, players)
    weight = histories.reach * own.prod(axis=1)
    every = np.arange(len(tree.player))
    group = every if tree.forgotten is None else tree.forgotten
    head = np.flatnonzero(group == every)
    place = np.zeros(len(every), np.int64)
    place[head] = np.arange(len(head))
    place = place[group]

    decided = np.flatnonzero(histories.infoset >= 0)
    sets = histories.infoset[decided]
    where, who = place[sets], tree.player[sets]
    order = np.lexsort((decided, -weight[decided], where))
    begin = np.searchsorted(where[order], np.arange(len(head) + 1))
    # a place that play comes to twice counts when play first comes there
    first = ~_again(tree, group)[sets]
    others = histories.reach[decided].copy()
    for p in range(players):
        others *= np.where(who == p, 1.0, own[decided, p])
    mine = worth[decided, who]
    total, value = _mean(where, weight[decided] * first, mine, len(head))
    _, otherwise = _mean(where, others * first, mine, len(head))
    value = np.where(total > 0, value, otherwise)
    return Reach(tree, head, begin, decided[order], total, value, prob, weight, tuple(worth[0].tolist()))


def _edges(tree: Tree, prob: np.ndarray) -> np.ndarray:
    """The probability of the move that leads to each history, in the history before it."""
    histories = tree.histories
    assert histories is not None
    n = len(histories.parent)
    edge = np.ones(n)
    above = histories.parent[1:]
    chance = np.flatnonzero(histories.actor[above] == CHANCE) + 1
    before = histories.reach[histories.parent[chance]]
    edge[chance] = np.divide(histories.reach[chance], before, out=np.zeros(len(chance)), where=before > 0)
    # histories that follow one history come in the order of its moves
    order = np.argsort(above, kind="stable") + 1
    parents = histories.parent[order]
    rank = np.arange(n - 1) - np.searchsorted(parents, parents)
    chosen = histories.actor[parents] >= 0
    edge[order[chosen]] = prob[tree.first[histories.infoset[parents[chosen]]] + rank[chosen]]
    return edge


def _again(tree: Tree, group: np.ndarray) -> np.ndarray:
    """Which information sets come after another one that their owner cannot tell from them."""
    again = np.zeros(len(group), bool)
    if tree.forgotten is None:
        return again
    owner = np.repeat(np.arange(len(group)), tree.count)
    above = tree.parent.copy()
    while (above >= 0).any():
        later = np.flatnonzero(above >= 0)
        earlier = owner[above[later]]
        again[later] |= group[earlier] == group[later]
        above[later] = tree.parent[earlier]
    return again


def _mean(where: np.ndarray, weight: np.ndarray, value: np.ndarray, places: int) -> tuple[np.ndarray, np.ndarray]:
    """The weights of each place summed, and the weighted mean of its values; NaN where there is no weight."""
    total = np.bincount(where, weight, places)
    mean = np.full(places, np.nan)
    np.divide(np.bincount(where, weight * value, places), total, out=mean, where=total > 0)
    return total, mean


@kernel
def descend(n: Int, players: Int, parent: Ints32, actor: Bytes, edge: Reals, own: Reals) -> None:
    """Each player's own contribution to the probability of each history."""
    for h in range(1, n):
        above = parent[h]
        for p in range(players):
            own[h * players + p] = own[above * players + p] * (edge[h] if actor[above] == p else 1.0)


@kernel
def ascend(n: Int, players: Int, parent: Ints32, edge: Reals, worth: Reals) -> None:
    """What each player expects in each history, from what it gets at the ends."""
    for h in range(n - 1, 0, -1):
        for p in range(players):
            worth[parent[h] * players + p] += edge[h] * worth[h * players + p]
