"""Coupled regret matching, for stages of two players in zero-sum games (Lisý 2014, sec. 3.1.1: RM).

A stage keeps the mean of what each pair of moves gave. The regret of not having played another move is that mean
against the opponent's move, minus what happened. Where the means are the payoffs of a known game, this is regret
matching with full information. What a pair never played is worth is not printed: as much as what happened, or with
`unplayed=zero` 0. A player who chooses alone has nobody to be coupled with, and matches regrets for
itself.
"""

import numpy as np

from fogspiel.game.needs import TWO_PLAYERS, ZERO_SUM
from fogspiel.game.parts import PartOf
from fogspiel.search.bandits import regret_matching
from fogspiel.search.bandits.regret_matching import SLOT, choose
from fogspiel.search.bandits.regret_matching import learn as learn_alone
from fogspiel.search.hooks import worth_unplayed
from fogspiel.search.kinds import UNPLAYED

__all__ = ["NEEDS", "NODE", "PARAMETERS", "RECORD", "SLOT", "choose", "learn"]

NEEDS = (TWO_PLAYERS, ZERO_SUM)
PARAMETERS = (
    *regret_matching.PARAMETERS,
    PartOf("unplayed", "happened", UNPLAYED, "what a pair of moves never played counts as"),
)
NODE = (("pairs", "i8"),)
"""Where the pairs of a stage's moves are counted, plus 1; 0 if they are not yet."""
RECORD = (("used", "i8"), ("room", "i8"))

PAIRS = 64
"""Pairs that there is room for, for each node."""


def memory(game, room):
    count = min(PAIRS * room.nodes, 1 << 31)
    return {"pair_sum": np.zeros(count), "pair_count": np.zeros(count), "room": count}


def learn(search, d, reward, utility):
    """A stage learns once, at the step of its second player, or at the first's where the second explored (A*,
    `enhancements/aside.py`): a player who did not explore learns, whatever the other did. Where there is no room for a
    stage's pairs, its players learn alone."""
    step = search.path[d]
    if step.pending != 0:
        first = search.path[d - 1]
        if not couple(search, first, step):
            search.pool.refused += 1
            learn_alone(search, d, reward, utility)
            if first.slot >= 0:
                learn_alone(search, d - 1, reward, search.pay[search.nodes[first.node].owner])
    elif not (d + 1 < search.walk.depth and search.path[d + 1].pending != 0):
        learn_alone(search, d, reward, utility)
    elif search.path[d + 1].slot < 0 and not couple(search, step, search.path[d + 1]):
        search.pool.refused += 1
        learn_alone(search, d, reward, utility)


def couple(search, row_step, column_step):
    """After the two steps of a stage gave search.pay. False: there is no room for their pairs."""
    v = search.pay[0]
    one, a = search.nodes[row_step.node], chosen(row_step)
    two, b = search.nodes[column_step.node], chosen(column_step)
    rows, columns = one.used, two.used
    if one.pairs == 0:
        if search.bandit.used + rows * columns > search.bandit.room:
            return False
        one.pairs = search.bandit.used + 1
        search.bandit.used += rows * columns
    first = one.pairs - 1
    if first + rows * columns > search.bandit.used:
        return False
    row = first + (a - one.first) * columns
    column = first + b - two.first
    for i in range(rows):
        k = column + i * columns
        if one.first + i != a and row_step.slot >= 0:
            search.slots[one.first + i].score += worth(search, k, v) - v
    for j in range(columns):
        k = row + j
        if two.first + j != b and column_step.slot >= 0:
            search.slots[two.first + j].score -= worth(search, k, v) - v
    k = row + b - two.first
    search.pair_sum[k] += v
    search.pair_count[k] += 1.0
    return True


def chosen(step):
    """The slot of the move that was made, by the bandit or in exploring."""
    return step.slot if step.slot >= 0 else -2 - step.slot


def worth(search, k, v):
    """What a pair of moves gave player 0 on average; v is what happened."""
    if search.pair_count[k] > 0.0:
        return search.pair_sum[k] / search.pair_count[k]
    return worth_unplayed(search, v)


def crowded(search):
    return 4 * search.bandit.used > 3 * search.bandit.room


def forget(search):
    search.pair_sum[: search.bandit.used] = 0.0
    search.pair_count[: search.bandit.used] = 0.0
    search.bandit.used = 0


def move(search, before, count):
    """Move the pairs of the nodes that were kept together, those of the most visited, until half of the room is free;
    `before` are all nodes as they were. The pairs of a stage end where those of the next begin."""
    starts = np.sort(before.pairs[before.pairs > 0]) - 1
    ends = np.append(starts[1:], search.bandit.used)
    nodes = search.nodes[:count]
    paired = np.flatnonzero(nodes.pairs > 0)
    paired = paired[np.argsort(-nodes.visits[paired], kind="stable")]
    place = np.searchsorted(starts, nodes.pairs[paired] - 1)
    long = (ends - starts)[place]
    fits = np.cumsum(long) <= search.bandit.room // 2
    nodes.pairs[paired[~fits]] = 0
    paired, place, long = paired[fits], place[fits], long[fits]
    begin = np.cumsum(long) - long
    lay = np.repeat(starts[place] - begin, long) + np.arange(long.sum())
    for values in (search.pair_sum, search.pair_count):
        values[: len(lay)] = values[lay]
        values[len(lay) : search.bandit.used] = 0.0
    nodes.pairs[paired] = begin + 1
    search.bandit.used = len(lay)
