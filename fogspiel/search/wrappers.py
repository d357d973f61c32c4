"""What is put around a bandit: who learns nothing from a choice, what a stage passes on to those above it, and what
else is counted."""

from typing import Any

import numpy as np

from fogspiel.game.needs import TWO_PLAYERS, ZERO_SUM
from fogspiel.game.spec import Number
from fogspiel.game.table import CHANCE, copy_state, infoset, packed_at, pick, uniform

MOST = 0.99
"""With 1 nothing would ever be learned; Lisý 2014 has it below that, too."""


class Aside:
    """With some probability a node chooses at random and learns nothing: the wrapper A* (Lisý et al. 2013; Lisý 2014,
    sec. 3.1.2), which gives any bandit the exploration that convergence needs."""

    PARAMETERS = (Number("aside", 0, 0, MOST, "exploration that teaches nothing (A*)"),)

    def explore(search, here, n):
        return pick(search.rng, n) if uniform(search.rng) < search.aside.aside else -1


class Settled:
    """Others do what they did before, and learn no more: the second step of two-step self-determinization (Whitehouse
    2014, sec. 7.4).

    Once `search.settled.now` is 1, a move at others' nodes is drawn by its share of the visits that taught the node
    something."""

    RECORD = (("now", "i8"),)

    def explore(search, here, n):
        if search.settled.now == 0 or here.owner == search.asked.searcher:
            return -1
        return as_before(search, n)

    def forget(search):
        search.settled.now = 0


def as_before(search, n):
    total = 0
    for i in range(n):
        total += search.slots[search.slot[i]].tries
    if total == 0:
        return pick(search.rng, n)
    left = pick(search.rng, total)
    for i in range(n):
        left -= search.slots[search.slot[i]].tries
        if left < 0:
            return i
    return n - 1


class Means:
    """A stage passes on the mean of what it has returned so far, not what came of this simulation: SM-MCTS-A (Lisý et
    al. 2013; Lisý 2014, sec. 3.1.2). The mean is kept at the stage's first node, where both players' choices meet. What
    the simulation brought that added a stage is the first of it; a simulation that expands a stage counts for the stage
    it adds alone (Lisý et al. 2013, Algorithm 1)."""

    NEEDS = (TWO_PLAYERS, ZERO_SUM)
    NODE = (("value", "f8"), ("returns", "i8"))
    """The sum of what the stage returned to the node's player, and how often it did."""

    def capture(game, search, s):
        """The stage at which the tree was left returns what was played out from there."""
        if search.walk.leaf >= 0:
            count(search, search.nodes[search.walk.leaf])

    def learned(game, search, d, reward):
        step = search.path[d]
        if step.pending != 0 or search.nodes[step.node].owner == CHANCE:
            return
        if step.expanding == 0:
            count(search, search.nodes[step.node])
            return_mean(search, search.nodes[step.node])
        elif search.walk.leaf >= 0:
            return_mean(search, search.nodes[search.walk.leaf])


def count(search, here):
    here.value += search.pay[here.owner]
    here.returns += 1


def return_mean(search, here):
    mean = here.value / here.returns
    search.pay[here.owner] = mean
    search.pay[1 - here.owner] = -mean


class Squares:
    """The sum of squared rewards of every move, for decisions that look at how far rewards scatter (Whitehouse 2014,
    sec. 7.4)."""

    SLOT = (("squares", "f8"),)

    def learned(game, search, d, reward):
        step = search.path[d]
        if step.slot >= 0:
            search.slots[step.slot].squares += reward * reward


# --- the states that simulations come to


ROOM = 1 << 13

Particle = np.dtype([("move", "i8"), ("key", "u8")], align=True)
"""The searcher's move that led there, and what it then knew."""


class Particles:
    """The states in which simulations came to the searcher's next decision, for who wants to start from them there: the
    particles of POMCP (Silver and Veness 2010). Of more than there is room for, each is as likely to stay."""

    RECORD = (("count", "i8"), ("room", "i8"))

    def memory(game, room):
        return {
            "reached": np.zeros(ROOM, Particle),
            "reached_states": np.zeros(ROOM * game.dtype.itemsize + 64, np.int8),
            "room": ROOM,
        }

    def offered(game, search, s, here, n):
        if search.walk.depth != 1:
            return
        own = search.particles
        i = own.count if own.count < own.room else pick(search.rng, own.count + 1)
        own.count += 1
        if i < own.room:
            search.reached[i].move = search.slots[search.path[0].slot].move
            search.reached[i].key = infoset(game, s, here.owner)
            copy_state(game, packed_at(game, search.reached_states, i), s)

    def forget(search):
        search.particles.count = 0


def particles_after(search: Any, size: int, move: int, key: int) -> np.ndarray:
    """The states, one in a row, that the searcher may be in after a move of its own at the root, when it knows
    `key`."""
    count = min(int(search.particles.count), int(search.particles.room))
    rows = search.array("reached")[:count]
    states = search.array("reached_states")[: count * size].reshape(count, size)
    return states[(rows["move"] == move) & (rows["key"] == np.uint64(key))].view(np.uint8)
